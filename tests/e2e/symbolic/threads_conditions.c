// What these engines do not know of threads is told.
// expect: conditional
// args: --engine value --property unreach-call -- -DHEAP -DREADERS
// proviso: a lock, semaphore or condition is one that this engine follows
// run: --engine value --property unreach-call -- -DMANY => conditional
// run: --engine value --property unreach-call -- -DRECURSIVE => conditional
// run: --engine value --property unreach-call -- -DHEAP => conditional
// run: --engine value --property unreach-call -- -DREADERS => conditional
// run: --engine value --property unreach-call -- -DBLOCK => conditional
// run: --engine value --property unreach-call -- -DSECTION => conditional
// run: --engine value --property unreach-call -- -DSTRANGER => conditional
// run: --engine value --property no-deadlock => true
// run: --engine value --property no-data-race => conditional
// proof: none
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#ifdef RECURSIVE
static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
#else
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#endif
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static struct { int a[8]; } from, to;
static void *work(void *unused) {
#ifdef MANY
  return unused;
#endif
  pthread_mutex_lock(&m);
#ifdef BLOCK
  from.a[7] = to.a[0];
#endif
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t;
  (void)rw;
  (void)from;
  (void)to;
#ifdef MANY
  for (int i = 0; i < 20; i++)
#endif
    pthread_create(&t, 0, work, 0);
#ifdef HEAP
  pthread_mutex_t *p = malloc(sizeof *p);
  pthread_mutex_init(p, 0);
#endif
#ifdef READERS
  pthread_rwlock_rdlock(&rw);
#endif
#ifdef BLOCK
  to = from;
#endif
#ifdef SECTION
  __VERIFIER_atomic_begin();
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  __VERIFIER_atomic_end();
#endif
#ifdef STRANGER
  pthread_mutex_unlock(&m);
#endif
}
