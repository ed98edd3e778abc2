// A call through a pointer of another type than the function's: what does not fit is indeterminate. Surplus arguments, and
// numbers that are cut, do no harm.
//
// expect: true
// states: 1
// run: --engine dpor => true
// run: -- -DBUG=1 => false(def-behavior)
// run: -- -DBUG=2 => false(def-behavior)
// run: -- -DBUG=3 => false(def-behavior)
// run: -- -DBUG=4 => false(def-behavior)
// run: -- -DBUG=5 => false(def-behavior)
// run: -- -DBUG=6 => conditional
// run: --engine dpor -- -DBUG=2 => false(def-behavior)
#include <assert.h>
#include <stdlib.h>

static int one(int a) { return a; }
static double real(double d) { return d; }
static long difference(long a, long b) { return a - b; }
static short narrow(int *p) { return p ? 1 : -1; }
static void nothing(void) {}

int main(void) {
  int (*surplus)(long, int) = (int (*)(long, int))one;
  void (*end)(int *) = (void (*)(int *))free;
  short (*any)(void *) = (short (*)(void *))narrow;
  assert(surplus(5, 2) == 5);
  assert(any(&any) == 1);
  end(NULL);
#if BUG == 1
  int (*f)(void) = (int (*)(void))nothing;
  return f();
#elif BUG == 2
  double (*f)(long) = (double (*)(long))real;
  return f(1) == 1;
#elif BUG == 3
  long (*f)(int, int) = (long (*)(int, int))difference;
  return f(-1, 2) == -3;
#elif BUG == 4
  int (*f)(int *) = (int (*)(int *))narrow;
  return f(NULL) == -1;
#elif BUG == 5
  int (*f)(void) = (int (*)(void))one;
  return f();
#elif BUG == 6
  return ((double (*)(long))real)(1) == 1; /* a direct call */
#endif
  return 0;
}
