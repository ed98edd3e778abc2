// An array of variable length ends with its block, on every way out of it.
// expect: false(valid-deref)
// states: 1
// message: after the end of its life
int main(void) {
  int *p = 0;
  for (int i = 0; i < 3; i++) {
    int n = i + 1, a[n];
    a[0] = i;
    if (i < 2) continue;
    p = a;
  }
  return *p;
}
