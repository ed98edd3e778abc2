// A division by zero.
// expect: false(def-behavior)
// states: 1
static volatile int x;

int main(void) {
  return 1 / x;
}
