// N philosophers at a table, the last one takes the forks in the other order. The twin of phil.pml:
// forks are mutexes; each operation on a fork and each access to `eating` is a step, as in the
// model, and all philosophers are created in one step, as by its `init`. The states are the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#  define N 7
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t fork_of[N];
static _Atomic unsigned char eating;

static void *philosopher(void *arg) {
  int i = (int)(long)arg, l = i, r = i + 1;
  if (i == N - 1) l = 0, r = i;
  for (;;) {
    pthread_mutex_lock(&fork_of[l]);
    pthread_mutex_lock(&fork_of[r]);
    eating++;
    assert(eating <= N / 2);
    eating--;
    pthread_mutex_unlock(&fork_of[r]);
    pthread_mutex_unlock(&fork_of[l]);
  }
  return NULL;
}

int main(void) {
  pthread_t t;
  __VERIFIER_atomic_begin();
  for (long i = 1; i < N; i++) pthread_create(&t, NULL, philosopher, (void *)i);
  __VERIFIER_atomic_end();
  philosopher(NULL);
}
