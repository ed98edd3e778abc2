// A flag instead of pthread_once.
// expect: false(no-data-race)
// states: 5
#include <pthread.h>

static int done, runs;

static void *work(void *arg) {
  if (!done) {
    runs++;
    done = 1;
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
}
