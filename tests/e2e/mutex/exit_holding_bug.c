// A thread ends while it holds a mutex: nobody can ever take it again.
// expect: false(no-deadlock)
// states: 5
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  pthread_mutex_lock(&lock);
}
