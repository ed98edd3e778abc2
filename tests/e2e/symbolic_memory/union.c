// A word and its bytes.
// run: --engine bmc => true
// run: --engine bmc --integers bitvector => true
// run: --engine kinduction --integers bitvector => true
// run: --engine predicate => true
// run: --engine bmc -- -DBUG => false(unreach-call)
// run: --engine bmc --integers bitvector -- -DBUG => false(unreach-call)
// run: --engine predicate -- -DBUG => false(unreach-call)
#include <assert.h>
#include <stdint.h>
extern unsigned __VERIFIER_nondet_uint(void);
union both { uint32_t word; uint8_t byte[4]; };
int main(void) {
  union both u;
  u.word = __VERIFIER_nondet_uint();
  u.byte[1] = 7;
#ifdef BUG
  assert((u.word >> 16 & 255) != 7);
#else
  assert((u.word >> 8 & 255) == 7);
#endif
  return 0;
}
