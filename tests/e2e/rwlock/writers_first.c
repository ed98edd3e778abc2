// Writers are served before readers that come later; with the option nothing else changes.
// expect: true
// args: --writers-first
// states: 219
// run: --writers-first --engine dpor => true
// run: --writers-first --por none => true
// run: --writers-first -- -DBUG => false(unreach-call)
// run: --writers-first --engine dpor -- -DBUG => false(unreach-call)
// run: -- -DBUG => false(unreach-call)
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;

static void *writes(void *arg) {
  pthread_rwlock_wrlock(&lock);
  x++;
  y++;
  pthread_rwlock_unlock(&lock);
  return arg;
}

static void *reads(void *arg) {
  pthread_rwlock_rdlock(&lock);
  assert(x == y);
#ifdef BUG
  assert(x != 1); /* it may come between two writers */
#endif
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, writes, 0);
  pthread_create(&t[1], 0, writes, 0);
  pthread_create(&t[2], 0, reads, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
