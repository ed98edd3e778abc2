// A lock whose loop counts its rounds, to yield now and then: what it counts matters to nothing, so that a round is one of a
// loop that awaits something all the same. Without predicate dependence the thread is never as it was, and goes on for ever.
// expect: true
// executions: 4
// args: --engine dpor --property unreach-call
// run: --engine dpor --dpor source --property unreach-call => true executions=4
// run: --engine dpor --dependence predicate --property unreach-call => conditional executions=4
// run: --engine dpor --dependence conflict --property unreach-call --unwind 4 => conditional executions=20
// run: --engine dpor --dependence conflict --property unreach-call -- -DEVEN => true executions=8
// run: --engine dpor --property unreach-call -- -DBUG => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call -- -DGIVES_UP => false(unreach-call) executions=1
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int taken;
static int counter;

static void lock(void) {
  int expected, rounds = 0;
  for (;;) {
    expected = 0;
    if (!taken && atomic_compare_exchange_strong(&taken, &expected, 1)) return;
#ifdef EVEN
    rounds ^= 1;
    if (rounds) sched_yield();
#else
    if ((++rounds & 63) == 0) sched_yield();
#endif
#ifdef GIVES_UP
    if (rounds == 3) return;
#endif
  }
}

static void *count(void *arg) {
  lock();
  counter++;
#ifdef BUG
  taken = 0;
  counter++;
#else
  taken = 0;
#endif
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, count, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
#ifdef BUG
  assert(counter == 4);
#else
  assert(counter == 2);
#endif
  return 0;
}
