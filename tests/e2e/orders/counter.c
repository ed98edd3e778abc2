// Relaxed operations on one location: no order of others can be seen through them.
// expect: true
// run: -- -DEXCHANGE => true
// run: -- -DSTOP => true
// run: -- -DTWO => conditional
// run: -- -DBUG => false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define RELAXED memory_order_relaxed
static atomic_int n, m;

static void add(void) {
#ifdef EXCHANGE
  int old = atomic_load_explicit(&n, RELAXED);
  while (!atomic_compare_exchange_weak_explicit(&n, &old, old + 1, RELAXED, RELAXED)) {
  }
#elif defined BUG
  atomic_store_explicit(&n, atomic_load_explicit(&n, RELAXED) + 1, RELAXED);
#else
  atomic_fetch_add_explicit(&n, 1, RELAXED);
#endif
}

static void *count(void *unused) {
  add();
#ifdef STOP
  while (atomic_load_explicit(&n, RELAXED) < 2) {
  }
#endif
#ifdef TWO
  atomic_fetch_add_explicit(&m, 1, RELAXED);
  if (atomic_load_explicit(&m, RELAXED) == 2) assert(atomic_load_explicit(&n, RELAXED) == 2);
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, count, 0);
  count(0);
  pthread_join(t, 0);
  assert(atomic_load_explicit(&n, RELAXED) == 2);
}
