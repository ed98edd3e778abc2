// N dining philosophers eat once; the fork with the lower number is taken first, so that nobody
// waits in a circle. Locks only: no data is shared.
#include <pthread.h>

#ifndef N
#  define N 4
#endif
static pthread_mutex_t forks[N];

static void *philosopher(void *number) {
  int left = *(int *)number, right = (left + 1) % N;
  int first = left < right ? left : right, second = left < right ? right : left;
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  int numbers[N];
  for (int i = 0; i < N; i++) pthread_mutex_init(&forks[i], NULL);
  for (int i = 0; i < N; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, philosopher, &numbers[i]);
  }
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  return 0;
}
