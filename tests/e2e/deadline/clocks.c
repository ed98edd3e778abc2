// The other ways to a deadline: gettimeofday, time, timespec_get, a monotonic clock.
// expect: true
// run: --engine explicit => true states=27
// run: --engine explicit -- -DHOW=1 => true
// run: --engine explicit -- -DHOW=2 => true
// run: --engine explicit -- -DHOW=3 => true
// run: --engine explicit -- -DHOW=4 => false(unreach-call)
// run: --engine explicit -- -DHOW=5 => true
// run: --engine explicit -- -DHOW=6 => false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *setter(void *u) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return u;
}
static struct timespec later(void) {
  struct timespec until = {0, 0};
#if HOW == 1
  until.tv_sec = time(NULL) + 2;
#elif HOW == 2
  timespec_get(&until, TIME_UTC);
  until.tv_sec += 1;
#elif HOW == 3
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += 5;
#elif HOW == 4 /* a clock that goes back would be an error, and one that stands still is none */
  struct timespec before;
  clock_gettime(CLOCK_MONOTONIC, &before);
  clock_gettime(CLOCK_MONOTONIC, &until);
  assert(before.tv_sec < until.tv_sec);
#elif HOW == 5
  struct timespec before;
  clock_gettime(CLOCK_MONOTONIC, &before);
  clock_gettime(CLOCK_MONOTONIC, &until);
  assert(before.tv_nsec < 1000000000 && until.tv_nsec >= 0);
#elif HOW == 6
  clock_gettime(CLOCK_MONOTONIC, &until);
  assert(until.tv_sec != 1234567890);
#else
  struct timeval now;
  gettimeofday(&now, NULL);
  until.tv_sec = now.tv_sec + 2;
  until.tv_nsec = now.tv_usec * 1000;
#endif
  return until;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
  struct timespec until = later();
  pthread_mutex_lock(&m);
  while (!ready && !pthread_cond_timedwait(&c, &m, &until)) continue;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
