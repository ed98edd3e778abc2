// A bound on the threads that the scheduler chooses on a path: what exceeds it is left out and stays open. With -DBUG the error is in
// the ninth turn.
// args: --engine esst --property unreach-call
// expect: true
// states: 26
// run: --engine esst --property unreach-call --order any => true states=26
// run: --engine esst --property unreach-call --condition path-switches=6 => conditional states=113
// run: --engine esst --property unreach-call --order any --condition path-switches=6 => conditional states=113
// run: --engine esst --property unreach-call --condition path-switches=40 => true states=241
// run: --engine esst --property unreach-call -- -DBUG => false(unreach-call) states=14
// run: --engine esst --property unreach-call --condition path-switches=6 -- -DBUG => conditional states=113
// run: --engine esst --property unreach-call --order any --condition path-switches=6 -- -DBUG => conditional states=113
// run: --engine esst --property unreach-call --condition path-switches=40 -- -DBUG => false(unreach-call) states=137
#include <fthread.h>
extern void reach_error(void);

#ifdef BUG
#define MOST 8
#else
#define MOST 9
#endif

static int turns;

static void count(void *unused) {
  (void)unused;
  for (int i = 0; i < 9; i++) {
    turns++;
    ft_thread_cooperate();
    if (turns > MOST) reach_error();
  }
}

int main(void) {
  ft_scheduler_t scheduler = ft_scheduler_create();
  ft_thread_create(scheduler, count, 0, 0);
  ft_scheduler_start(scheduler);
  ft_exit();
}
