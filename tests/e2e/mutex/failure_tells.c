// A failed attempt tells that another thread came to its lock, and orders nothing: what that thread did before races with what comes after the failure.
// No two such accesses are ever next to each other. A search in which attempts may also fail without a cause has them there (the proviso stays), or
// shows that there are none (TOUCHED: what comes after is somebody's own; LATER: comes after a join; AGAIN: tries until it has the lock).
//
// run: -- -DKIND=1 => conditional states=12
// run: -- -DKIND=2 => conditional states=12
// run: -- -DKIND=3 => conditional states=12
// run: -- -DKIND=4 => conditional states=12
// run: -- -DKIND=5 => conditional states=12
// run: -- -DKIND=1 -DTOUCHED => true states=9
// run: -- -DKIND=2 -DTOUCHED => true states=9
// run: -- -DKIND=3 -DTOUCHED => true states=9
// run: -- -DKIND=4 -DTOUCHED => true states=9
// run: -- -DKIND=5 -DTOUCHED => true states=11
// run: -- -DKIND=1 -DLATER => true states=11
// run: -- -DKIND=5 -DLATER => true states=11
// run: -- -DKIND=1 -DAGAIN => true states=13
// run: -- -DKIND=4 -DAGAIN => true states=14
// run: -- -DKIND=5 -DAGAIN => true states=19
// run: --engine explicit --por none -- -DKIND=1 => conditional states=15
// run: --engine explicit --por none -- -DKIND=1 -DTOUCHED => true states=13
// run: --engine dpor -- -DKIND=1 => conditional executions=2
// run: --engine dpor -- -DKIND=1 -DTOUCHED => true executions=2
// run: --engine dpor -- -DKIND=5 => conditional executions=2
// run: --engine dpor -- -DKIND=5 -DLATER => true executions=2
// run: --engine explicit --limit states=12 -- -DKIND=1 -DAGAIN => conditional states=12
#include <pthread.h>
#include <semaphore.h>

#if KIND == 1
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define TAKE() pthread_mutex_lock(&lock)
#define TRY() pthread_mutex_trylock(&lock)
#define GIVE() pthread_mutex_unlock(&lock)
#elif KIND == 2
static pthread_spinlock_t lock;
#define TAKE() pthread_spin_lock(&lock)
#define TRY() pthread_spin_trylock(&lock)
#define GIVE() pthread_spin_unlock(&lock)
#elif KIND == 3
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define TAKE() pthread_rwlock_wrlock(&lock)
#define TRY() pthread_rwlock_tryrdlock(&lock)
#define GIVE() pthread_rwlock_unlock(&lock)
#elif KIND == 4
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define TAKE() pthread_rwlock_rdlock(&lock)
#define TRY() pthread_rwlock_trywrlock(&lock)
#define GIVE() pthread_rwlock_unlock(&lock)
#else
static sem_t lock;
#define TAKE() sem_wait(&lock)
#define TRY() sem_trywait(&lock)
#define GIVE() sem_post(&lock)
#endif
static int data, other;

static void *holder(void *unused) {
#ifdef TOUCHED
  other = 1;
#else
  data = 1;
#endif
  TAKE();
#ifdef AGAIN
  GIVE();
#endif
  return unused;
}

int main(void) {
  pthread_t t;
#if KIND == 2
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#elif KIND == 5
  sem_init(&lock, 0, 1);
#endif
  pthread_create(&t, NULL, holder, NULL);
  int seen = 0;
#ifdef AGAIN
  while (TRY())
    ;
  GIVE();
  pthread_join(t, NULL);
  seen = data;
#else
  if (!TRY()) {
    GIVE();
  } else {
#ifdef LATER
    pthread_join(t, NULL);
    return data > 1;
#endif
    seen = data;
  }
  pthread_join(t, NULL);
#endif
  return seen > 1;
}
