// Bits of one variable: those that a mask removes decide nothing.
// run: --engine bmc --integers bitvector => true
// run: --engine bmc --integers bitvector -- -DBUG => false(def-behavior)
// run: --engine kinduction --integers bitvector -- -DBUG => false(def-behavior)
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned v, w;
  if (__VERIFIER_nondet_int()) v = 5;
  w = v << 4 | 3;
#ifdef BUG
  if (w & 16) return 1;
#else
  if ((w & 15) == 3) return 1;
#endif
  return 0;
}
