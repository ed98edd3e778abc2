// The twin of trylock_fails_bug.c: a trylock succeeds in some runs.
// expect: false(unreach-call)
// states: 2
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, hold, NULL);
  int result = pthread_mutex_trylock(&lock);
  assert(result == EBUSY);
  pthread_join(t, NULL);
}
