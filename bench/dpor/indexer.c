/* Threads that put messages into a hash table (Flanagan, Godefroid, POPL 2005, figure 1); the compare-and-swap is made of a
 * mutex, or with -DCAS it is one, and what is asserted is that the key is inside of the table (Kusano, Wang, ASE 2014, figure 1). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 12
#endif
enum { SIZE = 128, MAX = 4 };

#ifdef CAS
static atomic_int table[SIZE];

static int put(int h, int w) {
  int empty = 0;
  return atomic_compare_exchange_strong(&table[h], &empty, w);
}
#else
static int table[SIZE];
static pthread_mutex_t slot[SIZE];

static int put(int h, int w) {
  int done = 0;
  pthread_mutex_lock(&slot[h]);
  if (table[h] == 0) {
    table[h] = w;
    done = 1;
  }
  pthread_mutex_unlock(&slot[h]);
  return done;
}
#endif

static void *work(void *arg) {
  int self = *(int *)arg;
  for (int m = 1; m <= MAX; m++) {
    int w = m * 11 + self, h = w * 7 % SIZE;
#ifdef BUG
    assert(h < SIZE - 2);
#else
    assert(h < SIZE);
#endif
    while (!put(h, w)) h = (h + 1) % SIZE;
  }
  return NULL;
}

int main(void) {
  static pthread_t t[N];
  static int self[N];
  for (int i = 0; i < N; i++) {
    self[i] = i;
    pthread_create(&t[i], NULL, work, &self[i]);
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return 0;
}
