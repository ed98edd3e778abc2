// Spurious wake-ups, which this engine does not explore. Mostly a thread that wakes up so looks at what it has seen before and waits again:
// that is looked at, and there is no proviso. It stays where a wake-up may matter, as the stateful search shows, and where the engine cannot tell.
//
// run: --engine dpor --property unreach-call,no-deadlock => true executions=2
// run: --engine dpor => true executions=2
// run: --engine dpor --dependence conflict --peek 0 --prune 0 => true executions=2
// run: --engine dpor --dpor source --dependence conflict => true executions=2
// run: --engine dpor -- -DTWO -DALL => true executions=10
// run: --engine dpor -- -DLAST => true executions=6
// run: --engine dpor -- -DLAST -DEARLY => conditional executions=6
// run: --engine explicit -- -DLAST -DEARLY => false(unreach-call) states=16
// run: --engine dpor -- -DLATE => conditional executions=3
// run: --engine explicit -- -DLATE => false(unreach-call) states=13
// run: --engine dpor -- -DONCE => conditional executions=2
// run: --engine explicit -- -DONCE => false(unreach-call) states=7
// run: --engine dpor -- -DBARE => conditional executions=3
// run: --engine explicit -- -DBARE => false(unreach-call) states=10
// run: --engine dpor -- -DCOUNTED => conditional executions=2
// run: --engine explicit -- -DCOUNTED => false(unreach-call) states=9
// run: --engine dpor --property unreach-call -- -DTRIED => conditional executions=5
// run: --engine explicit --property unreach-call -- -DTRIED => false(unreach-call) states=49
// run: --engine dpor -- -DTWO => conditional executions=22
// run: --engine explicit -- -DTWO => true states=144
// run: --engine dpor --preemptions 2 --property unreach-call => conditional executions=2
// run: --engine explicit => true states=28
// run: --engine explicit -- -DTWO -DALL => true states=91
// run: --engine explicit -- -DLAST => true states=87
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
#if defined BARE || defined LATE
static _Atomic int done, told;
#else
static int done, told;
#endif
#ifdef LAST
enum { PARTS = 2 };
#else
enum { PARTS = 1 };
#endif

static void *waits(void *unused) {
  int waited = 0, rounds = 0;
  pthread_mutex_lock(&m);
#ifdef TRIED
  told = 1;
#endif
#ifdef EARLY /* a part is enough, but only the last one is told of */
  while (done < 1) {
#elif defined ONCE
  if (done < PARTS) {
#else
  while (done < PARTS) {
#endif
    waited = 1;
    pthread_cond_wait(&c, &m);
#ifdef COUNTED
    rounds++;
    assert(rounds <= 1);
#endif
  }
#ifdef EARLY
  assert(!waited || done == PARTS);
#else
  assert(done == PARTS);
#endif
#if defined LATE || defined BARE
  assert(!waited || told);
#endif
  pthread_mutex_unlock(&m);
  (void)waited, (void)rounds;
  return unused;
}

static void *wakes(void *unused) {
#ifdef BARE
  done = 1;
  told = 1;
  pthread_mutex_lock(&m);
#else
  pthread_mutex_lock(&m);
  done++;
#endif
#ifdef LATE
  pthread_mutex_unlock(&m);
  told = 1;
  pthread_mutex_lock(&m);
#endif
  if (done == PARTS) {
#ifdef ALL
    pthread_cond_broadcast(&c);
#else
    pthread_cond_signal(&c);
#endif
  }
  pthread_mutex_unlock(&m);
#ifdef TWO
#ifndef ALL
  pthread_cond_signal(&c);
#endif
#endif
  return unused;
}

int main(void) {
  pthread_t a, b, d;
  pthread_create(&a, NULL, waits, NULL);
#ifdef TWO
  pthread_create(&d, NULL, waits, NULL);
#elif defined TRIED
  pthread_mutex_lock(&m);
  int waiting = told;
  pthread_mutex_unlock(&m);
#endif
#ifdef LAST
  pthread_create(&d, NULL, wakes, NULL);
#endif
#ifdef TRIED
  (void)d;
  if (pthread_mutex_trylock(&m) == 0)
    pthread_mutex_unlock(&m);
  else
    assert(!waiting); /* it has given the mutex back */
#endif
  pthread_create(&b, NULL, wakes, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#if defined TWO || defined LAST
  pthread_join(d, NULL);
#endif
}
