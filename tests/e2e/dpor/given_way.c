// main's join races with the section, as far as anybody can tell from the calls alone; but it has no way before it. That
// it was to come first must not count as exploring what else could.
// expect: false(unreach-call)
// executions: 5
// args: --engine dpor --dependence conflict --peek 0 --prune 0 --property unreach-call
// run: --engine dpor --dependence conflict --peek 0 --prune 0 --dpor source --property unreach-call => false(unreach-call) executions=5
// run: --engine dpor --dependence conflict --peek 0 --prune 0 --keep-going --property unreach-call => false(unreach-call) executions=13
// run: --engine dpor --property unreach-call => false(unreach-call) executions=4
// run: --engine dpor --property unreach-call -- -DFIX => true executions=7
// run: --engine dpor --dependence conflict --peek 0 --prune 0 --property unreach-call -- -DFIX => true executions=13
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static sem_t e;
static atomic_int a, s, x, begun, seen;

static void *section(void *arg) {
  __VERIFIER_atomic_begin();
#ifndef FIX
  seen = begun;
#endif
  x = 1;
  __VERIFIER_atomic_end();
  s = 1;
  sem_wait(&e);
  s = 0;
  a ^= 1;
  return arg;
}

static void *look(void *arg) {
  a ^= 3;
  begun = 1;
  sem_wait(&e);
  if (x) assert(!seen);
  sem_post(&e);
  return arg;
}

int main(void) {
  pthread_t t[2];
  sem_init(&e, 0, 1);
  pthread_create(&t[0], 0, section, 0);
  pthread_create(&t[1], 0, look, 0);
  void *result; // written by the join, which is an event of its own for that
  pthread_join(t[0], &result);
  pthread_join(t[1], &result);
  return 0;
}
