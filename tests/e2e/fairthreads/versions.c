// FairThreads: where the versions 1.0 and 1.1 of the library differ. In 1.0 suspend wins over resume, and a stopped
// thread cleans up in its place. In 1.1 the order that was given last counts, and it cleans up before all others.
// expect: true
// states: 13
// run: --engine explicit => true states=13
// run: --engine explicit --fairthreads 1.0 -- -DOLD => true states=13
// run: --engine explicit --fairthreads 1.0 => false(unreach-call) states=6
// run: --engine explicit -- -DOLD => false(unreach-call) states=7
#include "fthread.h"
#include <assert.h>

static ft_thread_t counter, victim;
static int count, cleaned, before;

static void counts(void *arg) {
  for (;;) {
    count++;
    before += cleaned;
    ft_thread_cooperate();
    if (count > 4) return;
  }
}
static void cleans(void *arg) {
  cleaned = 1;
}
static void waits(void *arg) {
  for (int i = 0; i < 9; i++) ft_thread_cooperate();
}
static void commands(void *arg) {
  ft_scheduler_stop(victim);
  ft_thread_cooperate();
#ifdef OLD
  assert(!before); /* the counter came first in this instant */
#else
  assert(before == 1);
#endif
  ft_scheduler_suspend(counter);
  ft_scheduler_resume(counter);
  int was = count;
  ft_thread_cooperate();
#ifdef OLD
  assert(cleaned && count == was);
  ft_scheduler_resume(counter);
#else
  assert(cleaned && count == was + 1);
#endif
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  counter = ft_thread_create(s, counts, NULL, NULL);
  ft_thread_create(s, commands, NULL, NULL);
  victim = ft_thread_create(s, waits, cleans, NULL);
  ft_scheduler_start(s);
  ft_exit();
}
