// Three counters, each of which resets the later ones.
// args: --property termination
// expect: true
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
  while (a > 0 && b > 0 && c > 0) {
    int way = __VERIFIER_nondet_int();
    if (way == 0) {
      a--;
      b = __VERIFIER_nondet_int();
      c = __VERIFIER_nondet_int();
    } else if (way == 1) {
      b--;
      c = __VERIFIER_nondet_int();
    } else {
      c--;
    }
  }
  return 0;
}
