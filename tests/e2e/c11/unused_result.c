// The value of a compound assignment to an atomic object that nothing looks at is computed by nobody: the verdict does not depend on
// it.
// expect: true
// args: --engine explicit
// run: --engine dpor => true executions=1
// run: --engine explicit -- -DBUG => false(unreach-call)
// run: --engine dpor -- -DBUG => false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BUG
#define LEAST 8
#else
#define LEAST 6
#endif

static atomic_int sum = 1, step = 1;

static void *add(void *arg) {
  sum += step * 2 + (arg != NULL);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, &sum);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  sum |= step;
  sum -= step;
  assert(sum >= LEAST - 1 && sum <= 6);
  return 0;
}
