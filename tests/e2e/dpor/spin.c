// A lock made of an exchange, and a main program that waits for all: a round that finds nothing new ends the thread's
// path (await loops), so that there are N! executions, and those in which somebody waits for ever are given up.
// expect: true
// executions: 6
// args: --engine dpor --property unreach-call -- -DN=3
// run: --engine dpor --property unreach-call -- -DN=4 => true executions=24
// run: --engine dpor --dpor source --property unreach-call -- -DN=3 => true executions=6
// run: --engine dpor --dpor classic --property unreach-call -- -DN=2 => true executions=6
// run: --engine dpor --dependence conflict --property unreach-call,no-deadlock -- -DN=3 => true executions=6
// run: --engine dpor --property unreach-call -- -DN=3 -DBUG => false(unreach-call) executions=4
// run: --engine dpor --dependence conflict --property unreach-call -- -DN=2 -DBUG => false(unreach-call) executions=4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken, done;
static int x;

static void *add(void *arg) {
#ifndef BUG
  while (atomic_exchange(&taken, 1)) {
  }
#else
  while (taken) {
  }
  taken = 1;
#endif
  x++;
  taken = 0;
  done++;
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, add, 0);
  while (done < N) {
  }
  assert(x == N);
  return 0;
}
