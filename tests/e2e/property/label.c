// A label ERROR that nothing reaches.
// expect: true
// states: 1
int main(void) {
  int x = 1;
  if (x == 2) goto ERROR;
  return 0;
ERROR:
  return 1;
}
