// Partial verification: a function, or a file, is not examined.
// expect: conditional
// args: --property unreach-call --exclude broken
// proviso: no error lies in or behind a call of `broken`, which is excluded
// run: --property unreach-call => false(unreach-call)
// run: --property unreach-call --exclude harmless => conditional
// run: --property unreach-call --exclude broken -- -DBUG => false(unreach-call)
// run: --property unreach-call --exclude broken -- -DUNUSED => true
// run: --engine composite --property unreach-call --exclude broken => conditional
// run: --engine dpor --property unreach-call --exclude broken => conditional
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int broken(int x) {
  if (x > 10) reach_error();
  return x;
}

static int harmless(int x) {
  return x & 7;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
#ifdef BUG
  if (x == 5) reach_error();
#endif
  if (harmless(x) == 8) reach_error();
#ifndef UNUSED
  return x > 5 ? broken(x) : 0;
#else
  return x > 50 && x < 40 ? broken(x) : 0;
#endif
}
