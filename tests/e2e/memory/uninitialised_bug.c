// A decision on a variable without a value.
// expect: false(def-behavior)
// states: 3
int main(int argc, char **argv) {
  (void)argv;
  int x;
  if (argc > 100) x = 1;
  if (x > 0) return 1;
  return 0;
}
