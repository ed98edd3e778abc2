// N philosophers, the last one takes the forks in the other order. The twin of phil.pml with ASYM:
// each operation on a fork and each access to `eating` is a step, there as here.
//
// What differs: threads have to be started. main holds all forks until everybody waits for one, so
// that what follows has the very states of the model; the start adds a few.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifndef N
#  define N 7
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t fork_of[N];
static _Atomic unsigned char eating;
static sem_t seated;

static void *philosopher(void *arg) {
  int i = (int)(long)arg, l = i, r = i + 1;
  if (i == N - 1) l = 0, r = i;
  if (i != 0) sem_post(&seated);
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
  sem_init(&seated, 0, 0);
  for (int i = 0; i < N; i++) pthread_mutex_init(&fork_of[i], NULL);
  for (int i = 0; i < N; i++) pthread_mutex_lock(&fork_of[i]);
  for (long i = 1; i < N; i++) {
    pthread_create(&t, NULL, philosopher, (void *)i);
    sem_wait(&seated);
  }
  __VERIFIER_atomic_begin(); // all forks at once
  for (int i = 0; i < N; i++) pthread_mutex_unlock(&fork_of[i]);
  __VERIFIER_atomic_end();
  philosopher(NULL);
}
