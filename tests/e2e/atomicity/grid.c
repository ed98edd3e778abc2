// Two threads that share nothing; the number of states is counted by hand.
//
// visible: the start; then main is parked at its load, its store or the join, and the thread at its
// load, its store, its end, or gone: 1 + 3 * 4 = 13.
//
// statement: main is parked at its statement or the join, the thread at its statement, its end, or
// gone: 1 + 2 * 3 = 7. Both statements have two visible operations: the proviso.
//
// instruction: 7 edges up to the creation (call of main; retval = 0, life of `a`, call of
// pthread_create; there a branch, t1 = 0, the primitive): 7 states. Then main has 6 places up to the
// join (return; load, store, load of `a`, call of pthread_join, primitive), the thread 15 with its
// end (call of the start routine; load, store, return; call of finish; twice call and assign,
// branch, return; exit; gone): 90 states. Three of main's places are visible operations: where the
// thread is gone, it matters whether main came there before that or after: 3 more. Then 11: after
// the join, the return, the end of `a`, the return of main, and the 8 edges of exit without the
// last, which ends the program (see steps.c). In all 111.
// Reduced, one order is enough: 7 + 15 + 5 + 11 = 38.
//
// expect: true
// args: --por none
// states: 13
// run: --por none --atomic statement => conditional states=7
// run: --por none --atomic statement --search bfs => conditional states=7
// run: --por none --atomic instruction => true states=80
// run: --por none --atomic instruction --search bfs => true states=80
// run: --por sleep --atomic instruction => true states=80
// run: --atomic instruction => true states=29
// run: --atomic instruction --search bfs => true states=29
#include <pthread.h>

static int x, y;

static void *other(void *u) {
  y = y + 1;
  return u;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, other, 0);
  x = x + 1;
  pthread_join(a, 0);
  return 0;
}
