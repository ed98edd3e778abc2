// An index outside a declared array.
// expect: false(valid-deref) or false(def-behavior)
// states: 1
static int a[4];

int main(void) {
  volatile int i = 4;
  return a[i];
}
