// Who writes to an object after its end does a step of its own, as if he had been in time; else the
// path that has an independent step behind it would be longer than the one that has it before.
// expect: false(valid-deref)
// states: 49
// args: --property valid-deref --por sleep --search bfs
// message: Error path (9 steps
// run: --property valid-deref --por none --search bfs => false(valid-deref) states=49
// run: --property valid-deref --por sleep --search bfs -- -DCOPY => false(valid-deref) states=51
// run: --property valid-deref --por none --search bfs -- -DCOPY => false(valid-deref) states=51
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static int *_Atomic seen;
static int other;
static atomic_int start;

static void lend(int value) {
  int lent = value;
  seen = &lent;
  other = value;
}
static void *borrow(void *unused) {
  int *p = seen;
#ifdef COPY
  if (p) memset(p, 1, 4);
#else
  if (p) *p = 1;
#endif
  return unused;
}
static void *lender(void *unused) {
  lend(start);
  return unused;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, borrow, NULL);
  pthread_create(&t[1], NULL, lender, NULL);
  return 0;
}
