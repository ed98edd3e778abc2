// Twin of line_word.c.
// args: --engine explicit
// expect: conditional
// proviso: the files that the program reads are among the
// run: --file ./words.txt=tests/e2e/files/data/lines.txt => true
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
    if (strlen(line) >= sizeof word) continue;
    strcpy(word, line);
    puts(word);
  }
  fclose(f);
  return 0;
}
