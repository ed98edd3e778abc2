// Two threads wait for one event; a signal wakes only one of them.
// expect: false(no-deadlock)
// states: 47
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;
static int happened;

static void *await(void *arg) {
  pthread_mutex_lock(&lock);
  while (!happened) pthread_cond_wait(&event, &lock);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, await, NULL);
  pthread_create(&b, NULL, await, NULL);
  pthread_mutex_lock(&lock);
  happened = 1;
  pthread_cond_signal(&event);
  pthread_mutex_unlock(&lock);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
