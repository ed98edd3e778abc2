#!/bin/sh
# regression.sh: a condition about an earlier version of a program, given to a run of the present one.
# Only what the changed functions can reach is examined again. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

cat >first.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int table[40] = {1, 2, 3, [30] = 7};
static int f(int x) { return x > 10 ? 10 : x; }
static int g(int x) { int s = 0; for (int i = 0; i < 5; i++) s += x & 3; return s; }
static int h(int x) { return table[x]; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 100) {
    if (f(x) > 10) reach_error();
    return 1;
  }
  if (g(x) > 15) reach_error();
  if (h(30) != 7) reach_error();
  return 0;
}
END
version() { sed "$2" first.c >"$1.c"; }
version moved '1s/^/\n\n/'
version same 's/x > 10 ? 10 : x/x > 9 ? 9 : x/'
version error 's/x > 10 ? 10 : x/x > 10 ? 19 : x/'
version table 's/\[30\] = 7/[30] = 8/'
version loop 's/x \& 3/x \& 7/'

# run WORDS...: the verdict, and the number of abstract states
run() {
  timeout 120 "$PROVISO" check --property unreach-call --engine composite --json result.json "$@" >out 2>err
  verdict=$(tail -n 1 out | sed 's/Verification result: //')
  states=$(python3 -c 'import json; print(json.load(open("result.json"))["stats"]["states"])')
}
run --proviso first.prov first.c
check "the first version is correct" test "$verdict" = true
whole=$states
run --given first.prov first.c
check "nothing is examined again" test "$verdict $states" = "true 0"
run --given first.prov moved.c
check "lines do not count" test "$verdict $states" = "true 0"
run --given first.prov same.c
check "a correct change" test "$verdict" = true
check "less is examined" test "$states" -lt $((whole / 2))
for wrong in error table loop; do
  run --given first.prov $wrong.c
  check "an error in $wrong.c" test "$verdict" = "false(unreach-call)"
done
run --exclude g --proviso open.prov first.c
check "a condition with an assumption" test "$verdict" = conditional
run --given open.prov --exclude g same.c
check "the assumption stays" test "$verdict" = conditional
check "and is told" grep -q "\`g\`, which is excluded" out

# Code that no edge calls: an invariant, a thread.
cat >count.c <<'END'
int x;
int main(void) { for (x = 0; x < 4; x++); return 0; }
END
other() { # other WORDS...: a run of the explicit engine, with default properties
  timeout 120 "$PROVISO" check --engine explicit "$@" >out 2>err
  verdict=$(tail -n 1 out | sed 's/Verification result: //')
}
other --invariant 'x < 5' --proviso count.prov count.c
check "an invariant holds" test "$verdict" = true
other --invariant 'x < 5' --given count.prov count.c
check "the same invariant" test "$verdict" = true
other --invariant 'x < 3' --given count.prov count.c
check "another invariant" test "$verdict" = "false(invariant)"
cat >thread.c <<'END'
#include <assert.h>
#include <pthread.h>
static int x;
static void *work(void *a) { x = 1; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); assert(x < 5); return 0; }
END
sed 's/x = 1/x = 7/' thread.c >thread_wrong.c
other --proviso thread.prov thread.c
check "a thread" test "$verdict" = true
other --given thread.prov thread_wrong.c
check "the thread has changed" test "$verdict" = "false(unreach-call)"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
