#!/bin/sh
# predicates.sh: --predicates takes a file, uses what is in it, and refuses what makes no sense, with
# its line. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

run() { # run ARGUMENT...: keeps stdout, stderr and the status
  "$PROVISO" check --json r.json --property unreach-call --limit time=20s "$@" >out 2>err
  status=$?
}
verdict() { [ "$(tail -n 1 out)" = "Verification result: $1" ]; }
stat() { python3 -c 'import json, sys; print(json.load(open("r.json"))["stats"][sys.argv[1]])' "$1"; }
refuses() { [ "$status" -eq 2 ] && [ "$(cat err)" = "proviso: $1" ] && [ ! -s out ]; }

cat >lock.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int held;
static unsigned big[1000];
int main(void) {
  int n = __VERIFIER_nondet_int();
  big[1] = 2;
  for (;;) {
    int k = __VERIFIER_nondet_int();
    if (held != 0)
      reach_error();
    held = 1;
    if (k == n) break;
    held = 0;
  }
}
END
run --engine predicate lock.c
check "without a file" verdict true
check "without a file: refinements" [ "$(stat refinements)" -gt 0 ]
echo 'held == 0' >right.txt
run --engine predicate --predicates right.txt lock.c
check "with the invariant" verdict true
check "with the invariant: nothing is to be refined" [ "$(stat refinements)" -eq 0 ]
for settings in "--blocks functions" "--predicate-scope function" \
  "--predicate-scope global" "--abstraction cartesian" "--integers bitvector"; do
  run --engine predicate --predicates right.txt $settings lock.c
  check "$settings: with the invariant" eval 'verdict true && [ "$(stat refinements)" -eq 0 ]'
done
echo 'main: held == 0' >place.txt
run --engine predicate --predicates place.txt lock.c
check "at its function" eval 'verdict true && [ "$(stat refinements)" -eq 0 ]'
echo 'lock.c:9: held == 0' >place.txt
run --engine predicate --predicates place.txt lock.c
check "at its line" eval 'verdict true && [ "$(stat refinements)" -eq 0 ]'
echo 'lock.c:12: held == 0' >place.txt
run --engine predicate --predicates place.txt lock.c
check "at another line" eval 'verdict true && [ "$(stat refinements)" -gt 0 ]'
echo 'main::n < 3' >more.txt
run --engine predicate --predicates more.txt --predicates right.txt lock.c
check "two files" eval 'verdict true && [ "$(stat refinements)" -eq 0 ]'
run --predicates right.txt lock.c
check "engine auto" verdict true

echo 'big == 1' >bad.txt
run --engine predicate --predicates bad.txt lock.c
check "an array" refuses 'bad.txt:1: `big` is neither an integer nor a pointer'
printf '# a comment\n\nheld == z\n' >bad.txt
run --engine predicate --predicates bad.txt lock.c
check "an unknown name" refuses 'bad.txt:3: there is no variable `z`'
printf 'held == 1\nheld ==\n' >bad.txt
run --engine predicate --predicates bad.txt lock.c
check "half an expression" refuses 'bad.txt:2: a value is missing at the end'
run --engine predicate --predicates nowhere.txt lock.c
check "no such file" eval '[ "$status" -eq 2 ] && grep -q "^proviso: nowhere.txt: " err'
head -c 100000 /dev/urandom >noise.txt
run --engine predicate --predicates noise.txt lock.c
check "noise" eval '[ "$status" -eq 2 ] && grep -a -q "^proviso: noise.txt:" err'
run --engine value --predicates right.txt lock.c
check "another engine" refuses 'option `--predicates` needs `--engine predicate`, composite, kinduction or auto'

finish
