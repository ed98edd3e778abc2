// fscanf of a word without a width. Twin: scanf_width.c.
// expect: false(valid-deref)
#include <stdio.h>

int main(void) {
  char word[16];
  FILE *f = fopen("words.txt", "r");
  if (!f) return 1;
  if (fscanf(f, "%s", word) == 1) puts(word);
  fclose(f);
  return 0;
}
