// Who gets a lock that is never given back. An execution of source sets is given up where only main's read is left,
// which was explored before; that the other thread waits for the lock there is a race all the same.
// expect: false(unreach-call)
// executions: 2
// args: --engine dpor --dependence conflict --peek 0 --property unreach-call
// run: --engine dpor --dependence conflict --peek 0 --dpor source --property unreach-call => false(unreach-call) executions=2
// run: --engine dpor --dependence conflict --peek 0 --dpor classic --property unreach-call => false(unreach-call) executions=2
// run: --engine dpor --dependence conflict --peek 0 --property unreach-call -- -DFIX => true executions=3
// run: --engine dpor --dependence conflict --peek 0 --dpor source --property unreach-call -- -DFIX => true executions=3
// run: --engine dpor --property unreach-call => false(unreach-call) executions=2
// run: --engine dpor --dependence conflict --property unreach-call => false(unreach-call) executions=2
// run: --engine dpor --peek 0 --property unreach-call => false(unreach-call) executions=2
#include <pthread.h>
#include <stdatomic.h>
extern void reach_error(void);
static atomic_int x, y;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg) {
  int l = y;
  pthread_mutex_lock(&n);
  return l ? 0 : arg;
}

static void *second(void *arg) {
  pthread_mutex_lock(&n);
  x = 1;
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
#ifdef FIX
  if (x == 2) reach_error();
#else
  if (x == 1) reach_error();
#endif
  return 0;
}
