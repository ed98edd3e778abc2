// A local variable is used after the end of its block.
// expect: false(valid-deref)
// states: 1
int main(void) {
  int *p = 0;
  for (int i = 0; i < 1; i++) {
    int x = 3;
    p = &x;
  }
  return *p;
}
