/* A decoder of base64 (RFC 4648) on N free characters. */
#include <assert.h>
#include <stddef.h>

extern char __VERIFIER_nondet_char(void);

#ifndef N
#define N 4
#endif
#ifdef WRONG /* no room for the third byte of a group */
enum { ROOM = N / 4 * 3 - 1 };
#else
enum { ROOM = N / 4 * 3 };
#endif

static int value_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* The number of bytes, or -1. */
static int decode(unsigned char *out, const char *in, size_t n) {
  int have = 0;
  for (size_t i = 0; i + 3 < n; i += 4) {
    int a = value_of(in[i]), b = value_of(in[i + 1]), c = value_of(in[i + 2]), d = value_of(in[i + 3]);
    int last = i + 4 == n, pads = last && in[i + 3] == '=' ? in[i + 2] == '=' ? 2 : 1 : 0;
    if (a < 0 || b < 0 || (c < 0 && pads < 2) || (d < 0 && pads < 1)) return -1;
    out[have++] = (unsigned char)(a << 2 | b >> 4);
    if (pads < 2) out[have++] = (unsigned char)((b & 15) << 4 | c >> 2);
    if (pads < 1) out[have++] = (unsigned char)((c & 3) << 6 | d);
  }
  return have;
}

int main(void) {
  char text[N];
  unsigned char bytes[ROOM];
  for (int i = 0; i < N; i++) text[i] = __VERIFIER_nondet_char();
  int n = decode(bytes, text, N);
  assert(n == -1 || (n >= 1 && n <= N / 4 * 3));
  if (n > 0) assert(value_of(text[0]) == bytes[0] >> 2);
  return 0;
}
