/* N threads write to one place, the first one FIRST times, each other one OTHERS times; who came last is read when all have
 * ended. Without leaving anything out there are as many orders as the writes have: (FIRST + OTHERS)! / (FIRST! OTHERS!) for two
 * threads, N! for one write each. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
#ifndef FIRST
#define FIRST 2
#endif
#ifndef OTHERS
#define OTHERS 2
#endif
enum { FAR = 100 };

static atomic_int x;

static void *work(void *arg) {
  int self = *(int *)arg, writes = self == 0 ? FIRST : OTHERS;
  for (int i = 1; i <= writes; i++) atomic_store(&x, self * FAR + i);
  return arg;
}

int main(void) {
  static int self[N];
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    self[i] = i;
    pthread_create(&t[i], NULL, work, &self[i]);
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  int last = atomic_load(&x);
#ifdef BUG
  assert(last % FAR < OTHERS);
#else
  assert(last % FAR == (last < FAR ? FIRST : OTHERS));
#endif
  return 0;
}
