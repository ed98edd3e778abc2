// A program that ends stays as it is: its last store holds for ever.
// args: --ltl '<> [] last' --ap 'last = x == 2'
// expect: true
// states: 5
// run: --ltl '<> end' => true states=5
// run: --ltl '[] !end' => false(ltl)
// run: --ltl '[] <> "x < 2"' => false(ltl)
// run: --engine explicit --property termination => true states=1
int x;

int main(void) {
  x = 1;
  x = 2;
  return 0;
}
