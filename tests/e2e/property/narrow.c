// A racy, overflowing program is right in what is asked.
// expect: true
// states: 8
// args: --property unreach-call --engine explicit
// run: --property no-data-race => false(no-data-race) states=2
// run: --property no-overflow => false(no-overflow) states=5
// run: --property no-deadlock,valid-memsafety => true states=9
#include <limits.h>
#include <pthread.h>

static int x;
static volatile int big = INT_MAX;

static void *work(void *arg) {
  x = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  x = 2;
  pthread_join(t, NULL);
  return big + 1 == x;
}
