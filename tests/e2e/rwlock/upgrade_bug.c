// A reader that wants to become the writer waits for itself.
// expect: false(no-deadlock)
// states: 2
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_wrlock(&lock);
}
