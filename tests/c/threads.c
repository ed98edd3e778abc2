/* Threads with one possible output: mutex, condition variable, barrier, semaphore, once,
 * thread-local storage, keys, results through join. */
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_key_t key;
static sem_t permits;
static int turn, total, initialised, destroyed, limit = ROUNDS;
static _Thread_local int own = 100;

static void init(void) {
  initialised++;
}
static void destroy(void *value) {
  pthread_mutex_lock(&lock);
  destroyed += (int)(intptr_t)value;
  pthread_mutex_unlock(&lock);
}

static void *work(void *argument) {
  int id = (int)(intptr_t)argument;
  pthread_once(&once, init);
  pthread_setspecific(key, (void *)(intptr_t)(id + 1));
  pthread_barrier_wait(&barrier);
  for (int r = 0; r < ROUNDS; r++) {
    pthread_mutex_lock(&lock);
    while (turn % THREADS != id) pthread_cond_wait(&changed, &lock);
    turn++;
    total = total * 2 + id;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    own += id;
  }
  sem_post(&permits);
  pthread_rwlock_rdlock(&rwlock);
  int seen = limit >= ROUNDS;
  pthread_rwlock_unlock(&rwlock);
  if (id == 1) pthread_exit((void *)(intptr_t)(own + seen));
  return (void *)(intptr_t)(own + seen);
}

int main(void) {
  pthread_t t[THREADS];
  pthread_key_create(&key, destroy);
  pthread_barrier_init(&barrier, NULL, THREADS);
  sem_init(&permits, 0, 0);
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, work, (void *)(intptr_t)i);
  for (int i = 0; i < THREADS; i++) sem_wait(&permits);
  for (int i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(t[i], &result);
    printf("%d: %d\n", i, (int)(intptr_t)result);
  }
  pthread_mutexattr_t recursive;
  pthread_mutex_t nested;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&nested, &recursive);
  pthread_mutex_lock(&nested);
  printf("%d ", pthread_mutex_trylock(&nested));
  pthread_mutex_unlock(&nested);
  pthread_mutex_unlock(&nested);
  pthread_mutex_destroy(&nested);
  pthread_barrier_destroy(&barrier);
  sem_destroy(&permits);
  pthread_key_delete(key);
  printf("%d %d %d %d\n", total, initialised, destroyed, own);
  return turn;
}
