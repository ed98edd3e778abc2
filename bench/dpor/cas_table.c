/* Two threads that each put OPS keys into a table of words by compare-and-swap, and count what they found taken; asserted is
 * what each thread finds of its own keys. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef OPS
#define OPS 4
#endif
enum { SIZE = 16 };

static atomic_int table[SIZE], taken;

static void put(int key) {
  int at = key, empty = 0;
  while (!atomic_compare_exchange_strong(&table[at % SIZE], &empty, key)) {
    empty = 0;
    at++;
    taken++;
  }
}

static void *work(void *arg) {
  int first = *(int *)arg, mine = 0;
  for (int i = 0; i < OPS; i++) {
    put(first + 2 * i);
    mine++;
  }
#ifdef BUG
  assert(mine < OPS);
#else
  assert(mine == OPS);
#endif
  return NULL;
}

int main(void) {
  static int first[2] = {1, 3};
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, &first[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
