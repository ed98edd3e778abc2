// Whoever gets the mutex by trylock may write; the other one leaves the data alone.
// expect: true
// states: 26
// run: --property unreach-call,no-deadlock,no-overflow,valid-memsafety,def-behavior => true states=33
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int writes;

static void *try_once(void *arg) {
  (void)arg;
  int result = pthread_mutex_trylock(&lock);
  if (result == 0) {
    writes++;
    pthread_mutex_unlock(&lock);
  } else {
    assert(result == EBUSY);
  }
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, try_once, NULL);
  try_once(NULL);
  pthread_join(t, NULL);
  assert(writes == 1 || writes == 2);
}
