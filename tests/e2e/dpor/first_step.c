// A thread fails at an operation that is its first one, and does not matter to others: on the way to the error it is done.
// expect: false(valid-deref)
// args: --engine dpor --property valid-deref
// run: --engine dpor --dependence predicate --property valid-deref => false(valid-deref)
// run: --engine dpor --dependence conflict --property valid-deref => false(valid-deref)
// run: --engine dpor --property valid-deref -- -DFREED => false(valid-deref)
// run: --engine dpor --property valid-deref -- -DFIX => true
#include <pthread.h>
#include <stdlib.h>
#ifdef FIX
enum { AT = 2 };
#else
enum { AT = 3 };
#endif
static int a[3];

static void *work(void *arg) {
#ifdef FREED
  int *p = malloc(sizeof *p);
  free(p);
  *p = 1;
#else
  int i = AT;
  a[i] = 1;
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
