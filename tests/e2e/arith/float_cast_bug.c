// A double that no int can hold becomes an int.
// expect: false(def-behavior)
// states: 1
static volatile double x = 1e30;

int main(void) {
  return (int)x;
}
