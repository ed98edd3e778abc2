// Elements of arrays inside of structures: an index outside is an error although the access stays in the structure, also where
// the element is copied or passed as a whole, where only one of two indices is a constant, and behind a branch. An address
// at the end of an array is none, whatever other array of that length is accessed next.
//
// expect: true
// states: 1
// run: --engine bmc => true
// run: -- -DBUG=1 => false(def-behavior)
// run: -- -DBUG=2 => false(def-behavior)
// run: -- -DBUG=3 => false(def-behavior)
// run: -- -DBUG=4 => false(def-behavior)
// run: -- -DBUG=5 => false(def-behavior)
// run: -- -DBUG=6 => false(def-behavior)
// run: -- -DBUG=7 => false(def-behavior)
// run: -- -DBUG=8 => false(def-behavior)
// run: -- -DBUG=9 => false(def-behavior)
// run: --engine bmc -- -DBUG=1 => false(def-behavior)
#include <stdlib.h>
#include <string.h>

struct pair {
  int a, b;
};
struct big {
  int x[6];
};
static struct {
  struct pair pairs[2];
  struct big bigs[2];
  int rows[2][3];
  char name[4];
  int others[40];
} t;

static int same(int i) { return i; }
static int sum(struct pair p) { return p.a + p.b; }
static int first(struct big b) { return b.x[0]; }
static struct big get(int i) { return t.bigs[i]; }

static int fine(int n) {
  int a[4] = {1, 2, 3, 4}, b[4] = {0}, v[n];
  int *end = &a[same(4)], *last = v + n, *before = v - 1;
  b[2] = 1;
  v[0] = 0;
  for (int *p = a; p < end; p++) b[2] += *p;
  memcpy(&t.name[same(4)], "", same(0));
  struct pair p = t.pairs[same(1)];
  t.pairs[same(0)] = (struct pair){1, 2};
  return b[2] == 11 && before[1] == 0 && last - v == n && sum(p) == 0 && sum(t.pairs[same(0)]) == 3 &&
         first(t.bigs[same(1)]) == 0 && get(1).x[5] == 0 && t.rows[1][same(2)] == 0;
}

int main(void) {
  if (!fine(3)) abort();
#if BUG == 1
  struct pair p = t.pairs[same(2)];
  return p.a;
#elif BUG == 2
  t.pairs[same(2)] = (struct pair){1, 2};
#elif BUG == 3
  return sum(t.pairs[same(2)]);
#elif BUG == 4
  return first(t.bigs[same(2)]);
#elif BUG == 5
  return get(2).x[0];
#elif BUG == 6
  return t.rows[2][same(0)];
#elif BUG == 7
  return t.bigs[2].x[same(1)];
#elif BUG == 8
  struct pair p = t.pairs[2];
  return p.a;
#elif BUG == 9
  t.rows[same(1)][3]++;
#endif
  return 0;
}
