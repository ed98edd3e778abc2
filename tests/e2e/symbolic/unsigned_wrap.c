// Unsigned arithmetic wraps around, and comparisons know their signedness.
// run: --engine bmc --property unreach-call => true
// run: --engine bmc --property unreach-call --integers bitvector => true
// run: --engine bmc --property unreach-call --32 => true
// run: --engine bmc --property unreach-call -- -DBUG => false(unreach-call)
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned u = __VERIFIER_nondet_uint();
  unsigned char c = (unsigned char)u;
  int i = (int)u;
#ifdef BUG
  if (u + 1 < u) reach_error();
#endif
  if (u + 1 < u && u != 0xffffffffu) reach_error();
  if (c != u % 256) reach_error();
  if (i < 0 && u < 0x80000000u) reach_error();
  if (i >= 0 && u != (unsigned)i) reach_error();
  if ((u >> 4) != u / 16 || (u << 1) / 2 != (u & 0x7fffffffu)) reach_error();
}
