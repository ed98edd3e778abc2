// Condition states-per-location. A location may have eight abstract states; the long loop needs more.
// args: --engine value --property unreach-call --condition states-per-location=8
// expect: conditional
// states: 142
// proviso: (condition: states-per-location=8)
// proof: none
// run: --engine value --property unreach-call --condition states-per-location=1000 => true states=281

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
