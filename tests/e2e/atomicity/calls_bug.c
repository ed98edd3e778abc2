// A function of the program has statements of its own: the statement that calls it is interrupted
// there, between the two reads of x.
// expect: false(unreach-call)
// states: 8
// args: --atomic statement --property unreach-call
// run: --atomic statement --property unreach-call -- -DINLINE => conditional states=7
// run: --atomic instruction --property unreach-call -- -DINLINE => false(unreach-call) states=39
#include <assert.h>
#include <pthread.h>

static int x, y;

static int get(void) {
  y = 1;
  return x;
}

#ifdef INLINE
#define get() x
#endif

static void *work(void *u) {
  x = 1;
  return u;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  assert(x + get() != 1);
  pthread_join(a, 0);
  (void)y;
  return (get)();
}
