// expect: false(no-data-race)
// states: 3
// message: data race on x
// An atomic access inside an atomic section races with a plain one outside, like any atomic access.
// run: --property no-data-race -- -DEXCHANGE => false(no-data-race) states=3
// run: --property no-data-race -- -DBOTH_ATOMIC => true states=14
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static atomic_int x;

static void *inside(void *unused) {
  __VERIFIER_atomic_begin();
#ifdef EXCHANGE
  atomic_exchange(&x, 1);
#else
  atomic_store(&x, 1);
#endif
  __VERIFIER_atomic_end();
  return unused;
}

static void *outside(void *unused) {
#ifdef BOTH_ATOMIC
  int seen = atomic_load(&x);
#else
  int seen = *(int *)&x;
#endif
  (void)seen;
  return unused;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, inside, NULL);
  pthread_create(&t, NULL, outside, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
