// A section that looks like one event allocates and frees; that it is none turns out when it is over, and only then what comes before the free is known.
// Taking the free for unordered made each allocation an event: 396 executions.
// expect: true
// args: --engine dpor
// executions: 6
// run: --engine dpor --peek 0 => true executions=6
// run: --engine dpor --dependence conflict => true executions=6
// run: --engine explicit => true
// run: --engine dpor --property valid-free -- -DWRONG => false(valid-free)
// run: --engine explicit --property valid-free -- -DWRONG => false(valid-free)
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic shared;
static atomic_int other;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *exchange(void *arg) {
  free(atomic_exchange(&shared, malloc(sizeof(int))));
  return arg;
}

static void *stores(void *arg) {
  other = 3;
  other = 4;
  return arg;
}

static void *put_first(void *arg) {
  int *expected = NULL;
  pthread_mutex_lock(&mutex);
  int *in = malloc(sizeof(int));
  if (!atomic_compare_exchange_strong(&shared, &expected, in)) free(in);
#ifdef WRONG
  else
    free(in);
#endif
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, exchange, NULL);
  pthread_create(&t[1], NULL, stores, NULL);
  pthread_create(&t[2], NULL, put_first, NULL);
  other = 1;
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
