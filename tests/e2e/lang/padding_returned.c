// What is padding in a returned structure has no value, wherever it goes: to where it has no name, where its type has more than natural alignment, to what
// bit-fields leave free, to the heap (it was zero there, and `true` was said).
// expect: false(def-behavior)
// run: -- -DFIELDS => false(def-behavior)
// run: -- -DHEAP => false(def-behavior)
// run: --engine dpor -- -DHEAP => false(def-behavior)
// run: -- -DFIX => true
// run: -- -DFIX -DFIELDS => true
// run: -- -DFIX -DHEAP => true
// run: -- -DFIX -DHEAP -DWRONG => false(unreach-call)
#include <assert.h>
#include <stdlib.h>

struct record {
#ifdef FIELDS
  char kind;
  int value : 4;
#else
  char kind;
  _Alignas(8) int value;
#endif
};
static struct record make(int n) {
  struct record r;
  r.kind = (char)n;
  r.value = 2;
  return r;
}
static struct record global;

static int look(const struct record *r) {
#ifdef FIX
  return r->value - 2;
#else
  return ((const unsigned char *)r)[2];
#endif
}

int main(void) {
#ifdef HEAP
  struct record *r = malloc(sizeof *r);
  if (!r) abort();
  *r = make(1);
#else
  struct record *r = &global;
  global = make(1);
#endif
  int seen = look(r);
#ifdef WRONG
  assert(seen);
#endif
  assert(!seen);
#ifdef HEAP
  free(r);
#endif
  return 0;
}
