// Condition path-formula with engine bmc: what exceeds it is left out, and the run goes on.
// args: --engine bmc --property unreach-call --condition path-formula=3
// expect: conditional
// states: 12
// proviso: (condition: path-formula=3)
// proof: none
// run: --engine bmc --property unreach-call --condition path-formula=1000000 => true states=178

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
    while (i < 12) { i++; s += 2; }
    if (s != 24) reach_error();
  }
  return 0;
}
