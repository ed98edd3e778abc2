#!/bin/sh
# observer.sh: --observer on the command line: what is told of errors, of triggers that match nothing
# and of files that make no sense; errors are replayed; the component spares predicates. PROVISO names
# the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

run() { # run ARGUMENT...: keeps stdout, stderr and the status
  "$PROVISO" check --json r.json --property observer --limit time=20s "$@" >out 2>err
  status=$?
}
verdict() { [ "$(tail -n 1 out)" = "Verification result: $1" ]; }
says() { grep -qF -- "$1" out; }
stat() { python3 -c 'import json, sys; print(json.load(open("r.json"))["stats"][sys.argv[1]])' "$1"; }
refuses() { [ "$status" -eq 2 ] && [ "$(cat err)" = "proviso: $1" ] && [ ! -s out ]; }

cp "$root/tests/e2e/symbolic/observer_lock.c" lock.c
cp "$root/tests/e2e/symbolic/observer_lock.spc" lock.spc

run --observer lock.spc --engine predicate lock.c
check "the discipline holds" verdict true
# the pointer has to be known, the state of the automaton has not
check "no predicate for the automaton" [ "$(stat predicates)" -le 2 ]
check "and it is told of no trigger" sh -c '! grep -q "nothing in the program" out'

run --observer lock.spc lock.c -- -DBUG
check "an error ends with its status" [ "$status" -eq 10 ]
check "and is told with automaton and text" says 'automaton `locks`: lock(&held) twice'
"$PROVISO" replay r.json >out 2>err
check "and is replayed with the automaton" verdict "false(observer)"

cat >mild.spc <<'END'
OBSERVER AUTOMATON mild
INITIAL STATE s;
STATE s : MATCH {nothing($?)} -> ERROR;
END AUTOMATON
END
run --observer mild.spc lock.c -- -DBUG
check "a trigger that matches nothing is true" verdict true
check "and told" says 'Note: mild.spc:3:18: nothing in the program matches `nothing($?)`.'
run --observer mild.spc --observer lock.spc lock.c -- -DBUG
check "of two files both count" verdict "false(observer)"

run lock.c
check "the property needs an automaton" refuses 'property `observer` needs an `--observer`'
run --observer nowhere.spc lock.c
check "a file that is not there" refuses "nowhere.spc: No such file or directory"
sed 's/GOTO taken/GOTO nowhere/' lock.spc >bad.spc
run --observer bad.spc lock.c
check "a state that is not there" refuses 'bad.spc:7:28: there is no state `nowhere`'
printf 'AUTOMATON a INITIAL STATE s;\nSTATE s : MATCH {lock($?)} -> ASSUME {hold} ERROR;\nEND AUTOMATON\n' >bad.spc
run --observer bad.spc lock.c
check "a variable that is not there" refuses 'bad.spc:2:39: no variable `hold` is in use at lock.c:36'
head -c 3000 /dev/urandom >noise.spc
run --observer noise.spc lock.c
check "noise" [ "$status" -eq 2 ]
printf '# 1 "other.c"\nint main(void) { return 0; }\n' >lines.i
run --observer lock.spc lines.i
check "line markers" refuses "lines.i: it has line markers: an observer automaton needs the source itself"

# ---- questions to other analyses, and included files
cat >asks.spc <<'END'
OBSERVER AUTOMATON leaks INITIAL STATE s;
STATE USEFIRST s : MATCH {free($?)} && CHECK(SMGCPA, "has-leaks") -> ERROR;
END AUTOMATON
END
printf '#include <stdlib.h>\nint main(void) { free(0); return 0; }\n' >free.c
run --observer asks.spc free.c
check "a question without answer" \
  refuses 'asks.spc:2:40: nothing here answers `CHECK(SMGCPA, has-leaks)` at free.c:2; property `valid-memtrack` looks for that'
run --observer asks.spc lock.c -- -DBUG
check "that is not asked" verdict true
cat >changes.spc <<'END'
CONTROL AUTOMATON changes INITIAL STATE s;
STATE USEFIRST s : MATCH {free($?)} -> MODIFY(ValueAnalysis, "deletevalues(x)") GOTO s;
END AUTOMATON
END
run --observer changes.spc free.c
check "no analysis can be changed" \
  refuses 'changes.spc:2:20: no analysis here can be changed: `MODIFY(ValueAnalysis, "deletevalues(x)")`'
mkdir -p more
printf '#include more/other.spc\n#include lock.spc\n#include more/other.spc\n' >all.spc
printf '#include ../all.spc\n#include ../mild.spc\n' >more/other.spc
run --observer all.spc lock.c -- -DBUG
check "included files count" verdict "false(observer)"
check "and tell of themselves" says 'Note: more/../mild.spc:3:18: nothing in the program matches `nothing($?)`.'
"$PROVISO" condition show all.spc >out 2>err
check "condition show lists the automata" [ "$(grep -c automaton out)" -eq 2 ]
check "with their files" grep -qF 'lock.spc: observer automaton locks, 2 states, 4 transitions' out
printf '#include nowhere.spc\n' >all.spc
"$PROVISO" condition show all.spc >out 2>err
check "or says what is wrong" grep -qF 'all.spc:1:1: nowhere.spc: No such file or directory' err

# ---- threads
cat >threads.c <<'END'
#include <pthread.h>
static void lock(void) {}
static void *run(void *x) { lock(); return x; }
int main(void) {
  pthread_t t;
  lock();
  pthread_create(&t, 0, run, 0);
  return 0;
}
END
run --observer lock.spc threads.c
check "threads are a condition" verdict conditional
check "that says so" says "no second thread is started"

finish
