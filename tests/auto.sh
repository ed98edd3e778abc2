#!/bin/sh
# auto.sh: which engines `auto` takes in turn on programs with threads (docs/semantics.md).
# PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
programs=$(cd "$(dirname "$0")/e2e" && pwd)
cd "$work" || exit 2

# run ARGUMENT...: runs proviso; keeps stdout, the status, and which engine gave the result
run() {
  timeout 300 "$PROVISO" check --verbose "$@" >out 2>err
  status=$?
  engine=$(sed -n 's/^  engine  *//p' out)
}
gives() { # gives STATUS ENGINE RESULT
  [ "$engine" = "$2" ] && ends "$1" "$3"
}
philosophers=$programs/directed/philosophers.c
indexer=$programs/dpor/indexer.c

run --property no-deadlock "$philosophers" -- -DPHILOSOPHERS=3
check "few states" gives 10 explicit "false(no-deadlock)"
check "few states: depth first" grep -q '^Statistics: 87 states' out
# Depth first it takes eight times as many states as the first look has.
run --property no-deadlock "$philosophers"
check "an error that is near" gives 10 explicit "false(no-deadlock)"
check "an error that is near: found on the way there" grep -q '^Statistics: 125 states' out
run --property no-deadlock --limit states=50000 "$philosophers"
check "a limit of the user is one of all" gives 20 explicit conditional
check "a limit of the user: the proviso" grep -q '^Proviso: .*states' out

# Millions of states, few orders of events that matter.
run --property unreach-call "$indexer" -- -DN=15
check "few executions" gives 0 dpor true
check "few executions: how many" grep -q '^Statistics: 4096 executions' out
run --property unreach-call "$indexer" -- -DN=15 -DBUG
check "few executions: an error" [ "$status" -eq 10 ]
run --property unreach-call --store bitstate --limit states=150000 "$indexer" -- -DN=15
check "who chooses a store gets that" gives 20 explicit conditional
run --property unreach-call --keep-going --limit states=150000 "$indexer" -- -DN=15
check "all errors are for the explicit engine" gives 20 explicit conditional
run --property unreach-call --invariant '1' --limit states=150000 "$indexer" -- -DN=15
check "no engine that does not check a property" gives 20 explicit conditional

# What the program leaves open no engine can answer: the first one's result is as good as any.
cat >kept.c <<'END'
int main(void) {
  int *p = 0, sum = 0;
  for (int i = 0; i < 20000; i++) {
    p = (int[]){i};
    sum ^= *p;
  }
  return sum == -1;
}
END
run kept.c
check "the program's own proviso asks nobody else" gives 20 explicit conditional
check "the program's own proviso" grep -q '^Proviso: .*the compound literal' out
finish
