// A pointer is handed over as part of a number, and its thread has ended: nobody was parked before the accesses of others, so a proviso takes their
// place (true was said once).
// expect: conditional
// args: --property unreach-call
// run: --por none --property unreach-call => conditional
// run: --engine dpor --property unreach-call => conditional
// run: --property unreach-call -- -DPLAIN => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DPLAIN => false(unreach-call)
// run: --property unreach-call -- -DALONE => true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef PLAIN
enum { SHIFT = 0 };
#else
enum { SHIFT = 16 };
#endif
static _Atomic uint64_t slot;

static int *there(void) {
  return (int *)(uintptr_t)(slot >> SHIFT);
}

static void *makes(void *arg) {
  int *counter = malloc(sizeof *counter);
  *counter = 0;
  slot = (uint64_t)(uintptr_t)counter << SHIFT;
  return arg;
}

#ifndef ALONE
static void *counts(void *arg) {
  int seen = *there();
  *there() = seen + 1;
  return arg;
}
#endif

int main(void) {
  pthread_t maker;
  pthread_create(&maker, 0, makes, 0);
  pthread_join(maker, 0);
#ifdef ALONE
  *there() = 2;
#else
  pthread_t one, other;
  pthread_create(&one, 0, counts, 0);
  pthread_create(&other, 0, counts, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
#endif
  assert(*there() == 2);
  return 0;
}
