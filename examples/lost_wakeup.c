// A worker waits for a flag. It looks at the flag before it takes the mutex: if the signal comes
// between the look and the wait, nobody is there to hear it, and the worker sleeps for ever.
//
// expect: false(no-deadlock)
// states: 11
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_ready = PTHREAD_COND_INITIALIZER;
static atomic_bool ready;

static void *worker(void *unused) {
  (void)unused;
  if (!ready) {
    pthread_mutex_lock(&mutex); // the signal may have been sent just before this line
    pthread_cond_wait(&is_ready, &mutex);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);

  ready = true;
  pthread_cond_signal(&is_ready);

  pthread_join(thread, NULL);
  puts("the worker is done");
  return 0;
}
