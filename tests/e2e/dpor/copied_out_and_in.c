// One statement copies shared data out of its place in one section and into it in another: the first reads there, the second writes (true was said once,
// for they were taken for alike).
// expect: false(unreach-call)
// args: --engine dpor --property unreach-call
// run: --engine dpor --dpor source --property unreach-call => false(unreach-call)
// run: --engine dpor --dpor classic --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence conflict --property unreach-call => false(unreach-call)
// run: --engine dpor --peek 0 --property unreach-call => false(unreach-call)
// run: --engine explicit --property unreach-call => false(unreach-call)
// run: --engine dpor --property no-data-race -- -DRACE => false(no-data-race)
// run: --engine dpor --property unreach-call,no-data-race -- -DFIX => true executions=2
// run: --engine explicit --property unreach-call,no-data-race -- -DFIX => true
#include <assert.h>
#include <pthread.h>

struct item {
  int count, rest[3];
};
static struct item shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void assign(struct item *to, const struct item *from) {
  *to = *from;
}

static void *counts(void *arg) {
  struct item own;
  pthread_mutex_lock(&mutex);
  assign(&own, &shared);
#ifndef FIX
  pthread_mutex_unlock(&mutex);
#endif
  own.count++;
#ifndef FIX
#ifdef RACE
  if (!arg)
#endif
    pthread_mutex_lock(&mutex);
#endif
  assign(&shared, &own);
#ifdef RACE
  if (!arg)
#endif
    pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, counts, 0);
  pthread_create(&other, 0, counts, &shared);
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(shared.count == 2);
  return 0;
}
