// N deposits and N withdrawals under a lock: (2N)! orders.
// expect: true
// executions: 24
// args: --engine dpor --dependence conflict --peek 0 --property unreach-call,no-data-race,no-deadlock -- -DN=2
// run: --engine dpor --dependence conflict --peek 0 --dpor source --property unreach-call -- -DN=3 => true executions=720
// run: --engine dpor --dependence conflict --peek 0 --property unreach-call -- -DN=3 => true executions=720
// run: --engine dpor --dependence conflict --peek 0 --property unreach-call -- -DN=2 -DBUG => false(unreach-call) executions=1
// run: --engine dpor --dependence conflict --peek 0 --property no-data-race -- -DN=2 -DBUG => false(no-data-race) executions=0
// run: --engine dpor --property unreach-call,no-data-race,no-deadlock -- -DN=2 => true executions=24
// run: --engine dpor --dependence conflict --property unreach-call,no-data-race,no-deadlock -- -DN=2 => true executions=24
// run: --engine dpor --peek 0 --property unreach-call,no-data-race,no-deadlock -- -DN=2 => true executions=24
// run: --engine dpor --property unreach-call -- -DN=2 -DBUG => false(unreach-call) executions=1
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *change(void *arg) {
#ifdef BUG
  int b = balance;
  pthread_mutex_lock(&m);
#else
  pthread_mutex_lock(&m);
  int b = balance;
#endif
  balance = b + *(int *)arg;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  static int amount[2 * N];
  pthread_t t[2 * N];
  for (int i = 0; i < 2 * N; i++) {
    amount[i] = i % 2 ? 1 : -1;
    pthread_create(&t[i], 0, change, &amount[i]);
  }
  for (int i = 0; i < 2 * N; i++) pthread_join(t[i], 0);
  assert(balance == 0);
  return 0;
}
