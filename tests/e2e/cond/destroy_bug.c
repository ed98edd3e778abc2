// A condition is destroyed while a thread may wait at it.
// expect: false(def-behavior)
// states: 19
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event;
static int happened;

static void *await(void *arg) {
  pthread_mutex_lock(&lock);
  if (!happened) pthread_cond_wait(&event, &lock);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_cond_init(&event, NULL);
  pthread_create(&t, NULL, await, NULL);
  pthread_mutex_lock(&lock);
  happened = 1;
  pthread_mutex_unlock(&lock);
  pthread_cond_destroy(&event);
  pthread_detach(t);
}
