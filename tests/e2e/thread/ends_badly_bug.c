// What is done in vain at the end of a path is not done twice: memory that ends while it holds a lock is found with --keep-going, too; and others see
// what a thread did before an atomic operation through a null pointer.
// expect: false(def-behavior)
// args: --keep-going
// message: memory is freed: the memory of a lock ends while the lock is held
// run: => false(def-behavior)
// run: --engine dpor --keep-going => false(def-behavior)
// run: --keep-going -- -DFIX => true
// run: --engine dpor --keep-going -- -DFIX => true
// run: --property unreach-call -- -DNOWHERE => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DNOWHERE => false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int begun;

static void *works(void *arg) {
#ifdef NOWHERE
  begun = 1;
  atomic_fetch_add((atomic_int *)arg, 1);
#else
  pthread_mutex_t *mutex = malloc(sizeof *mutex);
  if (!mutex) return arg;
  pthread_mutex_init(mutex, 0);
  pthread_mutex_lock(mutex);
#ifdef FIX
  pthread_mutex_unlock(mutex);
#endif
  free(mutex);
#endif
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, works, 0);
  assert(!begun);
  pthread_join(thread, 0);
  return 0;
}
