// A thread that is alone waits with a time limit: the path to what is behind has both stages of the wait.
//
// expect: false(unreach-call)
// executions: 0
// args: --engine dpor --property unreach-call
// run: --engine dpor --property unreach-call --no-spurious => false(unreach-call) executions=0
// run: --engine explicit --property unreach-call => false(unreach-call)
// run: --engine dpor --property unreach-call --no-spurious -- -DFIX => conditional executions=1
// run: --engine explicit --property unreach-call --no-spurious -- -DFIX => conditional
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
  struct timespec until = {0};
  pthread_mutex_lock(&m);
  int late = pthread_cond_timedwait(&c, &m, &until);
  pthread_mutex_unlock(&m);
#ifdef FIX
  assert(late == ETIMEDOUT);
#else
  assert(late == 0);
#endif
}
