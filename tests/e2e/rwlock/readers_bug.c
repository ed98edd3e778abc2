// Two threads write under the readers' lock.
// expect: false(no-data-race)
// states: 16
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *write_it(void *arg) {
  pthread_rwlock_rdlock(&lock);
  x++;
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, write_it, NULL);
  write_it(NULL);
  pthread_join(t, NULL);
}
