// Counts lines, words and bytes of standard input, as wc does.
// bug: def-behavior: the table of lengths is indexed without a bound
// expect: false(def-behavior)
// args:
// stdin: one two three\n
// trigger args:
// trigger stdin: extraordinary words\n
#include <ctype.h>
#include <stdio.h>

struct counts {
  unsigned long lines, words, bytes;
};

static void count_byte(struct counts *c, int byte, int *in_word) {
  c->bytes++;
  if (byte == '\n')
    c->lines++;
  if (isspace(byte)) {
    *in_word = 0;
  } else if (!*in_word) {
    *in_word = 1;
    c->words++;
  }
}

static int by_length[8];

int main(void) {
  struct counts c = {0, 0, 0};
  int byte, in_word = 0;
  size_t length = 0;

  while ((byte = getchar()) != EOF) {
    count_byte(&c, byte, &in_word);
    if (in_word) {
      length++;
    } else if (length > 0) {
      by_length[length]++;
      length = 0;
    }
  }
  printf("%lu %lu %lu\n", c.lines, c.words, c.bytes);
  for (int i = 1; i < 8; i++)
    if (by_length[i])
      printf("%d word(s) of length %d%s\n", by_length[i], i, i == 7 ? " or more" : "");
  return 0;
}
