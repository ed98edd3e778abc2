// A trylock fails in some runs: claiming that it never does is wrong.
// expect: false(unreach-call)
// states: 8
#include <assert.h>
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
  assert(result == 0);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
}
