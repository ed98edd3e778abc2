// Twin of scanf_word.c.
// args: --engine explicit
// expect: conditional
#include <stdio.h>

int main(void) {
  char word[16];
  FILE *f = fopen("words.txt", "r");
  if (!f) return 1;
  if (fscanf(f, "%15s", word) == 1) puts(word);
  fclose(f);
  return 0;
}
