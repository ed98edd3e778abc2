// The update is lost between two statements: every level sees it, and its path is replayed.
// expect: false(unreach-call)
// states: 16
// args: --property unreach-call
// message: replayed
// run: --property unreach-call --atomic instruction => false(unreach-call) states=66
// run: --property unreach-call --atomic statement => false(unreach-call) states=16
// run: --property unreach-call --atomic statement --por none --search bfs => false(unreach-call) states=36
#include <assert.h>
#include <pthread.h>

static int x;

static void *work(void *u) {
  int old = x;
  x = old + 1;
  return u;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
