// The number of a new thread, or the result of a joined one, is written to a local variable of a thread that ends: in time or too late (true was said
// once).
// expect: false(valid-deref)
// args: --engine dpor
// run: --engine dpor --dpor source => false(valid-deref)
// run: --engine dpor --dpor classic => false(valid-deref)
// run: --engine dpor --dependence conflict --peek 0 --prune 0 => false(valid-deref)
// run: --engine explicit --por none => false(valid-deref)
// run: --engine dpor -- -DJOINS => false(def-behavior)
// run: --engine explicit -- -DJOINS => false(def-behavior)
// run: --engine dpor -- -DFIX => true
// run: --engine dpor -- -DFIX -DJOINS => true
// run: --engine explicit -- -DFIX => true
#include <pthread.h>
#include <semaphore.h>

static sem_t there, go;
static void *place;

static void *nothing(void *arg) {
  return arg;
}

static void *owns(void *arg) {
  void *own = arg;
  place = &own;
  sem_post(&there);
  sem_wait(&go);
  pthread_exit(0);
}

int main(void) {
  pthread_t owner, other;
  sem_init(&there, 0, 0);
  sem_init(&go, 0, 0);
  pthread_create(&owner, 0, owns, 0);
  pthread_create(&other, 0, nothing, 0);
  sem_wait(&there);
#ifndef FIX
  sem_post(&go);
#endif
#ifdef JOINS
  pthread_join(other, place);
#else
  pthread_create(place, 0, nothing, 0);
#endif
#ifdef FIX
  sem_post(&go);
#endif
  pthread_join(owner, 0);
  return 0;
}
