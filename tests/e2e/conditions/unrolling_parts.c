// Conditions of figure 7 with engines bmc and kinduction: what exceeds one is left out, and the run goes on.
// With -DBUG the error is in what is left out.
// proof: none
// run: --engine bmc --property unreach-call --condition path-formula=3 => conditional states=12
// run: --engine bmc --property unreach-call --condition path-formula=1000000 => true states=178
// run: --engine bmc --property unreach-call --condition path-formula=3 -- -DBUG => conditional states=12
// run: --engine bmc --property unreach-call --condition path-formula=1000000 -- -DBUG => false(unreach-call) states=173
// run: --engine bmc --property unreach-call --condition path-repetitions=4 => conditional states=60
// run: --engine bmc --property unreach-call --condition path-repetitions=1000000 => true states=178
// run: --engine bmc --property unreach-call --condition path-repetitions=4 -- -DBUG => conditional states=60
// run: --engine bmc --property unreach-call --condition path-repetitions=1000000 -- -DBUG => false(unreach-call) states=173
// run: --engine kinduction --property unreach-call --condition path-assumes=1 => conditional states=28
// run: --engine kinduction --property unreach-call --condition path-assumes=1000000 => true states=52
// run: --engine kinduction --property unreach-call --condition path-assumes=1 -- -DBUG => conditional states=28
// run: --engine kinduction --property unreach-call --condition path-assumes=1000000 -- -DBUG => false(unreach-call) states=640
// run: --engine kinduction --property unreach-call --condition path-formula=3 => conditional states=182
// run: --engine kinduction --property unreach-call --condition path-formula=1000000 => true states=52
// run: --engine kinduction --property unreach-call --condition path-formula=3 -- -DBUG => conditional states=182
// run: --engine kinduction --property unreach-call --condition path-formula=1000000 -- -DBUG => false(unreach-call) states=640

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
#ifdef BUG
    if (s != 22) reach_error();
#else
    if (s != 24) reach_error();
#endif
  }
  return 0;
}
