// Which number a thread gets depends on who has ended or was joined before, also where the properties ask for nothing else of that: once somebody
// detaches a thread, or another one than main joins or creates some, all that is done to threads matters.
//
// expect: false(unreach-call)
// args: --engine dpor --property unreach-call
// run: --engine dpor --dpor classic --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence predicate --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence conflict --property unreach-call => false(unreach-call)
// run: --engine explicit --por none --property unreach-call => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DCREATED => false(unreach-call)
// run: --engine dpor --dependence predicate --property unreach-call -- -DCREATED => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DJOINED => false(unreach-call)
// run: --engine dpor --dpor classic --property unreach-call -- -DJOINED => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DFIX => true
// run: --engine dpor --property unreach-call -- -DFIX -DCREATED => true
// run: --engine dpor --property unreach-call -- -DFIX -DJOINED => true
// run: --engine explicit --por none --property unreach-call -- -DFIX -DJOINED => true
#include <assert.h>
#include <pthread.h>

static pthread_t first, last;

static void *none(void *unused) {
  return unused;
}

#ifdef JOINED
static void *joins(void *unused) {
  pthread_join(first, 0);
  return unused;
}
#endif

int main(void) {
  pthread_attr_t *kind = 0;
#ifdef CREATED
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  kind = &detached;
#endif
  pthread_create(&first, kind, none, 0);
#ifdef JOINED
  pthread_t other;
  pthread_create(&other, 0, joins, 0);
#elif !defined CREATED
  pthread_detach(first);
#endif
  pthread_create(&last, 0, none, 0);
#ifdef FIX
  assert(last != 0);
#elif defined JOINED
  assert(first != last);
#else
  assert(first == last);
#endif
}
