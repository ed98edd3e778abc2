// Engine value verifies one branch, with all its inputs, and does not come to an end in the other one. The search after it
// follows its automaton: it does not enter the first branch.
// expect: true
// args: --property unreach-call --condition path-repetitions=8 --plan 'value; explicit'
// states: 5
// run: --property unreach-call --engine explicit => true states=68
// run: --property unreach-call --condition path-repetitions=8 --plan 'value; explicit' -- -DBUG=1 => false(unreach-call)
// run: --property unreach-call --condition path-repetitions=8 --plan 'value; explicit(search=bfs)' => true states=5
// run: --property unreach-call --condition path-repetitions=8 --plan 'value; explicit(search=bfs)' -- -DBUG=1 => false(unreach-call)
// run: --property unreach-call --condition path-repetitions=8 --plan 'value; explicit(states=3); explicit' => true
// run: --property unreach-call --condition path-repetitions=8 --plan 'value; explicit(states=3); explicit' -- -DBUG=1 => false(unreach-call)
// run: --property unreach-call --condition path-repetitions=8 --plan 'composite; explicit' -- -DBUG=1 => false(unreach-call)
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

#ifndef BUG
#define BUG 0
#endif

static unsigned read_bits(int n) {
  unsigned s = 0;
  for (int i = 0; i < n; i++) s = 2 * s + __VERIFIER_nondet_bool();
  return s;
}

int main(void) {
  unsigned s = 0, last = 0;
  if (__VERIFIER_nondet_bool()) {
    s = read_bits(6);
    if (last) reach_error();
  } else {
    for (int i = 0; i < 30; i++) {
      s += 2;
      if (i == 15) last = read_bits(2);
    }
    if (s + last != 60 + last - BUG * (last == 3)) reach_error();
  }
  return s & 1;
}
