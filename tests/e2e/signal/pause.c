// pause returns after a handler has run; without one it is ended from outside.
// expect: true
// run: --engine dpor => true
// run: -- -DBUG => false(unreach-call)
// run: -- -DNONE => true
// run: -- -DSUSPEND => true
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t came;

static void on_signal(int s) {
  came = s;
}

int main(void) {
#ifdef NONE
  pause();
  assert(0);
#endif
  signal(SIGINT, on_signal);
  signal(SIGTERM, on_signal);
#ifdef SUSPEND
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  sigprocmask(SIG_BLOCK, &all, 0);
  if (!came) sigsuspend(&none); /* nothing comes in between */
  assert(came);
#else
  pause();
  assert(came);
#endif
#ifdef BUG
  assert(came == SIGINT);
#endif
}
