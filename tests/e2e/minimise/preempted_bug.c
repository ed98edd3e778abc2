// The shortest path, by hand: main begins and creates the first thread (1), creates the second (2);
// `one` sets x (3); `two` sets z, reads x and y, sets z, ends (4 to 8); `one` sets y, ends (9, 10);
// main joins both, alone, and fails (11). `one` has to move before and after the reads of `two`, and
// main first and last: 4 switches. The searches find other paths.
// expect: false(unreach-call)
// states: 19
// args: --minimise --property unreach-call
// message: Minimised: 11 transitions with 4 context switches instead of 12
// message: no path is shorter.
// run: --minimise --property unreach-call --search bfs => false(unreach-call) states=28
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
