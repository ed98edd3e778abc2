/* A decoder of UTF-8 (RFC 3629) on N free bytes. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#ifndef N
#define N 4
#endif

/* Reads a character; returns its bytes, or 0. */
static size_t decode(uint32_t *out, const unsigned char *s, size_t n) {
  if (!n) return 0;
  if (s[0] < 0x80) {
    *out = s[0];
    return 1;
  }
  size_t more = s[0] >= 0xf0 ? 3 : s[0] >= 0xe0 ? 2 : 1;
  if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
#ifndef WRONG /* else it reads beyond the end of a text that is cut */
  if (more >= n) return 0;
#endif
  uint32_t c = s[0] & (0x3fu >> more);
  for (size_t i = 1; i <= more; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
    c = c << 6 | (s[i] & 0x3f);
  }
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  if (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) return 0;
  *out = c;
  return more + 1;
}

int main(void) {
  unsigned char text[N];
  uint32_t c = 0;
  for (int i = 0; i < N; i++) text[i] = __VERIFIER_nondet_uchar();
  for (size_t at = 0; at < N;) {
    size_t k = decode(&c, text + at, N - at);
    if (!k) break;
    assert(c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff));
    assert((c < 0x80) == (k == 1) && (c >= 0x10000) == (k == 4));
    at += k;
    assert(at <= N);
  }
  return 0;
}
