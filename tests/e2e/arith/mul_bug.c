// A product that fits into no int.
// expect: false(no-overflow)
// states: 1
static volatile int x = 65536;

int main(void) {
  return x * x > 0;
}
