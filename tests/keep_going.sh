#!/bin/sh
# keep_going.sh: --keep-going reports every distinct error, whatever the reduction, the order of the
# search and the level of atomicity. Behind a line of a program stand the errors of that place,
# `// error: PROPERTY PART-OF-THE-MESSAGE | ...`; on a line of its own those that belong to no place.
# PROVISO names the program to test; with EVERY=N it is every N-th of these combinations.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

# compare.py PROGRAM RESULT.json: each expected error is there, and no other
cat >compare.py <<'END2'
import json, sys
wanted = []
for number, line in enumerate(open(sys.argv[1]), 1):
    code, mark, errors = line.partition("// error: ")
    for error in errors.split("|") if mark else []:
        wanted.append((number if code.strip() else None, *error.split(None, 1)))
left = [(v["line"], v["property"], v["message"]) for v in json.load(open(sys.argv[2]))["violations"]]
good = True
for line, name, text in wanted:
    match = [v for v in left if line in (v[0], None) and name == v[1] and text.strip() in v[2]]
    if match:
        left.remove(match[0])
    else:
        good = False
        print("not found:", line, name, text.strip())
for extra in left:
    print("not expected:", *extra)
sys.exit(not good or bool(left))
END2
# expect PROGRAM ARGUMENT...
expect() {
  program=$1
  shift
  for por in none sleep persistent both; do
    for more in "--search dfs" "--search bfs" "--atomic instruction" "--native-after 0"; do
      chosen || continue
      # shellcheck disable=SC2086
      timeout 120 "$PROVISO" check --quiet --keep-going --por $por $more --json out.json "$@" \
        "$program" >out 2>err
      if [ $? -eq 10 ] && python3 compare.py "$program" out.json >differences; then
        passed=$((passed + 1))
      else
        failed=$((failed + 1))
        echo "FAILED: $program --por $por $more"
        sed 's/^/  /' differences err out
      fi
    done
  done
}

# A race is one error, whichever two threads come to it and in which order; two places are two races.
cat >pairs.c <<'END2'
#include <pthread.h>
static int x;

static void *up(void *u) {
  x++; // error: no-data-race data race on x
  return u;
}

static void *down(void *u) {
  x--;
  return u;
}
// error: no-data-race data race on x

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, up, 0);
  pthread_create(&t[1], 0, up, 0);
  pthread_create(&t[2], 0, down, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
END2
expect pairs.c
"$PROVISO" check --quiet --keep-going --engine dpor --json out.json pairs.c >out 2>err
check "pairs.c by engine dpor" python3 compare.py pairs.c out.json

# Each thread fails in some order, and what comes first ends that thread's path alone.
cat >threads.c <<'END2'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a, b;

static void *first(void *u) {
  int seen = b;
  assert(seen != 0); // error: unreach-call assertion `seen != 0` fails
  a = 1;
  return u;
}

static void *second(void *u) {
  int seen = a;
  assert(seen != 2); // error: unreach-call assertion `seen != 2` fails
  if (seen == 0) b = 1;
  assert(seen != 0); // error: unreach-call assertion `seen != 0` fails
  b = 2;
  return u;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  a = 2;
  b = 1;
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(a == 2); // error: unreach-call assertion `a == 2` fails
  return 0;
}
END2
expect threads.c --property unreach-call

# One access races with those of two threads: several errors in one state.
cat >races.c <<'END2'
#include <pthread.h>
static int x;

static void *reader(void *u) {
  int seen = x; // error: no-data-race read by thread 1 and write by thread 2
  (void)seen;
  return u;
}

static void *writer(void *u) {
  x = 2;
  return u;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, reader, 0);
  pthread_create(&t, 0, writer, 0);
  x = 1; // error: no-data-race write by thread 0 and read by thread 1 | no-data-race write by thread 0 and write by thread 2
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
END2
expect races.c --property no-data-race

# Two accesses inside an atomic section race with those of two threads; behind it an assertion fails.
# A race with main is seen only where main has moved, which depends on nothing.
cat >section.c <<'END2'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int x, y;
static atomic_int z, away;

static void *section(void *u) {
  __VERIFIER_atomic_begin();
  x = 1; // error: no-data-race x: write by thread 1 and write by thread 0 | no-data-race x: write by thread 1 and write by thread 2
  y = 1; // error: no-data-race y: write by thread 1 and write by thread 2
  __VERIFIER_atomic_end();
  assert(z != 0); // error: unreach-call assertion `z != 0` fails
  return u;
}

static void *plain(void *u) {
  x = 2;
  y = 2;
  return u;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, section, 0);
  pthread_create(&t, 0, plain, 0);
  away = 1;
  x = 3; // error: no-data-race x: write by thread 0 and write by thread 2
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
END2
expect section.c --property no-data-race,unreach-call

# Two invariants that fail in one state, and an assertion behind it.
cat >invariants.c <<'END2'
// error: invariant `x != 1` | invariant `x <= y`
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;

static void *other(void *u) {
  y = 1;
  return u;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  x = 1;
  x = 0;
  pthread_join(t, 0);
  x = 1;
  assert(y != 1); // error: unreach-call assertion `y != 1` fails
  return 0;
}
END2
expect invariants.c --property unreach-call --invariant 'x != 1' --invariant 'x <= y'

# A deadlock, from which a spurious wake-up leads on to an assertion.
cat >deadlock.c <<'END2'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waiter(void *u) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  assert(0); // error: unreach-call assertion `0` fails
  return u;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  pthread_join(t, 0); // error: no-deadlock thread 1 waits for
  return 0;
}
END2
expect deadlock.c --property no-deadlock,unreach-call

# Two deadlocks in one place: thread 1 waits for either mutex of thread 2.
cat >deadlocks.c <<'END2'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *u) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  return u;
}

static void *other(void *u) {
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  return u;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, other, 0);
  pthread_join(s, 0); // error: no-deadlock thread 1 waits for a mutex held by thread 2 (n) | no-deadlock thread 1 waits for a mutex held by thread 2 (m)
  pthread_join(t, 0); // error: no-deadlock thread 2 waits
  return 0;
}
END2
expect deadlocks.c --property no-deadlock

# All that leaks is told, under both properties.
cat >leaks.c <<'END2'
#include <stdlib.h>
static void *kept;
// error: valid-memtrack leaks.c:7 | valid-memtrack leaks.c:8
// error: valid-memcleanup leaks.c:7 | valid-memcleanup leaks.c:8 | valid-memcleanup leaks.c:9

int main(void) {
  void *a = malloc(1);
  void *b = malloc(2);
  kept = malloc(3);
  a = b = 0;
  return a != b;
}
END2
expect leaks.c --property valid-memtrack,valid-memcleanup

finish
