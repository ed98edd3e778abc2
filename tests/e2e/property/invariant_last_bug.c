// The last write of a program is looked at, too.
//
// args: --invariant "x >= 0"
// expect: false(invariant)
// states: 4
int x;

int main(void) {
  x = 1;
  x = -1;
  return 0;
}
