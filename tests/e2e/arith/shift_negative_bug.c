// A shift by a negative amount.
// expect: false(def-behavior)
// states: 1
static volatile int n = -1;

int main(void) {
  return 8 >> n;
}
