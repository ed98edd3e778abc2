// The first word of each line is copied into eight bytes. Twin: stdin_word_measured.c.
// expect: false(valid-deref)
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[64], word[8];
  while (fgets(line, sizeof line, stdin)) {
    char *end = strchr(line, ' ');
    if (!end) continue;
    *end = 0;
    strcpy(word, line);
    puts(word);
  }
  return 0;
}
