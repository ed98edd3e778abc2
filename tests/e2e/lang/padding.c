// Padding of structures that are passed and returned by value is nobody's value.
// expect: true
// states: 1
#include <assert.h>

struct padded {
  char c;
  int i;
  short s;
};

static struct padded next(struct padded p) {
  p.c++;
  return p;
}

int main(void) {
  struct padded p;
  p.c = 1;
  p.i = 2;
  p.s = 3;
  p = next(next(p));
  assert(next((struct padded){.i = 7}).i + p.c == 10);
  return 0;
}
