// Euclid's algorithm ends.
// args: --property termination
// expect: true
// run: --ltl '<> end' => true states=17
unsigned a = 48, b = 36;

int main(void) {
  while (b) {
    unsigned rest = a % b;
    a = b;
    b = rest;
  }
  return (int)a;
}
