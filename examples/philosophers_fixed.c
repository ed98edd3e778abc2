// The cure of philosophers.c: everybody takes the fork with the lower number first, so that nobody
// waits in a circle.
//
// expect: true
// states: 254
#include <pthread.h>
#include <stdio.h>

enum { PHILOSOPHERS = 3 };
static pthread_mutex_t forks[PHILOSOPHERS];

static void *philosopher(void *number) {
  int left = *(int *)number, right = (left + 1) % PHILOSOPHERS;
  int first = left < right ? left : right, second = left < right ? right : left;
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  // eats
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return NULL;
}

int main(void) {
  pthread_t threads[PHILOSOPHERS];
  int numbers[PHILOSOPHERS];
  for (int i = 0; i < PHILOSOPHERS; i++) pthread_mutex_init(&forks[i], NULL);
  for (int i = 0; i < PHILOSOPHERS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, philosopher, &numbers[i]);
  }
  for (int i = 0; i < PHILOSOPHERS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < PHILOSOPHERS; i++) pthread_mutex_destroy(&forks[i]);
  puts("all have eaten");
  return 0;
}
