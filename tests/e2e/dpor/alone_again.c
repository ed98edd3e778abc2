// The first thread does nothing that matters and is over before main goes on, alone again, to make the second one, which
// waits for ever: the path to that is one of the program.
// expect: false(no-deadlock)
// executions: 1
// args: --engine dpor --no-spurious --peek 0 --property no-deadlock,unreach-call
// run: --engine dpor --no-spurious --property no-deadlock,unreach-call => false(no-deadlock) executions=1
// run: --engine dpor --no-spurious --dependence conflict --property no-deadlock,unreach-call => false(no-deadlock) executions=1
// run: --engine dpor --no-spurious --property no-deadlock,unreach-call -- -DSIGNAL => conditional
#include <pthread.h>
#include <semaphore.h>

extern void reach_error(void);
int x, y, z;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t e;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *writes(void *arg) {
  z = 1;
  return arg;
}

static void *waits(void *arg) {
  pthread_mutex_lock(&m);
  if (!x) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t[2];
  void *result;
  int l;
  sem_init(&e, 0, 1);
  pthread_create(&t[0], 0, writes, 0);
  l = y;
  pthread_create(&t[1], 0, waits, 0);
  sem_wait(&e);
#ifdef SIGNAL
  pthread_mutex_lock(&m);
  x = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
#endif
  pthread_join(t[0], &result);
  pthread_join(t[1], 0);
  if (x == 2 && y == 1) reach_error();
  return 0;
}
