// Workers that run the same function, created and joined in rows: while main does that, nothing tells
// them apart, and which of them it has joined already does not matter.
//
// args: --por none --symmetry threads
// expect: true
// states: 129
// run: --por none => true states=688
// run: --por sleep --symmetry threads => true states=102
// run: --symmetry threads => true states=79
// run: --por none -- -DBUG => false(unreach-call) states=62
// run: --por none --symmetry threads -- -DBUG => false(unreach-call) states=60
// run: --symmetry threads -- -DBUG => false(unreach-call) states=48
#include <assert.h>
#include <pthread.h>

#ifndef N
#  define N 4
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  int before = done;
#ifdef BUG
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
#endif
  done = before + 1;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  assert(done == N);
}
