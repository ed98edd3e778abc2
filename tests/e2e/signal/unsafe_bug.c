// A handler calls printf, which may have been interrupted.
// expect: false(def-behavior)
// message: a signal handler calls `printf` although it may have interrupted a function that is not async-signal-safe
// run: -- -DFIX => conditional
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void on_signal(int s) {
  (void)s;
#ifdef FIX
  write(1, "x\n", 2);
#else
  printf("x\n");
#endif
}

int main(void) {
  signal(SIGINT, on_signal);
  printf("begins\n");
  return 0;
}
