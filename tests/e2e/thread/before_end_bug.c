// Between the last thing that a thread does before its path ends and that end (something undefined that was not asked for, a bound, an error with
// --keep-going) others can go on, and see what it did. It was lost once where both came in one transition.
// expect: false(unreach-call)
// args: --property unreach-call
// run: --property unreach-call --por none => false(unreach-call)
// run: --property unreach-call --por persistent => false(unreach-call)
// run: --property unreach-call --native-after 0 => false(unreach-call)
// run: --property unreach-call --atomic instruction => false(unreach-call)
// run: --property unreach-call --threads 2 => false(unreach-call)
// run: --engine dpor --property unreach-call => false(unreach-call)
// run: --engine dpor --dpor source --dependence conflict --peek 0 --prune 0 --property unreach-call => false(unreach-call)
// run: --engine dpor --dpor classic --property unreach-call => false(unreach-call)
// run: --engine dpor --preemptions 1 --property unreach-call => false(unreach-call)
// run: --property unreach-call -- -DBEHIND => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DBEHIND => false(unreach-call)
// run: --property unreach-call -- -DLARGE => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DLARGE => false(unreach-call)
// run: --property unreach-call -- -DDEEP => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DDEEP => false(unreach-call)
// run: --property unreach-call -- -DEMPTY => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DEMPTY => false(unreach-call)
// run: --property unreach-call -- -DFIX => conditional
// run: --engine dpor --property unreach-call -- -DFIX => conditional
// run: --property unreach-call -- -DFIX -DDEEP => conditional
// run: --property unreach-call -- -DFIX -DEMPTY => true
// run: --engine dpor --property unreach-call -- -DFIX -DEMPTY => true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int proviso_choose(int low, int high);

static atomic_int begun, rest[4];

#ifdef DEEP
static int goes_down(int n) {
  return goes_down(n + 1) + 1;
}
#endif

static void *ends(void *none) {
#ifdef BEHIND /* the last of them is done, and the next one is none */
  for (int i = 3; i < 5; i++) *(i < 4 ? &begun : (atomic_int *)none) = 1;
#else
  begun = 1;
#endif
#if defined LARGE
  free(malloc(1L << 40));
#elif defined DEEP
  rest[0] = goes_down(0);
#elif defined EMPTY
  rest[0] = proviso_choose(1, 0);
#elif !defined BEHIND
  int zero = none != 0;
  rest[0] = 6 / zero;
#endif
  rest[1] = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, ends, 0);
#ifdef FIX
  assert(!rest[1]);
#else
  assert(!begun);
#endif
  return 0;
}
