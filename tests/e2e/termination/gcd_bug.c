// The rest 0 is replaced.
// args: --property termination
// expect: false(termination)
// message: and then, for ever
int main(void) {
  unsigned a = 12, b = 18;
  while (b) {
    unsigned rest = a % b;
    a = b;
    b = rest ? rest : 6;
  }
  return 0;
}
