// A char of the text is an index, and may be negative. Twin: text_negative_char_right.c.
// args: --engine explicit
// expect: false(def-behavior)
#include <stdio.h>

static unsigned count[256];

int main(int argc, char **argv) {
  for (const char *s = argc > 1 ? argv[1] : ""; *s; s++) count[(int)*s]++;
  printf("%u\n", count['x']);
  return 0;
}
