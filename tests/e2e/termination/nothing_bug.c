// A loop without statements is the whole program. The error has the function's line.
// args: --property termination
// expect: false(termination)
// message: nothing_bug.c:5 in main, property termination
int main(void) {
  for (;;) {
  }
}
