// Between two joins main reads a global, parked at it with nothing but its frame's place; how far it is
// is in memory.
//
// args: --por none --symmetry threads
// expect: true
// states: 338
// run: --por none => true states=1240
// run: --por sleep --symmetry threads => true states=201
// run: --symmetry threads => true states=133
// run: --por none -- -DBUG => false(unreach-call) states=28
// run: --por none --symmetry threads -- -DBUG => false(unreach-call) states=28
// run: --symmetry threads -- -DBUG => false(unreach-call) states=28
#include <assert.h>
#include <pthread.h>

enum { N = 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done, hurry;

static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  done++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[N], late;
  volatile int i;
  for (i = 0; i < N; i++) pthread_create(&t[i], NULL, worker, NULL);
  pthread_create(&late, NULL, worker, NULL);
  for (i = 0; i < N; i++) {
    if (hurry) break;
    pthread_join(t[i], NULL);
  }
  pthread_mutex_lock(&lock);
  int now = done;
  pthread_mutex_unlock(&lock);
  assert(now >= N);
#ifdef BUG
  assert(now == N + 1); // the last one may not have come that far
#endif
  pthread_join(late, NULL);
}
