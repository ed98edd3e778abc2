// Output of an unbounded input: printf with a literal as format is specialised for it, so engines need not follow how a
// format is read.
//
// expect: true
// run: --engine predicate => true
// run: --engine kinduction => true
// run: --engine predicate -- -DSUM => true
// run: -- -DBUG=1 => false(def-behavior)
// run: -- -DBUG=2 => false(def-behavior)
// run: -- -DBUG=3 => false(valid-deref)
// run: -- -DBUG=4 => false(def-behavior)
// run: -- -DBUG=5 => false(unreach-call)
// run: -- -DBUG=6 => false(def-behavior)
// run: --engine predicate -- -DBUG=6 => false(def-behavior)
// run: -- -DBUG=7 => false(def-behavior)
// run: --32 -- -DBUG=7 => false(def-behavior)
// run: -- -DBUG=8 => false(def-behavior)
// run: -- -DFLUSHED => conditional
// run: -- -DLENGTH => true
// run: --32 -- -DLENGTH => true
#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), unset;
  char text[3] = "abc";
#ifdef SUM
  unsigned sum = 0;
  for (int i = 0; i < n; i++) {
    sum += (unsigned)i;
    printf("%d: %5u %08lx %c|%-6s|%f%%\n", i, sum, (unsigned long)sum, 'x', "abc", sum * 0.5);
  }
#endif
  fprintf(stderr, "n = %d, %x\n", n, (unsigned)n);
#if BUG == 1
  printf("%d\n", unset);
#elif BUG == 2
  printf("%s\n", n ? "abc" : (char *)0);
#elif BUG == 3
  printf("%d %s\n", n, text);
#elif BUG == 4
  printf("%s\n", n);
#elif BUG == 5
  assert(printf("%u%c", 0u, 'x') == 3);
#elif BUG == 6
  double number;
  printf("%.2f\n", number);
#elif BUG == 7
  struct {
    char *name;
    char rest[40];
  } named = {"abc", ""};
  printf("%s\n", named); /* a structure, not a pointer to one */
#elif BUG == 8
  fclose(stdout);
  printf("%d\n", n);
#elif defined FLUSHED
  double number = n ? 1.5 : 2.5;
  printf("%.2f\n", number);
  if (fflush(stdout)) return 1;
  printf("%d %s\n", n, "abc");
  fclose(stdout);
#elif defined LENGTH
  int length = printf("%d %4x|%-3s|%05d\n", -2147483647 - 1, 10u, "a", -42);
  assert(length == 11 + 1 + 4 + 1 + 3 + 1 + 5 + 1);
  assert(printf("%u%c", 0u, 'x') == 2);
#endif
  (void)unset;
  return text[0] == 0;
}
