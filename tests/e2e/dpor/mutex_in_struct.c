// A mutex in a struct has to do with accesses of its own bytes, not with those of what it lies beside.
// expect: true
// executions: 2
// args: --engine dpor --dependence conflict --peek 0 --property unreach-call
// run: --engine dpor --dpor source --dependence conflict --peek 0 --property unreach-call => true executions=2
// run: --engine dpor --property unreach-call -- -DBUG => false(unreach-call) executions=1
// run: --engine dpor --dependence conflict --peek 0 --property unreach-call -- -DBUG => false(unreach-call) executions=1
// run: --engine explicit --property unreach-call => true
// run: --engine explicit --property unreach-call -- -DBUG => false(unreach-call)
#include <assert.h>
#include <pthread.h>

static struct {
  int before, mine[2];
  pthread_mutex_t m;
  int guarded, after;
} s = {.m = PTHREAD_MUTEX_INITIALIZER};

static void *add(void *arg) {
  int *mine = arg;
  *mine += 1;
  *mine += 1;
#ifdef BUG
  int seen = s.guarded;
#endif
  pthread_mutex_lock(&s.m);
#ifdef BUG
  s.guarded = seen + 1;
#else
  s.guarded++;
#endif
  pthread_mutex_unlock(&s.m);
  *mine += 1;
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, add, &s.mine[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(s.guarded == 2 && s.mine[0] == 3 && s.mine[1] == 3);
  return 0;
}
