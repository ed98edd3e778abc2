// With --keep-going the path of every error is shortened, in one search.
// expect: false(unreach-call)
// states: 20
// args: --minimise --keep-going --property unreach-call
// message: assertion `x == 0` fails
// message: assertion `y == 0` fails
// message: Minimised: 6 transitions with 2 context switches
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *one(void *u) {
  y = 1;
  assert(x == 0);
  return u;
}

static void *two(void *u) {
  x = 1;
  assert(y == 0);
  return u;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
