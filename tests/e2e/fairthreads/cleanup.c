// FairThreads: a thread that is stopped runs its cleanup function, before all others, at the start of the next instant.
// One that ends by itself, or was never there to be stopped, does not. A thread may stop itself.
// expect: true
// states: 11
// run: --engine explicit => true states=11
// run: --engine explicit --order all => true states=87
// run: --engine explicit -- -DWRONG=1 => false(unreach-call) states=7
// run: --engine explicit -- -DWRONG=2 => false(unreach-call) states=7
// run: --engine explicit -- -DWRONG=3 => false(unreach-call) states=10
#include "fthread.h"
#include <assert.h>
#ifndef WRONG
#define WRONG 0
#endif

static ft_thread_t worker, suicide, ends;
static int cleaned, after;

static void cleans(void *arg) {
  cleaned += (int)(long)arg;
}
static void work(void *arg) {
  int local = 1;
  for (;;) {
    local++;
    ft_thread_cooperate();
    if (local > 3) local = 1;
  }
}
static void stops_itself(void *arg) {
  ft_scheduler_stop(ft_thread_self());
  ft_thread_cooperate();
  after = 1;
}
static void ends_itself(void *arg) {}
static void command(void *arg) {
  ft_thread_cooperate();
  assert(cleaned == (WRONG == 1 ? 0 : 10)); /* that of the thread that stopped itself */
  ft_scheduler_stop(worker);
  ft_scheduler_stop(ends);
  assert(cleaned == (WRONG == 2 ? 11 : 10));
  assert(ft_thread_join(worker) == OK);
  assert(cleaned == (WRONG == 3 ? 111 : 11) && !after);
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  ft_thread_create(s, command, NULL, NULL);
  worker = ft_thread_create(s, work, cleans, (void *)1L);
  suicide = ft_thread_create(s, stops_itself, cleans, (void *)10L);
  ends = ft_thread_create(s, ends_itself, cleans, (void *)100L);
  ft_scheduler_start(s);
  ft_exit();
}
