// Main waits for one worker by its id and then looks: the workers do the same, but which of them has
// ended by then is told by the id. If they were taken for alike, what main finds would be wrong.
//
// args: --por none --symmetry threads
// expect: true
// states: 19
// run: --por none => true states=19
// run: --por sleep --symmetry threads => true states=19
// run: --symmetry threads => true states=9
// run: --por none -- -DBUG => false(unreach-call) states=16
// run: --por none --symmetry threads -- -DBUG => false(unreach-call) states=16
// run: --symmetry threads -- -DBUG => false(unreach-call) states=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ended[2];

static void *worker(void *arg) {
  atomic_int *mine = arg;
  *mine = 1;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, &ended[i]);
  pthread_join(t[1], NULL);
#ifdef BUG
  assert(ended[0]);
#else
  assert(ended[1]);
#endif
  pthread_join(t[0], NULL);
}
