#!/bin/sh
# automata.sh: the command `condition`, and assumption automata in CPAchecker's language: what proviso
# writes is right by the grammar and leads other engines to what is open; automata of the form that
# CPAchecker writes are understood. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

run() { # run ARGUMENT...: keeps stdout, stderr and the status
  timeout 120 "$PROVISO" "$@" >out 2>err
  status=$?
}
verdict() { [ "$(tail -n 1 out)" = "Verification result: $1" ]; }
says() { grep -qF -- "$1" out; }
refuses() { [ "$status" -eq 2 ] && grep -qF -- "$1" err && [ ! -s out ]; }
grammar() { python3 "$root/tests/automaton_grammar.py" "$@" >out 2>err; }

# ---- out, and in again
parts=$root/tests/e2e/conditions/analysis_parts.c
for program in "$root"/tests/e2e/conditions/*_parts.c; do
  sed -n 's,^// run: \(.*\) => conditional.*,\1,p' "$program" >runs
  while read -r words <&3; do
    stem=$(basename "$program" _parts.c).$(echo "$words" | sed 's/.*--condition \([a-z-]*\).*/\1/')
    define=
    case $words in *-DBUG) stem=$stem.wrong define=-DBUG ;; esac
    # shellcheck disable=SC2086
    run check --quiet ${words%% -- *} --proviso "$stem" "$program" -- $define
    run condition automaton "$stem" -o "$stem.spc"
    check "$stem: an automaton" [ "$status" -eq 0 ]
    check "$stem: by the grammar" grammar "$stem.spc"
    run check --quiet --engine explicit --property unreach-call --given "$stem.spc" "$program" -- $define
    case $stem in
    *.wrong) check "$stem: the error is in what is open" verdict "false(unreach-call)" ;;
    *) check "$stem: no error" [ "$status" -ne 10 ] ;;
    esac
  done 3<runs
done
run check --engine explicit --property unreach-call --given analysis.path-repetitions.spc "$parts"
check "what was verified is an assumption" \
  says "Proviso: provided that what analysis.path-repetitions.spc calls verified has no error."
check "and nothing else" [ "$(grep -c ^Proviso: out)" -eq 1 ]

# ---- automata of CPAchecker's form: empty edges, declarations, call and return, fallback to __TRUE
cat >two.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y;
  y = 0;
  if (x > 5) {
    y = 1;
    if (y == LEFT) reach_error();
  } else {
    y = 2;
    if (y == RIGHT) reach_error();
  }
  return 0;
}
END
cat >right.spc <<'END'
OBSERVER AUTOMATON AssumptionAutomaton
INITIAL STATE ARG0;
STATE __TRUE :
    TRUE -> GOTO __TRUE;
STATE __FALSE :
    TRUE -> GOTO __FALSE;
STATE USEFIRST ARG0 :
    MATCH "" -> GOTO ARG1;
    TRUE -> GOTO __TRUE;
STATE USEFIRST ARG1 :
    MATCH "int main()" -> GOTO ARG1M0;
    TRUE -> GOTO __TRUE;
STATE USEFIRST ARG1M0 :
    MATCH "int x = __VERIFIER_nondet_int();" -> GOTO ARG1M1;
    TRUE -> GOTO __TRUE;
STATE USEFIRST ARG1M1 :
    MATCH "int x = __VERIFIER_nondet_int();" -> GOTO ARG2;
    TRUE -> GOTO __TRUE;
STATE USEFIRST ARG2 :
    MATCH "int y;" -> GOTO ARG3;
    TRUE -> GOTO __TRUE;
STATE USEFIRST ARG3 :
    MATCH "y = 0;" -> GOTO ARG4;
    TRUE -> GOTO __TRUE;
STATE USEFIRST ARG4 :
    MATCH "[!(x > 5)]" -> ASSUME {x < 3} GOTO __FALSE;
    TRUE -> GOTO __TRUE;
END AUTOMATON
END
given() { run check --engine explicit --property unreach-call --given right.spc two.c -- "$@"; }
given -DLEFT=1 -DRIGHT=9
check "the error on the left is in what was verified" verdict conditional
given -DLEFT=9 -DRIGHT=2
check "the error on the right is open" verdict "false(unreach-call)"
given -DLEFT=9 -DRIGHT=9
check "without an error there is the assumption" verdict conditional
sed 's/INITIAL STATE ARG0/INITIAL STATE __TRUE/' right.spc >all.spc
run check --engine explicit --property unreach-call --given all.spc two.c -- -DLEFT=1 -DRIGHT=2
check "everything was verified" verdict conditional
sed 's/INITIAL STATE ARG0/INITIAL STATE __FALSE/' right.spc >nothing.spc
run check --engine explicit --property unreach-call --given nothing.spc two.c -- -DLEFT=9 -DRIGHT=9
check "nothing was verified" verdict true
sed 's/y = 0;/y = 7;/' right.spc >strange.spc
run check --engine explicit --property unreach-call --given strange.spc two.c -- -DLEFT=1 -DRIGHT=9
check "a move that does not occur cuts nothing" verdict "false(unreach-call)"
run check --proviso x --given right.spc two.c -- -DLEFT=1 -DRIGHT=9
check "no condition is written under an automaton" refuses 'option `--proviso` cannot be used'
check "by the grammar" grammar right.spc

# ---- formulas of transitions: covered is where they hold, open is where they do not
cat >range.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    int x = __VERIFIER_nondet_int();
    if (SCALE * x == AT) sum++;
  }
  if (sum == TIMES) reach_error();
  return 0;
}
END
cat >range.spc <<'END'
OBSERVER AUTOMATON AssumptionAutomaton
INITIAL STATE ARG0;
STATE __TRUE :
    TRUE -> GOTO __TRUE;
STATE __FALSE :
    TRUE -> ASSUME {false} GOTO __FALSE;
STATE USEFIRST ARG0 :
    MATCH "int x = __VERIFIER_nondet_int();" -> ASSUME {x >= 0 && x <= 9} GOTO ARG1;
    TRUE -> GOTO ARG0;
STATE USEFIRST ARG1 :
    MATCH "int x = __VERIFIER_nondet_int();" -> GOTO ARG1M0;
    TRUE -> GOTO ARG1;
STATE USEFIRST ARG1M0 :
    MATCH "int x = __VERIFIER_nondet_int();" -> ASSUME {x >= 0 && x <= 9} GOTO __TRUE;
    TRUE -> GOTO ARG1M0;
END AUTOMATON
END
check "by the grammar" grammar range.spc
for engine in explicit predicate bmc kinduction; do
  range() { run check --engine $engine --property unreach-call --given "$1" range.c -- -DSCALE=1 -DAT="$2" -DTIMES="$3"; }
  range range.spc 5 2
  check "$engine: the assumption holds, the error is covered" verdict conditional
  range range.spc 12 1
  check "$engine: it fails in one of two visits, the error is open" verdict "false(unreach-call)"
  range range.spc 12 3
  check "$engine: no error, but the assumption" verdict conditional
done
sed 's/x >= 0/unknown >= 0/' range.spc >unknown.spc
run check --engine explicit --property unreach-call --given unknown.spc range.c -- -DSCALE=1 -DAT=5 -DTIMES=2
check "what cannot be evaluated is open" verdict "false(unreach-call)"
check "and a note says so" says "the assumption {unknown >= 0 && x <= 9} counts as false here"
sed 's/USEFIRST/USEALL/' range.spc >all.spc
run check --engine explicit --property unreach-call --given all.spc range.c -- -DSCALE=1 -DAT=5 -DTIMES=2
check "what all transitions restrict is open" verdict "false(unreach-call)"

# ---- untried inputs become formulas
tries() { run check --quiet --engine explicit --inputs 2 --property unreach-call --proviso tried range.c -- -DSCALE=3 "$@"; }
tries -DAT=231 -DTIMES=1
check "two values are tried" verdict conditional
run condition automaton tried -o tried.spc
check "an automaton" [ "$status" -eq 0 ]
check "by the grammar" grammar tried.spc
check "with the values as a formula" \
  grep -qF 'MATCH "int x = __VERIFIER_nondet_int();" -> ASSUME {(x >= 0 && x <= 1)} GOTO ARG0;' tried.spc
for engine in predicate bmc; do
  run check --engine $engine --property unreach-call --given tried.spc range.c -- -DSCALE=3 -DAT=231 -DTIMES=1
  check "$engine finds an error in what was not tried" verdict "false(unreach-call)"
done
sed -e 's/for (int i = 0; i < 2; i++) //' range.c >once.c
run check --quiet --engine explicit --inputs 2 --property unreach-call --proviso tried once.c -- -DSCALE=3 -DAT=3 -DTIMES=2
run condition automaton tried -o tried.spc
check "the last input leads to what is verified" grep -q '} GOTO __TRUE;' tried.spc
run check --engine value --property unreach-call --given tried.spc once.c -- -DSCALE=3 -DAT=3 -DTIMES=1
check "an error with a value that was tried is covered" verdict conditional
sed -e 's/int x = __VERIFIER_nondet_int();/int x; x = 1 + __VERIFIER_nondet_int();/' once.c >sum.c
run check --quiet --engine explicit --inputs 2 --property unreach-call --proviso tried sum.c -- -DSCALE=3 -DAT=3 -DTIMES=2
run condition automaton tried
check "an input that no variable keeps has no formula" refuses "is not read by a statement"

# ---- show, dot, compare
run condition show analysis.path-repetitions
check "the sentence is shown" says "(condition: path-repetitions=8)"
check "and the part" says "Part 1: automaton, "
run condition dot analysis.path-repetitions
check "a graph" says "digraph part1 {"
check "with the text of edges" says "[i < 30]"
run condition compare analysis.path-repetitions analysis.path-repetitions
check "equal to itself" says equal
cp "$parts" more.c
for bound in 8 12; do
  run check --engine value --property unreach-call --condition path-repetitions=$bound --proviso "by$bound" more.c
done
run condition compare by12 by8
check "more rounds, less open" says weaker
run condition compare by8 by12
check "and the other way round" says stronger
run check --engine bmc --unwind 3 --property unreach-call --proviso bounded more.c
run condition compare bounded by8
check "different forms" says "nothing can be said"
run condition automaton bounded
check "a bound is no automaton" refuses "cannot be expressed as an automaton"
run condition dot bounded
check "and no graph" refuses "neither an automaton nor a frontier"
run condition compare by8 analysis.states.wrong
check "of another program" refuses "different programs"
run condition show two.c
check "no condition" refuses "this is no condition of proviso"
run condition draw by8
check "no such action" refuses "There are show, dot, automaton, compare, product, complement and benchmark"

# ---- Figure 6 of "Conditional model checking": one path, through the other branch to the product, and all else is verified
six=$root/tests/e2e/plan/figure_6.c
run check --quiet --engine predicate --property unreach-call --proviso six "$six"
run condition dot six
sed -n 's/^  s\([0-9]*\) -> s\([0-9]*\) .*/\1 \2/p' out | awk '$2 != $1 + 1 { exit 1 } END { exit NR != 10 }'
check "a chain of states" [ $? -eq 0 ]
check "and at its end what is open" [ "$(grep -c ' -> open ' out)" -eq 1 ]
check "all else leads to the sink" [ "$(grep -c ' -> verified .style=dashed' out)" -eq 11 ]
check "no state is in the loop" [ "$(grep -c '"1[78]: ' out)" -eq 0 ]
check "the branch and the product are in it" says '22: r = x * y'
run condition show six
check "the formula of the location" says "  line 26: x <= r"
check "and there is no other" [ "$(grep -c '^  line ' out)" -eq 1 ]
run check --quiet --engine predicate --property unreach-call --proviso six "$six" -- -DBUG
run condition show six
check "of the wrong program likewise, or its error is found" [ "$(grep -c -e '^  line 24: x < r' -e '^Error: ' out)" -eq 1 ]

# ---- product and complement. Two engines without knowledge of each other: one bounds the first loop, one the second.
halves=$root/tests/e2e/plan/halves.c
half() { run check --quiet --engine value --property unreach-call "$@" "$halves"; }
half --condition path-repetitions=8 --proviso long
check "the long loop is open" verdict conditional
half --condition path-assumes=4 --proviso short
check "the short loop is open, too" verdict conditional
run condition product long short -o both
run condition compare both long
check "a product leaves no more open than the one" says equal
run condition compare both short
check "and than the other" says weaker
run condition complement long -o rest
run condition complement rest -o again
run condition compare long again
check "the complement of the complement leaves as much open, and assumes more" says weaker
run condition product long rest -o none
run condition show none
check "nothing is open in both" says "Open: nothing"
half --given rest
check "what was covered has no error" [ "$(grep -c ^Proviso: out)" -eq 1 ]
check "what was open is assumed to have none" says "Proviso: provided that no error lies in what the condition left open"
run check --quiet --engine value --property unreach-call --condition path-repetitions=8 --proviso wrong "$halves" -- -DBUG=1
run condition complement wrong -o rest
run check --quiet --engine value --property unreach-call --given rest "$halves" -- -DBUG=1
check "the error is not in it" verdict conditional
run check --quiet --engine explicit --property unreach-call --given wrong "$halves" -- -DBUG=1
check "but in what is open" verdict "false(unreach-call)"
run condition product long wrong -o x
check "no product with another program" refuses "different programs or properties"
run condition product long short
check "a product is a file" refuses 'option `--output`'
run check --engine bmc --unwind 3 --property unreach-call --proviso bounded "$halves"
run condition complement bounded -o x
check "no complement of a bound" refuses "is not one automaton"

# ---- what a given condition covers was examined as far as its assumptions go
tries=$root/tests/e2e/dpor/tries_behind_an_end.c
for states in 3 6 9; do
  run check --quiet --engine explicit --limit states=$states --proviso begun "$tries"
  run check --quiet --engine explicit --given begun "$tries"
  check "stopped at $states: the order by a failure stays a proviso" verdict conditional
done
run check --quiet --engine explicit --limit states=6 --proviso begun "$tries" -- -DFIX
run check --quiet --engine explicit --given begun "$tries" -- -DFIX
check "without a race there is none" verdict true

# ---- each property by itself
look=$root/tests/e2e/plan/properties.c
both() { run check --quiet --property unreach-call,no-data-race "$@" "$look"; }
both --engine composite --proviso reach
check "what composite does not check is open" says "Proviso: provided that property no-data-race holds"
check "what it checks is not" says "Without a proviso: unreach-call."
run condition show reach
check "nothing of unreach-call" says "Open for unreach-call: nothing"
check "everything of no-data-race" says "Open for no-data-race: everything"
both --engine explicit --limit states=60 --proviso some
check "a search that was stopped" verdict conditional
run condition compare reach some
check "each covers something of its own" says "incomparable: each leaves open"
both --engine composite --given some --proviso more
check "its frontier is left for no-data-race" says "Proviso: for no-data-race, provided that no error lies"
check "and unreach-call is proven" says "Without a proviso: unreach-call."
run condition compare more some
check "less is open" says weaker
both --engine explicit --given more --json rest
check "the search goes on for no-data-race alone" says "Proviso: for no-data-race, provided that __VERIFIER_nondet_int"
python3 -c 'import json; r = json.load(open("rest")); print(r["unconditional"], [p["properties"] for p in r["provisos"]])' >out
check "so JSON says" says "['unreach-call'] [['no-data-race'], ['no-data-race']]"
run check --quiet --property unreach-call --engine explicit --given more "$look"
check "nothing is left for unreach-call" verdict true
run check --quiet --property unreach-call --engine composite --proviso only "$look"
check "a condition about one property" verdict true
both --engine explicit --inputs 2 --given only
check "everything is open of one that the file does not mention" \
  says "Proviso: for no-data-race, provided that __VERIFIER_nondet_int"
check "and nothing of the other" says "Without a proviso: unreach-call."
finish
