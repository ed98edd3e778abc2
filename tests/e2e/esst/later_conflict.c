// Blocks that commute in the first instant belong to threads that do not commute in the second one. The order of threads stays,
// so a reduction that tries one order in the first instant must not lose the other one in the second.
// args: --engine esst --property unreach-call
// expect: true
// states: 8
// run: --engine esst --property unreach-call --order all --por none => false(unreach-call) states=4
// run: --engine esst --property unreach-call --order all --por sleep => false(unreach-call) states=17
// run: --engine esst --property unreach-call --order all --por both => false(unreach-call) states=16
// run: --engine esst --property unreach-call --order any --por none => false(unreach-call) states=4
// run: --engine esst --property unreach-call --order any --por sleep => false(unreach-call) states=5
// run: --engine esst --property unreach-call --order any --por persistent => false(unreach-call) states=4
// run: --engine esst --property unreach-call --order any --por both => false(unreach-call) states=4
// run: --engine esst --property unreach-call --order all --por none -- -DRIGHT => true states=13
// run: --engine esst --property unreach-call --order all --por sleep -- -DRIGHT => true states=12
// run: --engine esst --property unreach-call --order all --por both -- -DRIGHT => true states=11
#include <fthread.h>
extern void reach_error(void);

static int x, ticks;

static void writer(void *unused) {
  (void)unused;
  ft_thread_cooperate();
  x = 1;
}
static void reader(void *unused) {
  (void)unused;
  ft_thread_cooperate();
#ifndef RIGHT
  if (!x) reach_error();
#else
  ticks = x;
  if (ticks > 1) reach_error();
#endif
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  ft_thread_create(s, writer, 0, 0);
  ft_thread_create(s, reader, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
