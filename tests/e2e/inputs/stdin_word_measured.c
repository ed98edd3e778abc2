// Twin of stdin_word.c.
// args: --engine explicit
// expect: conditional
// proviso: standard input is among the
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[64], word[8];
  while (fgets(line, sizeof line, stdin)) {
    char *end = strchr(line, ' ');
    if (!end) continue;
    *end = 0;
    if (strlen(line) >= sizeof word) continue;
    strcpy(word, line);
    puts(word);
  }
  return 0;
}
