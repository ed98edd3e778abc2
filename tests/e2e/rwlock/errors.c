// What the calls answer when the lock is taken.
// expect: true
// states: 7
// run: --property unreach-call,no-deadlock,no-overflow,valid-memsafety,def-behavior => true states=7
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock;

static void *outsider(void *arg) {
  struct timespec soon = {0, 0};
  int a = pthread_rwlock_tryrdlock(&lock), b = pthread_rwlock_trywrlock(&lock);
  assert(a == EBUSY && b == EBUSY);
  a = pthread_rwlock_timedrdlock(&lock, &soon);
  b = pthread_rwlock_timedwrlock(&lock, &soon);
  assert(a == ETIMEDOUT && b == ETIMEDOUT);
  return arg;
}

int main(void) {
  pthread_rwlock_init(&lock, NULL);
  pthread_rwlock_wrlock(&lock);
  int again = pthread_rwlock_wrlock(&lock);
  assert(again == EDEADLK);
  pthread_t t;
  pthread_create(&t, NULL, outsider, NULL);
  pthread_join(t, NULL);
  pthread_rwlock_unlock(&lock);
  int a = pthread_rwlock_tryrdlock(&lock), b = pthread_rwlock_tryrdlock(&lock);
  int c = pthread_rwlock_trywrlock(&lock);
  assert(a == 0 && b == 0 && c == EBUSY);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_destroy(&lock);
}
