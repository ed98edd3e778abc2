// A block that never ends commutes with nothing: else the error that another thread makes first would be lost. (The rules as
// printed take the first thread for a persistent set.)
// args: --engine esst --property unreach-call
// expect: true
// states: 3
// run: --engine esst --property unreach-call --order all --por none => false(unreach-call) states=2
// run: --engine esst --property unreach-call --order all --por sleep => false(unreach-call) states=4
// run: --engine esst --property unreach-call --order all --por both => false(unreach-call) states=4
// run: --engine esst --property unreach-call --order any --por none => false(unreach-call) states=2
// run: --engine esst --property unreach-call --order any --por sleep => false(unreach-call) states=2
// run: --engine esst --property unreach-call --order any --por persistent => false(unreach-call) states=2
// run: --engine esst --property unreach-call --order any --por both => false(unreach-call) states=2
// run: --engine esst --property unreach-call --order all --por none -- -DRIGHT => true states=6
// run: --engine esst --property unreach-call --order all --por sleep -- -DRIGHT => true states=6
// run: --engine esst --property unreach-call --order all --por both -- -DRIGHT => true states=6
#include <fthread.h>
extern void reach_error(void);

static void endless(void *unused) {
  (void)unused;
#ifndef ENDS
  for (;;) {
  }
#endif
}
static void error(void *unused) {
  (void)unused;
#ifndef RIGHT
  reach_error();
#endif
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  ft_thread_create(s, endless, 0, 0);
  ft_thread_create(s, error, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
