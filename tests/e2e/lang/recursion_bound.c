// A recursion without end is cut, and named.
// expect: conditional
// states: 1
// args: --recursion 50
// proviso: recursion
static int down(int n) {
  return n <= 0 ? 1 + down(0) : down(n - 1);
}

int main(void) {
  return down(3);
}
