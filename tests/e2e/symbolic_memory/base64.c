// An encoder of base64 on up to 12 free bytes.
// run: --engine bmc --integers bitvector => true
// run: --engine bmc --integers bitvector --32 => true
// run: --engine bmc --integers bitvector -- -DBUG => false(valid-deref)
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
#ifndef N
#define N 12
#endif
#ifdef BUG
enum { MORE = 0 };
#else
enum { MORE = 1 };
#endif
static const char table[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static size_t encode(char *out, const uint8_t *in, size_t n) {
  size_t o = 0, i;
  for (i = 0; i + 2 < n; i += 3) {
    out[o++] = table[in[i] >> 2];
    out[o++] = table[(in[i] & 3) << 4 | in[i + 1] >> 4];
    out[o++] = table[(in[i + 1] & 15) << 2 | in[i + 2] >> 6];
    out[o++] = table[in[i + 2] & 63];
  }
  if (i < n) {
    out[o++] = table[in[i] >> 2];
    if (i + 1 < n) {
      out[o++] = table[(in[i] & 3) << 4 | in[i + 1] >> 4];
      out[o++] = table[(in[i + 1] & 15) << 2];
    } else {
      out[o++] = table[(in[i] & 3) << 4];
      out[o++] = '=';
    }
    out[o++] = '=';
  }
  out[o] = 0;
  return o;
}
int main(void) {
  uint8_t in[N];
  char out[N / 3 * 4 + MORE];
  unsigned n = __VERIFIER_nondet_uint();
  if (n > N) return 0;
  for (unsigned i = 0; i < n; i++) in[i] = __VERIFIER_nondet_uchar();
  size_t o = encode(out, in, n);
  assert(o == (n + 2) / 3 * 4);
  if (n > 0) assert(out[0] != '=');
  return 0;
}
