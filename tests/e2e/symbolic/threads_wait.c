// A waiting thread looks again when it wakes up; if it does not, waking up for nothing is enough.
// run: --engine value --property unreach-call => true
// run: --engine composite --property unreach-call => true
// run: --engine value --property unreach-call -- -DONCE => false(unreach-call)
// run: --engine composite --property unreach-call -- -DONCE => false(unreach-call)
// proof: none
#include <pthread.h>
extern void reach_error(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *work(void *unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&m);
#ifdef ONCE
  if (!ready) pthread_cond_wait(&c, &m);
#else
  while (!ready) pthread_cond_wait(&c, &m);
#endif
  if (!ready) reach_error();
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
