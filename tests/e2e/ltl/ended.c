// A program that ends stays as it is: its last store holds for ever.
// args: --ltl '<> [] last' --ap 'last = x == 2'
// expect: true
// run: --ltl '<> end' => true
// run: --ltl '[] !end' => false(ltl)
// run: --ltl '[] <> "x < 2"' => false(ltl)
// run: --ltl 'X X X last' --ap 'last = x == 2' => true
// run: --ltl 'X X last' --ap 'last = x == 2' => false(ltl)
// run: --property termination => true
int x;

int main(void) {
  x = 1;
  x = 2;
  return 0;
}
