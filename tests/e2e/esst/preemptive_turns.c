// Blocks without a call keep no turns if threads are preemptive: before the second one runs, the first one may do more. Here the second thread
// takes the lock that `which` names, main changes `which`, and the thread releases another one. FIXED: it names it once.
// args: --engine esst --property def-behavior
// expect: false(def-behavior)
// states: 11
// run: --engine esst --property def-behavior --por none => false(def-behavior) states=17
// run: --engine esst --property def-behavior --por persistent => false(def-behavior) states=11
// run: --engine esst --property def-behavior -- -DFIXED => true states=12
// run: --engine esst --property def-behavior --por none -- -DFIXED => true states=27
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER, *which = &n;

static void *work(void *unused) {
  pthread_mutex_t *first = which;
  pthread_mutex_lock(first);
#ifdef FIXED
  pthread_mutex_unlock(first);
#else
  pthread_mutex_unlock(which);
#endif
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  which = &m;
  return 0;
}
