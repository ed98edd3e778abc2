// A label ERROR is reached.
// expect: false(unreach-call)
// states: 1
int main(void) {
  int x = 1;
  if (x == 1) goto ERROR;
  return 0;
ERROR:
  return 1;
}
