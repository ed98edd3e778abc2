// A short loop and a long one, each on its own side of a branch.
// expect: true
// args: --property unreach-call --plan 'bmc(unwind=8); predicate'
// run: --property unreach-call --plan 'bmc(unwind=8); predicate' -- -DBUG=1 => false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

#ifndef BUG
#define BUG 0
#endif

int main(void) {
  int i = 0, sum = 0;
  if (__VERIFIER_nondet_int()) {
    while (i < 5) { i++; sum += 3; }
    if (sum != 15) reach_error();
  } else {
    while (i < 30) { i++; sum += 2; }
    if (sum != 60 - BUG) reach_error();
  }
  return 0;
}
