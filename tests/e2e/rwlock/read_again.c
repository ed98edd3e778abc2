// A reader takes the lock once more while a writer may wait for it: glibc lets it in, systems that prefer writers do not.
// expect: true
// message: a read lock is granted while a writer waits (--writers-first)
// run: --writers-first => false(no-deadlock)
// run: --writers-first --por none => false(no-deadlock)
// run: --writers-first --engine dpor => false(no-deadlock)
// run: --engine dpor => true
// run: --writers-first -- -DONCE => true
// run: --writers-first --por none -- -DONCE => true
// run: --writers-first --engine dpor -- -DONCE => true
// run: --writers-first --property no-deadlock,unreach-call -- -DTRY => true
// run: --writers-first --property no-deadlock,unreach-call --engine dpor -- -DTRY => true
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *writes(void *arg) {
  pthread_rwlock_wrlock(&lock);
  x++;
  pthread_rwlock_unlock(&lock);
  return arg;
}

static int get(void) {
#ifdef TRY
  if (pthread_rwlock_tryrdlock(&lock)) return x;
#elif !defined ONCE
  pthread_rwlock_rdlock(&lock);
#endif
  int now = x;
#ifndef ONCE
  pthread_rwlock_unlock(&lock);
#endif
  return now;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writes, 0);
  pthread_rwlock_rdlock(&lock);
  int before = x, after = get();
  assert(before == after);
  pthread_rwlock_unlock(&lock);
  pthread_join(t, 0);
  assert(x == 1);
  return pthread_rwlock_destroy(&lock);
}
