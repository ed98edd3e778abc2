#!/bin/sh
# twins.sh: the C programs of bench/spin have as many states as their Promela models under SPIN 6.5.2
# (spin DEFINITIONS -a MODEL; gcc -O2 -DSAFETY -DNOREDUCE; ./pan), and with sleep sets and breadth
# first no other number. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"

# twin STATES MODEL PROGRAM DEFINITION...
twin() {
  states=$1 model=$2 program=$3
  shift 3
  for options in "--por none" "--por sleep" "--por none --search bfs" "--por sleep --search bfs"; do
    # shellcheck disable=SC2086
    "$PROVISO" check --property unreach-call,no-deadlock $options "$root/bench/spin/$program" -- "$@" \
      >"$work/out" 2>&1
    if grep -q "^Statistics: $states states" "$work/out" &&
      [ "$(tail -n 1 "$work/out")" = "Verification result: true" ]; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "FAILED: $program $* $options: SPIN has $states states in $model"
      tail -n 3 "$work/out"
    fi
  done
}
twin 3278 phil.pml phil.c -DN=6
twin 3413 barber.pml barber.c -DNC=4
twin 12014 big_merged.pml big.c -DNPR=2 -DNCO=2 -DITEMS=2
# SPIN has 2001: its processes are there from the start, here they are created by a first step.
twin 2002 peterson_merged.pml peterson.c -DNP=3

finish
