// The workers do the same, but main wants their results: what they are depends on who was first. If
// the order of the joins were abstracted from, some results in some orders would not be seen.
//
// args: --por none --symmetry threads
// expect: true
// states: 143
// run: --por none => true states=143
// run: --por sleep --symmetry threads => true states=143
// run: --symmetry threads => true states=71
// run: --por none -- -DBUG => false(unreach-call) states=117
// run: --por none --symmetry threads -- -DBUG => false(unreach-call) states=117
// run: --symmetry threads -- -DBUG => false(unreach-call) states=55
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long before;

static void *worker(void *arg) {
  (void)arg;
  return (void *)before++;
}

int main(void) {
  pthread_t t[3];
  void *of[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], &of[i]);
#ifdef BUG
  assert((long)of[0] < (long)of[1] || (long)of[1] < (long)of[2]);
#else
  assert((long)of[0] + (long)of[1] + (long)of[2] == 3);
#endif
}
