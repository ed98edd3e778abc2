// A write behind a structure that has no name, and is used nowhere else, is outside of it (true was said once).
// expect: false(valid-deref)
// run: --engine dpor => false(valid-deref)
// run: -- -DBEFORE => false(valid-deref)
// run: -- -DFIX => true
// run: --engine dpor -- -DFIX => true
struct two {
  int at[2];
};

static int same(int x) {
  return x;
}

int main(void) {
#ifdef FIX
  (struct two){{same(1), same(2)}}.at[1] = 5;
#elif defined BEFORE
  (struct two){{same(1), same(2)}}.at[-1] = 5;
#else
  (struct two){{same(1), same(2)}}.at[2] = 5;
#endif
  return 0;
}
