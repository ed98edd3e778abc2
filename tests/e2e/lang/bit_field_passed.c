// A structure passed by value is one word to the callee: that a part is unset gets lost, which the
// proviso says.
//
// args: --property def-behavior
// expect: conditional
// states: 1
// proviso: the unset members of the structure that is passed
struct flags {
  unsigned ready : 3, mode : 5;
};

static int mode(struct flags f) {
  return f.mode;
}

int main(void) {
  struct flags f;
  f.ready = 1;
  return mode(f);
}
