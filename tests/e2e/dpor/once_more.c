// A lock that its holder takes once more, or in vain, does not hide that the first time races with others.
//
// expect: false(unreach-call)
// executions: 1
// args: --engine dpor
// run: --engine dpor --dpor source => false(unreach-call) executions=1
// run: --engine dpor --dpor classic --dependence conflict --peek 0 --prune 0 => false(unreach-call) executions=1
// run: --engine dpor --dependence conflict --peek 0 --prune 0 -- -DFIX => true executions=2
// run: --engine dpor -- -DCHECKED => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call -- -DTRY => false(unreach-call) executions=1
// run: --engine dpor -- -DREAD => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call -- -DREFUSED => false(unreach-call) executions=1
// run: --engine dpor -- -DFIX => true executions=2
// run: --engine dpor -- -DFIX -DCHECKED => true executions=2
// run: --engine dpor --property unreach-call -- -DFIX -DTRY => true executions=2
// run: --engine dpor -- -DFIX -DREAD => true executions=2
// run: --engine dpor --dependence conflict --peek 0 --prune 0 --property unreach-call -- -DFIX -DREAD => true executions=2
// run: --engine dpor --property unreach-call -- -DFIX -DREFUSED => true executions=2
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

#if defined READ || defined REFUSED
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define TAKE pthread_rwlock_wrlock(&lock)
#define GIVE pthread_rwlock_unlock(&lock)
#elif defined CHECKED
static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
#define TAKE pthread_mutex_lock(&lock)
#define GIVE pthread_mutex_unlock(&lock)
#else
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
#define TAKE pthread_mutex_lock(&lock)
#define GIVE pthread_mutex_unlock(&lock)
#endif
static int x;

static void *one(void *unused) {
#ifdef READ
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  int seen = x;
  GIVE;
#elif defined REFUSED
  TAKE;
  pthread_rwlock_tryrdlock(&lock);
  x = 1;
#else
  TAKE;
#ifdef TRY
  pthread_mutex_trylock(&lock);
#else
  TAKE;
#endif
  x = 1;
#ifndef CHECKED
  GIVE;
#endif
#endif
  GIVE;
#ifdef READ
#ifdef FIX
  assert(seen == 0 || seen == 1);
#else
  assert(seen == 0); /* fails if the writer comes first */
#endif
#endif
  return unused;
}

static void *two(void *unused) {
  TAKE;
#ifdef READ
  x = 1;
#elif defined FIX
  assert(x == 0 || x == 1);
#else
  assert(x == 1); /* fails if this thread comes first */
#endif
  GIVE;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
