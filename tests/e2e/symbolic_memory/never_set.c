// Without def-behavior, what was never set has any value, which stays the same: on the stack, on the heap, in members of structures, in copies and in bit-fields.
// args: --property unreach-call
// expect: true
// run: --property unreach-call --engine bmc => true
// run: --property unreach-call --engine bmc --integers bitvector => true
// run: --property unreach-call --engine kinduction => true
// run: --property unreach-call --engine predicate => true
// run: --property unreach-call --engine composite => true
// run: --property unreach-call --engine explicit => conditional
// run: --property unreach-call --engine bmc -- -DBUG=1 => false(unreach-call)
// run: --property unreach-call --engine bmc --integers bitvector -- -DBUG=1 => false(unreach-call)
// run: --property unreach-call --engine predicate -- -DBUG=1 => false(unreach-call)
// run: --property unreach-call --engine kinduction -- -DBUG=2 => false(unreach-call)
// run: --property unreach-call --engine value -- -DBUG=2 => false(unreach-call)
// run: --property unreach-call --engine bmc -- -DBUG=3 => false(unreach-call)
// run: --property unreach-call --engine composite -- -DBUG=3 => false(unreach-call)
// run: --property unreach-call --engine explicit -- -DBUG=3 => conditional
// run: --property unreach-call --engine explicit -- -DBUG=4 => false(unreach-call)
// run: --property unreach-call --engine bmc --32 -- -DBUG=4 => false(unreach-call)
// run: --engine bmc --property unreach-call,def-behavior -- -DBUG=1 => false(def-behavior)
#include <stdlib.h>
extern void reach_error(void);

struct pair {
  int first, second;
};
struct bits {
  unsigned low : 3, high : 5;
};

static int second_of(struct pair p) {
  return p.second;
}

int main(void) {
  int list[4];
  struct pair one, two;
  unsigned char *bytes = malloc(2);
  struct bits field;
  list[1] = 3;
  one.first = 1;
  two = one;
  field.low = 2;
#if !defined BUG
  int before = list[2];
  list[3] = before;
  if (list[3] != list[2]) reach_error(); /* it stays the same ... */
  if (two.second != one.second || second_of(two) != one.second) reach_error(); /* ... in copies */
  if (bytes[0] != bytes[0] || list[1] != 3) reach_error();
#elif BUG == 1
  if (list[2] == 54321 && list[3] == -7) reach_error();
#elif BUG == 2
  if (second_of(two) == 12345) reach_error();
#elif BUG == 3
  if (two.second == 12345 && one.second > 5) reach_error();
#else
  if (bytes[1] == 'x' && field.high == 17 && field.low == 2) reach_error();
#endif
  free(bytes);
  return 0;
}
