// Numbers from standard input: scanf with a literal as format is specialised for it.
//
// expect: true
// run: --engine bmc => true
// run: --engine predicate => true
// run: -- -DBUG=1 => false(valid-deref)
// run: -- -DBUG=2 => false(def-behavior)
// run: -- -DBUG=3 => false(def-behavior)
// run: -- -DBUG=4 => false(unreach-call)
// run: --32 -- -DBUG=4 => false(unreach-call)
// run: -- -DBUG=5 => false(def-behavior)
// run: -- -DCLOSED => conditional
// run: --engine explicit -- -DKNOWN => conditional
#include <assert.h>
#include <stdio.h>

static int table[8];

int main(void) {
  int i;
  long v = 0;
  short small = 5;
#if BUG == 1
  if (scanf("%d", (int *)0) == 1) return 1;
#elif BUG == 2
  scanf("%d", &i);
  return i == 3; /* nothing may have been read */
#elif BUG == 3
  if (scanf(" %d %ld", &i, &v) == 2 && i >= 0 && i <= 8) *(table + i) = 1;
#elif BUG == 4
  int n = scanf("%d%hd", &i, &small);
  assert(n == -1 || n == 0 || n == 1);
#elif BUG == 5
  fclose(stdin);
  if (scanf("%d", &i) == 1) return i == 3;
#elif defined CLOSED
  if (scanf("%d", &i) == 1) v = i;
  fclose(stdin);
#elif defined KNOWN
  int n = scanf("%d %hd", &i, &small);
  assert(-1 <= n && n <= 2 && (n == 2 || small == 5));
#else
  int n = scanf("%d %ld", &i, &v);
  assert(-1 <= n && n <= 2 && (n == 2 || v == 0));
  if (n == 2 && i >= 0 && i < 8) table[i] = 1;
#endif
  return small - 5;
}
