// The first post comes before the wait in the first execution, and has been given as the reason why
// the wait could be done. The second one, which comes last there, may be it as well.
// expect: false(unreach-call)
// args: --engine dpor --property unreach-call
// run: --engine dpor --dpor source --property unreach-call => false(unreach-call)
// run: --engine dpor --dpor source --dependence conflict --peek 0 --prune 0 --property unreach-call => false(unreach-call)
// run: --engine dpor --dpor classic --property unreach-call => false(unreach-call)
// run: --engine dpor --dpor source --property unreach-call -- -DORDERED => true
// run: --engine dpor --property unreach-call -- -DORDERED => true
// run: --engine dpor --dpor source --property no-deadlock -- -DTWICE => false(no-deadlock)
// run: --engine explicit --property no-deadlock -- -DTWICE => false(no-deadlock)
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
extern void reach_error(void);
static sem_t s;
static atomic_int x;

static void *waits(void *arg) {
  sem_wait(&s);
  if (x == 0) {
#ifdef TWICE
    sem_wait(&s);
    sem_wait(&s);
#else
    reach_error();
#endif
  }
  return arg;
}

static void *posts(void *arg) {
#ifdef ORDERED
  while (x == 0) {
  }
#endif
  sem_post(&s);
  return arg;
}

int main(void) {
  pthread_t a, b;
  sem_init(&s, 0, 0);
  pthread_create(&a, 0, waits, 0);
  pthread_create(&b, 0, posts, 0);
  x = 1;
  sem_post(&s);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
