// The symbolic engines do not look for who holds the address of a compound literal: a proviso.
// expect: conditional
// args: --engine composite
// proviso: the compound literal at
// run: --engine explicit => true
// run: --engine explicit -- -DBUG => conditional
// run: -- -DBUG => conditional
static const int *last;
static int use(const int *p) {
  last = p;
  int v = *p;
#ifndef BUG
  last = 0;
#endif
  return v;
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    sum += use(&(int){i});
  }
  return sum == 4 && last && *last;
}
