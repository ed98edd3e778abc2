/* Readers copy two shared numbers for themselves while a writer changes both under a lock; of what was copied nothing is
 * asserted, of what the writer leaves something is. */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 2
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int low, high, copies[N];

static void *reader(void *arg) {
  int *copy = arg;
  pthread_mutex_lock(&m);
  *copy = low + high;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *writer(void *arg) {
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock(&m);
    low = -i;
    high = i;
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&m);
#ifdef BUG
  assert(low + high > 0);
#else
  assert(low + high == 0);
#endif
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[N], NULL, writer, NULL);
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, reader, &copies[i]);
  for (int i = 0; i <= N; i++) pthread_join(t[i], NULL);
  return 0;
}
