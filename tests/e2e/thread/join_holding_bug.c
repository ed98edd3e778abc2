// Main joins a thread that needs the mutex main holds.
// expect: false(no-deadlock)
// states: 3
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_mutex_lock(&lock);
  pthread_join(t, NULL);
  pthread_mutex_unlock(&lock);
}
