// NPR producers and NCO consumers at a ring of SZ slots under one mutex. The twin of big.pml: the
// same shared accesses, each a step (`count` and `sum` are atomic, since the model's count++ is one
// step, not a load and a store).
//
// What differs: the model has steps that touch nothing shared (i < ITEMS, v = ..., acc = ..., i++)
// and keeps v, t and h where nobody will read them any more; here both are no part of the state
// space. Hence fewer states. Processes of the model end in the opposite order of their start only,
// threads in any. big_merged.pml is like this program and has its states, but for a few at the
// end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef NPR
#  define NPR 3
#endif
#ifndef NCO
#  define NCO 3
#endif
#ifndef SZ
#  define SZ 3
#endif
#ifndef ITEMS
#  define ITEMS 3
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t mtx = PTHREAD_MUTEX_INITIALIZER;
static int buf[SZ], head, tail;
static _Atomic int count, sum;

static void *producer(void *arg) {
  int id = (int)(long)arg;
  for (int i = 0; i < ITEMS; i++) {
    for (;;) {
      pthread_mutex_lock(&mtx);
      if (count != SZ) break;
      pthread_mutex_unlock(&mtx);
    }
    int t = tail;
    buf[t] = id * 16 + i;
    tail = (t + 1) % SZ;
    count++;
    pthread_mutex_unlock(&mtx);
  }
  return NULL;
}

static void *consumer(void *arg) {
  int acc = 0;
  for (int i = 0; i < ITEMS * NPR / NCO; i++) {
    for (;;) {
      pthread_mutex_lock(&mtx);
      if (count != 0) break;
      pthread_mutex_unlock(&mtx);
    }
    int h = head, v = buf[h];
    head = (h + 1) % SZ;
    count--;
    int c = count;
    assert(c >= 0 && c < SZ);
    pthread_mutex_unlock(&mtx);
    acc += v;
  }
  sum += acc;
  return arg;
}

int main(void) {
  pthread_t t;
  __VERIFIER_atomic_begin();
  for (long i = 0; i < NPR; i++) pthread_create(&t, NULL, producer, (void *)i);
  for (int i = 1; i < NCO; i++) pthread_create(&t, NULL, consumer, NULL);
  __VERIFIER_atomic_end();
  pthread_exit(consumer(NULL));
}
