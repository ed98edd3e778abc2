// Encodes its first argument in base64.
// bug: valid-deref: the room for texts of 3k + 1 bytes is computed too small
// expect: false(valid-deref)
// args: abc
// stdin:
// trigger args: abcd
// trigger stdin:
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *encode(const unsigned char *in, size_t n) {
  size_t size = 4 * (n / 3) + 5 - (n % 3 == 1 ? 4 : 0);
  char *out = malloc(size), *to = out;
  if (!out)
    return NULL;
  for (size_t i = 0; i < n; i += 3) {
    unsigned long bits = (unsigned long)in[i] << 16;
    if (i + 1 < n)
      bits |= (unsigned long)in[i + 1] << 8;
    if (i + 2 < n)
      bits |= in[i + 2];
    *to++ = digits[bits >> 18 & 63];
    *to++ = digits[bits >> 12 & 63];
    *to++ = i + 1 < n ? digits[bits >> 6 & 63] : '=';
    *to++ = i + 2 < n ? digits[bits & 63] : '=';
  }
  *to = '\0';
  return out;
}

int main(int argc, char **argv) {
  const char *text = argc > 1 ? argv[1] : "hello";
  char *out = encode((const unsigned char *)text, strlen(text));
  if (!out)
    return 1;
  puts(out);
  free(out);
  return 0;
}
