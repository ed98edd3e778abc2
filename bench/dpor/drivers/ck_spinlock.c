/* Concurrency Kit, ck_spinlock: THREADS threads add to a counter, ROUNDS times each, under a lock.
 * -DLOCK=cas|fas|ticket|mcs... chooses it (those without a context).
 *
 * No addition is lost. -DWRONG: one thread adds without the lock. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <ck_spinlock.h>

#ifndef LOCK
#  define LOCK ticket
#endif
#ifndef THREADS
#  define THREADS 2
#endif
#ifndef ROUNDS
#  define ROUNDS 2
#endif
#define NAME2(LOCK, WHAT) ck_spinlock_##LOCK##WHAT
#define NAME(LOCK, WHAT)  NAME2(LOCK, WHAT)

static NAME(LOCK, _t) lock;
static int counter, others;

static void *worker(void *arg) {
  for (int i = 0; i < ROUNDS; i++) {
    others++; /* nobody asks for it; not by the lock */
#ifdef WRONG
    if (!arg) {
      counter++;
      continue;
    }
#endif
    NAME(LOCK, _lock)(&lock);
    counter++;
    NAME(LOCK, _unlock)(&lock);
  }
  (void)arg;
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  NAME(LOCK, _init)(&lock);
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, worker, (void *)(size_t)i);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  assert(counter == THREADS * ROUNDS);
  return 0;
}
