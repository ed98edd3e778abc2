// A decoder of UTF-8 on up to four free bytes.
// run: --engine bmc --integers bitvector => true
// run: --engine bmc --integers bitvector -- -DBUG => false(def-behavior)
#include <assert.h>
#include <stdint.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static int decode(const unsigned char *s, unsigned n, uint32_t *out) {
  if (n == 0) return 0;
  unsigned char c = s[0];
  if (c < 0x80) { *out = c; return 1; }
  int len = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 0;
#ifdef BUG
  if (len == 0 || c > 0xf4) return -1;
#else
  if (len == 0 || c > 0xf4 || (unsigned)len > n) return -1;
#endif
  uint32_t v = c & (0x7f >> len);
  for (int i = 1; i < len; i++) {
    if ((s[i] & 0xc0) != 0x80) return -1;
    v = v << 6 | (s[i] & 0x3f);
  }
  if ((len == 3 && v < 0x800) || (len == 4 && v < 0x10000) || v > 0x10ffff || (v >= 0xd800 && v < 0xe000)) return -1;
  *out = v;
  return len;
}
int main(void) {
  unsigned char b[4]; uint32_t v;
  unsigned n = __VERIFIER_nondet_uchar();
  if (n > 4) return 0;
  for (unsigned i = 0; i < n; i++) b[i] = __VERIFIER_nondet_uchar();
  unsigned at = 0;
  while (at < n) {
    int len = decode(b + at, n - at, &v);
    if (len <= 0) return 1;
    assert(v <= 0x10ffff);
    at += len;
  }
  assert(at == n);
  return 0;
}
