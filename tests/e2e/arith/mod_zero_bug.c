// A remainder by zero, unsigned.
// expect: false(def-behavior)
static volatile unsigned x;

int main(void) {
  return (int)(7u % x);
}
