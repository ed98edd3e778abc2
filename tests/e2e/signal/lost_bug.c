// A signal that comes between the check and the wait is lost: the recheck finds that.
// expect: false(unreach-call)
// run: --engine dpor => false(unreach-call)
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t came, again;

static void on_signal(int s) {
  (void)s;
  if (came) again = 1;
  came = 1;
}

int main(void) {
  signal(SIGUSR1, on_signal);
  if (!came) {
    pause();
    assert(!again); /* two signals may have come */
  }
}
