// A wait with a mutex that is not locked.
// expect: false(def-behavior)
// states: 1
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

int main(void) {
  pthread_cond_wait(&ready, &lock);
}
