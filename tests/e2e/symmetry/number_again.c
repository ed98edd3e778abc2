// A thread's number comes back, and an id that was joined then names another thread. Both workers may be
// the first to end, but it is the first id that main uses twice.
//
// args: --por none --symmetry threads
// expect: true
// states: 60
// run: --por none => true states=73
// run: --por sleep --symmetry threads => true states=52
// run: --symmetry threads => true states=40
// run: --por none -- -DBUG => false(def-behavior) states=21
// run: --por none --symmetry threads -- -DBUG => false(def-behavior) states=21
// run: --symmetry threads -- -DBUG => false(def-behavior) states=21
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ended;

static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  ended++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[2], again;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, NULL);
  pthread_join(t[0], NULL);
  pthread_create(&again, NULL, worker, NULL);
  pthread_join(again, NULL);
  pthread_join(t[1], NULL);
#ifdef BUG
  pthread_join(t[0], NULL); // there is no such thread any more
#endif
  assert(ended == 3);
}
