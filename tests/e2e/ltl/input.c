// Inputs: a lasso is found whatever value it needs; where values were only sampled, there is a condition.
// args: --property termination
// expect: false(termination)
// run: --property termination -- -DFIXED => true
extern _Bool __VERIFIER_nondet_bool(void);
int x = 3;

int main(void) {
#ifdef FIXED
  while (x > 0) x--;
#else
  while (x > 0)
    if (__VERIFIER_nondet_bool()) x--;
#endif
  return 0;
}
