// Peterson's filter: mutual exclusion for N threads by N - 1 levels, with C11 atomics. Each thread
// enters once. No locks: every access to shared memory is a step.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#  define N 3
#endif
static atomic_int level[N], last[N];
static atomic_int inside;

static void enter(int me) {
  for (int l = 1; l < N; l++) {
    level[me] = l;
    last[l] = me;
    for (int k = 0; k < N; k++) {
      if (k == me) continue;
      while (level[k] >= l && last[l] == me) {
        // wait
      }
    }
  }
}

static void *thread(void *number) {
  int me = *(int *)number;
  enter(me);
  assert(atomic_fetch_add(&inside, 1) == 0); // alone in here
  atomic_fetch_sub(&inside, 1);
  level[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  int numbers[N];
  for (int i = 0; i < N; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, thread, &numbers[i]);
  }
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  return 0;
}
