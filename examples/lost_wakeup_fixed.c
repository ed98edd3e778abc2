// The cure of lost_wakeup.c: the flag is set and looked at under the mutex, so that no signal
// falls between the look and the wait; and it is looked at again after every wake-up.
//
// expect: true
// states: 17
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_ready = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *worker(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&is_ready, &mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);

  pthread_mutex_lock(&mutex);
  ready = true;
  pthread_cond_signal(&is_ready);
  pthread_mutex_unlock(&mutex);

  pthread_join(thread, NULL);
  puts("the worker is done");
  return 0;
}
