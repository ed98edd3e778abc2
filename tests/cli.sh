#!/bin/sh
# cli.sh: what the command line promises: verdict line, exit status, limits and signals, JSON, replay,
# determinism. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2
export TMPDIR="$work/tmp"
mkdir tmp

# run ARGUMENT...: runs proviso, keeps stdout, stderr and the status
run() {
  timeout 120 "$PROVISO" "$@" >out 2>err
  status=$?
}
json() { # json FILE EXPRESSION: the Python expression over the object `r` is true
  python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); sys.exit(not eval(sys.argv[2]))' \
    "$1" "$2"
}

cat >right.c <<'END'
int x;
int main(void) { x = 1; return 0; }
END
cat >wrong.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int balance = 100;
static void *withdraw(void *unused) {
  int old = balance;
  balance = old - 10;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, withdraw, 0);
  pthread_create(&b, 0, withdraw, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(balance == 80);
  return 0;
}
END
cat >unmodelled.c <<'END'
void launch(void);
int main(int argc, char **argv) { (void)argv; if (argc == 1) launch(); return 0; }
END
cat >endless.c <<'END'
volatile unsigned x;
int main(void) { for (;;) x++; }
END
cat >reach.prp <<'END'
CHECK( init(main()), LTL(G ! call(reach_error())) )
END

# Nobody uses the quotient; dividing by zero is undefined all the same.
for divisor in 0 1; do
  cat >unused_$divisor.ll <<END
@n = global i32 7
@d = global i32 $divisor
define i32 @main() {
  %was = atomicrmw sub ptr @n, i32 1 seq_cst, align 4
  %d = load i32, ptr @d
  %unused = sdiv i32 %was, %d
  ret i32 0
}
END
done

run --version
check "version" grep -q '^proviso [0-9]' out
run check --engine explicit --property def-behavior unused_0.ll
check "an unused quotient of an atomic operation's result" is "$status" 10
run check --engine explicit --property def-behavior unused_1.ll
check "an unused quotient that is defined" is "$status" 0
for command in check ir replay distances; do
  run "$command" --help
  check "help of $command" is "$status" 0
  check "help of $command names it" grep -q "^Usage: proviso $command" out
  check "help of $command fits a terminal" is "$(awk 'length > 80' out)" ""
done
run help
check "help" is "$status" 0

run check right.c
check "true" ends 0 true
run check wrong.c --json wrong.json
check "false" ends 10 "false(unreach-call)"
check "error path names the threads" grep -q '^  thread 2 .*wrong.c:7' out
check "wide lines" is "$(awk 'length > 80' out)" ""
check "json says the same" json wrong.json 'r["result"] == "false(unreach-call)" and r["violations"]'
check "json has the path" json wrong.json 'len(r["violations"][0]["choices"]) > 3'
cp out first
run check wrong.c --json wrong.json
check "the same output again" cmp -s first out
run check wrong.c --quiet
check "quiet" is "$(cat out)" "Verification result: false(unreach-call)"
run check --engine dpor --property no-overflow,unreach-call wrong.c
check "executions are counted" grep -q '^Statistics: [1-9][0-9]* executions\{0,1\}, ' out
cat >at_once.c <<'END'
#include <assert.h>
int main(void) { assert(0); }
END
run check --engine dpor at_once.c
check "also where the first one has an error" grep -q '^Statistics: 0 executions, 1 transition,' out
run check --spec reach.prp wrong.c
check "spec" ends 10 "false(unreach-call)"
run check --property no-overflow,no-deadlock wrong.c
check "other properties" ends 0 true
run check unmodelled.c
check "conditional" grep -q '^Proviso: provided that .*launch' out
check "conditional's status" is "$status" 20
run check wrong.c unmodelled.c
check "two mains" is "$status" 2

run replay wrong.json
check "replay" ends 10 "false(unreach-call)"
run replay wrong.json --step 3
check "replay up to a step" grep -q '^Step 3 of ' out
(cd / && timeout 60 "$PROVISO" replay "$work/wrong.json") >out 2>err
status=$?
check "replay from elsewhere" ends 10 "false(unreach-call)"
for level in statement instruction; do
  run check wrong.c --atomic "$level" --json "$level.json"
  check "$level: an error" ends 10 "false(unreach-call)"
  run replay "$level.json"
  check "$level: replay" ends 10 "false(unreach-call)"
done
check "a step an operation" json instruction.json \
  'len(r["violations"][0]["choices"]) > 3 * len(json.load(open("statement.json"))["violations"][0]["choices"])'
echo 'int limit(void) { return LIMIT; }' >limit.c
cp limit.c 'odd:-DLIMIT=7.c'
cat >flags.c <<'END'
#include <assert.h>
int limit(void);
#ifdef LIMIT
#error "LIMIT is of the other file"
#endif
int main(void) { assert(limit() == 3); return 0; }
END
run check flags.c limit.c:-DLIMIT=3
check "flags for one file" ends 0 true
check "flags for one file: told" grep -q "limit.c:-DLIMIT=3" out
run check flags.c limit.c:-DONE,-DLIMIT=ONE+ONE --json flags.json
check "several flags for one file" ends 10 "false(unreach-call)"
run replay flags.json
check "flags for one file: replay" test "$status" -eq 10
run check flags.c limit.c
check "flags left out: status" test "$status" -eq 2
run check flags.c 'odd:-DLIMIT=7.c' -- -DLIMIT=3
check "flags for all files" test "$status" -eq 2
run check flags.c:-ULIMIT './odd:-DLIMIT=7.c:-DLIMIT=3'
check "a file with a colon" ends 0 true
run check flags.c limit.c:-DLIMIT=4 --harness flags-harness.c
command=$(sed -n 's/^Note: compile and run the harness: \(.*\)\.$/\1/p' out)
sh -c "$command" >out 2>err
check "flags for one file: harness" test $? -ne 0
check "flags for one file: harness, the assertion fails" grep -q 'limit() == 3' err

run ir limit.c:-DLIMIT=3
check "ir without main: status" test "$status" -eq 0
check "ir without main: functions" grep -q 'function limit() -> i32' out
run ir --format c limit.c:-DLIMIT=3
check "ir without main: as C" grep -q 'return 3' out
run ir --entry main limit.c:-DLIMIT=3
check "ir without the function asked for" test "$status" -eq 2

run check wrong.c --json -
check "json on standard output: the status is the verdict's" test "$status" -eq 10
check "json on standard output: nothing else" json out 'r["result"] == "false(unreach-call)"'
check "json on standard output: the text is on standard error" \
  test "$(tail -n 1 err)" = "Verification result: false(unreach-call)"
check "json on standard output: no file" test ! -e -
cp out copy.json
run replay copy.json
check "json on standard output: replay" test "$status" -eq 10
run check wrong.c --harness -
check "harness on standard output" grep -q "inputs of an error that proviso found" out
run check right.c --json - --harness -
check "two files on standard output: status" test "$status" -eq 2
if [ -e /dev/full ]; then
  run check right.c --json /dev/full
  check "a full disk: status" test "$status" -eq 70
  check "a full disk: message" grep -q "cannot be written" err
  timeout 120 "$PROVISO" check right.c --json - >/dev/full 2>err
  check "a full disk as standard output: status" test $? -eq 70
fi
run check right.c --json right.json
run replay right.json
check "nothing to replay" is "$status" 2

# Inputs are recorded as values, and it is the values that a replay gives.
cat >inputs.c <<'END'
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern int proviso_choose(int low, int high);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  int c = proviso_choose(-3, 3);
  assert(x * x % 4096 != 9 || c != 2);
}
END
edit() { # edit EXPRESSION...: writes edited.json, with statements over the first violation `v`
  python3 -c 'import json, sys
r = json.load(open("inputs.json"))
v = r["violations"][0]
exec(sys.argv[1])
json.dump(r, open("edited.json", "w"))' "$1"
}
run check inputs.c --property unreach-call --inputs 2000 --json inputs.json
check "inputs: an error" ends 10 "false(unreach-call)"
check "inputs: sources" json inputs.json \
  '[s["name"] for s in r["violations"][0]["input_sources"]] == ["__VERIFIER_nondet_uint", "proviso_choose"]'
check "inputs: values" json inputs.json 'r["violations"][0]["inputs"][1] == [1, 0, "0x2"]'
run replay inputs.json
check "inputs: replay" ends 10 "false(unreach-call)"
edit 'v["inputs"][0][2] = "0x1c03003"'
run replay edited.json
check "inputs: a value that nobody tried" ends 10 "false(unreach-call)"
check "inputs: it is told" grep -q '__VERIFIER_nondet_uint = 29372419' out
edit 'v["inputs"][0][2] = "0x1c03004"'
run replay edited.json
check "inputs: another value" ends 20 unknown
edit 'v["inputs"][1][2] = "0x4"'
run replay edited.json
check "inputs: a value out of bounds" ends 20 unknown
edit 'v["inputs"][0][2] = "0x100000003"'
run replay edited.json
check "inputs: a value that is too wide" ends 20 unknown
edit 'v["input_sources"][0]["name"] = "__VERIFIER_nondet_int"'
run replay edited.json
check "inputs: of another program" ends 20 unknown
edit 'v["inputs"] = v["inputs"][:1]'
run replay edited.json
check "inputs: behind the last one the ways decide" ends 10 "false(unreach-call)"
edit 'v["inputs"] = v["input_sources"] = []'
run replay edited.json
check "inputs: without any" ends 10 "false(unreach-call)"
edit 'v["inputs"][0][0] = 2'
run replay edited.json
check "inputs: a source that is not there" is "$status" 2

run ir right.c
check "ir" is "$status" 0
run ir right.c --format dot
check "ir as dot" grep -q '^digraph' out
run ir wrong.c --mark-slice unreach-call
check "ir with a slice" is "$status" 0
check "ir with a slice: marks" grep -q '^+  L.* error: ' out
check "ir with a slice: what is not marked" grep -q '^   L.* return 0' out
run ir wrong.c --mark-slice def-behavior
check "ir with all" grep -q '^slice: .*since nothing is left out for def-behavior$' out
run ir wrong.c --mark-slice nothing
check "ir with a slice of nothing" is "$status" 2
run ir wrong.c --mark-slice unreach-call --format dot
check "ir with a slice as dot" is "$status" 2

cat >far.c <<'END'
#include <assert.h>
int g;
static void step(void) {
  g++;
}
void critical(void) {
  step();
}
int main(void) {
  step();
  critical();
  assert(g == 3);
  return 0;
}
END
cat >far.expected <<'END'
place       function    end  error   source
far.c:4:4   step          3      -   g++;
far.c:5:1   step          1      -   }

far.c:7:3   critical      5      -   step();
far.c:8:1   critical      1      -   }

far.c:9     main         14     13   int main(void) {
far.c:10:3  main         13     12   step();
far.c:11:3  main          9      8   critical();
far.c:12:3  main          3      2 * assert(g == 3);
far.c:13:3  main          1      -   return 0;
END
run distances far.c --json far.json
check "distances" is "$status" 0
tail -n +5 out >table
check "distances: the table" cmp -s far.expected table
check "distances: the target's line" grep -q '^far.c:12:3 .* 2 \* assert(g == 3);$' out
check "distances: json" json far.json \
  '[r["error"] for r in r["rows"] if r["line"] in (10, 11, 12)] == [12, 8, 2] and r["targets"] == 1'
for heuristic in efsm fsm; do
  run distances far.c --heuristic "$heuristic" --cost instruction
  check "distances by $heuristic" is "$status" 0
  check "distances by $heuristic: the table" grep -q '^far.c:12:3 .* 2 \* assert' out
done
run distances far.c --mutex-region critical
check "distances to a region" grep -q '^far.c:7:3  .* 0 \* step' out
run distances far.c --mutex-region nowhere
check "distances to no region" is "$status" 2
run distances far.c --context 3
check "distances by fca know no --context" grep -q -e '--heuristic efsm' err
run help distances
check "help of distances tells its own default" grep -q 'default: unreach-call' out
check "help of distances has no search's limits" sh -c '! grep -q states= out'
for heuristic in none random; do
  run distances far.c --heuristic "$heuristic"
  check "distances by $heuristic" is "$status" 2
done
refused() { # NAME WORD OPTION...: the run ends with a message that has the word
  name=$1 word=$2
  shift 2
  run check far.c "$@"
  check "$name" is "$status" 2
  check "$name: it is told" grep -q -e "$word" err
}
refused "a region that is not there" nowhere --mutex-region nowhere
refused "mutual exclusion of nothing" mutex-region --property mutual-exclusion
refused "several threads, directed" threads --search best --threads 2
refused "a lossy store, directed" store --search best --store bitstate
refused "symmetry, directed" symmetry --search greedy --symmetry threads
refused "an engine without orders" engine --search astar --engine bmc
refused "estimates that nobody asks for" heuristic --heuristic fsm
refused "a context that nobody asks for" context --search best --context 3
refused "estimates for walks" heuristic --search walk --heuristic fsm
refused "ties in a search without a queue" ties --search greedy --ties interference
refused "ties by two rules" ties --search best --seed 1 --ties interference
run check far.c --search best --property no-overflow --json best.json
check "directed search" is "$status" 0
check "directed search: its figures" json best.json \
  'r["stats"]["distance_nodes"] > 0 and r["stats"]["expanded"] == r["stats"]["states"] and r["stats"]["distance_seconds"] > 0'
check "directed search: its line" grep -q '^Search: .* generated, .* expanded; distances on ' out
run check far.c --search astar --property def-behavior
check "A* without a lower bound" grep -q '^Note: estimates were 0, for lack of lower bounds' out
run check far.c --mutex-region critical --engine kinduction --property no-overflow
check "mutual exclusion, not checked" grep -q 'property mutual-exclusion holds, which this engine does not check' out
run distances far.c --property no-deadlock,no-data-race
check "distances without targets" grep -q '^Distances to 0 targets' out
cat >tower.c <<'END'
#define TWICE(A, B) static void A(void) { B(); B(); B(); B(); }
int g;
static void f0(void) { g++; }
TWICE(f1, f0) TWICE(f2, f1) TWICE(f3, f2) TWICE(f4, f3) TWICE(f5, f4) TWICE(f6, f5) TWICE(f7, f6)
TWICE(f8, f7) TWICE(f9, f8) TWICE(f10, f9) TWICE(f11, f10)
int main(void) { f11(); }
END
run distances tower.c --heuristic efsm --context 16
check "distances: a graph too large" is "$status" 2
check "distances: it is told" grep -q '16-bounded graph' err
sed 's/{ B(); B/{ B(); if (g == 5) __builtin_abort(); B/' tower.c >slow.c
run distances slow.c --heuristic efsm --context 8 --limit time=1s
check "distances: a time limit" is "$status" 2
check "distances: which limit" grep -q '^proviso: a limit (time) was reached' err
run distances far.c --limit states=10
check "distances: no limit of states" is "$status" 2

check_cut() { [ "$status" -eq 20 ] && tail -n 1 out | grep -q -E '^Verification result: (conditional|unknown)$'; }
run check endless.c --engine explicit --limit time=1s --json cut.json
check "time limit" check_cut
check "time limit is a proviso" json cut.json 'any(p["kind"] == "TIME" for p in r["provisos"])'
run check endless.c --engine explicit --limit states=1000
check "limit on states" check_cut
for signal in INT TERM; do
  "$PROVISO" check endless.c --engine explicit --json "$signal.json" >out 2>err &
  child=$!
  sleep 3
  kill -$signal "$child"
  wait "$child"
  status=$?
  check "SIG$signal ends in order" check_cut
  check "SIG$signal is a proviso" json "$signal.json" \
    'any(p["kind"] == "INTERRUPT" for p in r["provisos"])'
done
# `timeout` sends its signal to the process and to the group of processes.
timeout 2 "$PROVISO" check endless.c --engine explicit >out 2>err
check "timeout ends in order" grep -q -E '^Verification result: (conditional|unknown)$' out
setsid sh -c '"$0" check endless.c --engine explicit & child=$!; sleep 2; kill $child; kill $child; kill $child; wait $child' \
  "$PROVISO" >out 2>err
status=$?
check "three signals at once are one request" check_cut
check "no temporary files are left" is "$(ls tmp)" ""
"$PROVISO" check right.c >/dev/full 2>err
check "a full disk is no verdict" is "$?" 70

# The time limit holds for clang, too: 2^30 tokens.
awk 'BEGIN { print "#define M0 +1"
  for (i = 1; i <= 30; i++) printf "#define M%d M%d M%d\n", i, i - 1, i - 1
  print "int main(void) { return 0 M30; }" }' >tokens.c
run check --limit time=1s tokens.c
check "clang is stopped: status and verdict" ends 20 unknown
check "clang is stopped: reason" grep -q "clang did not end within the time limit" out
check "clang is stopped: nothing is left behind" is "$(ls tmp)" ""

# Where it is over when clang is done, no engine of `auto` has time without a limit.
cat >inputs.c <<'END'
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned x = 0, y = 1;
  for (unsigned i = 0; i < 1000000; i++) {
    x = x * 1664525u + y;
    y = __VERIFIER_nondet_uint() % 7 + (x >> 3);
    if (x == 0x12345677u && y == 0x1234567u) reach_error();
  }
}
END
run check --limit time=0.001s --json late.json inputs.c
check "late: no verdict but for what was seen" check_cut
check "late: the time is a proviso" json late.json 'any(p["kind"] == "TIME" for p in r["provisos"])'
check "late: nothing goes on" json late.json 'r["stats"]["states"] < 20000'

# --work: the condition and temporary files go to a directory, and a run that was killed goes on from there.
mkdir work
TMPDIR=$PWD/missing "$PROVISO" check --engine explicit --limit states=2 --work made right.c >out 2>err
status=$?
check "--work: the directory is made, and the condition is in it" is "$(ls made)" condition
run condition show made
check "--work: a directory stands for its condition" grep -q '^Engine: explicit' out
run resume made
check "--work: it goes on" ends 0 true
check "--work: no file was left" is "$(ls made)" condition
run check --engine explicit --limit states=2 --work work --proviso other right.c
check "--work: --proviso says otherwise" is "$(ls work) $(ls other)" " other"
run resume --work work other
check "--work: resume writes there" is "$status $(ls work)" "0 condition"
run check --work missing/work right.c
check "--work: no place for the directory" is "$status $(cat err)" "2 proviso: missing/work: cannot be made: No such file or directory"
run check made
check "a directory is no program" is "$status $(cat err)" "2 proviso: made: is a directory"

# Where the system gives no executable memory, everything is interpreted, and the report says so.
cat >refuse.c <<'END'
#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>
int mprotect(void *at, size_t n, int protection) {
  int (*real)(void *, size_t, int) = (int (*)(void *, size_t, int))dlsym(RTLD_NEXT, "mprotect");
  if (!(protection & PROT_EXEC)) return real(at, n, protection);
  errno = EACCES;
  return -1;
}
END
cc -D_GNU_SOURCE -shared -fPIC -o refuse.so refuse.c -ldl || exit 2
run check --engine explicit --native-after 0 right.c
check "machine code: no note" is "$(grep -c '^Note:' out)" 0
ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" LD_PRELOAD="$PWD/refuse.so" \
  "$PROVISO" check --engine explicit --native-after 0 --json refused.json right.c >out 2>err
status=$?
check "no executable memory: the verdict" ends 0 true
check "no executable memory: the note" grep -q '^Note: transitions were interpreted' out
check "no executable memory: the note in JSON" json refused.json 'len(r["notes"]) == 1'

finish
