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
not() { ! "$@"; }
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

# One of the accesses of a race is made by the C library: its thread is held before the call.
cat >reads.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <string.h>
int number;
char text[8] = "one";
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *thread(void *unused) {
#ifdef FIX
  pthread_mutex_lock(&m);
#endif
  number++;
  strcpy(text, "other");
#ifdef FIX
  pthread_mutex_unlock(&m);
#endif
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
#ifdef FIX
  pthread_mutex_lock(&m);
#endif
#ifdef READS
  if (scanf("%d", &number) != 1) return 1;
#else
  puts(text);
#endif
#ifdef FIX
  pthread_mutex_unlock(&m);
#endif
  return 0;
}
END
for kind in READS WRITES; do
  record --property no-data-race reads.c -D$kind
  native --runs 5
  check "$kind in the library: every run" shows 5
  check "$kind in the library: nothing else is said" not grep -q 'I/O error' out err
  timeout 60 "$PROVISO" check --quiet --property no-data-race reads.c -D$kind -DFIX >out 2>err
  check "$kind in the library, with a lock" said 1 'result: \(true\|conditional\)'
done

# The time limit was the check's: the build has one of its own.
cat >clang <<'END'
#!/bin/sh
case "$*" in *runtime.c*) sleep 4 ;; esac
exec clang-19 "$@"
END
chmod +x clang
record "$root/examples/barrier.c" --limit time=1s
PROVISO_CLANG=$work/clang native
check "a short limit of the check" shows 1

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
mkdir below # clang makes this name a relative one
cp many.c below/
record --property unreach-call "$PWD/below/many.c" -DWANTED=0
native
check "a file below this folder by its absolute name" shows 1
record --property unreach-call many.c -DWANTED=2
check "its correct twin: no path" grep -q 'result: true' out

# main ends the process before the others are where the path ends: it waits for them.
cat >unjoined.c <<'END'
#include <pthread.h>
int x;
void *add(void *unused) {
  x++;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  return 0;
}
END
record unjoined.c
native --runs 50
check "nobody is joined: every run" shows 50

# What the real program cannot follow is said.
record "$root/examples/lamp.c"
native
check "cooperative: refused" test "$status" -eq 2
check "cooperative: told" grep -q 'the real program cannot follow the path: its threads are cooperative' err

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

# Fences order accesses; the end of an object is ordered, too, or it races: natively and in the machine.
cat >fence.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int ready;
static void *put(void *p) {
  data = 1;
#ifdef FENCE
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return p;
}
int main(void) {
  pthread_t t;
  int got = 0;
  pthread_create(&t, 0, put, 0);
  while (!atomic_load_explicit(&ready, memory_order_relaxed)) {}
#ifdef FENCE
  atomic_thread_fence(memory_order_acquire);
#endif
  got = data;
  pthread_join(t, 0);
  return got - 1;
}
END
cat >ends.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_t t;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *use(void *p) {
  pthread_mutex_lock(&m);
  *(int *)p = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  int *p = malloc(sizeof *p);
  pthread_create(&t, 0, use, p);
#ifdef JOIN
  pthread_join(t, 0);
  free(p);
#else
  usleep(50000);
  free(p);
  pthread_join(t, 0);
#endif
  return 0;
}
END
for flags in fence.c:-DFENCE fence.c:-DNONE ends.c:-DJOIN ends.c:-DNONE; do
  file=${flags%%:*}
  timeout 60 "$PROVISO" instrument "$file" -o program -- "${flags#*:}" >out 2>err
  PROVISO_TRACE=trace timeout 20 ./program >out 2>err
  timeout 60 "$PROVISO" observe --trace trace >native.txt 2>err
  timeout 60 "$PROVISO" observe --runs 2 "$file" -- "${flags#*:}" >machine.txt 2>err
  for by in native machine; do
    grep -c '^Warning: data race' $by.txt >$by.races
    grep '^  thread' $by.txt | sort >$by.places
  done
  check "$flags: the same races" cmp -s native.races machine.races
  check "$flags: the same places" cmp -s native.places machine.places
  [ "${flags#*:}" = -DNONE ] && expected=1 || expected=0
  check "$flags: $expected" grep -q "^$expected\$" native.races
done
check "ends.c: the free is told" grep -q 'ends it in main (.*ends.c:' native.txt

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
# The schedule of the machine, imposed on the real program: the same warnings. Threads that are created in one step, too.
cat >together.c <<'END'
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *p) {
  if (LOCKED) pthread_mutex_lock(&m);
  x++;
  if (LOCKED) pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t[3];
  __VERIFIER_atomic_begin();
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, add, 0);
  __VERIFIER_atomic_end();
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
END
timeout 120 "$PROVISO" observe --native --seed 3 together.c -DLOCKED=0 >out 2>err
check "created in one step: the schedule is kept" not grep -q 'left it' out
check "created in one step: the race" said 1 'Warning: data race on x'
timeout 120 "$PROVISO" observe --native --seed 3 together.c -DLOCKED=1 >out 2>err
check "created in one step, locked: none" said 1 '^0 warnings'
python3 "$root/fuzz/monitors.py" --binary "$PROVISO" --seeds 1 $(sample 100 4) >sample
check "random programs: the same warnings as in the machine" grep -q ' passed, 0 failed$' sample
python3 "$root/fuzz/monitors.py" --binary "$PROVISO" --seeds 0 "$root/examples/lock_order.c" >sample
check "lock_order: the same warnings as in the machine" grep -q '^1 passed, 0 failed$' sample
python3 "$root/fuzz/monitors.py" --binary "$PROVISO" --seeds 1,2 "$root/tests/e2e/rwlock/timed.c" >sample
check "a lock with a time limit, got and not: the same warnings" grep -q '^2 passed, 0 failed$' sample

finish
