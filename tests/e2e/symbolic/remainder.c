// The remainder by a number that is not constant is smaller than that number, has the sign of the dividend, and is the dividend where
// that is small: known to linear terms, too.
// args: --engine predicate --property unreach-call,valid-deref
// expect: true
// run: --engine composite --property unreach-call,valid-deref => true
// run: --engine predicate --property unreach-call -- -DWRONG=1 => false(unreach-call)
// run: --engine predicate --property unreach-call -- -DWRONG=2 => false(unreach-call)
// run: --engine predicate --property unreach-call -- -DWRONG=3 => false(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
#ifndef WRONG
#define WRONG 0
#endif

static int ring[16];

int main(void) {
  int size = __VERIFIER_nondet_int(), first = 0, x = __VERIFIER_nondet_int();
  unsigned m = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
  if (size < 1 || size > 16) return 0;
  while (__VERIFIER_nondet_int()) {
    ring[first] = 1;
    first = (first + 1) % size;
    if (first < 0 || first >= size) reach_error();
  }
  if (x > -1000 && x < 0) {
    int r = x % size;
    if (r > 0 || r <= -size - (WRONG == 1) + 2 * (WRONG == 1)) reach_error();
    if (-x < size && r != x + (WRONG == 2)) reach_error();
    if (x % -size > 0) reach_error();
  }
  if (n > 0 && (m % n >= n || m / n > m)) reach_error();
  if (n > m && m < 100 && m % n != m + (WRONG == 3)) reach_error();
  return 0;
}
