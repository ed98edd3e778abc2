// A global of zeros that is larger than what an array of the encoding has stored one by one, and a small table beside
// it. What both hold at the start is known: nothing but zeros, and the small one first.
// expect: true
// run: --engine bmc => true
// run: --engine bmc --integers bitvector => true
// run: --32 --engine bmc => true
// run: --engine bmc --property unreach-call,def-behavior -- -DBUG => false(unreach-call)
// run: -- -DBUG => false(unreach-call)
// run: --engine bmc -- -DBUG=2 => false(unreach-call)
// run: -- -DBUG=2 => false(unreach-call)
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
static unsigned char zeros[2000], table[8] = {4, 5, 6};
static int get(const unsigned char *p, int i) { return p[i]; }
static void put(unsigned char *p, int i, int v) { p[i] = (unsigned char)v; }
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  put(zeros, n, 1);
  put(table, n & 3, 3);
  if (get(table, 2) == 7) reach_error();
#if defined BUG && BUG == 1
  if (get(table, 0) == 4 && get(table, 1) == 3) reach_error();
#endif
  if (get(zeros, 1000 + n) > 0) reach_error();
#if defined BUG && BUG == 2
  if (get(zeros, 250) > 0) reach_error();
#endif
  return 0;
}
