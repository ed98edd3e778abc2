// A shift by the width of the type.
// expect: false(def-behavior)
// states: 1
static volatile int n = 32;

int main(void) {
  return (int)(1u << n);
}
