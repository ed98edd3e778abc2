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
not_said() { ! grep -q "$1" out; }
philosophers=$programs/directed/philosophers.c
indexer=$programs/dpor/indexer.c

run --property no-deadlock "$philosophers" -- -DPHILOSOPHERS=3
check "few states" gives 10 explicit "false(no-deadlock)"
check "few states: depth first" grep -q '^Statistics: 87 states' out
# Depth first it takes eight times as many states as the first slice has.
run --property no-deadlock "$philosophers"
check "an error that is near" gives 10 explicit "false(no-deadlock)"
check "an error that is near: found on the way there" grep -q '^Statistics: 125 states' out
run --property no-deadlock --limit states=50000 "$philosophers"
check "a limit of the user is one of each engine: what is open goes to the next" gives 10 dpor "false(no-deadlock)"
check "and it is told" grep -q '^Note: engine `dpor` examined what engine `explicit` had left open' out
run --property no-deadlock --limit states=50000 --search bfs "$philosophers"
check "a limit of the user: the search is chosen" grep -q 'engine  *explicit' out

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

# Each engine covers a part: for all inputs only `composite` shows that nothing fails, and it does not look
# for data races.
cat >parts.c <<'END'
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *u) {
  int n = __VERIFIER_nondet_int();
  pthread_mutex_lock(&m);
  if (n > 1000) x = n;
  assert(x == 0 || x > LEAST);
  pthread_mutex_unlock(&m);
  return u;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0);
  pthread_create(&b, 0, f, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
END
run --property unreach-call,no-data-race parts.c -- -DLEAST=1000
check "two engines: the result" gives 20 explicit conditional
check "two engines: what the other one proved" grep -q '^Note: engine `composite` proved unreach-call' out
check "two engines: nothing is said of it" not_said 'property no-data-race holds'
run --property unreach-call parts.c -- -DLEAST=1000
check "one engine covers all that is asked" [ "$status" -eq 0 ]
run --property unreach-call,no-data-race parts.c -- -DLEAST=1001
check "two engines: the twin" [ "$status" -eq 10 ]

# Nobody else can take this condition away: the run ends at once.
cat >unmodelled.c <<'END'
extern int somewhere_else(void);
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned seen;
int main(void) {
  for (int i = 0; i < 20; i++) seen += (unsigned)i;
  return somewhere_else();
}
END
run unmodelled.c
check "an unmodelled function ends it" gives 20 explicit conditional
check "an unmodelled function: nobody else was asked" not_said 'found no error either'

# One condition of the machine stays whatever others do: they look for errors alone, and for less long.
cpu_seconds() { python3 -c 'import json; print(int(json.load(open("r.json"))["stats"]["cpu_seconds"]))'; }
run --max-args 0 --json r.json "$programs/inputs/argv_copied.c"
check "a bound stays" ends 20 conditional
check "a bound stays: the others are asked" grep -q 'found no error either' out
check "a bound stays: they end earlier" [ "$(cpu_seconds)" -le 30 ]
run --max-args 1 "$programs/inputs/argv_copied.c"
check "a bound stays: the twin" [ "$status" -eq 10 ]

# A limit on time ends all engines, those that are paused, too, and nothing stays behind.
cat >endless.c <<'END'
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), s = 0;
  for (unsigned i = 0; i != 4000000000u; i++) s = s * a + i * i;
  assert(s * s != 3 * a + 77);
}
END
before=$(date +%s)
run --limit time=2s endless.c
check "a limit on time" [ "$status" -eq 20 ]
check "a limit on time: it is kept" [ $(($(date +%s) - before)) -le 8 ]
check "a limit on time: its proviso" grep -q '^Proviso: .*\(time limit\|limit: time\)' out
finish
