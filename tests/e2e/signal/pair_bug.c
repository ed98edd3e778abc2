// A handler finds two variables that belong together half changed.
// expect: false(unreach-call)
// run: --engine dpor => false(unreach-call)
// run: -- -DMASK => conditional
// run: --engine dpor -- -DMASK => conditional
// run: --max-signals 0 => conditional
#include <assert.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t x, y;

static void on_signal(int s) {
  (void)s;
  assert(x == y);
}

int main(void) {
  struct sigaction a = {.sa_handler = on_signal};
  sigset_t usr;
  sigemptyset(&usr);
  sigaddset(&usr, SIGUSR1);
  sigaction(SIGUSR1, &a, NULL);
#ifdef MASK
  sigprocmask(SIG_BLOCK, &usr, NULL);
#endif
  x = 1;
  y = 1;
#ifdef MASK
  sigprocmask(SIG_UNBLOCK, &usr, NULL);
#endif
  return 0;
}
