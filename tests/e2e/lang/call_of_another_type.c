// A call through a pointer of a type that the function does not have: what it is not given has no value
// (it was zero, and `true` was said).
// expect: false(def-behavior)
// run: --engine dpor => false(def-behavior)
// run: -- -DRESULT => false(def-behavior)
// run: -- -DFIX => true
// run: -- -DFIX -DRESULT => true
// run: -- -DUNUSED => true
static int seen;
static int sum(int x, int y) {
  return x + y;
}
static void note(int x) {
  seen = x;
}
int main(void) {
#if defined UNUSED
  int (*volatile f)(int) = (int (*)(int))note;
  f(1);
  return seen != 1;
#elif defined RESULT && defined FIX
  void (*volatile f)(int) = note;
  f(1);
  return seen != 1;
#elif defined RESULT
  int (*volatile f)(int) = (int (*)(int))note;
  return f(1);
#elif defined FIX
  int (*volatile f)(int, int) = sum;
  return f(1, 2) != 3;
#else
  int (*volatile f)(int) = (int (*)(int))sum;
  return f(1) != 1;
#endif
}
