// A shift by the width of the type.
// expect: false(def-behavior)
static volatile int n = 32;

int main(void) {
  return (int)(1u << n);
}
