// Conditions of figure 7: what exceeds one is left out, and the run goes on.
// With -DBUG the error is in what is left out.
// proof: none
// run: --engine value --property unreach-call --condition busy-edge=8 => conditional states=64
// run: --engine value --property unreach-call --condition busy-edge=1000 => true states=281
// run: --engine value --property unreach-call --condition busy-edge=8 -- -DBUG => conditional states=64
// run: --engine value --property unreach-call --condition busy-edge=1000 -- -DBUG => false(unreach-call) states=147
// run: --engine value --property unreach-call --condition path-assumes=10 => conditional states=134
// run: --engine value --property unreach-call --condition path-assumes=1000 => true states=281
// run: --engine value --property unreach-call --condition path-assumes=10 -- -DBUG => conditional states=134
// run: --engine value --property unreach-call --condition path-assumes=1000 -- -DBUG => false(unreach-call) states=147
// run: --engine predicate --property unreach-call --condition path-formula=2 => conditional states=30
// run: --engine predicate --property unreach-call --condition path-formula=1000000 => true states=1475
// run: --engine predicate --property unreach-call --condition path-formula=2 -- -DBUG => conditional states=30
// run: --engine predicate --property unreach-call --condition path-formula=1000000 -- -DBUG => false(unreach-call) states=1066
// run: --engine value --property unreach-call --condition path-length=60 => conditional states=202
// run: --engine value --property unreach-call --condition path-length=1000 => true states=281
// run: --engine value --property unreach-call --condition path-length=60 -- -DBUG => conditional states=202
// run: --engine value --property unreach-call --condition path-length=1000 -- -DBUG => false(unreach-call) states=147
// run: --engine value --property unreach-call --condition path-repetitions=8 => conditional states=142
// run: --engine value --property unreach-call --condition path-repetitions=1000 => true states=281
// run: --engine value --property unreach-call --condition path-repetitions=8 -- -DBUG => conditional states=142
// run: --engine value --property unreach-call --condition path-repetitions=1000 -- -DBUG => false(unreach-call) states=147
// run: --engine value --property unreach-call --condition path-time=0.001ms => conditional
// run: --engine value --property unreach-call --condition path-time=100s => true states=281
// run: --engine value --property unreach-call --condition path-time=0.001ms -- -DBUG => conditional
// run: --engine value --property unreach-call --condition path-time=100s -- -DBUG => false(unreach-call) states=147
// run: --engine value --property unreach-call --condition post-memory=1B => conditional states=1
// run: --engine value --property unreach-call --condition post-memory=1GB => true states=281
// run: --engine value --property unreach-call --condition post-memory=1B -- -DBUG => conditional states=1
// run: --engine value --property unreach-call --condition post-memory=1GB -- -DBUG => false(unreach-call) states=147
// run: --engine value --property unreach-call --condition post-time=0.001ms => conditional
// run: --engine value --property unreach-call --condition post-time=100s => true states=281
// run: --engine value --property unreach-call --condition post-time=0.001ms -- -DBUG => conditional
// run: --engine value --property unreach-call --condition post-time=100s -- -DBUG => false(unreach-call) states=147
// run: --engine predicate --property unreach-call --condition refinement-memory=1B => conditional states=30
// run: --engine predicate --property unreach-call --condition refinement-memory=10GB => true states=1475
// run: --engine predicate --property unreach-call --condition refinement-memory=1B -- -DBUG => conditional states=30
// run: --engine predicate --property unreach-call --condition refinement-memory=10GB -- -DBUG => false(unreach-call) states=1066
// run: --engine predicate --property unreach-call --condition refinement-time=0.001ms => conditional
// run: --engine predicate --property unreach-call --condition refinement-time=100s => true states=1475
// run: --engine predicate --property unreach-call --condition refinement-time=0.001ms -- -DBUG => conditional
// run: --engine predicate --property unreach-call --condition refinement-time=100s -- -DBUG => false(unreach-call) states=1066
// run: --engine value --property unreach-call --condition state-size=1 => conditional states=31
// run: --engine value --property unreach-call --condition state-size=100 => true states=281
// run: --engine value --property unreach-call --condition state-size=1 -- -DBUG => conditional states=31
// run: --engine value --property unreach-call --condition state-size=100 -- -DBUG => false(unreach-call) states=147
// run: --engine value --property unreach-call --condition states=40 => conditional states=87
// run: --engine value --property unreach-call --condition states=10000 => true states=281
// run: --engine value --property unreach-call --condition states=40 -- -DBUG => conditional states=87
// run: --engine value --property unreach-call --condition states=10000 -- -DBUG => false(unreach-call) states=147
// run: --engine value --property unreach-call --condition states-per-location=8 => conditional states=142
// run: --engine value --property unreach-call --condition states-per-location=1000 => true states=281
// run: --engine value --property unreach-call --condition states-per-location=8 -- -DBUG => conditional states=142
// run: --engine value --property unreach-call --condition states-per-location=1000 -- -DBUG => false(unreach-call) states=147

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
#ifdef BUG
    if (s != 58) reach_error();
#else
    if (s != 60) reach_error();
#endif
  }
  return 0;
}
