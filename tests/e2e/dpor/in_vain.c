// An unlock, a wait and an attempt in vain change nothing: what comes before them does not come before the next lock.
//
// expect: false(unreach-call)
// executions: 3
// args: --engine dpor
// run: --engine dpor --dpor source => false(unreach-call) executions=3
// run: --engine dpor --property unreach-call --dependence conflict --peek 0 --prune 0 => false(unreach-call) executions=3
// run: --engine dpor -- -DWAIT => false(unreach-call) executions=3
// run: --engine dpor --property unreach-call --dependence conflict --peek 0 --prune 0 -- -DWAIT => false(unreach-call) executions=3
// run: --engine dpor --property unreach-call -- -DTRY => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call --dependence conflict -- -DTRY => false(unreach-call) executions=2
// run: --engine dpor --property unreach-call --dpor source --dependence conflict --peek 0 --prune 0 -- -DTRY => false(unreach-call) executions=2
// run: --engine dpor -- -DFIX => true executions=5
// run: --engine dpor -- -DFIX -DWAIT => true executions=5
// run: --engine dpor --property unreach-call --dependence conflict -- -DFIX -DTRY => true executions=4
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int x;
#ifdef TRY
static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
#else
static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
#endif
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;

static void look(void) {
  int seen = x;
#ifdef FIX
  assert(seen == 0 || seen == 1);
#else
  assert(seen == 1);
#endif
}

static void *one(void *unused) {
  x = 1;
#ifdef WAIT
  pthread_cond_wait(&c, &m);
#elif defined TRY
  if (!pthread_mutex_trylock(&m)) pthread_mutex_unlock(&m);
#else
  pthread_mutex_unlock(&m);
#endif
  return unused;
}

static void *two(void *unused) {
#ifdef TRY
  sem_post(&s);
#else
  pthread_mutex_lock(&m);
  look();
  pthread_mutex_unlock(&m);
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&s, 0, 0);
#ifdef TRY
  pthread_mutex_lock(&m);
#endif
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
#ifdef TRY
  sem_wait(&s);
  pthread_mutex_lock(&m);
  look();
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m);
#endif
  pthread_join(a, 0);
  pthread_join(b, 0);
}
