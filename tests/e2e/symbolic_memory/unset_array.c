// A local array that a loop fills, and one element that it leaves out.
// run: --engine bmc => true
// run: --engine bmc --integers bitvector => true
// run: --engine bmc -- -DBUG => false(def-behavior)
// run: --engine bmc --32 --integers bitvector -- -DBUG => false(def-behavior)
// run: --engine value -- -DBUG => false(def-behavior)
// run: --engine predicate -- -DBUG => false(def-behavior)
extern unsigned char __VERIFIER_nondet_uchar(void);
#ifdef BUG
enum { FIRST = 1 };
#else
enum { FIRST = 0 };
#endif
int main(void) {
  unsigned char b[4];
  for (int i = FIRST; i < 4; i++) b[i] = __VERIFIER_nondet_uchar();
  unsigned v = (unsigned)b[3] << 24 | (unsigned)b[2] << 16 | (unsigned)b[1] << 8 | b[0];
  return v > 0x80000000u ? 1 : 0;
}
