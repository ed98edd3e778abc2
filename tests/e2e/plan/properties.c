// Each property has a condition of its own. The explicit engine covers all properties for the inputs that it tries;
// engine composite covers unreach-call and no-deadlock for all inputs, and does not check no-data-race. Neither result is
// lost.
// expect: conditional
// args: --property unreach-call,no-data-race --plan 'explicit; composite'
// proviso: for no-data-race, provided that __VERIFIER_nondet_int
// run: --property unreach-call,no-data-race --plan 'composite; explicit' => conditional
// run: --property unreach-call,no-data-race => conditional
// run: --property unreach-call,no-deadlock --plan 'explicit; composite' => true
// run: --property unreach-call,no-deadlock --plan 'composite; explicit' => true
// run: --property unreach-call --plan 'explicit; composite' => true
// run: --property unreach-call,no-deadlock --plan 'explicit; composite' -- -DBUG => false(unreach-call)
// run: --property unreach-call,no-deadlock --plan 'composite; explicit' -- -DBUG => false(unreach-call)
// run: --property unreach-call,no-deadlock --plan 'explicit; composite' -- -DLOCKED => false(no-deadlock)
// run: --property unreach-call,no-deadlock --plan 'composite; explicit' -- -DLOCKED => false(no-deadlock)
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int wanted, found;

static void *look(void *first) {
  int n = __VERIFIER_nondet_int();
#ifdef LOCKED
  pthread_mutex_t *one = first ? &a : &b, *two = first ? &b : &a;
#else
  pthread_mutex_t *one = &a, *two = &b;
#endif
  pthread_mutex_lock(one);
  pthread_mutex_lock(two);
  if (n == wanted) found = 1;
#ifdef BUG
  if (n == 123456) found = 2;
#endif
  pthread_mutex_unlock(two);
  pthread_mutex_unlock(one);
  return first;
}

int main(void) {
  pthread_t t, u;
  wanted = __VERIFIER_nondet_int();
  pthread_create(&t, 0, look, &a);
  pthread_create(&u, 0, look, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(found < 2);
}
