// A flag that is set in a thread. Unrolling and induction know one thread only, and say so.
// run: --engine bmc --property unreach-call => conditional
// run: --engine kinduction --property unreach-call => conditional
// run: --engine value --property unreach-call => false(unreach-call)
// run: --engine predicate --property unreach-call => false(unreach-call)
// run: --engine composite --property unreach-call => false(unreach-call)
// run: --engine value --property unreach-call,no-data-race -- -DLATE => conditional
// run: --engine value --property unreach-call -- -DLATE => true
// run: --engine predicate --property unreach-call -- -DLATE => true
// run: --engine composite --property unreach-call -- -DLATE => true
// proof: none
#include <pthread.h>
extern void reach_error(void);
static int x;
static void *work(void *unused) {
  x = 1;
  return unused;
}
int main(void) {
  pthread_t t;
#ifdef LATE
  if (x == 1) reach_error();
#endif
  pthread_create(&t, 0, work, 0);
#ifndef LATE
  if (x == 1) reach_error();
#endif
}
