// The same with many decisions on the path: two threads that take turns at a shared counter.
//
// args: --search bfs --property unreach-call
// expect: false(unreach-call)
// states: 180018
// message: Error path (more than
// message: steps are not shown
// message: turn = 30000
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int turn;

static void *player(void *arg) {
  int me = *(int *)arg;
  while (turn < 30000)
    if (turn % 2 == me) turn++;
  return 0;
}

int main(void) {
  pthread_t t;
  int zero = 0, one = 1;
  pthread_create(&t, 0, player, &one);
  player(&zero);
  pthread_join(t, 0);
  assert(turn < 30000);
  return 0;
}
