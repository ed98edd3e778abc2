// A ring buffer of bytes between standard input and output.
// bug: unreach-call: a full ring goes on counting
// expect: false(unreach-call)
// args:
// stdin: ab\nc
// trigger args:
// trigger stdin: abcdef
#include <assert.h>
#include <stdio.h>

enum { SIZE = 4 };
struct ring {
  unsigned char bytes[SIZE];
  unsigned head, tail, used;
};

static int put(struct ring *r, unsigned char c) {
  r->bytes[r->head] = c;
  r->head = (r->head + 1) % SIZE;
  r->used++;
  return 1;
}

static int get(struct ring *r) {
  if (r->used == 0)
    return -1;
  int c = r->bytes[r->tail];
  r->tail = (r->tail + 1) % SIZE;
  r->used--;
  return c;
}

int main(void) {
  struct ring r = {.head = 0};
  int c, lost = 0;
  for (int i = 0; i < 6; i++) {
    c = getchar();
    if (c == EOF)
      break;
    if (c == '\n') {
      while ((c = get(&r)) >= 0)
        putchar(c);
    } else if (!put(&r, (unsigned char)c)) {
      lost++;
    }
  }
  assert(r.used <= SIZE && (r.tail + r.used) % SIZE == r.head);
  return lost > 2;
}
