// Condition refinement-time. No refinement takes less than a microsecond, so the error is given up.
// args: --engine predicate --property unreach-call --condition refinement-time=0.001ms
// expect: conditional
// proviso: (condition: refinement-time=0.001ms)
// proof: none
// run: --engine predicate --property unreach-call --condition refinement-time=100s => true states=1475

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0, s = 0;
  if (n < 0) {
    while (i < 5) { i++; s += 3; }
    if (s != 15) reach_error();
  } else {
    while (i < 30) { i++; s += 2; }
    if (s != 60) reach_error();
  }
  return 0;
}
