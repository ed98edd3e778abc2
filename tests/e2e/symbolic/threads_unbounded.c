// Every value is handed over, not only those that running the program tries.
// expect: conditional
// args: --engine explicit --property unreach-call
// run: --engine predicate --property unreach-call => true
// run: --engine composite --property unreach-call => true
// run: --engine predicate --property unreach-call -- -DTWICE => false(unreach-call)
// run: --engine composite --property unreach-call -- -DTWICE => false(unreach-call)
// run: --engine auto --property unreach-call => true
// run: --engine auto --property unreach-call -- -DTWICE => false(unreach-call)
// proof: none
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int box, full;
static void *work(void *unused) {
  while (!full) {
  }
#ifdef TWICE
  box = box + 1;
#endif
  full = 0;
  return unused;
}
int main(void) {
  pthread_t t;
  int x = __VERIFIER_nondet_int();
  pthread_create(&t, 0, work, 0);
  box = x;
  full = 1;
  pthread_join(t, 0);
  if (box != x) reach_error();
}
