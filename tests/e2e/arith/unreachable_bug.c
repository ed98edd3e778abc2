// The programmer's promise does not hold.
// expect: false(def-behavior)
// states: 1
static volatile int x = 3;

int main(void) {
  switch (x) {
  case 1: return 0;
  case 2: return 1;
  default: __builtin_unreachable();
  }
}
