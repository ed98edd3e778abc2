// Two locks, taken in opposite orders.
// expect: false(no-deadlock)
// states: 16
// run: --search bfs => false(no-deadlock) states=8
// run: --property unreach-call,no-data-race => true states=27
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *forwards(void *arg) {
  (void)arg;
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  x++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, forwards, NULL);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  x++;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  pthread_join(t, NULL);
}
