// exit() in a thread ends the program with all its threads.
// expect: true
// states: 3
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  (void)arg;
  exit(0);
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&lock);
  pthread_create(&t, NULL, work, NULL);
  pthread_mutex_lock(&lock); /* would be a deadlock without the exit */
}
