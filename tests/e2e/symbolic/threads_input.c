// Only one value of an input, and only one order, ends in the error.
// run: --engine value --property unreach-call => false(unreach-call)
// run: --engine predicate --property unreach-call => false(unreach-call)
// run: --engine composite --property unreach-call => false(unreach-call)
// run: --engine value --property unreach-call -- -DGUARDED => conditional
// run: --engine predicate --property unreach-call -- -DGUARDED => true
// run: --engine composite --property unreach-call -- -DGUARDED => true
// proof: none
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int given, ready;
static void *work(void *unused) {
  int mine = __VERIFIER_nondet_int();
#ifdef GUARDED
  if (mine == 4711) return unused;
#endif
  given = mine;
  ready = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  if (ready && given == 4711) reach_error();
  pthread_join(t, 0);
}
