// The memory of a mutex is given back while the mutex is held.
// expect: false(def-behavior)
// states: 1
#include <pthread.h>
#include <stdlib.h>

int main(void) {
  pthread_mutex_t *lock = malloc(sizeof *lock);
  if (!lock) return 0;
  pthread_mutex_init(lock, NULL);
  pthread_mutex_lock(lock);
  free(lock);
}
