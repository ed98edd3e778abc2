// Deadlines made of the time of day: it matters only whether their nanoseconds carry into the seconds.
// expect: true
// run: --engine explicit => true states=673
// run: --engine explicit -- -DKINDLY => false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *setter(void *u) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  return u;
}
static void *waiter(void *u) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec += 5000000;
  if (t.tv_nsec >= 1000000000) {
    t.tv_sec++;
    t.tv_nsec -= 1000000000;
  }
  pthread_mutex_lock(&m);
  while (!ready)
    if (pthread_cond_timedwait(&c, &m, &t)) break;
#ifdef KINDLY
  assert(ready);
#endif
  pthread_mutex_unlock(&m);
  return u;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, waiter, 0);
  pthread_create(&t[2], 0, setter, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
