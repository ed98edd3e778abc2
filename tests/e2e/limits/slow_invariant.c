// A user's own function in an invariant may not end either.
//
// args: --engine explicit --limit time=1s --invariant "steady()"
// expect: unknown
// states: 1
// proviso: no error lies beyond
int x;

int steady(void) {
  while (x == x)
    ;
  return 1;
}

int main(void) {
  x = 1;
  return 0;
}
