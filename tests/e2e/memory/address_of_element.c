// An address outside of an array is no error; what counts is where an access lands. Clang checks the bounds for both, and
// takes the operand of ++ and of a compound assignment for an address.
//
// expect: true
// run: --engine bmc => true
// run: --engine value => true
// run: -- -DBUG=1 => false(def-behavior)
// run: -- -DBUG=2 => false(def-behavior)
// run: -- -DBUG=3 => false(def-behavior)
// run: -- -DBUG=4 => false(def-behavior)
// run: -- -DBUG=5 => false(def-behavior)
// run: -- -DBUG=6 => false(valid-deref)
// run: -- -DBUG=7 => false(def-behavior)
// run: -- -DBUG=8 => false(def-behavior)
// run: -- -DBUG=9 => false(def-behavior)
// run: -- -DPARTS => true
// run: --engine bmc -- -DBUG=2 => false(def-behavior)
#include <stdlib.h>

struct counts {
  int of[4];
  int others;
};

struct numbers {
  _Atomic int atomic[4];
  _Complex double complex[4];
  int others[8];
};

static int table[3][4];
static struct numbers numbers;
static struct counts counts;

static int same(int i) { return i; }
static void count(struct counts *c, int i) { c->of[i]++; }

int main(void) {
  int local[4] = {1, 2, 3, 4};
  int *from_one = local - 1, *by_address = &local[-1], *by_variable = &local[same(-1)], *end = &local[4];
  int(*rows)[4] = table - 1;
  if (from_one[1] != 1 || by_address[4] != 4 || by_variable[2] != 2 || end[-1] != 4) abort();
  rows[3][3] = 5;
  if (table[2][3] != 5) abort();
  count(&counts, same(3));
#if BUG == 1
  if (local[4]) abort();
#elif BUG == 2
  count(&counts, same(4));
#elif BUG == 3
  counts.of[4]++;
#elif BUG == 4
  counts.of[same(4)] += 2;
#elif BUG == 5
  table[0][same(4)] = 1;
#elif BUG == 6
  *from_one = 1;
#elif BUG == 7
  numbers.atomic[same(4)]++;
#elif BUG == 8
  numbers.complex[same(4)] += 1;
#elif BUG == 9
  __sync_fetch_and_add(&counts.of[same(4)], 1);
#elif defined PARTS
  numbers.atomic[same(3)]++;
  numbers.complex[same(3)] += 1;
  __sync_fetch_and_add(&counts.of[same(3)], 1);
#endif
  return 0;
}
