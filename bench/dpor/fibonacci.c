/* Two threads add each other's number to their own N times; none can be beyond the Fibonacci number that strict alternation
 * leads to (after fib_bench of the pthread programs of the Competition on Software Verification). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 5
#endif

static atomic_int number[2] = {1, 1};

static void *add(void *arg) {
  int self = *(int *)arg;
  for (int i = 0; i < N; i++) {
    int mine = atomic_load(&number[self]);
    atomic_store(&number[self], mine + atomic_load(&number[1 - self]));
  }
  return arg;
}

int main(void) {
  static int self[2] = {0, 1};
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, add, &self[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  int low = 1, high = 1;
  for (int i = 0; i < 2 * N; i++) {
    int sum = low + high;
    low = high;
    high = sum;
  }
#ifdef BUG
  for (int i = 0; i < 2; i++) assert(atomic_load(&number[i]) < high);
#else
  for (int i = 0; i < 2; i++) assert(atomic_load(&number[i]) <= high);
#endif
  return 0;
}
