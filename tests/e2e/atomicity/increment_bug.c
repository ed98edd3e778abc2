// A lost update within one C statement: whoever takes statements to be atomic does not see it, and
// is told so.
// expect: false(unreach-call)
// states: 16
// args: --property unreach-call
// run: --property unreach-call --atomic visible => false(unreach-call) states=16
// run: --property unreach-call --atomic instruction => false(unreach-call) states=66
// run: --property unreach-call --atomic instruction --por none => false(unreach-call) states=110
// run: --property unreach-call --atomic statement => conditional states=14
// run: --property unreach-call --atomic statement --por none => conditional states=16
// run: --property no-data-race --atomic statement => false(no-data-race) states=3
#include <assert.h>
#include <pthread.h>

static int x;

static void *work(void *u) {
  x = x + 1;
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
