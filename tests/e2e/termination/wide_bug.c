// No number of this type is greater than 255.
// args: --property termination
// expect: false(termination)
// message: and then, for ever
int main(void) {
  unsigned char n = 255;
  for (unsigned char i = 0; i <= n; i++) {
  }
  return 0;
}
