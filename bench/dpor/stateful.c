/* Two threads that each change both of two numbers under locks of their own. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int first = 10, second = 10, log[2], logged;

static void *grow(void *arg) {
  pthread_mutex_lock(&a);
  first++;
  pthread_mutex_unlock(&a);
  logged++;
  pthread_mutex_lock(&b);
  second++;
  pthread_mutex_unlock(&b);
  return arg;
}

static void *shrink(void *arg) {
  pthread_mutex_lock(&a);
  first += 5;
  pthread_mutex_unlock(&a);
  log[1] = logged;
  pthread_mutex_lock(&b);
  second -= 6;
  pthread_mutex_unlock(&b);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, grow, NULL);
  pthread_create(&t[1], NULL, shrink, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
#ifdef BUG
  assert(first == 16 && second != 5);
#else
  assert(first == 16 && second == 5);
#endif
  return 0;
}
