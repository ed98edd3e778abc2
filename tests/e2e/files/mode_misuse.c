// Reading straight after writing. Twin: mode_right.c.
// expect: false(def-behavior)
// message: a stream is read after it was written, without a seek or fflush
#include <stdio.h>

int main(void) {
  FILE *f = fopen("data.txt", "w+");
  if (!f) return 1;
  fputc('a', f);
  return fgetc(f);
}
