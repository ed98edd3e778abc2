// Fewer switches come before fewer transitions. Breadth first: main begins and creates `one` (1),
// creates `two` (2); `one` sets f (3), `two` reads it and sets g (4, 5), `one` reads g and fails (6): 3
// switches. With 1 switch `two` is never created: after (1) `one` sets f, reads g, does the eight stores
// and fails, 11 transitions in all.
// expect: false(unreach-call)
// states: 21
// args: --minimise --property unreach-call --por none --search bfs
// message: Minimised: 11 transitions with 1 context switch instead of 6 transitions with
// message: no path is shorter.
// run: --property unreach-call --minimise => false(unreach-call) states=13
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
