// The address of a local variable comes back to its next life, which a number made of it tells; not so if somebody still points to it (true was said once by
// dpor in both cases, by others in the second).
// expect: false(unreach-call)
// args: --engine dpor --property unreach-call
// run: --engine dpor --dpor classic --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence conflict --peek 0 --prune 0 --property unreach-call => false(unreach-call)
// run: --engine explicit --property unreach-call => false(unreach-call)
// run: --engine explicit --property unreach-call -- -DDROP => conditional or false(unreach-call)
// run: --engine explicit --por none --property unreach-call -- -DDROP => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DDROP => conditional or false(unreach-call)
// run: --engine dpor --property unreach-call -- -DKEEP => conditional
// run: --engine explicit --property unreach-call -- -DKEEP => conditional
// run: --engine dpor --property unreach-call -- -DFIX => true executions=1
// run: --engine explicit --property unreach-call -- -DFIX => true
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

static uintptr_t before;
static int *shared, same;
static sem_t go;

static void use(void) {
  int value = 0;
  shared = &value;
  uintptr_t number = ~(uintptr_t)&value;
  same = same || number == before;
  before = number;
  sem_wait(&go);
#ifndef KEEP
#ifndef DROP
  shared = 0;
#endif
#endif
}

static void *posts(void *arg) {
  sem_post(&go);
  sem_post(&go);
#ifdef DROP
  shared = 0;
#endif
  return arg;
}

int main(void) {
  pthread_t poster;
  sem_init(&go, 0, 0);
  pthread_create(&poster, 0, posts, 0);
  use();
#ifdef FIX
  before = 0;
#endif
  use();
  pthread_join(poster, 0);
  assert(!same);
  return 0;
}
