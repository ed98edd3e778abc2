// A thread is given a local variable of a function that returns.
// expect: false(valid-deref) or false(no-data-race)
// states: 5
// run: --property valid-memsafety => false(valid-deref) states=5
#include <pthread.h>

static pthread_t t;

static void *work(void *arg) {
  *(int *)arg = 1;
  return NULL;
}

static void start(void) {
  int x = 0;
  pthread_create(&t, NULL, work, &x);
}

int main(void) {
  start();
  pthread_join(t, NULL);
}
