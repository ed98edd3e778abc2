// An invariant is looked at after every write to shared memory, even while only one thread runs.
//
// args: --invariant "x >= 0"
// expect: false(invariant)
// states: 3
// message: invariant `x >= 0` does not hold
int x;

int main(void) {
  x = -1;
  x = 1;
  return x - 1;
}
