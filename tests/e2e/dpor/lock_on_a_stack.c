// A thread ends, and with it its local variables: a lock or a semaphore among them that another thread still uses. Whether it is used in time depends
// on the order of the two (true was said once, for only accesses were looked at).
// expect: false(def-behavior)
// args: --engine dpor
// run: --engine dpor --dpor source => false(def-behavior)
// run: --engine dpor --dpor classic => false(def-behavior)
// run: --engine dpor --dependence conflict --peek 0 --prune 0 => false(def-behavior)
// run: --engine explicit => false(def-behavior)
// run: --engine explicit --por none => false(def-behavior)
// run: --engine dpor -- -DPOSTS => false(def-behavior)
// run: --engine explicit -- -DPOSTS => false(def-behavior)
// run: --engine dpor -- -DFIX => true
// run: --engine dpor -- -DFIX -DPOSTS => true
// run: --engine explicit -- -DFIX => true
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int begun;

static void *uses(void *lock) {
#ifdef POSTS
  begun = 1;
  sem_post(lock);
#else
  pthread_mutex_lock(lock);
  begun = 1;
  pthread_mutex_unlock(lock);
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
#ifdef POSTS
  sem_t lock;
  sem_init(&lock, 0, 0);
#else
  pthread_mutex_t lock;
  pthread_mutex_init(&lock, 0);
#endif
  pthread_create(&thread, 0, uses, &lock);
  while (!begun) {
  }
#ifdef FIX
  pthread_join(thread, 0);
#endif
  pthread_exit(0);
}
