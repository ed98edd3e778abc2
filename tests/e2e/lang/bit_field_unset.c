// Without def-behavior an unset bit-field has any value: the choices of five bits are all tried.
//
// args: --engine explicit --property unreach-call
// expect: true
// states: 2
struct flags {
  unsigned ready : 3, mode : 5;
};

int main(void) {
  struct flags f;
  f.ready = 1;
  return f.mode;
}
