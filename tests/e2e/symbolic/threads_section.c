// Atomic sections are not interrupted; a try of a lock that is held fails.
// run: --engine value --property unreach-call => true
// run: --engine composite --property unreach-call => true
// run: --engine value --property unreach-call -- -DINTERRUPTED => false(unreach-call)
// run: --engine composite --property unreach-call -- -DINTERRUPTED => false(unreach-call)
// proof: none
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int a, b;
static void *work(void *unused) {
  if (pthread_mutex_trylock(&m) == 0) {
#ifndef INTERRUPTED
    __VERIFIER_atomic_begin();
#endif
    a++;
    b++;
#ifndef INTERRUPTED
    __VERIFIER_atomic_end();
#endif
    pthread_mutex_unlock(&m);
  }
  return unused;
}
int main(void) {
  pthread_t t;
  int x, y;
  pthread_create(&t, 0, work, 0);
  __VERIFIER_atomic_begin();
  x = a;
  y = b;
  __VERIFIER_atomic_end();
  if (x != y) reach_error();
  pthread_join(t, 0);
}
