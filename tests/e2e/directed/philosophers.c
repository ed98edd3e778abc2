// Ten dining philosophers, each of whom takes the fork at the left first. Depth first it takes hundreds of
// thousands of states; those that seem nearest to a deadlock lead there.
//
// expect: false(no-deadlock)
// args: --search best --property no-deadlock
// states: 125
// message: 140 states generated, 55 expanded
// run: --search best --property no-deadlock --por none => false(no-deadlock) states=127
// run: --search best --property no-deadlock --heuristic fca => false(no-deadlock) states=185
// run: --search best --property no-deadlock --heuristic none --limit states=5000 => conditional states=5001
// run: --property no-deadlock --limit states=50000 => false(no-deadlock)
// run: --engine explicit --property no-deadlock --limit states=50000 => conditional states=50000
// run: --search best --property no-deadlock -- -DPHILOSOPHERS=3 => false(no-deadlock) states=27
// run: --search best --property no-deadlock -- -DPHILOSOPHERS=3 -DORDERED => true states=266
// run: --search bfs --por persistent --property no-deadlock -- -DPHILOSOPHERS=3 -DORDERED => true states=266
// run: --search best --por none --property no-deadlock -- -DPHILOSOPHERS=3 -DORDERED => true states=426
// run: --search bfs --por none --property no-deadlock -- -DPHILOSOPHERS=3 -DORDERED => true states=426
// run: --search astar --property no-deadlock -- -DPHILOSOPHERS=3 => false(no-deadlock) states=174
// run: --search beam --property no-deadlock => false(no-deadlock) states=125
// run: --search beam --queue-limit 5 --property no-deadlock -- -DORDERED => conditional states=209
// run: --search greedy --property no-deadlock => false(no-deadlock) states=103
// run: --search greedy --seed 3 --property no-deadlock => false(no-deadlock) states=103
// run: --search walk --property no-deadlock -- -DPHILOSOPHERS=3 => false(no-deadlock) states=80
// run: --search walk --property no-deadlock --limit states=1000 -- -DPHILOSOPHERS=4 -DORDERED => conditional states=1000
// run: --search portfolio --property no-deadlock => false(no-deadlock) states=102
// run: --search greedy --por none --property no-deadlock -- -DPHILOSOPHERS=3 -DORDERED => true states=426
// run: --search astar --property no-deadlock -- -DPHILOSOPHERS=3 -DORDERED => true states=426
// run: --search portfolio --property no-deadlock -- -DPHILOSOPHERS=3 -DORDERED => true states=266
// run: --search portfolio --property no-deadlock -- -DPHILOSOPHERS=5 -DORDERED => true states=4346
#include <pthread.h>

#ifndef PHILOSOPHERS
#  define PHILOSOPHERS 10
#endif

static pthread_mutex_t forks[PHILOSOPHERS];

static void *philosopher(void *number) {
  int left = *(int *)number, right = (left + 1) % PHILOSOPHERS;
#ifdef ORDERED
  if (left > right) {
    int swap = left;
    left = right, right = swap;
  }
#endif
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]);
  pthread_mutex_unlock(&forks[right]);
  pthread_mutex_unlock(&forks[left]);
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
}
