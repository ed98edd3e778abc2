// Prints the bytes of standard input in rows of eight.
// bug: def-behavior: no room for the terminator where a row is full
// expect: false(def-behavior)
// args:
// stdin: abc
// trigger args:
// trigger stdin: abcdefgh
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 8 };

static void print_row(unsigned long offset, const unsigned char *row, size_t n) {
  char text[WIDTH];
  printf("%08lx ", offset);
  for (size_t i = 0; i < WIDTH; i++) {
    if (i < n)
      printf(" %02x", row[i]);
    else
      printf("   ");
  }
  for (size_t i = 0; i < n; i++)
    text[i] = isprint(row[i]) ? (char)row[i] : '.';
  text[n] = '\0';
  printf("  |%s|\n", text);
}

int main(void) {
  unsigned char row[WIDTH];
  unsigned long offset = 0;
  size_t n = 0;
  int c;
  while (offset < 16 && (c = getchar()) != EOF) {
    row[n++] = (unsigned char)c;
    if (n == WIDTH) {
      print_row(offset, row, n);
      offset += n;
      n = 0;
    }
  }
  if (n > 0)
    print_row(offset, row, n);
  return 0;
}
