// Two counters meet.
// args: --property termination
// expect: true
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  while (low < high) {
    if (__VERIFIER_nondet_bool())
      low++;
    else
      high--;
  }
  return 0;
}
