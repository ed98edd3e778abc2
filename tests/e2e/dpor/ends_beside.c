// A thread comes to something that nobody knows as main is at the end of the program: that ends all threads, the other only
// its own, and both are looked at.
// expect: conditional
// executions: 1
// args: --engine dpor --dependence conflict --peek 0 --property unreach-call
// proviso: `nobody_knows`
// run: --engine dpor --dependence conflict --peek 0 --dpor source --property unreach-call => conditional executions=1
// run: --engine dpor --dependence conflict --peek 0 --dpor classic --property unreach-call => conditional executions=1
// run: --engine dpor --property unreach-call => conditional executions=1
// run: --engine dpor --property unreach-call -- -DASSUME => conditional executions=1
// run: --engine dpor --property unreach-call -- -DFIX => true executions=1
#include <pthread.h>
extern void __VERIFIER_assume(int);
void nobody_knows(void);

static void *work(void *arg) {
#ifndef FIX
  nobody_knows();
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
#ifdef ASSUME
  __VERIFIER_assume(!work);
#endif
  return 0;
}
