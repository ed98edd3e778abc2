// As switches_first_bug.c, but the path with fewer switches is deeper than the limit allows: nobody
// can say that the one found is the shortest.
// expect: false(unreach-call)
// states: 21
// args: --minimise --property unreach-call --por none --search bfs --limit depth=8
// message: Minimised: 6 transitions with 3 context switches
// message: the path of error 1 may not be the shortest
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int f, g, y;

static void *one(void *u) {
  f = 1;
  if (g == 0) {
    y = 1;
    y = 2;
    y = 3;
    y = 4;
    y = 5;
    y = 6;
    y = 7;
    y = 8;
  }
  assert(0);
  return u;
}

static void *two(void *u) {
  if (f) g = 1;
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
