// Keeps the lines of standard input and prints them in reverse order.
// bug: none
// expect: true
// args:
// stdin: a\nb\n
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
  char *text;
  struct line *before;
};

static struct line *add(struct line *last, const char *text) {
  struct line *l = malloc(sizeof *l);
  if (!l)
    return last;
  l->text = strdup(text);
  if (!l->text) {
    free(l);
    return last;
  }
  l->before = last;
  return l;
}

int main(void) {
  char buffer[4];
  struct line *last = NULL;
  for (int i = 0; i < 3 && fgets(buffer, sizeof buffer, stdin); i++)
    last = add(last, buffer);
  while (last) {
    struct line *before = last->before;
    fputs(last->text, stdout);
    free(last->text);
    free(last);
    last = before;
  }
  return 0;
}
