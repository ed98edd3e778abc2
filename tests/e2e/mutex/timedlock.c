// A lock with a time limit: both outcomes are handled.
// expect: true
// states: 26
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *work(void *arg) {
  (void)arg;
  struct timespec soon = {0, 0};
  int result = pthread_mutex_timedlock(&lock, &soon);
  if (result == 0) {
    data++;
    pthread_mutex_unlock(&lock);
  } else {
    assert(result == ETIMEDOUT);
  }
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
  assert(data == 1 || data == 2);
}
