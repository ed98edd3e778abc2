// Flanagan and Godefroid's hash table (POPL 2005): threads meet in it only from the twelfth on.
// expect: true
// executions: 1
// args: --engine dpor --dependence conflict --peek 0 --property unreach-call -- -DN=11
// run: --engine dpor --dependence conflict --peek 0 --property unreach-call -- -DN=13 => true executions=64
// run: --engine dpor --dependence conflict --peek 0 --dpor source --property unreach-call -- -DN=13 => true executions=64
// run: --engine dpor --dependence conflict --peek 0 --dpor classic --property unreach-call -- -DN=12 => true executions=27
// run: --engine dpor --dependence conflict --peek 0 --property unreach-call -- -DN=12 -DBUG => false(unreach-call) executions=0
// run: --engine dpor --property unreach-call -- -DN=11 => true executions=1
// run: --engine dpor --property unreach-call -- -DN=15 => true executions=4096
// run: --property unreach-call -- -DN=15 => true executions=4096
// run: --property unreach-call --limit states=5000 -- -DN=13 => true executions=64
// run: --engine dpor --dependence conflict --property unreach-call -- -DN=11 => true executions=1
// run: --engine dpor --peek 0 --property unreach-call -- -DN=11 => true executions=1
// run: --engine dpor --property unreach-call -- -DN=12 -DBUG => false(unreach-call) executions=0
#include <assert.h>
#include <pthread.h>
enum { SLOTS = 128, EACH = 4 };
static int table[SLOTS];
static pthread_mutex_t slot[SLOTS];

static int put(int h, int w) {
  int done = 0;
  pthread_mutex_lock(&slot[h]);
  if (!table[h]) table[h] = w, done = 1;
  pthread_mutex_unlock(&slot[h]);
  return done;
}

static void *work(void *arg) {
  int self = *(int *)arg;
  for (int m = 1; m <= EACH; m++) {
    int w = m * 11 + self, h = w * 7 % SLOTS, tried = 0;
    while (!put(h, w)) h = (h + 1) % SLOTS, tried++;
#ifdef BUG
    assert(!tried);
#else
    assert(tried < SLOTS);
#endif
  }
  return 0;
}

int main(void) {
  pthread_t t[N];
  int self[N];
  for (int i = 0; i < N; i++) {
    self[i] = i;
    pthread_create(&t[i], 0, work, &self[i]);
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
