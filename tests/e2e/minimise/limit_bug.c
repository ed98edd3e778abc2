// The limit on states lets the search find its error, but not look at all shorter paths.
// expect: false(unreach-call)
// states: 19
// args: --minimise --property unreach-call --limit states=25
// message: Minimised: 12 transitions with 6 context switches.
// message: the path of error 1 may not be the shortest
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;

static void *one(void *u) {
  x = 1;
  y = 1;
  return u;
}

static void *two(void *u) {
  z = 1;
  if (x == 1 && y == 0) z = 2;
  return u;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(z != 2);
  return 0;
}
