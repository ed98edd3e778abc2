// Condition path-assumes with engine kinduction: what exceeds it is left out, with the error, and the run goes on.
// args: --engine kinduction --property unreach-call --condition path-assumes=1
// expect: conditional
// states: 28
// proviso: (condition: path-assumes=1)
// proof: none
// run: --engine kinduction --property unreach-call --condition path-assumes=1000000 => false(unreach-call) states=606

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
    if (s != 22) reach_error();
  }
  return 0;
}
