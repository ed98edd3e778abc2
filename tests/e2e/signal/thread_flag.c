// A handler may run in any thread; an atomic flag is seen by all.
// expect: true
// run: -- -DBUG => false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int stop;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void on_signal(int s) {
  (void)s;
  stop = 1;
}

static void *work(void *arg) {
  for (int i = 0; i < 2 && !stop; i++) {
    pthread_mutex_lock(&lock);
    n++;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  signal(SIGINT, on_signal);
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
#ifdef BUG
  assert(n == 4);
#endif
  assert(n == 4 || stop);
}
