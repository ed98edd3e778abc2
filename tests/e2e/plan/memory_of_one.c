// An engine that needs all of the memory ends alone: the others go on, and one of them proves that sum == 2 * (i - 1),
// modulo 2^32.
// expect: true
// args: --property unreach-call --limit memory=150MB
// proof: none
// run: --property unreach-call --limit memory=150MB -- -DWRONG => false(unreach-call)
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int i, n = __VERIFIER_nondet_int(), sum = 0;
  for (i = 1; i <= n; i++) {
#ifdef WRONG
    if (i == 4) sum++;
#endif
    sum = sum + 2;
  }
  assert(sum == 2 * n || sum == 0);
  return 0;
}
