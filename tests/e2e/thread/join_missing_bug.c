// The result is read before the thread is joined.
// expect: false(no-data-race)
// states: 2
#include <pthread.h>

static int result;

static void *work(void *arg) {
  result = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  int early = result;
  pthread_join(t, NULL);
  return early > 1;
}
