// A copy of a structure has the same unset bit-fields.
//
// args: --property def-behavior
// expect: false(def-behavior)
// states: 1
struct flags {
  unsigned ready : 3, mode : 5;
  long rest[3];
};

int main(void) {
  struct flags f, g;
  f.ready = 1;
  g = f;
  return g.ready + g.mode;
}
