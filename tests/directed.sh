#!/bin/sh
# directed.sh: bench/directed: what the generator makes is decided by its arguments, its programs have the error they say, their
# mended twins have none, and the tables come out. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
folder=$root/bench/directed
cd "$work" || exit 2
export TMPDIR="$work/tmp"
mkdir tmp

# result EXPECTED ARGUMENT...: the last line of a check
result() {
  expected=$1
  shift
  timeout 300 "$PROVISO" check --quiet --engine explicit "$@" >out 2>err
  check "$*" is "$(tail -n 1 out)" "Verification result: $expected"
}

# program NAME VERDICT OPTION...: with no calls and with some, wrong and mended
program() {
  base=$1 verdict=$2
  shift 2
  for depth in 0 2; do
    for kind in "" "--visible --all --optional 50"; do
      # shellcheck disable=SC2086
      "$folder/generate" "$folder/$base.c" --depth $depth --seed 3 $kind >one.c 2>err
      # shellcheck disable=SC2086
      "$folder/generate" "$folder/$base.c" --depth $depth --seed 3 $kind >two.c 2>>err
      check "$base at depth $depth $kind: the same program twice" cmp -s one.c two.c
      check "$base at depth $depth $kind: compiles without warnings" \
        "$CC" -std=c11 -Wall -Wextra -Werror -fsyntax-only one.c
      result "$verdict" --search best --heuristic efca "$@" one.c
      result "$verdict" "$@" one.c -- -DROUNDS=1
      result true "$@" one.c -- -DFIX -DROUNDS=1
    done
  done
  "$folder/generate" "$folder/$base.c" --depth 2 --seed 4 >one.c
  "$folder/generate" "$folder/$base.c" --depth 2 --seed 5 >two.c
  check "$base: another seed, another program" sh -c '! cmp -s one.c two.c'
}
program hyman "false(mutual-exclusion)" --property mutual-exclusion --mutex-region critical
program philosophers "false(no-deadlock)" --property no-deadlock
program barber "false(mutual-exclusion)" --property mutual-exclusion --mutex-region haircut
result "false(unreach-call)" --property unreach-call "$folder/hyman.c"
result "false(unreach-call)" --property unreach-call "$folder/barber.c" -- -DROUNDS=1

# Depth is how deep the calls are nested: the deepest function of each level is there, and no deeper one.
"$folder/generate" "$folder/barber.c" --depth 5 >one.c
check "five levels" grep -q '^static unsigned nested_5_0' one.c
check "no sixth" sh -c '! grep -q nested_6 one.c'

# Ten philosophers: few states, and the shortest path there is.
timeout 300 "$PROVISO" check --quiet --engine explicit --por none --property no-deadlock --search best --heuristic efca \
  --json ten.json "$folder/philosophers.c" -- -DN=10 >out 2>err
check "a deadlock of ten philosophers" python3 -c '
import json
r = json.load(open("ten.json"))
assert r["stats"]["generated"] < 200 and len(r["violations"][0]["choices"]) == 11, r["stats"]'

# The tables: every row is there, with an error found by e-FCA in each of the second and third.
timeout 600 "$folder/run" --quick --binary "$PROVISO" --out "$work" >out 2>err
check "the tables end" is "$?" 0
check "no complaint" test ! -s err
check "table 1 has four rows" is "$(sed -n '/^Table I:/,/^FCA/p' out | grep -c -e '^| Hyman' -e '^| D-phil' -e '^| Barbers')" 4
check "e-FCA finds all four" is \
  "$(sed -n '/^Table II:/,/^e-FCA/p' out | grep -c '| [0-9,]* ([0-9.]*) | [0-9]* |$')" 4
check "table 3 has two rows" is "$(sed -n '/^Table III/,$p' out | grep -c '^| [59] | [0-9,]* (')" 2
check "a figure" grep -q '^<svg' directed-threads.svg
mkdir list
cp "$folder/philosophers.c" list
printf 'philosophers.c\tno-deadlock\tfalse\t\nmissing.c\tno-deadlock\tfalse\t\nphilosophers.c\tunreach-call\ttrue\t\n' >list/tasks.tsv
timeout 600 "$folder/run" --real list --least 2 --random 2 --states 2000 --binary "$PROVISO" >out 2>err
check "a list from elsewhere: its errors" grep -q '^2 programs with errors: 1 could not be read, .* 1 above' out
check "one row" is "$(grep -c '^| philosophers.c' out)" 1

finish
