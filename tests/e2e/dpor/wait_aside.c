// Whether the worker has to wait does not matter to the assertion, nor whether it wakes up spuriously: one
// execution, in which it does not wait, and no proviso. WOKEN: it does matter, and only the stateful search
// lets it wake up so.
//
// expect: true
// executions: 1
// args: --engine dpor --property unreach-call
// run: --engine dpor --property unreach-call --dependence conflict => conditional executions=2
// run: --engine explicit --property unreach-call => true states=43
// run: --engine dpor --property unreach-call -- -DWOKEN => conditional executions=2
// run: --engine explicit --property unreach-call -- -DWOKEN => false(unreach-call) states=39
// run: --engine explicit --property unreach-call --no-spurious -- -DWOKEN => conditional states=35
// run: --engine dpor --property unreach-call -- -DBUG => false(unreach-call) executions=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready, result;

static void *worker(void *arg) {
  pthread_mutex_lock(&mutex);
  if (!ready) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
#ifdef WOKEN
  assert(ready);
#endif
  return arg;
}

static void *compute(void *arg) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
#ifdef BUG
  result = 1;
#else
  result = 2;
#endif
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, compute, NULL);
  pthread_create(&threads[1], NULL, worker, NULL);
  pthread_join(threads[0], NULL);
  assert(result == 2);
}
