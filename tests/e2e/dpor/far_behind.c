// The error comes after 9,000 rounds that do nothing visible to the search, and as many accesses as its path must have (unknown was said once).
// expect: false(unreach-call)
// args: --engine dpor --property unreach-call
// run: --engine dpor --dpor source --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence conflict --property unreach-call -- -DROUNDS=9 => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DFIX => true executions=1
#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 9000
#endif
static volatile int counter, set;

static void *counts(void *arg) {
  for (int i = 0; i < ROUNDS; i++) counter++;
#ifndef FIX
  set = 1;
#endif
  return arg;
}

static void *looks(void *arg) {
  counter = 0;
  assert(set == 0);
  return arg;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, counts, 0);
  pthread_create(&other, 0, looks, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
