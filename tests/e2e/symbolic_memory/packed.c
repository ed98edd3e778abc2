// Words that are not aligned, in a packed structure and in a buffer, at a variable place.
// run: --engine bmc --integers bitvector => true
// run: --engine bmc => true
// run: --engine bmc --32 --integers bitvector => true
// run: --engine bmc --integers bitvector -- -DBUG => false(unreach-call)
// run: --engine bmc --integers bitvector -- -DOUTSIDE => false(valid-deref)
#include <assert.h>
#include <stdint.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct __attribute__((packed)) head { uint8_t tag; uint32_t length; };
int main(void) {
  uint8_t buffer[12] = {0};
  unsigned at = __VERIFIER_nondet_uint(), length = __VERIFIER_nondet_uint();
#ifdef OUTSIDE
  if (at > 8) return 0;
#else
  if (at > 7) return 0;
#endif
  struct head *h = (struct head *)(buffer + at);
  h->tag = 1;
  h->length = length;
#ifdef BUG
  assert(buffer[at + 1] == (uint8_t)(length >> 8));
#else
  assert(buffer[at + 1] == (uint8_t)length && buffer[at + 4] == length >> 24);
#endif
  return 0;
}
