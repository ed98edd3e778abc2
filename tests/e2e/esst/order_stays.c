// An error that only a change of the order between two instants shows: --order all has none, and finds that out although it first
// examines all choices with reduction.
// args: --engine esst --property unreach-call
// expect: true
// states: 32
// run: --engine esst --property unreach-call --order all --por none => true states=38
// run: --engine esst --property unreach-call --order all --por sleep => true states=138
// run: --engine esst --property unreach-call --order all --por both => true states=138
// run: --engine esst --property unreach-call --order any --por none => false(unreach-call) states=39
// run: --engine esst --property unreach-call --order any --por sleep => false(unreach-call) states=38
// run: --engine esst --property unreach-call --order any --por persistent => false(unreach-call) states=39
// run: --engine esst --property unreach-call --order any --por both => false(unreach-call) states=38
// run: --engine esst --property unreach-call --order all --por none -- -DWRONG => false(unreach-call) states=42
// run: --engine esst --property unreach-call --order all --por sleep -- -DWRONG => false(unreach-call) states=152
// run: --engine esst --property unreach-call --order all --por both -- -DWRONG => false(unreach-call) states=152
#include <fthread.h>
extern void reach_error(void);

static int last, changed;

static void thread(int self) {
  for (int i = 0; i < 2; i++) {
    if (last == self) changed++;
    last = self;
    ft_thread_cooperate();
  }
}
static void first(void *unused) {
  (void)unused;
  thread(1);
}
static void second(void *unused) {
  (void)unused;
  thread(2);
#ifdef WRONG
  if (last == 2) reach_error();
#endif
  if (changed) reach_error();
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  ft_thread_create(s, first, 0, 0);
  ft_thread_create(s, second, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
