// The race is seen by a state two transitions deep, the assertion fails in the third one of a state that breadth
// first comes to before that: errors of transitions wait until the rest of their level was looked at.
//
// expect: false(no-data-race)
// args: --property unreach-call,no-data-race --search bfs --por none
// run: --property unreach-call,no-data-race --search bfs --por sleep => false(no-data-race)
// run: --property unreach-call,no-data-race --threads 2 => false(no-data-race)
// run: --property unreach-call,no-data-race --search astar => false(no-data-race)
// run: --property unreach-call,no-data-race --search bfs --por none --keep-going => false(no-data-race)
// run: --property unreach-call --search bfs --por none => false(unreach-call)
// run: --property unreach-call,no-data-race => false(no-data-race) or false(unreach-call)
#include <assert.h>
#include <pthread.h>

int x, y, z;

static void *other(void *unused) {
  z = 1;
  x = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  x = 2;
  y = 1;
  assert(0);
}
