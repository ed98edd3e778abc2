#!/bin/sh
# symbolic_limits.sh: whatever ends a symbolic engine early (a question that its solver cannot answer
# in time, memory, a kill from outside) and whatever it cannot say, the run ends in a condition that
# names it. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

run() { # run ARGUMENT...: runs proviso; keeps stdout, stderr and the status
  "$PROVISO" check --quiet --json r.json --property unreach-call "$@" >out 2>err
  status=$?
}
ends() { # ends LAST-LINE...: one of them, in order, without a report of a sanitizer
  [ "$status" -eq 20 ] || return 1
  grep -q -e Sanitizer -e 'runtime error' err && return 1
  for line in "$@"; do
    [ "$(tail -n 1 out)" = "Verification result: $line" ] && return 0
  done
  return 1
}
has() { # has KIND TEXT: a proviso of that kind, with that in its sentence
  python3 - "$@" <<'END'
import json, sys
provisos = json.load(open("r.json"))["provisos"]
sys.exit(not any(p["kind"] == sys.argv[1] and sys.argv[2] in p["sentence"] for p in provisos))
END
}
engines="value predicate bmc kinduction"

# ---- a question that takes for ever: the factors of a prime number ---------------------------------------
cat >factors.c <<'END'
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
int main(void) {
  unsigned long x = __VERIFIER_nondet_ulong(), y = __VERIFIER_nondet_ulong();
  if (x > 1 && y > 1 && x < 1ul << 32 && y < 1ul << 32 && x * y == 4611686018427387847ul)
    reach_error();
}
END
# Either that one error is all that is left open, or what was left of the program as well.
undecided() {
  if ends conditional; then
    has ENGINE "factors.c:6: \`reach_error\` is called (the solver did not decide it: limit of the run)"
  else
    ends unknown && has TIME "limit: time"
  fi
}
for engine in $engines; do
  run --engine $engine --integers bitvector --limit time=1s factors.c
  check "$engine: no answer in time" ends unknown conditional
  check "$engine: no answer in time: the proviso" undecided
done

# ---- a process that ends otherwise -----------------------------------------------------------------
# struck SIGNAL ARGUMENT...: the same, with a signal to the engine's process once it has worked for a
# while (others of the run's children do not take that much time)
struck() {
  python3 - "$PROVISO" check --quiet --json r.json --property unreach-call "$@" <<'END'
import os, signal, subprocess, sys, time
program, rest = sys.argv[1], sys.argv[2:]
number = getattr(signal, rest.pop(6))
with open("out", "w") as out, open("err", "w") as err:
    process = subprocess.Popen([program] + rest, stdout=out, stderr=err)

def worker():
    for entry in os.listdir("/proc"):
        try:
            fields = open(f"/proc/{entry}/stat").read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == process.pid and int(fields[11]) * 1.0 / os.sysconf("SC_CLK_TCK") > 0.3:
            return int(entry)

while process.poll() is None:
    child = worker()
    if child:
        os.kill(child, number)
        break
    time.sleep(0.02)
with open("status", "w") as f:
    f.write(str(process.wait()))
END
  status=$(cat status)
}
for engine in $engines; do
  struck SIGKILL --engine $engine --integers bitvector factors.c
  check "$engine: killed" ends unknown
  check "$engine: killed: the proviso" has CRASH "the engine \`$engine\` failed (signal 9, Killed)"
  struck SIGSEGV --engine $engine --integers bitvector factors.c
  check "$engine: crashed" ends unknown
  check "$engine: crashed: the proviso" has CRASH "the engine \`$engine\` failed (signal 11"
  struck SIGTERM --engine $engine --integers bitvector factors.c
  check "$engine: told to end" ends unknown
  check "$engine: told to end: the proviso" has INTERRUPT "limit: interrupt"
done
struck SIGSTOP --engine predicate --integers bitvector --limit time=5s factors.c
check "stopped" ends unknown
check "stopped: the proviso" has TIME "failed (it had to be killed)"

# ---- memory ----------------------------------------------------------------------------------------
# a question of some hundreds of megabytes, once products are gates
cat >gates.c <<'END'
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
typedef unsigned __int128 wide;
int main(void) {
  wide x = __VERIFIER_nondet_ulong(), y = __VERIFIER_nondet_ulong(), p = x;
  x = x << 64 | y;
  p = (x * x + y) * (x + y) * (y * y + x) * (x * y + 3);
  p = (p * p + x) * (p + y) * (p * x + 5) * (p * y + 7);
  p = (p * p + x) * (p + y) * (p * x + 5) * (p * y + 7);
  p = (p * p + x) * (p + y) * (p * x + 5) * (p * y + 7);
  if (p == 12345) reach_error();
}
END
if ! sanitized; then
  for engine in $engines; do
    run --engine $engine --integers bitvector --limit memory=120MB,time=60s gates.c
    check "$engine: no memory" ends unknown conditional
    check "$engine: no memory: the proviso" eval \
      'has MEMORY "" || has ENGINE "the solver did not decide it: memory limit"'
    # here malloc gives the solver nothing, and no limit of ours is near
    run_bounded() { (ulimit -v 380000 && run "$@"; echo $status >status); status=$(cat status); }
    run_bounded --engine $engine --integers bitvector --limit memory=0,time=60s gates.c
    check "$engine: no address space" ends unknown conditional
    check "$engine: no address space: the proviso" eval \
      'has MEMORY "" || has CRASH "" || has ENGINE "the solver did not decide it: memory limit"'
  done
fi

# ---- what an engine cannot say ---------------------------------------------------------------------
cat >unsaid.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  unsigned x = (unsigned)__VERIFIER_nondet_int(), y = (unsigned)__VERIFIER_nondet_int();
#ifdef BITS
  if ((x ^ y ^ x) != y) reach_error();
#endif
#ifdef PRODUCT
  if (x < 1000 && y < 1000 && x * y > 1000000) reach_error();
#endif
#ifdef FLOAT
  float f = (float)x;
  if (x < 1000 && f + 1.0f < f) reach_error();
#endif
  return 0;
}
END
cat >thread.c <<'END'
#include <pthread.h>
extern void reach_error(void);
static void *work(void *argument) { return argument; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  reach_error();
}
END
for engine in $engines; do
  for what in BITS PRODUCT FLOAT; do
    run --engine $engine unsaid.c -- -D$what
    check "$engine: $what" ends conditional
    check "$engine: $what: the proviso" has ENGINE "values that are not linear are arbitrary here"
    check "$engine: $what: its place" has ENGINE "this does not happen at unsaid.c:"
  done
done
for engine in bmc kinduction; do
  run --engine $engine thread.c
  check "$engine: threads" ends conditional
  check "$engine: threads: the proviso" has ENGINE "this engine has no threads"
done

finish
