// The twin of together_bug.c: writers are alone.
// expect: true
// states: 18
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int inside;

static void *writer(void *arg) {
  pthread_rwlock_wrlock(&lock);
  int others = atomic_fetch_add(&inside, 1);
  assert(others == 0);
  atomic_fetch_sub(&inside, 1);
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  writer(NULL);
  pthread_join(t, NULL);
}
