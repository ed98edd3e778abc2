// A statement reads x and then waits in its middle for the mutex: there it is interrupted, so that
// it adds the old x although x changed before the statement ends. No level calls it a deadlock.
// expect: false(unreach-call)
// states: 12
// args: --atomic statement --property unreach-call
// run: --atomic instruction --property unreach-call => false(unreach-call) states=43
// run: --atomic visible --property unreach-call => false(unreach-call) states=13
// run: --atomic statement --property no-deadlock => conditional states=13
// run: --atomic instruction --property no-deadlock => true states=44
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *u) {
  int sum = x + pthread_mutex_lock(&m);
  assert(sum == x);
  pthread_mutex_unlock(&m);
  return u;
}

int main(void) {
  pthread_t a;
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, work, 0);
  x = 1;
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}
