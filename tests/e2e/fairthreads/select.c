// FairThreads: waits for one of several events, with a mask that says which are present; an order of main's before the
// scheduler starts; a thread that a thread creates.
// expect: true
// states: 7
// run: --engine explicit => true states=7
// run: --engine explicit --order all => true states=7
// run: --engine explicit -- -DWRONG=1 => false(unreach-call) states=4
// run: --engine explicit -- -DWRONG=2 => false(no-deadlock) states=6
#include "fthread.h"
#include <assert.h>
#ifndef WRONG
#define WRONG 0
#endif

static ft_scheduler_t s;
static ft_event_t list[3];
static int made;

static void child(void *arg) {
  made = 1;
  ft_thread_generate(list[WRONG == 2 ? 0 : 2]);
}
static void waits(void *arg) {
  int mask[3];
  assert(ft_thread_select(3, list, mask) == OK); /* broadcast by main, for the first instant */
  assert(!mask[0] && mask[1] && !mask[2]);
  ft_thread_cooperate();
  assert(ft_thread_select_n(2, list, mask, 1) == (WRONG == 1 ? OK : ETIMEOUT));
  assert(!mask[0] && !mask[1]);
  ft_thread_create(s, child, NULL, NULL);
  assert(!made);
  assert(ft_thread_select(2, list + 1, mask) == OK);
  assert(made && !mask[0] && mask[1]);
}
int main(void) {
  s = ft_scheduler_create();
  for (int i = 0; i < 3; i++) list[i] = ft_event_create(s);
  ft_thread_create(s, waits, NULL, NULL);
  ft_scheduler_broadcast(list[1]);
  ft_scheduler_start(s);
  ft_exit();
}
