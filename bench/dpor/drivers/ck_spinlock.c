/* Concurrency Kit, ck_spinlock: THREADS threads add to a counter, ROUNDS times each, under a lock.
 * -DLOCK=cas|fas|ticket|dec chooses it; -DMCS, -DCLH and -DANDERSON are those that queue their
 * threads in records of their own.
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

static int counter, others;

#if defined(MCS)
static ck_spinlock_mcs_t lock;
static ck_spinlock_mcs_context_t record[THREADS];

static void prepare(void) {
  ck_spinlock_mcs_init(&lock);
}
static void take(size_t id) {
  ck_spinlock_mcs_lock(&lock, &record[id]);
}
static void give_back(size_t id) {
  ck_spinlock_mcs_unlock(&lock, &record[id]);
}
#elif defined(CLH)
static ck_spinlock_clh_t *lock, record[THREADS], none, *mine[THREADS];

static void prepare(void) {
  ck_spinlock_clh_init(&lock, &none);
  for (int i = 0; i < THREADS; i++) mine[i] = &record[i];
}
static void take(size_t id) {
  ck_spinlock_clh_lock(&lock, mine[id]);
}
static void give_back(size_t id) {
  ck_spinlock_clh_unlock(&mine[id]);
}
#elif defined(ANDERSON)
static ck_spinlock_anderson_t lock;
static ck_spinlock_anderson_thread_t record[THREADS], *mine[THREADS];

static void prepare(void) {
  ck_spinlock_anderson_init(&lock, record, THREADS);
}
static void take(size_t id) {
  ck_spinlock_anderson_lock(&lock, &mine[id]);
}
static void give_back(size_t id) {
  ck_spinlock_anderson_unlock(&lock, mine[id]);
}
#else
#  define NAME2(LOCK, WHAT) ck_spinlock_##LOCK##WHAT
#  define NAME(LOCK, WHAT)  NAME2(LOCK, WHAT)
static NAME(LOCK, _t) lock;

static void prepare(void) {
  NAME(LOCK, _init)(&lock);
}
static void take(size_t id) {
  (void)id;
  NAME(LOCK, _lock)(&lock);
}
static void give_back(size_t id) {
  (void)id;
  NAME(LOCK, _unlock)(&lock);
}
#endif

static void *worker(void *arg) {
  size_t id = (size_t)arg;
  for (int i = 0; i < ROUNDS; i++) {
    others++; /* nobody asks for it; not by the lock */
#ifdef WRONG
    if (!id) {
      counter++;
      continue;
    }
#endif
    take(id);
    counter++;
    give_back(id);
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  prepare();
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, worker, (void *)(size_t)i);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  assert(counter == THREADS * ROUNDS);
  return 0;
}
