// A handler sets a flag that a loop looks at: as often as signals come, and whenever.
// expect: true
// run: --engine dpor => true
// run: -- -DBUG => false(unreach-call)
// run: --engine dpor -- -DBUG => false(unreach-call)
// run: -- -DPLAIN => false(def-behavior)
#include <assert.h>
#include <signal.h>

#ifdef PLAIN
static int stop;
#else
static volatile sig_atomic_t stop;
#endif

static void on_signal(int s) {
  (void)s;
  stop = 1;
}

int main(void) {
  signal(SIGINT, on_signal);
  int n = 0;
  while (!stop && n < 5) n++;
#ifdef BUG
  assert(n == 5); /* it may be stopped before */
#endif
  assert(n == 5 || stop);
}
