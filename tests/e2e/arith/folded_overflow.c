// The compiler folds an overflowing constant expression away; the answer says that it rests on it.
// expect: conditional
// states: 1
// proviso: folded_overflow.c:
// run: --property unreach-call => true states=1
// run: --property no-overflow => conditional states=1
int main(void) {
  long x = 2147483647 + 1;
  return x > 0;
}
