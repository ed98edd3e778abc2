// A handler counts; an increment of the same variable outside of it may lose one.
// expect: conditional
// message: provided that at most 2 signals with a handler arrive
// run: --max-signals 1 => conditional
// run: -- -DBUG => false(unreach-call)
// run: --engine dpor -- -DBUG => false(unreach-call)
// run: --max-signals 1 -- -DTWICE => conditional
// run: --max-signals 2 -- -DTWICE => false(unreach-call)
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t n, came;

static void on_signal(int s) {
  (void)s;
  came++;
  n++;
#ifdef TWICE
  assert(came < 2);
#endif
}

int main(void) {
  signal(SIGTERM, on_signal);
#ifdef BUG
  n++; /* a load and a store */
  assert(n == came + 1);
#endif
  signal(SIGTERM, SIG_IGN);
  assert(n <= came + 1);
}
