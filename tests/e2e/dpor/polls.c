// Loops that look again and again under a lock, by tries of one, or by waits that time out: a round of one leaves everything as it was.
//
// expect: true
// executions: 1
// blocked: 1
// args: --engine dpor --property unreach-call
// run: --engine dpor => true executions=1
// run: --engine dpor --dependence conflict --peek 0 --prune 0 => true executions=1
// run: --engine dpor --dpor classic --dependence conflict --peek 0 --prune 0 => true executions=1
// run: --engine dpor --dpor source --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine dpor -- -DBUG => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DTRY => true executions=2
// run: --engine dpor --dpor classic --property unreach-call --dependence conflict -- -DTRY => true executions=2
// run: --engine dpor -- -DTRY -DBUG => false(unreach-call)
// run: --engine dpor -- -DTIMED => true executions=3
// run: --engine dpor --dpor source --dependence conflict --peek 0 --prune 0 -- -DTIMED => true executions=3
// run: --engine dpor -- -DTIMED -DBUG => false(unreach-call)
// run: --engine explicit --por none => true
// run: --engine explicit --por none -- -DBUG => false(unreach-call)
// run: --engine explicit --por none --property unreach-call -- -DTRY => true
// run: --engine explicit --por none -- -DTIMED => true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, data;
#ifdef TIMED
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
#endif

static void *writer(void *unused) {
  pthread_mutex_lock(&m);
#ifdef BUG
  ready = 1;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  data = 7;
#else
  data = 7;
  ready = 1;
#endif
#ifdef TIMED
  pthread_cond_signal(&c);
#endif
  pthread_mutex_unlock(&m);
  return unused;
}

static void await(void) {
#ifdef TRY
  while (pthread_mutex_trylock(&m))
    ;
  if (!ready) data = 7;
#elif defined TIMED
  struct timespec until = {0};
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_timedwait(&c, &m, &until);
#else
  for (;;) {
    pthread_mutex_lock(&m);
    if (ready) break;
    pthread_mutex_unlock(&m);
  }
#endif
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  await();
  assert(data == 7);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
