// A limit on states ends the run in order, with the proviso of what is left.
// expect: conditional
// states: 20
// args: --engine explicit --limit states=20
// proviso: states
// run: => true states=26
// run: --limit states=20 => true executions=1
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *arg) {
  for (int i = 0; i < 4; i++) x++;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
}
