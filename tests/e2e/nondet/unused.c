// An input that nothing looks at has one value, however it is passed on; one look is enough for all of them.
// expect: true
// run: --engine composite => true states=28
// run: -- -DLOOK=1 => false(unreach-call) states=22
// run: -- -DLOOK=2 => false(unreach-call) states=13
// run: -- -DLOOK=3 => false(unreach-call) states=4
// run: -- -DLOOK=4 => false(no-overflow) states=74
#include <assert.h>
#include <time.h>

static int kept;

static void seed(unsigned s, int *to) {
#if LOOK == 1
  assert(s != 4294967295u);
#elif LOOK == 2
  *to = (int)s;
#else
  (void)s, (void)to;
#endif
}

static long stamp(void) {
  unsigned long low = (unsigned long)time(NULL), high = (unsigned long)time(NULL);
  return (long)(high << 32 | low);
}

static int twice(int x) {
#if LOOK == 4
  x *= 2;
#endif
  return x;
}

int main(void) {
  extern int __VERIFIER_nondet_int(void);
  int x = twice(__VERIFIER_nondet_int());
  seed((unsigned)stamp(), &kept);
  seed((unsigned)x, &kept);
  assert(kept == 0);
#if LOOK == 3
  assert(x != 0);
#endif
  return 0;
}
