// A mutex is destroyed after use, and initialised again.
// expect: true
// states: 1
#include <pthread.h>

static pthread_mutex_t lock;

int main(void) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_destroy(&lock);
  }
}
