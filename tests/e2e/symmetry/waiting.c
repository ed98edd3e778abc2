// Waiters at a condition variable and at a barrier: whom a signal wakes and who is the serial thread are
// choices among threads that are alike.
//
// args: --por none --symmetry threads --property unreach-call,no-deadlock
// expect: true
// states: 182
// run: --por none --property unreach-call,no-deadlock => true states=763
// run: --por sleep --symmetry threads --property unreach-call,no-deadlock => true states=157
// run: --symmetry threads --property unreach-call,no-deadlock => true states=77
// run: --por none --property unreach-call,no-deadlock -- -DBUG => false(no-deadlock) states=71
// run: --por none --symmetry threads --property unreach-call,no-deadlock -- -DBUG => false(no-deadlock) states=59
// run: --symmetry threads --property unreach-call,no-deadlock -- -DBUG => false(no-deadlock) states=47
#include <assert.h>
#include <pthread.h>

enum { N = 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t together;
static int tickets, serial;

static void *worker(void *arg) {
  if (pthread_barrier_wait(&together) == PTHREAD_BARRIER_SERIAL_THREAD) {
    pthread_mutex_lock(&lock);
    serial++;
    tickets = N;
#ifdef BUG
    pthread_cond_signal(&changed);
#else
    pthread_cond_broadcast(&changed);
#endif
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_lock(&lock);
  while (!tickets) pthread_cond_wait(&changed, &lock);
  tickets--;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[N];
  pthread_barrier_init(&together, NULL, N);
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  assert(serial == 1 && tickets == 0);
}
