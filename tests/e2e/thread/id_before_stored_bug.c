// A thread reads its id where pthread_create stores it: POSIX does not say that it is there already.
// expect: false(no-data-race)
// run: --engine dpor => false(no-data-race)
// run: --property unreach-call => false(unreach-call)
// run: --property unreach-call --engine dpor => false(unreach-call)
// run: --property unreach-call --engine composite => false(unreach-call)
// proof: none
// run: -- -DC11 => true
// run: --engine dpor -- -DC11 => true
#include <assert.h>
#ifdef C11
#  include <threads.h>
static thrd_t own;
static int work(void *arg) { /* C11: what creates it has been done before */
  (void)arg;
  assert(thrd_equal(own, thrd_current()));
  return 0;
}
int main(void) {
  if (thrd_create(&own, work, 0) == thrd_success) thrd_join(own, 0);
}
#else
#  include <pthread.h>
static pthread_t own;
static void *work(void *arg) {
  assert(own != 0);
  return arg;
}
int main(void) {
  if (pthread_create(&own, 0, work, 0) == 0) pthread_join(own, 0);
}
#endif
