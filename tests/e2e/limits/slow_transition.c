// One transition without a loop that takes for ever: the time limit ends it all the same.
//
// args: --engine explicit --limit time=1s
// expect: unknown
// states: 1
// proviso: no error lies beyond
static unsigned fib(unsigned n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void) {
  return fib(70) == 0;
}
