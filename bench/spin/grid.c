// T threads, each of which counts round and round, 0 to K - 1, and stores the number in a byte of
// its own (with LOCAL it stores 0, so that states differ in locals only). Nothing depends on
// anything: without reduction all combinations are reached, whose number is known,
//
//   1      main before the atomic section that starts the others
//   + K^T  each thread at one of K values
//
// since a thread's state is its next value: its byte always holds the one before.
#include <pthread.h>
#include <stdatomic.h>

#ifndef T
#  define T 4
#endif
#ifndef K
#  define K 100
#endif
#ifdef LOCAL
#  define STORED(value) 0
#else
#  define STORED(value) (value)
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static _Atomic unsigned char value[T];

static void *count(void *arg) {
  long me = (long)arg;
  for (unsigned char next = 1;; next = (unsigned char)((next + 1) % K)) value[me] = STORED(next);
  return NULL;
}

int main(void) {
  pthread_t t;
  __VERIFIER_atomic_begin();
  for (long i = 1; i < T; i++) pthread_create(&t, NULL, count, (void *)i);
  __VERIFIER_atomic_end();
  count(NULL);
}
