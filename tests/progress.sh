#!/bin/sh
# progress.sh: the line that tells what an engine is doing is on a terminal only, and each engine
# tells its own numbers. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

# Sums of subsets: no engine decides that in a moment.
cat >long.c <<'END'
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned sum = 0, n = __VERIFIER_nondet_uint();
  for (unsigned i = 1; i < n % 64; i++)
    if (__VERIFIER_nondet_uint()) sum += 6 * i * i;
  if (sum % 6 == 5) reach_error();
  return 0;
}
END
# on_terminal ENGINE: what `check` writes to a terminal, a line for each time the line is redrawn
on_terminal() {
  script -qec "'$PROVISO' check --engine $1 --property unreach-call --limit time=1.5s long.c" /dev/null \
    </dev/null | tr '\r' '\n'
}
for engine in value "predicate --integers bitvector" "composite --integers bitvector"; do
  on_terminal "$engine" >line
  check "$engine tells states and refinements" \
    grep -qE "${engine%% *}: [1-9][0-9]* states, .*refinements, .* MB, " line
done
on_terminal kinduction >line
check "kinduction tells its bound" grep -qE "kinduction: .* bound [1-9]" line
# The factors of a prime: a hard question, within the last bound or not.
for last in 3 'x % 99'; do
  cat >long.c <<END
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned long x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), product = x;
  for (int i = 0; i < $last; i++) product = i == 2 ? product * y : product + i;
  if (product == 0x7fffffffffffffe7 && y > 1) reach_error();
  return 0;
}
END
  on_terminal "bmc --integers bitvector" >line
  [ "$last" = 3 ] && check "bmc tells that no loop needs a larger bound" grep -q "bmc: .* last bound 4" line
  [ "$last" = 3 ] || check "bmc tells that only if it is so" sh -c 'grep -q "bmc: .* bound [1-9]" line && ! grep -q "last bound" line'
done
on_terminal explicit >line
check "explicit tells its depth" grep -qE "explicit: [1-9][0-9]* states, .* depth [1-9]" line
"$PROVISO" check --engine value --property unreach-call --limit time=1s long.c >out 2>err
check "nothing of it in a file" sh -c '! grep -q "MB, " out err'
finish
