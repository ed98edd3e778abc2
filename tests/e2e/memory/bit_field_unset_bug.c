// The neighbour of a bit-field that was set is still unset.
//
// args: --property def-behavior
// expect: false(def-behavior)
// states: 1
struct flags {
  unsigned ready : 3, mode : 5;
};

int main(void) {
  struct flags f;
  f.ready = 1;
  return f.mode;
}
