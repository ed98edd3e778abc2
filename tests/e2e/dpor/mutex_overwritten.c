// The assignment of a mutex makes it begin anew, with the last one of its accesses: what was a recursive one is a plain one
// after it, which is taken twice.
// expect: false(no-deadlock)
// executions: 861
// args: --engine dpor --keep-going --dependence conflict --property no-deadlock
// run: --engine explicit --property no-deadlock => false(no-deadlock)
// run: --engine dpor --dependence conflict --property no-deadlock -- -DFIX => true executions=1
// run: --engine explicit --property no-deadlock -- -DFIX => true
#include <pthread.h>

struct guarded {
  pthread_mutex_t m;
};
static struct guarded s, fresh = {.m = PTHREAD_MUTEX_INITIALIZER};

static void *twice(void *arg) {
  pthread_mutex_lock(&s.m);
  pthread_mutex_lock(&s.m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&s.m, &kind);
  pthread_create(&t, 0, twice, 0);
#ifdef FIX
  pthread_join(t, 0);
  s = fresh;
#else
  s = fresh;
  pthread_join(t, 0);
#endif
  return 0;
}
