// What main does after the start of the scheduler, and that others may notice, is a proviso.
// args: --engine esst --property unreach-call
// expect: conditional
// states: 2
// proviso: a thread beside the scheduler does at once what it does at
// run: --engine esst --property unreach-call -- -DENDLESS => conditional states=3
// run: --engine esst --property unreach-call -- -DEXITS => false(unreach-call) states=2
#include <fthread.h>
extern void reach_error(void);

static void thread(void *unused) {
  (void)unused;
  reach_error();
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  ft_thread_create(s, thread, 0, 0);
  ft_scheduler_start(s);
#ifdef ENDLESS
  for (;;) {
  }
#elif defined EXITS
  ft_exit();
#endif
}
