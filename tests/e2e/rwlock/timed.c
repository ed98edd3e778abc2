// A writer with a time limit beside a reader.
// expect: true
// states: 19
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *reader(void *arg) {
  pthread_rwlock_rdlock(&lock);
  assert(x == 0 || x == 1);
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  struct timespec soon = {0, 0};
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  int result = pthread_rwlock_timedwrlock(&lock, &soon);
  assert(result == 0 || result == ETIMEDOUT);
  if (result == 0) {
    x = 1;
    pthread_rwlock_unlock(&lock);
  }
  pthread_join(t, NULL);
}
