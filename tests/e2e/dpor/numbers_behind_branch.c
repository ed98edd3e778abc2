// What decides the number that a thread gets may lie behind a branch that the properties do not depend on: a detach, a join by another than main, the
// end of a thread that was created detached. (The order of the two stores decides it; with `--dependence predicate`, that was lost.)
//
// expect: false(unreach-call)
// args: --engine dpor --property unreach-call
// run: --engine dpor --dependence predicate --property unreach-call => false(unreach-call)
// run: --engine dpor --dpor classic --dependence predicate --property unreach-call => false(unreach-call)
// run: --engine explicit --por none --property unreach-call => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DJOINED => false(unreach-call)
// run: --engine dpor --dependence predicate --property unreach-call -- -DJOINED => false(unreach-call)
// run: --engine dpor --dependence predicate --property unreach-call -- -DCREATED => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DFIX => true
// run: --engine dpor --dependence predicate --property unreach-call -- -DFIX => conditional
// run: --engine dpor --property unreach-call -- -DFIX -DJOINED => true
// run: --engine dpor --dependence predicate --property unreach-call -- -DFIX -DCREATED => conditional
// run: --engine explicit --por none --property unreach-call -- -DFIX -DCREATED => true
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

static atomic_int on;
static pthread_t first, last, others[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *counted(void *arg) {
#ifdef CREATED
  if (on == 1) return arg;
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex); /* for ever */
#elif !defined JOINED
  if (on == 1) pthread_detach(pthread_self());
#endif
  return arg;
}

static void *joins(void *arg) {
  if (on == 1) pthread_join(first, 0);
  return arg;
}

static void *stores(void *arg) {
#ifndef FIX
  on = 1;
#endif
  on = 0;
  return arg;
}

static void *none(void *arg) {
  return arg;
}

int main(void) {
  pthread_attr_t *kind = 0;
#ifdef CREATED
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  kind = &detached;
#endif
  pthread_create(&first, kind, counted, 0);
  pthread_create(&others[0], 0, stores, 0);
#ifdef JOINED
  pthread_create(&others[1], 0, joins, 0);
#endif
  pthread_create(&last, 0, none, 0);
  if (first == last) reach_error();
  return 0;
}
