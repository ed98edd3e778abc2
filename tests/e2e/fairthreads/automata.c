// FairThreads: automata. A step goes on from its state; GOTO waits for the next instant, IMMEDIATE does not.
// expect: true
// states: 23
// run: --engine explicit => true states=23
// run: --engine explicit --order all => true states=111
// run: --engine explicit -- -DWRONG=1 => false(unreach-call) states=10
// run: --engine explicit -- -DWRONG=2 => false(unreach-call) states=15
// run: --engine explicit -- -DWRONG=3 => false(unreach-call) states=19
#include "fthread.h"
#include <assert.h>
#ifndef WRONG
#define WRONG 0
#endif

static ft_event_t go, back;
static int instant, steps;

static void ticks(void *arg) {
  for (instant = 1; instant < 12; instant++) {
    if (instant == 4) ft_thread_generate_value(go, (void *)7L);
    ft_thread_cooperate();
  }
}
DEFINE_AUTOMATON(steps_through) {
  void *value;
  ft_event_t list[2] = {back, go};
  int mask[2];
  BEGIN_AUTOMATON
    STATE(0) {
      SET_LOCAL(0);
      GOTO(1);
    }
    STATE(1) {
      SET_LOCAL((long)LOCAL + 1);
      if ((long)LOCAL < 3) IMMEDIATE(1);
      GOTO_NEXT;
    }
    STATE_SELECT(2, 2, list, mask) {
      assert(RETURN_CODE == OK && steps++ == 0 && !mask[0] && mask[1]);
      IMMEDIATE(3);
    }
    STATE_GET_VALUE(3, go, 0, &value) {
      assert(RETURN_CODE == OK && value == (WRONG == 1 ? 0 : ARGS));
      GOTO(4);
    }
    STATE_AWAIT_N(4, go, 2) {
      assert(RETURN_CODE == (WRONG == 2 ? OK : ETIMEOUT));
    }
    STATE_STAY(5, 2) {
      ft_thread_generate(back);
      RETURN;
    }
  END_AUTOMATON
}
static void last(void *arg) {
  ft_thread_await(back);
  ft_thread_join(arg);
  assert(steps == (WRONG == 3 ? 2 : 1));
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  go = ft_event_create(s);
  back = ft_event_create(s);
  ft_thread_create(s, ticks, NULL, NULL);
  ft_thread_t t = ft_automaton_create(s, steps_through, NULL, (void *)7L);
  ft_thread_create(s, last, NULL, t);
  ft_scheduler_start(s);
  ft_exit();
}
