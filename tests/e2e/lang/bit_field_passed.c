// A structure passed by value is one word to the callee: a part that is unset stays unset in it, and is used here (a proviso said that it is zero).
//
// args: --property def-behavior
// expect: false(def-behavior)
// states: 1
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
