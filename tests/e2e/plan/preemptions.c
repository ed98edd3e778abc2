// A bound on preemptions is an open part. A run with no larger bound has nothing left to do; one with a larger bound, or
// without one, examines everything, but the assumption of the first run (hashes of prefixes differ) stays.
// expect: conditional
// args: --property unreach-call --plan 'dpor(preemptions=1); dpor(preemptions=0)'
// executions: 0
// proviso: no error needs more than 1 preemption
// run: --property unreach-call --plan 'dpor(preemptions=0); dpor(preemptions=1)' => conditional executions=3
// run: --property unreach-call --plan 'dpor(preemptions=1); dpor' => conditional
// run: --property unreach-call --plan 'dpor(preemptions=1); explicit' => conditional
// run: --property unreach-call --plan 'dpor(preemptions=0); dpor(preemptions=0)' -- -DBUG => conditional executions=0
// run: --property unreach-call --plan 'dpor(preemptions=0); dpor(preemptions=1)' -- -DBUG => false(unreach-call) executions=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second, third;

static void *set(void *arg) {
  first = 1;
  second = 1;
  third = 1;
  return arg;
}

static void *look(void *arg) {
#ifdef BUG
  int early = first;
  int late = third;
#else
  int late = third;
  int early = first;
#endif
  assert(early || !late);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, set, 0);
  pthread_create(&b, 0, look, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
