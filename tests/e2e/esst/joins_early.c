// What a thread can notice of the end of another one: a join that has its deadline already looks only now, and an end wakes threads
// that wait for it. So neither may be moved to the front.
// args: --engine esst --property unreach-call
// expect: false(unreach-call)
// states: 3
// run: --engine esst --property unreach-call --order all --por none => false(unreach-call) states=6
// run: --engine esst --property unreach-call --order all --por sleep => false(unreach-call) states=9
// run: --engine esst --property unreach-call --order all --por both => false(unreach-call) states=9
// run: --engine esst --property unreach-call --order any --por none => false(unreach-call) states=6
// run: --engine esst --property unreach-call --order any --por sleep => false(unreach-call) states=6
// run: --engine esst --property unreach-call --order any --por persistent => false(unreach-call) states=6
// run: --engine esst --property unreach-call --order any --por both => false(unreach-call) states=6
// run: --engine esst --property unreach-call --order all --por none -- -DRIGHT => true states=9
// run: --engine esst --property unreach-call --order all --por sleep -- -DRIGHT => true states=9
// run: --engine esst --property unreach-call --order all --por both -- -DRIGHT => true states=9
#include <fthread.h>
extern void reach_error(void);

static ft_thread_t worker;
static int x, code;

static void works(void *unused) {
  (void)unused;
  x = x + 1;
}
static void looks(void *unused) {
  (void)unused;
  code = ft_thread_join_n(worker, 0);
#ifndef RIGHT
  if (code == OK) reach_error();
#else
  if (code == OK && x == 0) reach_error();
#endif
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  worker = ft_thread_create(s, works, 0, 0);
  ft_thread_create(s, looks, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
