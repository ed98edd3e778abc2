// Threads that ask who they are: not alike.
//
// args: --engine explicit --property unreach-call --por none --symmetry threads
// expect: true
// states: 64
// message: threads were not treated as interchangeable, because the program uses the result of pthread_self
// run: --engine explicit --property unreach-call --por none => true states=64
// run: --engine explicit --property unreach-call --por sleep --symmetry threads => true states=64
// run: --engine explicit --property unreach-call --symmetry threads => true states=50
// run: --property unreach-call --por none -- -DBUG => false(unreach-call) states=13
// run: --property unreach-call --por none --symmetry threads -- -DBUG => false(unreach-call) states=13
// run: --property unreach-call --symmetry threads -- -DBUG => false(unreach-call) states=13
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t t[2];
static atomic_int chosen;

static void *worker(void *arg) {
  if (pthread_equal(pthread_self(), t[1])) chosen++;
  return arg;
}

int main(void) {
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
#ifdef BUG
  assert(chosen == 0);
#endif
}
