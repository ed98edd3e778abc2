// What a thread waits for in a loop does not matter to the assertion, until it has gone round for long: then what decides on
// the loop does (the tickets), but not what else the thread does (`others`).
// expect: conditional
// executions: 2
// args: --engine dpor --dependence predicate --property unreach-call
// run: --engine dpor --dpor source --dependence predicate --property unreach-call => conditional executions=2
// run: --engine dpor --property unreach-call => true executions=2
// run: --engine dpor --dependence conflict --property unreach-call => true executions=464
// run: --engine dpor --dependence predicate --property unreach-call -- -DBUG => false(unreach-call) executions=1
// run: --engine dpor --dependence predicate --property unreach-call -- -DENDLESS => conditional executions=0
// run: --engine dpor --dependence predicate --property unreach-call -- -DENDLESS -DBUG => false(unreach-call) executions=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int counter, others;

static void *add(void *arg) {
  others++;
  others++;
#ifndef BUG
  unsigned ticket = atomic_fetch_add(&next, 1);
  while (serving != ticket) {
  }
#endif
  counter++;
  serving++;
  others++;
  return arg;
}

#ifdef ENDLESS
static int seen;

/* A loop that nothing leaves: what it reads is all that there is to add. */
static void *look_on(void *arg) {
  (void)arg;
  for (;;) seen = others;
}
#endif

int main(void) {
  pthread_t t[3];
#ifdef ENDLESS
  pthread_create(&t[2], 0, look_on, 0);
#endif
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(counter == 2);
  return 0;
}
