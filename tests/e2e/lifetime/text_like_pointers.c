// Text that would be an address far behind an object is no pointer to it: its address comes back, and no proviso says that it does not.
// expect: true
// run: --engine dpor => true
// run: --engine dpor -- -DKEEP => conditional
// run: -- -DKEEP => conditional
// run: -- -DBUGGY => false(unreach-call)
// run: --engine dpor -- -DBUGGY => false(unreach-call)
#include <assert.h>
#include <stdint.h>

static union {
  char bytes[8];
  void *pointer;
} text[200];
static int *volatile kept;

static int is_same(const int *a, const int *b) {
  return a == b;
}

static int use(void) {
  int value = 1, other = 2;
#ifdef KEEP
  kept = &value;
#endif
  return is_same(&value, &other) || is_same(&value, kept);
}

int main(void) {
  for (unsigned i = 0; i < 200; i++) {
    text[i].bytes[0] = text[i].bytes[1] = text[i].bytes[2] = 'x';
    text[i].bytes[3] = (char)i;
  }
  int first = use(), second = use();
#ifdef BUGGY
  assert(first != second);
#endif
  assert(first == second);
  return 0;
}
