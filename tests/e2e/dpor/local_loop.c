// A long loop that touches nothing but its own counter, on which nothing seems to depend: whether it is left is in the slice all the same, or the thread
// seems to go round where it was (true was said once). One that is never left ends its thread's path.
// expect: false(unreach-call)
// args: --engine dpor --property unreach-call
// run: --engine dpor --dpor source --property unreach-call => false(unreach-call)
// run: --engine dpor --dpor classic --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence predicate --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence conflict --property unreach-call => false(unreach-call)
// run: --engine explicit --property unreach-call => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DNESTED => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DALONE => false(unreach-call)
// run: --engine dpor --property no-deadlock -- -DLOCKS => false(no-deadlock)
// run: --engine dpor --property unreach-call -- -DEVER => true
// run: --engine dpor --property unreach-call -- -DFIX => true
// run: --engine dpor --property unreach-call -- -DFIX -DNESTED => true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void goes_round(int times) {
  for (int i = 0; i < times; i++) {
  }
}

static void *works(void *arg) {
#if defined NESTED
  for (int i = 0; i < 200; i++) goes_round(200);
#elif defined EVER
  for (;;) goes_round(200);
#else
  for (int i = 0; i < 20000; i++) {
  }
#endif
  x = 1;
#ifdef LOCKS
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
#endif
  return arg;
}

int main(void) {
#ifdef ALONE
  works(&mutex);
#else
  pthread_t thread;
  pthread_create(&thread, 0, works, 0);
  pthread_join(thread, 0);
#endif
#ifdef FIX
  assert(x == 1);
#elif !defined LOCKS
  assert(x == 0);
#endif
  return 0;
}
