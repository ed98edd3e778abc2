// The second access of a statement races, though nobody parks at it: it is compared with what the
// others are parked at.
// expect: false(no-data-race)
// states: 2
// args: --atomic statement --property no-data-race
// message: data race on x
// run: --atomic statement --property no-data-race --por none => false(no-data-race) states=5
// run: --atomic instruction --property no-data-race => false(no-data-race) states=14
// run: --atomic statement --property no-data-race -- -DFIXED => conditional states=6
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a;
#ifdef FIXED
static atomic_int x;
#else
static int x;
#endif

static void *work(void *u) {
  int sum = a + x;
  (void)sum;
  return u;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x = 1;
  pthread_join(t, 0);
  return 0;
}
