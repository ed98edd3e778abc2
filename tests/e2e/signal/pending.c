// A signal that is sent while it is blocked is handled when it is not any more, and once.
// expect: conditional
// message: provided that no signal with a handler arrives
// args: --engine explicit --max-signals 0
// run: --engine explicit --max-signals 0 -- -DBUG => false(unreach-call)
#include <assert.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

static volatile sig_atomic_t n;

static void on_signal(int s) {
  (void)s;
  n++;
}

int main(void) {
  sigset_t usr, got;
  sigemptyset(&usr);
  sigaddset(&usr, SIGUSR1);
  signal(SIGUSR1, on_signal);
  sigprocmask(SIG_BLOCK, &usr, 0);
  raise(SIGUSR1);
  kill(getpid(), SIGUSR1);
  assert(n == 0);
  sigpending(&got);
  assert(sigismember(&got, SIGUSR1) == 1);
  sigprocmask(SIG_UNBLOCK, &usr, 0);
#ifdef BUG
  assert(n == 2);
#endif
  assert(n == 1);
}
