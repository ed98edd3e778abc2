#!/bin/sh
# memory_limit.sh: under --limit memory=200MB a program that needs more ends in order with the
# proviso of what was explored, the process never takes more than that (5 % slack), and a store that
# may lose states gets further; a long path that was found is still replayed. PROVISO names the
# program to test. Sanitizers take memory of their own: under them only the order of the end is
# looked at, with larger limits.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

# run ARGUMENT...: runs proviso; keeps stdout, stderr, the status and the most kilobytes it had
# resident
run() {
  python3 - "$PROVISO" check --quiet --engine explicit --json r.json \
    --property unreach-call,no-deadlock "$@" <<'END'
import os, subprocess, sys
with open("out", "w") as out, open("err", "w") as err:
    process = subprocess.Popen(sys.argv[1:], stdout=out, stderr=err)
    _, status, usage = os.wait4(process.pid, 0)
with open("run", "w") as f:
    f.write(f"{os.waitstatus_to_exitcode(status)} {usage.ru_maxrss}\n")
END
  read -r status kilobytes <run
}
json() { # json EXPRESSION: the Python expression over the object `r` is true
  python3 -c 'import json, sys; r = json.load(open("r.json")); sys.exit(not eval(sys.argv[1]))' "$1"
}
has() { json "any(p['kind'] == '$1' for p in r['provisos'])"; }
states() { python3 -c 'import json; print(json.load(open("r.json"))["stats"]["states"])'; }
within() { [ "$kilobytes" -le $(($1 * 1000 * 105 / 100)) ]; }

# C K + 6 states, no path longer than K + 4: two frames that vary, and nobody else can move
cat >product.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
int proviso_choose(int low, int high);
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static _Atomic unsigned char seen;
static void *wait(void *arg) {
  pthread_mutex_lock(&held);
  return arg;
}
static void count(void) {
  for (int i = 0; i < K; i++) seen = 0;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&held);
  pthread_create(&t, NULL, wait, NULL);
  int i = proviso_choose(1, C);
  count();
  return 1 / i;
}
END
# an error at the end of a path of K transitions
cat >path.c <<'END'
#include <assert.h>
int proviso_choose(int low, int high);
int main(void) {
  int i = 0;
  while (i < K) i += 1 + proviso_choose(0, 1);
  assert(i < K);
  return 0;
}
END

for store in exact compact64 bitstate; do
  run --store "$store" product.c -- -DC=10 -DK=30
  check "$store: all states are found" json 'r["stats"]["states"] == 306'
done
check "the condition is told" has LOSSY

if sanitized; then
  run --limit memory=350MB product.c -- -DC=4096 -DK=4000
  check "exact: ends in order" ends 20 conditional
  check "exact: the memory limit is a proviso" has MEMORY
  finish
fi

run --limit memory=200MB product.c -- -DC=4096 -DK=4000
check "exact: ends in order" ends 20 conditional
check "exact: the memory limit is a proviso" has MEMORY
check "exact: states are lost to the limit alone" json 'len(r["provisos"]) == 1'
check "exact: what waits is the path" json \
  '2 < int(r["provisos"][0]["sentence"].split()[-5]) < 4010'
check "exact: $kilobytes kB are within the limit" within 200000
check "exact: the limit is made use of" [ "$kilobytes" -gt 150000 ]
exact=$(states)
more=$((exact + 1000000))
run --limit "memory=200MB,states=$more" --store bitstate product.c -- -DC=4096 -DK=4000
check "bitstate: ends in order" ends 20 conditional
check "bitstate: gets further than $exact states" [ "$(states)" -eq "$more" ]
check "bitstate: both provisos" eval 'has STATES && has LOSSY'
check "bitstate: $kilobytes kB are within the limit" within 200000

for store in exact compact64 bitstate; do
  run --limit memory=200MB --store "$store" path.c -- -DK=150000
  check "$store: a long path is replayed" ends 10 "false(unreach-call)"
  check "$store: with its choices" json 'len(r["violations"][0]["choices"]) > 100000'
  check "$store: $kilobytes kB are within the limit" within 200000
done

finish
