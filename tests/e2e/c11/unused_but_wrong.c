// What is computed from the result of an atomic operation is looked at for errors also where nothing uses it.
// expect: false(no-overflow)
// args: --engine explicit --property no-overflow
// run: --engine dpor --property no-overflow => false(no-overflow)
// run: --engine explicit --property def-behavior -- -DDIVIDE => false(def-behavior)
// run: --engine explicit --property no-overflow -- -DFINE => true
// run: --engine dpor --property no-overflow -- -DFINE => true
// run: --engine explicit --property def-behavior -- -DDIVIDE -DFINE => true
#include <limits.h>
#include <stdatomic.h>

#ifdef FINE
static atomic_int n = INT_MAX - 1;
static int zero = 1;
#else
static atomic_int n = INT_MAX;
static int zero;
#endif

int main(void) {
#ifdef DIVIDE
  (void)(atomic_fetch_sub(&n, 1) / zero);
#else
  (void)(atomic_fetch_sub(&n, 1) + 1);
#endif
  return 0;
}
