// Two threads that give way to each other: they may do so for ever.
// args: --property no-livelock
// expect: false(no-livelock)
// message: and then, for ever
// run: --property termination => false(termination)
// run: --property no-deadlock => true states=29
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *arg) {
  for (;;) {
    pthread_mutex_lock(&b);
    if (pthread_mutex_trylock(&a) == 0) break;
    pthread_mutex_unlock(&b);
  }
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  for (;;) {
    pthread_mutex_lock(&a);
    if (pthread_mutex_trylock(&b) == 0) break;
    pthread_mutex_unlock(&a);
  }
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(t, 0);
  return 0;
}
