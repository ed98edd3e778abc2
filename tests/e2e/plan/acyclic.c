// A depth-first search that met no cycle leaves open prefixes with sleep sets. dpor uses them: it has less to explore
// than alone.
// expect: true
// executions: 74
// args: --property unreach-call --dependence conflict --peek 0 --prune 0 --plan 'explicit(states=400); dpor'
// run: --property unreach-call --dependence conflict --peek 0 --prune 0 --engine dpor => true executions=90
// run: --property unreach-call --dependence conflict --peek 0 --prune 0 --plan 'explicit(states=400); dpor' -- -DBUG => false(unreach-call)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count, highest;

static void *add(void *unused) {
  pthread_mutex_lock(&m);
  int now = ++count;
  if (now > highest) highest = now;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  count--;
#ifdef BUG
  assert(highest < 3);
#else
  assert(highest <= 3 && count >= 0);
#endif
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
