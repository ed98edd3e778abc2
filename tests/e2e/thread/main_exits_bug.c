// After main's pthread_exit the other thread still runs into its assertion.
// expect: false(unreach-call)
// states: 2
#include <assert.h>
#include <pthread.h>

static void *work(void *arg) {
  assert(arg);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_exit(NULL);
}
