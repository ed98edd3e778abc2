// A thread of its own waits for signals, which all others block: no handler is needed.
// expect: true
// run: --engine dpor => true
// run: -- -DBUG => false(no-data-race)
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sigset_t set;
static int stop;

static void *waits(void *arg) {
  int s;
  sigwait(&set, &s);
  assert(s == SIGINT || s == SIGTERM);
#ifndef BUG
  pthread_mutex_lock(&lock);
#endif
  stop = 1;
#ifndef BUG
  pthread_mutex_unlock(&lock);
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_create(&t, 0, waits, 0);
  pthread_mutex_lock(&lock);
  int seen = stop;
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return seen;
}
