// The same variable, atomically here and plainly there.
// expect: false(no-data-race)
// states: 2
#include <pthread.h>

static int x;

static void *work(void *arg) {
  __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  x = 2;
  pthread_join(t, NULL);
}
