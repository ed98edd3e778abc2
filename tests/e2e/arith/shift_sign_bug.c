// A signed shift beyond the largest int.
// expect: false(no-overflow)
// states: 1
static volatile int x = 3, n = 30;

int main(void) {
  return x << n > 0;
}
