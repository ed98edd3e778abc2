// The 32-bit data model.
// expect: true
// states: 1
// args: --32
// run: --64 => false(unreach-call) states=1
_Static_assert(sizeof(int) == 4, "both models");

extern void reach_error(void);

int main(void) {
  volatile unsigned size = sizeof(long) + sizeof(void *);
  if (size != 8) reach_error();
  return 0;
}
