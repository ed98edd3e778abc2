// A handler leaves by siglongjmp: the mask is as it was at sigsetjmp.
// expect: true
// run: -- -DBUG => false(unreach-call)
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static sigjmp_buf back;

static void on_signal(int s) {
  siglongjmp(back, s);
}

int main(void) {
  int s = sigsetjmp(back, 1);
  if (s) {
    assert(s == SIGALRM);
    sigset_t now;
    sigprocmask(SIG_BLOCK, 0, &now);
#ifdef BUG
    assert(sigismember(&now, SIGALRM));
#endif
    assert(!sigismember(&now, SIGALRM));
    return 0;
  }
  signal(SIGALRM, on_signal);
  alarm(1);
  for (;;) pause();
}
