// An equality modulo 2^128 between variables of 128 bits, without which the assertion is not inductive.
// args: --engine kinduction --integers bitvector --property unreach-call
// expect: true
// run: --engine bmc --integers bitvector --property unreach-call -- -DBUG => false(unreach-call)
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
#ifdef BUG
#define LAST 2
#else
#define LAST 100000
#endif

int main(void) {
  unsigned __int128 a = 0, b = 5;
  while (__VERIFIER_nondet_bool()) {
    a += 1;
    b -= 1;
#ifdef BUG
    if (a == 2) b++;
#endif
  }
  if (a == LAST && b != (unsigned __int128)5 - LAST) reach_error();
  return 0;
}
