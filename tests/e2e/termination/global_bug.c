// The function does not lower the global for 0.
// args: --property termination
// expect: false(termination)
// message: and then, for ever
static int left = 10;
static void use(int n) {
  if (n > 0)
    left = left - 1;
}
int main(void) {
  int n = 0;
  while (left > 0)
    use(n);
  return 0;
}
