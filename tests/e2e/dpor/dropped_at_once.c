// A pointer is got and dropped outside of the slice, or by a thread that begins and ends within a step of another: the address of what it pointed to may come
// back while that thread still has it (true was said once).
// expect: false(unreach-call)
// args: --engine dpor --property unreach-call
// run: --engine dpor --dpor classic --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence conflict --property unreach-call => false(unreach-call)
// run: --engine explicit --por none --property unreach-call => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DSTORE => false(unreach-call)
// run: --engine dpor --dependence conflict --property unreach-call -- -DSTORE => false(unreach-call)
// run: --engine explicit --por none --property unreach-call -- -DSTORE => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DSECTION => false(unreach-call)
// run: --engine dpor --peek 0 --prune 0 --property unreach-call -- -DSECTION => false(unreach-call)
// run: --engine dpor --dependence conflict --property unreach-call -- -DSECTION => false(unreach-call)
// run: --engine explicit --por none --property unreach-call -- -DSECTION => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DFIX => true
// run: --engine dpor --property unreach-call -- -DFIX -DSTORE => true
// run: --engine dpor --property unreach-call -- -DFIX -DSECTION => true
// run: --engine explicit --por none --property unreach-call -- -DFIX -DSECTION => true
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static int *shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#ifdef STORE
static int *other;
static void *drops(void *arg) {
  other = 0;
  return arg;
}
#else
static _Thread_local int *own;
static void *drops(void *arg) {
#ifdef SECTION
  pthread_mutex_lock(&mutex);
  own = shared;
  pthread_mutex_unlock(&mutex);
  return arg;
#else
  own = arg;
  return 0;
#endif
}
#endif

static void *frees(void *arg) {
  pthread_mutex_lock(&mutex);
  int *old = shared;
  uintptr_t number = (uintptr_t)old >> 4;
  shared = 0;
  pthread_mutex_unlock(&mutex);
  free(old);
  int *new = malloc(sizeof *new);
#ifndef FIX
  assert((uintptr_t)new >> 4 != number);
#endif
  free(new);
  return (void *)(number ? arg : 0);
}

int main(void) {
  pthread_t one;
  void *arg = 0;
  shared = malloc(sizeof *shared);
#ifdef STORE
  other = shared;
#elif !defined SECTION
  arg = shared;
#endif
  pthread_create(&one, 0, drops, arg);
#ifdef SECTION
  pthread_t two;
  pthread_create(&two, 0, frees, 0);
  pthread_join(two, 0);
#else
  arg = 0;
  frees(arg);
#endif
  pthread_join(one, 0);
  return 0;
}
