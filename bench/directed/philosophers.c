// N philosophers, each of whom takes the left fork first: if all do so at once, nobody gets another one. -DFIX: the last one takes
// the right fork first. -DROUNDS=n: each eats n times. They count their meals, so that there is no end of states; -DUNCOUNTED: they
// do not.
// Where bench/directed/generate may put calls is marked: `// call`.
#include <pthread.h>

#ifndef N
#  define N 2
#endif
#ifdef ROUNDS
#  define REPEAT for (int round = 0; round < ROUNDS; round++)
#else
#  define REPEAT for (;;)
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t fork_of[N];
static unsigned meals[N];

static void *philosopher(void *arg) {
  int me = (int)(long)arg, left = me, right = (me + 1) % N;
#ifdef FIX
  if (me == N - 1) left = 0, right = me;
#endif
  REPEAT {
    // call
    // call
    pthread_mutex_lock(&fork_of[left]);
    // call
    // call
    pthread_mutex_lock(&fork_of[right]);
#ifndef UNCOUNTED
    meals[me]++;
#endif
    // call
    pthread_mutex_unlock(&fork_of[right]);
    // call
    pthread_mutex_unlock(&fork_of[left]);
    // call
  }
  return NULL;
}

int main(void) {
  pthread_t t[N];
  __VERIFIER_atomic_begin();
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, philosopher, (void *)i);
  __VERIFIER_atomic_end();
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return 0;
}
