// Three dining philosophers. Each takes the fork at the left, then the one at the right: when all
// hold their left forks, all wait for ever.
//
// expect: false(no-deadlock)
// states: 95
#include <pthread.h>
#include <stdio.h>

enum { PHILOSOPHERS = 3 };
static pthread_mutex_t forks[PHILOSOPHERS];

static void *philosopher(void *number) {
  int left = *(int *)number, right = (left + 1) % PHILOSOPHERS;
  int first = left, second = right;
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
