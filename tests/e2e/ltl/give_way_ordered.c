// The same in one order of the locks: no livelock, and every execution ends.
// args: --property no-livelock
// expect: true
// states: 24
// run: --property termination => true states=18
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(void) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
}

static void *other(void *arg) {
  both();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  both();
  pthread_join(t, 0);
  return 0;
}
