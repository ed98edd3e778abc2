// What a thread does depends on the address of its own object as a number: not alike.
//
// args: --por none --symmetry threads
// expect: conditional
// states: 84
// message: threads were not treated as interchangeable, because the program may compute with addresses of its
// run: --por none => conditional states=84
// run: --por sleep --symmetry threads => conditional states=84
// run: --symmetry threads => conditional states=48
// run: --por none -- -DBUG => false(unreach-call) states=12
// run: --por none --symmetry threads -- -DBUG => false(unreach-call) states=12
// run: --symmetry threads -- -DBUG => false(unreach-call) states=12
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uintptr_t least = UINTPTR_MAX;
static atomic_int before;

static void *worker(void *arg) {
  int mine = 0;
  uintptr_t here = (uintptr_t)&mine;
  if (here < least) least = here;
  before++;
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  assert(before == 2 && least != UINTPTR_MAX);
#ifdef BUG
  assert(least == 0);
#endif
}
