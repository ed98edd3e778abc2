// A variable of a thread that ended does not come to life again for the next thread while somebody points to it (true was said once).
// expect: false(valid-deref)
// args: --property valid-deref
// run: --por none --property valid-deref => false(valid-deref)
// run: --engine dpor --property valid-deref => false(valid-deref)
// run: --engine dpor --dependence conflict --property valid-deref => false(valid-deref)
// run: --property valid-deref -- -DFIX => true
// run: --engine dpor --property valid-deref -- -DFIX => true executions=1
#include <pthread.h>

static _Thread_local int mine;
static int *shared, seen;

static void *first(void *arg) {
  mine = 1;
  shared = &mine;
  return arg;
}

static void *second(void *arg) {
  mine = 2;
#ifdef FIX
  shared = &mine;
#endif
  seen = *shared;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, first, 0);
  pthread_join(thread, 0);
  pthread_create(&thread, 0, second, 0);
  pthread_join(thread, 0);
  return 0;
}
