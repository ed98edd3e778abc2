// Structures by value, unions, bit-fields, compound literals, designated initialisers.
// expect: true
// states: 1
#include <assert.h>
#include <string.h>

struct point {
  int x, y;
};
struct flags {
  unsigned a : 3;
  int b : 4;
  unsigned long long c : 40;
};
struct big {
  struct point p[3];
  char name[5];
};
union word {
  unsigned all;
  unsigned char byte[4];
};

static struct point swap(struct point p) {
  return (struct point){.x = p.y, .y = p.x};
}
static struct big fill(struct big b) {
  b.p[1] = swap((struct point){1, 2});
  strcpy(b.name, "abcd");
  return b;
}

int main(void) {
  struct big b = fill((struct big){.p = {[2] = {7, 8}}});
  assert(b.p[1].x == 2 && b.p[1].y == 1 && b.p[2].y == 8 && b.p[0].x == 0);
  assert(strcmp(b.name, "abcd") == 0);
  struct flags f = {9, -3, 1ULL << 39};
  f.a += 7;
  assert(f.a == 0 && f.b == -3 && f.c == 1ULL << 39);
  union word w = {.all = 0x01020304};
  assert(w.byte[0] == 4 && w.byte[3] == 1);
}
