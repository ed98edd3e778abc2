// What was never set is carried to another thread, and is an error where that one uses it.
// expect: true
// run: --engine dpor => true
// run: --symmetry threads => true
// run: -- -DUSED => false(def-behavior)
// run: --engine dpor -- -DUSED => false(def-behavior)
// run: --symmetry threads -- -DUSED => false(def-behavior)
#include <pthread.h>
#include <stdlib.h>

static int shared, copies[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *copy(void *to) {
  pthread_mutex_lock(&m);
  int v = shared;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  *(int *)to = v;
#ifdef USED
  if (v == 3) copies[1]++;
#endif
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  int *p = malloc(sizeof *p);
  pthread_t t[2];
  if (!p) return 0;
  shared = *p;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, copy, &copies[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  free(p);
  return 0;
}
