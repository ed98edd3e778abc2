// Inside an atomic section no level looks at invariants; a statement without a section is looked at
// after each of its stores, but under --atomic statement, which says so.
// expect: true
// states: 4
// args: --invariant "x == y"
// run: --invariant "x == y" --atomic instruction => true states=8
// run: --invariant "x == y" -- -DBARE => false(invariant) states=3
// run: --invariant "x == y" --atomic instruction -- -DBARE => false(invariant) states=4
// run: --invariant "x == y" --atomic statement -- -DBARE => conditional states=4
static int x, y;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int main(void) {
#ifndef BARE
  __VERIFIER_atomic_begin();
  x = 1;
  y = 1;
  __VERIFIER_atomic_end();
#else
  x = 1, y = 1;
#endif
  return 0;
}
