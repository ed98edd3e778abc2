// Both outcomes of a try exist: claiming that a reader always gets in is wrong.
// expect: false(unreach-call)
// states: 8
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *arg) {
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  int result = pthread_rwlock_tryrdlock(&lock);
  assert(result == 0);
  pthread_rwlock_unlock(&lock);
  pthread_join(t, NULL);
}
