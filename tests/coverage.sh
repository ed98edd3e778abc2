#!/bin/sh
# coverage.sh: which locations, edges and lines count as verified, as text, in the format of lcov, and as
# JSON; each program also with a search that stops early. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

tail -n +2 "$root/tests/common/two_inputs.c" >inputs.c
sed 's/z > 2/z > 1/' inputs.c >error.c
cat >threads.c <<'END'
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
static void *work(void *a) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
  }
  return a;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(n == 6);
  return 0;
}
END
cat >endless.c <<'END'
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 1)
    return 1;
  while (x)
    x = 3;
  return 0;
}
END
cat >ends.c <<'END'
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 1)
    abort();
  if (x == 2)
    exit(2);
  if (x == 3) {
    x = 5;
    __VERIFIER_assume(x == 4);
    x = 6;
  }
  return 0;
}
END

cover() { # cover ENGINE STATES FILE [OPTION...]: verdict, open lines, counts of lines, locations and edges
  engine=$1 states=$2
  shift 2
  rm -f result.json lines.info
  timeout 120 "$PROVISO" check --property unreach-call --engine "$engine" --limit "states=$states" \
    --json result.json --coverage lines.info "$@" >out 2>err
  verdict=$(tail -n 1 out | sed 's/Verification result: //')
  open=$([ ! -e lines.info ] || sed -n 's/^DA:\([0-9]*\),0$/\1/p' lines.info | tr '\n' ' ')
  counts=$(python3 -c '
import json
c = json.load(open("result.json"))["coverage"]
print(c and " ".join("%d/%d" % (c[k]["verified"], c[k]["all"]) for k in ("lines", "locations", "edges")))')
}

for search in dfs bfs; do
  cover explicit 1000 inputs.c --search $search
  check "$search, all inputs: verdict" is "$verdict" true
  check "$search, all inputs: counts" is "$counts" "15/16 20/21 25/27"
  check "$search, all inputs: the error's line is open" is "$open" "17 "
done
check "a verdict without condition needs no coverage" is "$(grep -c Verified out)" 0

cover explicit 4 inputs.c --verbose
check "stopped: verdict" is "$verdict" conditional
check "stopped: counts" is "$counts" "14/16 18/21 21/27"
check "stopped: open lines" is "$open" "11 17 "
check "stopped: report" grep -qF "Verified by complete executions: 14 of 16 lines, 18 of 21 locations, 21 of 27 edges; open:" out
check "stopped: reasons" grep -qF "  inputs.c: 11, 17 (not reached)" out
cover explicit 3 inputs.c --verbose
check "before the first end: counts" is "$counts" "0/16 0/21 0/27"
check "before the first end: reasons" grep -qF "  inputs.c: 8-10 (reached, but no complete execution was examined)" out
cover explicit 1000 error.c
check "an error: verdict" is "$verdict" "false(unreach-call)"
check "an error: nothing counts" is "$counts" None
check "an error: no file" test ! -e lines.info
check "an error: reason" grep -q "no coverage is written: with an error" out

cover explicit 1000 threads.c
check "threads" is "$verdict $counts" "true 12/12 18/20 19/22"
cover explicit 1000 threads.c --por none
check "threads without reduction" is "$verdict $counts" "true 12/12 18/20 19/22"
cover explicit 30 threads.c
check "threads, stopped before the first end" is "$verdict $counts" "conditional 0/12 0/20 0/22"
cover explicit 31 threads.c
check "threads, stopped after it" is "$verdict $counts" "conditional 12/12 18/20 19/22"

for options in "" "--dependence conflict --peek 0 --prune 0"; do
  # shellcheck disable=SC2086 # words on purpose
  cover dpor 1000 threads.c $options
  check "dpor: threads ($options)" is "$verdict $counts" "true 12/12 18/20 19/22"
  check "dpor: all executions ($options)" grep -q '"share_of_executions":[[:space:]]*1,' result.json
done
cover dpor 20 threads.c --dependence conflict --peek 0 --prune 0
check "dpor, stopped before the first end" is "$verdict $counts" "unknown 0/12 0/20 0/22"
cover dpor 40 threads.c --dependence conflict --peek 0 --prune 0
check "dpor, stopped after it" is "$verdict $counts" "conditional 12/12 18/20 19/22"
check "dpor, an estimate" grep -q '^Examined: about 50 % of all executions, up to equivalence (an estimate).' out
cover dpor 1000 ends.c
check "dpor: abort and exit complete an execution, too" is "$verdict $open" "true 11 12 13 "

cover explicit 1000 endless.c
check "what never ends is not verified" is "$verdict $open" "true 7 "
cover explicit 1000 ends.c
check "abort and exit complete an execution, a false assumption does not" is "$verdict $open" "true 11 12 13 "

cover predicate 1000 inputs.c
check "a symbolic engine does not tell" is "$counts" None
check "and says so" grep -q "no coverage is written: this engine does not tell what is verified" out

# What an interrupted search verifies is also verified by a whole one without reduction.
cat >subset.py <<'END'
import json, os, subprocess, sys
sys.path.insert(0, os.path.join(sys.argv[1], "fuzz"))
import generate, symbolic

passed = failed = some = 0


def open_lines(options, engine="explicit"):
    subprocess.run([sys.argv[2], "check", "--quiet", "--property", "unreach-call", "--engine", engine, "--json", "r.json",
                    "--coverage", "c.info", *options, "p.c"], capture_output=True)
    with open("r.json", encoding="utf-8") as f:
        result = json.load(f)
    c = result["coverage"]
    return (c and {x["line"] for x in c["open"]}), result["stats"]["states"], c and c["lines"]["all"], result["verdict"]


for seed in range(int(sys.argv[3]), int(sys.argv[3]) + int(sys.argv[4])):
    with open("p.c", "w", encoding="utf-8") as f:
        f.write((generate if seed % 2 else symbolic).generate(seed))
    whole, states, lines, verdict = open_lines(["--por", "none", "--limit", "time=20s"])
    if whole is None or verdict != "true":  # an error, or a search that met its limit
        continue
    wrong = False
    for part in (2, 3, 10):
        for order in ("dfs", "bfs"):
            now, *_ = open_lines(["--search", order, "--limit", "states=%d" % max(1, states // part)])
            if now is not None:
                wrong |= not whole <= now
                some += len(now) < lines
        now, *_ = open_lines(["--limit", "states=%d" % max(1, states // part)], "dpor")
        wrong |= now is not None and not whole <= now
    passed += not wrong
    failed += wrong
    if wrong:
        print("seed", seed)
print(passed, failed, some > 0 or passed + failed < 8)  # in a small sample each may be over too soon
END
python3 subset.py "$root" "$PROVISO" $(sample 1 20 | cut -d" " -f2,4) >subset 2>err
grep seed subset
check "an interrupted search verifies no more" is "$(tail -n 1 subset | cut -d' ' -f2-)" "0 True"
finish
