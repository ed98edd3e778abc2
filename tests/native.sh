#!/bin/sh
# native.sh: `proviso instrument` builds programs whose traces give the warnings of the machine, and `replay --native`
# shows errors in the real program. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

record() { # record FILE ARGUMENT...: a check with an error
  timeout 60 "$PROVISO" check --quiet --json error.json "$@" >out 2>err
}
native() { # native ARGUMENT...
  timeout 120 "$PROVISO" replay --native "$@" error.json >out 2>err
  status=$?
}
said() { # said N TEXT: N lines of the output have the text
  [ "$(grep -c -e "$2" out)" -eq "$1" ]
}
shows() { # shows N: in all of N runs
  [ "$status" -eq 10 ] && said 1 "^Natively: the error shows in $1 of $1 runs"
}

# A race, a deadlock, freed memory, an assertion: each shows in every run, in the compiled program.
record "$root/examples/barrier.c"
native --runs 5
check "race: every run" shows 5
check "race: both threads are there" said 1 'data race: thread . at .*barrier.c:1[45]:.* and thread . at .*barrier.c:1[45]:'
record "$root/examples/lock_order.c"
native --runs 5 --gdb switches.gdb --output program
check "deadlock: every run" shows 5
check "deadlock: three threads wait" said 3 'waits in pthread_'
check "gdb: a stop at each switch" grep -q 'thread 2 goes on at .*lock_order.c:19' switches.gdb
check "the executable is kept" test -x program
record "$root/examples/use_after_free.c"
native --sanitizer none --runs 5
check "freed memory: every run" shows 5
check "freed memory: where it was freed" said 1 'use of freed memory: thread 1 at .*:23:.* freed at .*:30'
record "$root/examples/lost_wakeup.c"
native
check "lost wake-up" shows 1

# A thread comes to a place many times; atomic sections of verifiers; the harness with the schedule.
cat >many.c <<'END'
#include <pthread.h>
extern void reach_error(void);
int x, y;
void __VERIFIER_atomic_step(void) { x++; }
void *writer(void *unused) {
  for (int i = 0; i < 3; i++) __VERIFIER_atomic_step();
  y = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) {
    pthread_create(&t, 0, writer, 0);
    if (i == 0) pthread_join(t, 0);
    if (x == 5 && y == WANTED) reach_error();
    pthread_join(t, 0);
    y = 0;
  }
  return 0;
}
END
sed -i 's/    pthread_join(t, 0);$/    if (i) pthread_join(t, 0);/' many.c
record --property unreach-call many.c -DWANTED=0
native --runs 3 --harness harness.c
check "many times: every run" shows 3
timeout 60 "$PROVISO" instrument --harness harness.c many.c -DWANTED=0 -o many >out 2>err
./many >out 2>err
check "the harness with the schedule" test $? -eq 107
record --property unreach-call many.c -DWANTED=2
check "its correct twin: no path" grep -q 'result: true' out

# What cannot be had is said.
record "$root/examples/lamp.c"
native
check "cooperative: refused" test "$status" -eq 2
check "cooperative: told" grep -q 'cannot be had natively: its threads are cooperative' err

# Traces: the same warnings as in the machine, and none for the correct twin.
for example in lock_order barrier barrier_fixed; do
  timeout 60 "$PROVISO" instrument "$root/examples/$example.c" -o program >out 2>err
  for try in 1 2 3 4 5; do # the system's scheduler may deadlock, too
    PROVISO_TRACE=trace timeout 20 ./program >out 2>err && break
  done
  timeout 60 "$PROVISO" observe --trace trace >out 2>err
  grep -e '^Warning' -e '^  thread' out | sed 's/.* in \(.*\) (.*:\([0-9]*\)).*/\1 \2/' >native.txt
  timeout 60 "$PROVISO" observe "$root/examples/$example.c" >out 2>err
  grep -e '^Warning' -e '^  thread' out | sed 's/.* in \([a-z_]*\) ([^)]*:\([0-9]*\)).*/\1 \2/' >machine.txt
  grep -v '^Warning' native.txt | sort >native.places
  grep -v '^Warning' machine.txt | sort >machine.places
  check "$example: the same warnings" cmp -s native.places machine.places
done
check "the correct program: none" test ! -s native.places

# A damaged trace is refused, or said to be cut; a program that writes no trace makes no file.
timeout 60 "$PROVISO" observe --trace "$root/examples/barrier.c" >out 2>err
check "no trace: exit status" test $? -eq 2
head -c 200 trace >cut
timeout 60 "$PROVISO" observe --trace cut >out 2>err
check "cut trace: exit status" test $? -eq 2
head -c $(($(wc -c <trace) - 9)) trace >cut
timeout 60 "$PROVISO" observe --trace cut >out 2>err
check "cut at its end: told" said 1 'not complete'
rm -f trace
./program >out 2>err
check "no file is written where none is asked for" test ! -e trace
finish
