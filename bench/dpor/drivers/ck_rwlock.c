/* Concurrency Kit, locks for one writer or many readers: a writer changes two numbers together,
 * ROUNDS times, READERS readers look at both. -DLOCK=rwlock|pflock|swlock|tflock_ticket chooses the
 * lock; -DBYTELOCK and -DBRLOCK are those that know their readers.
 *
 * A reader sees both numbers alike. -DWRONG: one reader looks without the lock. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <ck_brlock.h>
#include <ck_bytelock.h>
#include <ck_pflock.h>
#include <ck_rwlock.h>
#include <ck_swlock.h>
#include <ck_tflock.h>

#ifndef LOCK
#  define LOCK rwlock
#endif
#ifndef READERS
#  define READERS 1
#endif
#ifndef ROUNDS
#  define ROUNDS 1
#endif

static int left, right, looked;

#if defined(BYTELOCK)
static ck_bytelock_t lock = CK_BYTELOCK_INITIALIZER;

static void prepare(size_t reader) {
  (void)reader;
}
static void read_lock(size_t reader) {
  ck_bytelock_read_lock(&lock, (unsigned)reader + 2);
}
static void read_unlock(size_t reader) {
  ck_bytelock_read_unlock(&lock, (unsigned)reader + 2);
}
static void write_lock(void) {
  ck_bytelock_write_lock(&lock, 1);
}
static void write_unlock(void) {
  ck_bytelock_write_unlock(&lock);
}
#elif defined(BRLOCK)
static ck_brlock_t lock = CK_BRLOCK_INITIALIZER;
static ck_brlock_reader_t record[READERS];

static void prepare(size_t reader) {
  ck_brlock_read_register(&lock, &record[reader]);
}
static void read_lock(size_t reader) {
  ck_brlock_read_lock(&lock, &record[reader]);
}
static void read_unlock(size_t reader) {
  ck_brlock_read_unlock(&record[reader]);
}
static void write_lock(void) {
  ck_brlock_write_lock(&lock);
}
static void write_unlock(void) {
  ck_brlock_write_unlock(&lock);
}
#else
#  define NAME2(LOCK, WHAT) ck_##LOCK##WHAT
#  define NAME(LOCK, WHAT)  NAME2(LOCK, WHAT)
static struct NAME(LOCK, ) lock;

static void prepare(size_t reader) {
  if (!reader) NAME(LOCK, _init)(&lock);
}
static void read_lock(size_t reader) {
  (void)reader;
  NAME(LOCK, _read_lock)(&lock);
}
static void read_unlock(size_t reader) {
  (void)reader;
  NAME(LOCK, _read_unlock)(&lock);
}
static void write_lock(void) {
  NAME(LOCK, _write_lock)(&lock);
}
static void write_unlock(void) {
  NAME(LOCK, _write_unlock)(&lock);
}
#endif

static void *reader(void *arg) {
  size_t id = (size_t)arg;
#ifdef WRONG
  if (id == READERS - 1) {
    assert(left == right);
    return NULL;
  }
#endif
  read_lock(id);
  looked++; /* nobody asks for it, and others do it at the same time */
  assert(left == right);
  read_unlock(id);
  return NULL;
}

static void *writer(void *unused) {
  for (int i = 0; i < ROUNDS; i++) {
    write_lock();
    left++;
    right++;
    write_unlock();
  }
  return unused;
}

int main(void) {
  pthread_t w, r[READERS];
  for (size_t i = 0; i < READERS; i++) prepare(i);
  pthread_create(&w, NULL, writer, NULL);
  for (size_t i = 0; i < READERS; i++) pthread_create(&r[i], NULL, reader, (void *)i);
  pthread_join(w, NULL);
  for (size_t i = 0; i < READERS; i++) pthread_join(r[i], NULL);
  assert(left == ROUNDS);
  return 0;
}
