// A function returns from inside a scope that has variables of its own. Its result is set on every path.
// Then what it points to is known, also to the symbolic engines. The twin ends without a result.
// expect: true
// run: --engine bmc => true
// run: --engine kinduction => true
// run: --engine bmc -- -DBUG => false(def-behavior)
// run: -- -DBUG => false(def-behavior)
// run: --engine bmc -- -DBUG=2 => false(def-behavior)
// run: -- -DBUG=2 => false(def-behavior)
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int table[4] = {4, 5, 6, 7}, others[300];
static int *find(int wanted) {
  for (int i = 0; i < 4; i++) {
    int value = table[i];
    switch (value) {
    case 4: {
      int twice = 2 * value;
      if (twice == wanted) return &table[i];
      break;
    }
    default: {
      int copy = value;
      if (copy == wanted) return &table[i];
    }
    }
  }
#if !defined BUG || BUG != 1
  return 0;
#endif
}
static int sign(int n) {
  int result;
  do {
    int k = n;
    if (k > 0) {
      result = 1;
      break;
    }
#if !defined BUG || BUG != 2
    result = k < 0 ? -1 : 0;
#endif
  } while (0);
  return result;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  int *found = find(n);
  others[n & 255] = 1;
  assert(!found || *found == n || n == 8);
  assert(sign(n) == (n > 0) - (n < 0));
  return 0;
}
