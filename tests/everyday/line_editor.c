// Applies edit commands (i: insert, d: delete, l/r: move) to a line.
// bug: none
// expect: true
// args:
// stdin: iild
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 6 };
struct line {
  char text[ROOM];
  size_t length, cursor;
};

static void insert(struct line *l, char c) {
  if (l->length + 1 >= ROOM)
    return;
  memmove(l->text + l->cursor + 1, l->text + l->cursor, l->length - l->cursor + 1);
  l->text[l->cursor++] = c;
  l->length++;
}

static void erase(struct line *l) {
  if (l->cursor == 0)
    return;
  memmove(l->text + l->cursor - 1, l->text + l->cursor, l->length - l->cursor + 1);
  l->cursor--;
  l->length--;
}

int main(void) {
  struct line l = {"", 0, 0};
  for (int i = 0; i < 8; i++) {
    int c = getchar();
    if (c == 'i')
      insert(&l, 'x');
    else if (c == 'd')
      erase(&l);
    else if (c == 'l' && l.cursor > 0)
      l.cursor--;
    else if (c == 'r' && l.cursor < l.length)
      l.cursor++;
    else if (c == EOF)
      break;
  }
  assert(strlen(l.text) == l.length);
  puts(l.text);
  return 0;
}
