// Euclid's algorithm by subtraction does not end if one number is 0.
// args: --property termination
// expect: false(termination)
// message: and then, for ever
// run: --ltl '<> end' => false(ltl)
// run: --fair --property termination => false(termination)
unsigned a = 48, b;

int main(void) {
  while (a != b) {
    if (a > b)
      a -= b;
    else
      b -= a;
  }
  return (int)a;
}
