// A lock that is taken and given back in turn, whatever the inputs.
// run: --engine kinduction --property unreach-call => true
// run: --engine predicate --property unreach-call => true
// run: --engine value --property unreach-call => true
// run: --engine kinduction --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine value --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine bmc --property unreach-call -- -DBUG => false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int held;
static void lock(void) {
  if (held) reach_error();
  held = 1;
}
static void unlock(void) {
  if (!held) reach_error();
  held = 0;
}
int main(void) {
  for (;;) {
    int n = __VERIFIER_nondet_int();
    if (n == 7) break;
    lock();
#ifdef BUG
    if (n == 12345) continue;
#endif
    unlock();
  }
}
