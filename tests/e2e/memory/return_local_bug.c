// A pointer to a local variable outlives its function.
// expect: false(valid-deref)
// states: 1
static int *keep(int *p) {
  return p;
}

static int *make(void) {
  int x = 3;
  return keep(&x);
}

int main(void) {
  return *make();
}
