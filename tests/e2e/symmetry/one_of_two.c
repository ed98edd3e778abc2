// As first_of_two.c, but the workers are given the same: a lock is free when the one that main waited
// for took it and gave it back; the other one may hold it.
//
// args: --por none --symmetry threads
// expect: true
// states: 73
// run: --por none => true states=73
// run: --por sleep --symmetry threads => true states=67
// run: --symmetry threads => true states=52
// run: --por none -- -DBUG => false(unreach-call) states=32
// run: --por none --symmetry threads -- -DBUG => false(unreach-call) states=32
// run: --symmetry threads -- -DBUG => false(unreach-call) states=32
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside, entries;

static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  inside = 1;
  entries++;
  inside = 0;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, NULL);
  pthread_join(t[0], NULL);
  pthread_mutex_lock(&lock);
  assert(!inside && entries >= 1);
#ifdef BUG
  assert(entries == 1);
#endif
  pthread_mutex_unlock(&lock);
  pthread_join(t[1], NULL);
  assert(entries == 2);
}
