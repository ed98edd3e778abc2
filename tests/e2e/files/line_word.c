// The first word of each line of a file is copied into eight bytes. Twin: line_word_measured.c.
// expect: false(valid-deref)
// message: file words.txt: 
// run: --file words.txt=tests/e2e/files/data/lines.txt => true
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[64], word[8];
  FILE *f = fopen("words.txt", "r");
  if (!f) return 1;
  while (fgets(line, sizeof line, f)) {
    char *end = strchr(line, ' ');
    if (!end) continue;
    *end = 0;
    strcpy(word, line);
    puts(word);
  }
  fclose(f);
  return 0;
}
