#!/bin/sh
# regression.sh: a condition about an earlier version of a program, given to a run of the present one.
# Only what can come to a change is examined again. PROVISO names the program to test.
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

# Statements: a change in one branch of the function itself. Of the rest nothing is examined again.
cat >main.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int swap(int p, int q) { return p - q; }
int main(void) {
  int x = __VERIFIER_nondet_int(), s = 0;
  if (x > 100) {
    for (int i = 0; i < 12; i++) s += x & 3;
    if (s > 36) reach_error();
    return 1;
  }
  if (x < 0) {
    int y = x & 7, z = 3;
    if (y > 7) reach_error();
    if (swap(z, y + 3) > 0) reach_error();
    return 2;
  }
  return 0;
}
END
edit() { sed "$2" main.c >"$1.c"; }
edit number 's/x \& 7/x \& 6/'
edit added 's/int y = x \& 7/int u = x + 1, y = u \& 7/'
edit renamed 's/\<s\>/sum/g; s/\<y\>/rest/g'
edit deleted '/if (y > 7)/d'
edit number_wrong 's/x \& 7/x \& 15/'
edit added_wrong 's/int y = x \& 7/int u = x \& 15, y = u/'
edit renamed_wrong 's/\<s\>/sum/g; s/\<y\>/rest/g; s/rest = x \& 7/rest = 9 + (x \& 7)/'
edit deleted_wrong 's/, z = 3/, z = 30/; /if (y > 7)/d'
edit parameters_wrong 's/p - q/q - p/' # names do not count, but parameters have their places
edit variables_wrong 's/swap(z, y + 3)/swap(y + 4, z)/'
edit guard_wrong 's/x > 100/x < -100/; s/s > 36/s > 35/'
edit rounds_wrong 's/i < 12/i < 13/'
run --proviso main.prov main.c
check "main is correct" test "$verdict" = true
whole=$states
for right in number added renamed deleted; do
  run --given main.prov $right.c
  check "$right: still correct" test "$verdict" = true
  check "$right: less than a third is examined" test "$states" -lt $((whole / 3))
  run --given main.prov ${right}_wrong.c
  check "$right: the error" test "$verdict" = "false(unreach-call)"
done
run --given main.prov renamed.c
check "other names are no change" test "$states" -eq 0
for wrong in parameters variables guard rounds; do
  run --given main.prov ${wrong}_wrong.c
  check "$wrong: the error" test "$verdict" = "false(unreach-call)"
done

# A proof of what a condition leaves open is none of the program. This one would be refuted.
cat >rounds.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_int() & 15, i = 0, s = 0;
  while (i < n) { i++; s += 2; if (s > 30) reach_error(); }
  return 0;
}
END
timeout 120 "$PROVISO" check --property unreach-call --engine bmc --unwind 4 --proviso rounds.prov rounds.c >out 2>err
for words in "kinduction --given rounds.prov" "kinduction"; do
  # shellcheck disable=SC2086
  timeout 120 "$PROVISO" check --property unreach-call --check-proof --engine $words rounds.c >out 2>err
  check "$words: proven" grep -q "result: true" out
  declined=$(grep -c "gave no proof that could be checked, because a part of it is what the given condition says" out)
  case $words in *given*) wanted=1 ;; *) wanted=0 ;; esac
  check "$words: a proof of the whole only" test "$declined" -eq "$wanted"
done

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
