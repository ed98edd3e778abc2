// A division by zero.
// expect: false(def-behavior)
static volatile int x;

int main(void) {
  return 1 / x;
}
