// FairThreads: stop, suspend and resume take effect at the start of the next instant; who is stopped has ended for
// those who join, and leaves nothing of its stack.
// expect: true
// states: 12
// run: --engine explicit => true states=12
// run: --engine explicit --order all => true states=21
// run: --engine explicit -- -DWRONG=1 => false(unreach-call) states=6
// run: --engine explicit -- -DWRONG=2 => false(unreach-call) states=10
// run: --engine explicit -- -DWRONG=3 => false(valid-deref) states=11
#include "fthread.h"
#include <assert.h>
#ifndef WRONG
#define WRONG 0
#endif

static ft_thread_t worker;
static int done, *shown;

static void work(void *arg) {
  int local = 0;
  shown = &local;
  for (;;) {
    done++;
    local = done;
    ft_thread_cooperate();
  }
}
static void command(void *arg) {
  ft_thread_cooperate(); /* instant 2: the worker has run twice when this instant ends */
  ft_scheduler_suspend(worker);
  ft_thread_cooperate_n(3);
  assert(done == (WRONG == 1 ? 3 : 2));
  ft_scheduler_resume(worker);
  ft_thread_cooperate();
  ft_thread_cooperate();
  assert(done >= (WRONG == 2 ? 5 : 3) && *shown == done);
  ft_scheduler_stop(worker);
  assert(ft_thread_join(worker) == OK);
  if (WRONG == 3) assert(*shown);
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  worker = ft_thread_create(s, work, NULL, NULL);
  ft_thread_create(s, command, NULL, NULL);
  ft_scheduler_start(s);
  ft_exit();
}
