// Two readers can be inside at once: claiming that they cannot is wrong.
// expect: false(unreach-call)
// states: 16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int inside;

static void *reader(void *arg) {
  pthread_rwlock_rdlock(&lock);
  int others = atomic_fetch_add(&inside, 1);
  assert(others == 0);
  atomic_fetch_sub(&inside, 1);
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  reader(NULL);
  pthread_join(t, NULL);
}
