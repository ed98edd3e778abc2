// A read-write lock is destroyed while it is held.
// expect: false(def-behavior)
// states: 1
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_destroy(&lock);
}
