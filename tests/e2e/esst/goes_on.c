// A block does not end at a call that need not wait: with the event present, the first thread goes on and writes. So its block and
// that of the reader do not commute. (Blocks as printed end at the call.)
// args: --engine esst --property unreach-call
// expect: true
// states: 5
// run: --engine esst --property unreach-call --order all --por none => false(unreach-call) states=11
// run: --engine esst --property unreach-call --order all --por sleep => false(unreach-call) states=28
// run: --engine esst --property unreach-call --order all --por both => false(unreach-call) states=28
// run: --engine esst --property unreach-call --order any --por none => false(unreach-call) states=5
// run: --engine esst --property unreach-call --order any --por sleep => false(unreach-call) states=5
// run: --engine esst --property unreach-call --order any --por persistent => false(unreach-call) states=5
// run: --engine esst --property unreach-call --order any --por both => false(unreach-call) states=5
// run: --engine esst --property unreach-call --order all --por none -- -DRIGHT => true states=23
// run: --engine esst --property unreach-call --order all --por sleep -- -DRIGHT => true states=18
// run: --engine esst --property unreach-call --order all --por both -- -DRIGHT => true states=12
#include <fthread.h>
extern void reach_error(void);

static ft_event_t e;
static int x, seen;

static void generator(void *unused) {
  (void)unused;
  ft_thread_generate(e);
}
static void waits(void *unused) {
  (void)unused;
  ft_thread_await(e);
  x = 1;
}
static void reader(void *unused) {
  (void)unused;
#ifndef RIGHT
  if (x == 1) reach_error();
#else
  seen = x;
  if (seen > 1) reach_error();
#endif
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  e = ft_event_create(s);
  ft_thread_create(s, reader, 0, 0);
  ft_thread_create(s, generator, 0, 0);
  ft_thread_create(s, waits, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
