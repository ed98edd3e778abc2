// An increment is a read and a write: without a lock one may be lost.
// run: --engine value --property unreach-call => false(unreach-call)
// run: --engine composite --property unreach-call => false(unreach-call)
// run: --engine value --property unreach-call -- -DLOCKED => true
// run: --engine composite --property unreach-call -- -DLOCKED => true
// run: --engine predicate --property unreach-call => false(unreach-call)
// run: --engine predicate --property unreach-call -- -DATOMIC => true
// proof: none
#include <pthread.h>
extern void reach_error(void);
#ifdef ATOMIC
static _Atomic int x;
#else
static int x;
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused) {
#ifdef LOCKED
  pthread_mutex_lock(&m);
#endif
  x++;
#ifdef LOCKED
  pthread_mutex_unlock(&m);
#endif
  return unused;
}
int main(void) {
  pthread_t s, t;
  (void)m;
  pthread_create(&s, 0, work, 0);
  pthread_create(&t, 0, work, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  if (x != 2) reach_error();
}
