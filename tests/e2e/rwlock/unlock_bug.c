// A thread unlocks a read-write lock that it does not hold.
// expect: false(def-behavior)
// states: 2
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *meddle(void *arg) {
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_rwlock_rdlock(&lock);
  pthread_t t;
  pthread_create(&t, NULL, meddle, NULL);
  pthread_join(t, NULL);
  pthread_rwlock_unlock(&lock);
}
