// Each run of equal letters takes two bytes: eight of them leave no room for the terminator. Twin: text_runs.c.
// args: --engine explicit
// expect: conditional
#include <stdio.h>

static char out[16];

int main(int argc, char **argv) {
  size_t n = 0;
  for (const char *in = argc > 1 ? argv[1] : ""; *in;) {
    char c = *in;
    int run = 0;
    while (*in == c && run < 9) run++, in++;
    if (n + 3 > sizeof out) return 1;
    out[n++] = (char)('0' + run);
    out[n++] = c;
  }
  char *end = out + n;
  *end = 0;
  puts(out);
  return 0;
}
