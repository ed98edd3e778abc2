// A loop without statements is the whole program. The error has the loop's line.
// args: --property termination
// expect: false(termination)
// message: nothing_bug.c:6 in main, property termination
int main(void) {
  for (;;) {
  }
}
