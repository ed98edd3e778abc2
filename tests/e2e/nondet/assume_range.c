// An int bounded by an assumption is tried in full: no proviso is left.
// expect: true
// states: 12
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
  int a[10] = {0};
  int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n < 10);
  if (!(k > 2 && k <= 5) && k != 77) return 0;
  a[n] = k;
  assert(a[n] < 78 && a[n] > 2);
  return 0;
}
