// A mutex is destroyed while another thread may hold it.
// expect: false(def-behavior)
// states: 4
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_t *mine = arg;
  pthread_mutex_lock(mine);
  pthread_mutex_unlock(mine);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, &lock);
  pthread_mutex_destroy(&other);
  pthread_mutex_destroy(&lock);
  pthread_join(t, NULL);
}
