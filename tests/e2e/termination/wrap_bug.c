// An odd number wraps around and is never 0.
// args: --property termination
// expect: false(termination)
// message: and then, for ever
int main(void) {
  unsigned char x = 1;
  while (x != 0)
    x -= 2;
  return 0;
}
