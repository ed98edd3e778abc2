// So many threads as an argument says, up to two.
// expect: conditional
// run: --args 2 => true
// run: --engine dpor --args 1 => true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int n;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *unused) {
  pthread_mutex_lock(&lock);
  n++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(int argc, char **argv) {
  pthread_t t[2];
  int k = argc > 1 ? atoi(argv[1]) : 1;
  if (k < 1 || k > 2) return 1;
  for (int i = 0; i < k; i++) pthread_create(&t[i], NULL, add, NULL);
  for (int i = 0; i < k; i++) pthread_join(t[i], NULL);
  assert(n == k);
  return 0;
}
