// A spinlock of acquire and release orders all that it protects. Released with a relaxed store it does not.
// expect: true
// run: -- -DRELEASE=relaxed => conditional
// run: -- -DACQUIRE=relaxed => conditional
// run: -- -DRELEASE=seq_cst -DACQUIRE=seq_cst => true
// run: -- -DNO_LOCK => false(no-data-race)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ACQUIRE
#define ACQUIRE acquire
#endif
#ifndef RELEASE
#define RELEASE release
#endif
#define ORDER_(o) memory_order_##o
#define ORDER(o) ORDER_(o)

static atomic_flag held = ATOMIC_FLAG_INIT;
static int n;

static void *count(void *unused) {
#ifndef NO_LOCK
  while (atomic_flag_test_and_set_explicit(&held, ORDER(ACQUIRE))) {
  }
#endif
  n++;
#ifndef NO_LOCK
  atomic_flag_clear_explicit(&held, ORDER(RELEASE));
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, count, 0);
  count(0);
  pthread_join(t, 0);
  assert(n == 2);
}
