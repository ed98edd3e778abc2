// A remainder by zero, unsigned.
// expect: false(def-behavior)
// states: 1
static volatile unsigned x;

int main(void) {
  return (int)(7u % x);
}
