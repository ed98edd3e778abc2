/* main counts the threads it has begun in a number that each of them takes for its own: the later a thread looks, the more
 * of them find the same one (after sigma of the pthread programs of the Competition on Software Verification). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 5
#endif

static atomic_int marked[N], begun;

static void *mark(void *arg) {
  int mine = atomic_load(&begun) - 1;
  assert(mine >= 0 && mine < N);
  atomic_store(&marked[mine], 1);
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    atomic_store(&begun, i + 1);
    pthread_create(&t[i], NULL, mark, NULL);
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
#ifdef BUG
  for (int i = 0; i < N; i++) assert(atomic_load(&marked[i]));
#else
  assert(atomic_load(&marked[N - 1]));
#endif
  return 0;
}
