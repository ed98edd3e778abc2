// Functions named __VERIFIER_atomic_* are atomic sections.
// expect: true
// states: 7
// args: --property unreach-call
#include <assert.h>
#include <pthread.h>

static int x;

static void __VERIFIER_atomic_increment(void) {
  x = x + 1;
}

static void *work(void *arg) {
  __VERIFIER_atomic_increment();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  __VERIFIER_atomic_increment();
  pthread_join(t, NULL);
  assert(x == 2);
}
