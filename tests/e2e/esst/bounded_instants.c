// A bound on the instants that end on a path. Four instants end, and in the fifth both threads end; with --order any the threads of
// an instant run in both orders. With -DBUG the error is in the fourth instant.
// args: --engine esst --property unreach-call
// expect: true
// states: 28
// run: --engine esst --property unreach-call --condition path-instants=2 => conditional states=153
// run: --engine esst --property unreach-call --condition path-instants=3 => conditional states=175
// run: --engine esst --property unreach-call --condition path-instants=4 => true states=191
// run: --engine esst --property unreach-call -- -DBUG => false(unreach-call) states=25
// run: --engine esst --property unreach-call --condition path-instants=2 -- -DBUG => conditional states=153
// run: --engine esst --property unreach-call --condition path-instants=3 -- -DBUG => false(unreach-call) states=157
// run: --engine esst --property unreach-call --condition path-instants=4 -- -DBUG => false(unreach-call) states=157
// run: --engine esst --property unreach-call --order any => true states=29
// run: --engine esst --property unreach-call --order any --condition path-instants=2 => conditional states=217
// run: --engine esst --property unreach-call --order any --condition path-instants=3 => conditional states=261
// run: --engine esst --property unreach-call --order any --condition path-instants=4 => true states=293
// run: --engine esst --property unreach-call --order any -- -DBUG => false(unreach-call) states=33
// run: --engine esst --property unreach-call --order any --condition path-instants=2 -- -DBUG => conditional states=217
// run: --engine esst --property unreach-call --order any --condition path-instants=3 -- -DBUG => false(unreach-call) states=157
// run: --engine esst --property unreach-call --order any --condition path-instants=4 -- -DBUG => false(unreach-call) states=157
#include <fthread.h>
extern void reach_error(void);

#ifdef BUG
#define MOST 2
#else
#define MOST 4
#endif

static int rounds[2];

static void count(void *which) {
  int i = which ? 1 : 0;
  while (rounds[i] < 4) {
    rounds[i]++;
    ft_thread_cooperate();
    if (rounds[i] > MOST) reach_error();
  }
}

int main(void) {
  ft_scheduler_t scheduler = ft_scheduler_create();
  ft_thread_create(scheduler, count, 0, 0);
  ft_thread_create(scheduler, count, 0, rounds);
  ft_scheduler_start(scheduler);
  ft_exit();
}
