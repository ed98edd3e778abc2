// A mutex is initialised twice.
// expect: false(def-behavior)
// states: 1
#include <pthread.h>

static pthread_mutex_t lock;

int main(void) {
  pthread_mutex_init(&lock, NULL);
  pthread_mutex_init(&lock, NULL);
}
