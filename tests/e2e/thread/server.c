// A program without an end: two threads take turns for ever.
// expect: true
// states: 10
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int busy;

static void *serve(void *arg) {
  for (;;) {
    pthread_mutex_lock(&lock);
    assert(!busy);
    busy = 1;
    busy = 0;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, serve, NULL);
  serve(NULL);
}
