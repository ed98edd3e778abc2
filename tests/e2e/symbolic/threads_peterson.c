// Mutual exclusion by memory alone; with the flags set too late there is none.
// run: --engine value --property unreach-call => true
// run: --engine composite --property unreach-call => true
// run: --engine value --property unreach-call -- -DLATE => false(unreach-call)
// run: --engine composite --property unreach-call -- -DLATE => false(unreach-call)
// run: --engine value --por none --property unreach-call => true
// proof: none
#include <pthread.h>
extern void reach_error(void);
static int flag[2], turn, inside;
static void enter_and_leave(int me) {
#ifdef LATE
  turn = 1 - me;
  flag[me] = 1;
#else
  flag[me] = 1;
  turn = 1 - me;
#endif
  while (flag[1 - me] && turn == 1 - me) {
  }
  inside++;
  if (inside != 1) reach_error();
  inside--;
  flag[me] = 0;
}
static void *work(void *unused) {
  enter_and_leave(1);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  enter_and_leave(0);
  pthread_join(t, 0);
}
