// One element behind the end of an array of variable length.
// expect: false(def-behavior)
// states: 1
// run: --property valid-memsafety => false(valid-deref) states=1
static int last(int n) {
  int a[n];
  for (int i = 0; i <= n; i++) a[i] = i;
  return a[0];
}

int main(void) {
  return last(3);
}
