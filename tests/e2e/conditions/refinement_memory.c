// Condition refinement-memory. No refinement gets along with one byte, so the error is given up.
// args: --engine predicate --property unreach-call --condition refinement-memory=1B
// expect: conditional
// states: 30
// proviso: (condition: refinement-memory=1B)
// proof: none
// run: --engine predicate --property unreach-call --condition refinement-memory=10GB => true states=1475

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
