#!/bin/sh
# observe.sh: `proviso observe` warns of one execution, and --confirm tells real errors from false alarms. PROVISO
# names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

observe() { # observe ARGUMENT...
  timeout 120 "$PROVISO" observe "$@" >out 2>err
  status=$?
}
said() { # said N TEXT: N lines of the output have the text
  [ "$(grep -c -e "$2" out)" -eq "$1" ] && ! grep -q -e Sanitizer -e 'runtime error' err
}
exits() { [ "$status" -eq "$1" ]; }

for example in barrier double_checked lock_order message philosophers readers_writers; do
  observe --confirm "$root/examples/$example.c"
  check "$example: exit status" exits 10
  check "$example: confirmed" grep -q '(confirmed)' out
  observe --confirm "$root/examples/${example}_fixed.c"
  check "$example, fixed: exit status" exits 0
  check "$example, fixed: nothing is confirmed or open" said 0 '(confirmed)\|(open)'
done

observe "$root/examples/readers_writers_fixed.c"
check "read-write locks order" is "$status $(tail -n 1 out | cut -d ' ' -f 1-2)" "0 0 warnings"

# One warning of each kind, with the threads, the places and the locks.
observe "$root/examples/lock_order.c"
check "not confirmed: exit status" exits 20
check "lock order: the first thread" said 1 'thread 1 takes savings.lock in transfer (.*lock_order.c:20), called at .*:29, holding checking.lock'
check "lock order: the second thread" said 1 'thread 2 takes checking.lock in transfer (.*lock_order.c:20), called at .*:34, holding savings.lock'
check "locksets: main reads without a lock" said 2 'Warning: no lock protects .*balance'
check "the number of warnings" said 1 '^3 warnings after'

# In C11 relaxed operations order nothing: the data race is seen, though no execution has it adjacent.
program=$root/tests/e2e/orders/message_passing.c
observe --seed 1 "$program" -DSTORE=relaxed -DLOAD=relaxed
check "relaxed: data race" said 1 'Warning: data race on data'
observe --seed 1 "$program"
check "release and acquire: none" said 1 '^0 warnings'
check "release and acquire: exit status" exits 0

# How the execution ends is said; the thread to run is drawn if asked.
observe "$root/examples/bounded_buffer.c"
check "deadlock" said 1 'observed until it ends in a deadlock'
check "deadlock: a warning" said 1 'Warning: the execution ends in a deadlock'
observe --confirm --json deadlock.json "$root/examples/bounded_buffer.c"
check "deadlock: confirmed" said 1 'Warning: the execution ends in a deadlock (confirmed)'

# A race that the order of two critical sections hides: predicted, with a schedule; the twin's other order is not possible.
cat >hidden.c <<'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static void *a(void *p) { x = 1; pthread_mutex_lock(&m); y = 1; pthread_mutex_unlock(&m); return p; }
static void *b(void *p) {
  pthread_mutex_lock(&m);
  int seen = READ;
  y = seen + 2;
  pthread_mutex_unlock(&m);
  if (seen) x = 2;
  return p;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, a, 0);
  pthread_create(&u, 0, b, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
END
observe --confirm --json hidden.json hidden.c -DREAD=1
check "predicted race: confirmed" said 1 'data race on x: another execution has these accesses side by side (confirmed)'
check "predicted race: by its schedule" said 2 'Confirmed: warning [12] by a predicted schedule, error 1: data race on x'
timeout 60 "$PROVISO" replay hidden.json >out 2>err
check "predicted race: its path is replayed" grep -q 'result: false(no-data-race)' out
observe --confirm hidden.c -DREAD=y
check "no race: the lockset's warning is refuted" said 1 'Warning: no lock protects x (refuted)'
check "no race: nothing is predicted" said 1 '^1 warning after'

# The window: the threads that the warnings depend on. The others move only to show that a deadlock is one.
program=$root/bench/observe/transfer.c
window() { # window ARGUMENT...
  timeout 60 "$PROVISO" check --engine explicit --window auto --property no-deadlock "$@" >out 2>err
}
window --search best "$program" -DCROWD=3
check "window: finds the deadlock" grep -q 'result: false(no-deadlock)' out
cp "$root/bench/observe/crowd.h" .
awk '/static void .refund/ { r = 1 } r { gsub(/lock\(&b\)/, "lock(\\&c)"); gsub(/lock\(&a\)/, "lock(\\&b)"); gsub(/lock\(&c\)/, "lock(\\&a)") }
  /^}/ { r = 0 } { print }' "$program" >fixed.c
window fixed.c -DCROWD=2
check "window, fixed: no deadlock" grep -q 'result: \(true\|conditional\)' out
observe --seed 3 "$root/examples/barrier.c"
cp out first
observe --seed 3 "$root/examples/barrier.c"
check "equal seeds, equal executions" cmp -s out first

cat >late.c <<'END'
#include <pthread.h>
static int x;
static void *run(void *p) { x = 1; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  return 0 * x;
}
END
observe late.c
check "one execution ends before the race" said 1 '^0 warnings'
observe --runs 2 --confirm late.c
check "the newest thread first: it shows it" said 1 'data race on x.*(confirmed)'
sed 's/return 0 \* x/return pthread_join(t, 0) + 0 * x/' late.c >joined.c
observe --runs 4 --confirm joined.c
check "joined: no race in four executions" said 0 'Warning: data race'
# Both threads get input 0 only if inputs have their first values.
cat >slots.c <<'END'
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int slot[10];
static pthread_mutex_t mutex[11];
static void *run(void *p) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 9) abort();
  pthread_mutex_lock(&mutex[i + SHIFT]);
  slot[i] = 1;
  pthread_mutex_unlock(&mutex[i + SHIFT]);
  return p;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 11; i++) pthread_mutex_init(&mutex[i], 0);
  int j = __VERIFIER_nondet_int();
  if (j < 0 || j > 9) abort();
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&mutex[j]);
  slot[j] = 2;
  pthread_mutex_unlock(&mutex[j]);
  return 0;
}
END
observe --runs 2 --confirm slots.c -DSHIFT=1
check "locks of neighbours: the race is confirmed" said 1 'data race on slot.*(confirmed)'
observe --runs 2 --confirm slots.c -DSHIFT=0
check "... and none with the right locks" said 0 'Warning: data race'

# A thread that nobody wakes up, though it could wake up by itself.
cat >asleep.c <<'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *run(void *p) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&m);
  ready = READY;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return pthread_join(t, 0);
}
END
observe --confirm asleep.c -DREADY=0
check "asleep for ever: a deadlock" said 1 'Warning: the execution ends in a deadlock (confirmed)'
observe --confirm --runs 4 asleep.c -DREADY=1
check "woken up: none; a wait releases the mutex" said 1 '^0 warnings after'

# An indeterminate value ends no execution: a race comes after it, unless a lock protects both accesses.
cat >indeterminate.c <<'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *run(void *p) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  int unset, *where = &unset;
  pthread_create(&t, 0, run, 0);
  if (*where) pthread_mutex_lock(&m);
#ifdef FIXED
  if (!*where) pthread_mutex_lock(&m);
#endif
  x = 2;
  if (*where) return 1;
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return pthread_join(t, 0);
}
END
observe --confirm indeterminate.c
check "indeterminate: a race" said 1 'Warning: data race on x: .*(confirmed)'
observe --confirm indeterminate.c -DFIXED
check "indeterminate: none" said 0 'confirmed'

# Only some inputs show the race, and only some are let through: executions that are aborted do not count, and with --confirm
# others follow one without a warning.
cat >input.c <<'END'
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int x;
static void *run(void *p) {
  pthread_mutex_lock(&m[0]);
  x = 1;
  pthread_mutex_unlock(&m[0]);
  return p;
}
int main(void) {
  pthread_t t;
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 3) abort();
  int which = i == LAST;
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&m[which]);
  x = 2;
  pthread_mutex_unlock(&m[which]);
  return pthread_join(t, 0);
}
END
observe --confirm input.c -DLAST=3
check "inputs: a race" said 1 'Warning: data race on x: .*(confirmed)'
observe --confirm input.c -DLAST=4
check "inputs: none" said 1 '^0 warnings'
observe input.c -DLAST=3
check "inputs: one execution" said 1 '^0 warnings'

# Functions without a definition: they end executions, or return one object.
cat >undefined.c <<'END'
#include <pthread.h>
struct s {
  int n;
  pthread_mutex_t m;
};
struct t {
  struct s s;
};
extern struct s *get_s(void);
extern struct t *get_t(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *p) {
  struct s *s = get_s();
  pthread_mutex_lock(&m);
  s->n = 1;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  struct t *o = get_t();
#ifdef FIXED
  pthread_mutex_lock(&m);
  o->s.n = 2;
  pthread_mutex_unlock(&m);
#else
  o->s.n = 2;
#endif
  return pthread_join(t, 0);
}
END
observe --confirm undefined.c
check "undefined functions: the end is told" said 1 'until it no longer holds that .get_t., which is not modelled, is not reached at undefined.c:22'
observe --confirm --undefined-functions return undefined.c
check "undefined functions: a race" said 1 'Warning: data race on struct s of undefined functions.*(confirmed)'
check "undefined functions: the condition" said 2 '  - .get_[st]., which has no definition, returns'
observe --confirm --undefined-functions return undefined.c -DFIXED
check "undefined functions: none" said 1 '^0 warnings'
sed -e 's/^  struct s s;$/  struct { int n; } s;/' undefined.c >other.c
observe --confirm --undefined-functions return other.c
check "undefined functions: other structures do not overlap" said 1 '^0 warnings'

printf 'int main(void) { for (;;) {} }\n' >endless.c
observe --limit states=1000 endless.c
check "no end: told" said 1 'it goes on beyond the limit'
observe missing.c
check "no file: exit status" exits 2
finish
