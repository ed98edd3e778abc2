// One writes what others read: two executions for each reader.
// expect: true
// executions: 64
// args: --engine dpor --dependence conflict --peek 0 --property unreach-call -- -DN=6
// run: --engine dpor --dependence conflict --peek 0 --dpor source --property unreach-call -- -DN=6 => true executions=64
// run: --engine dpor --dependence conflict --peek 0 --property unreach-call -- -DN=6 -DBUG => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call -- -DN=6 => true executions=64
// run: --engine dpor --dependence conflict --property unreach-call -- -DN=6 => true executions=64
// run: --engine dpor --peek 0 --property unreach-call -- -DN=6 => true executions=64
// run: --engine dpor --property unreach-call -- -DN=6 -DBUG => false(unreach-call) executions=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;

static void *write(void *arg) {
  x = 42;
  return arg;
}

static void *read(void *arg) {
  int v = x;
#ifdef BUG
  assert(v == 42);
#else
  assert(v == 0 || v == 42);
#endif
  return arg;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[0], 0, write, 0);
  for (int i = 1; i <= N; i++) pthread_create(&t[i], 0, read, 0);
  for (int i = 0; i <= N; i++) pthread_join(t[i], 0);
  return 0;
}
