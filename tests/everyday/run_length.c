// Run-length coding of an argument: aaab becomes 3a1b.
// bug: none
// expect: true
// args: aaab abc
// stdin:
#include <stdio.h>
#include <string.h>

enum { ROOM = 16 };

static int encode(const char *in, char *out, size_t room) {
  size_t n = 0;
  while (*in) {
    char c = *in;
    int run = 0;
    while (*in == c && run < 9) {
      run++;
      in++;
    }
    if (n + 2 >= room)
      return -1;
    out[n++] = (char)('0' + run);
    out[n++] = c;
  }
  out[n] = '\0';
  return (int)n;
}

int main(int argc, char **argv) {
  char out[ROOM];
  for (int i = 1; i < argc; i++) {
    int n = encode(argv[i], out, sizeof out);
    if (n < 0)
      printf("%s: too long\n", argv[i]);
    else
      printf("%s (%d)\n", out, n);
  }
  return 0;
}
