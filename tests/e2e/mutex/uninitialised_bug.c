// A mutex in automatic memory is used without any initialisation.
// expect: false(def-behavior)
// states: 1
#include <pthread.h>

int main(void) {
  pthread_mutex_t lock;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}
