// A deadlock of which one thread could be woken by nobody but spuriously. Its wake-up is examined first, and must not put the thread to sleep.
// FIXED: a signal under the lock, and a condition that is tested.
// args: --engine esst --property no-deadlock --atomic visible
// expect: false(no-deadlock)
// states: 16
// run: --engine esst --property no-deadlock --atomic visible --por none => false(no-deadlock) states=35
// run: --engine esst --property no-deadlock --atomic visible --por sleep => false(no-deadlock) states=26
// run: --engine esst --property no-deadlock --atomic visible -- -DFIXED => true states=58
// run: --engine esst --property no-deadlock --atomic visible --por none -- -DFIXED => true states=100
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *unused) {
  pthread_mutex_lock(&m);
#ifdef FIXED
  while (!ready)
#endif
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return unused;
}

static void *other(void *unused) {
#ifdef FIXED
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
#endif
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, waiter, 0);
  pthread_create(&second, 0, other, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return ready;
}
