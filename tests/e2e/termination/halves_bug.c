// A negative number becomes -1, and stays.
// args: --property termination
// expect: false(termination)
// message: and then, for ever
int main(void) {
  int x = -5, n = 0;
  while (x) {
    x >>= 1;
    n ^= 1;
  }
  return n;
}
