// A growing string, filled with the arguments and commas.
// bug: valid-deref: the terminator is not counted when room is made
// expect: false(valid-deref)
// args: a b
// stdin:
// trigger args: abcdefg
// trigger stdin:
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct builder {
  char *text;
  size_t length, room;
};

static int reserve(struct builder *b, size_t more) {
  size_t needed = b->length + more;
  if (needed <= b->room)
    return 1;
  size_t room = b->room ? b->room : 8;
  while (room < needed)
    room *= 2;
  char *moved = realloc(b->text, room);
  if (!moved)
    return 0;
  b->text = moved;
  b->room = room;
  return 1;
}

static int append(struct builder *b, const char *s) {
  size_t n = strlen(s);
  if (!reserve(b, n))
    return 0;
  memcpy(b->text + b->length, s, n + 1);
  b->length += n;
  return 1;
}

int main(int argc, char **argv) {
  struct builder b = {NULL, 0, 0};
  int ok = append(&b, "[");
  for (int i = 1; ok && i < argc; i++) {
    if (i > 1)
      ok = append(&b, ", ");
    ok = ok && append(&b, argv[i]);
  }
  ok = ok && append(&b, "]");
  if (ok)
    puts(b.text);
  free(b.text);
  return ok ? 0 : 1;
}
