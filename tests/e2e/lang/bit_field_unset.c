// Without def-behavior the value of an unset bit-field is a matter of the proviso.
//
// args: --engine explicit --property unreach-call
// expect: conditional
// states: 1
// proviso: the indeterminate value read at
struct flags {
  unsigned ready : 3, mode : 5;
};

int main(void) {
  struct flags f;
  f.ready = 1;
  return f.mode;
}
