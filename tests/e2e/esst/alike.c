// Threads that run the same function: where they are alike, one is chosen for all. BUG: the first one that
// goes on finds that x exceeds n.
// TOLD_APART: a join names one of them, so that they are not alike.
// args: --engine esst --property unreach-call --order any
// expect: true
// states: 139
// run: --engine esst --property unreach-call --order any --symmetry threads => true states=62
// run: --engine esst --property unreach-call --order any --symmetry threads --por sleep => true states=62
// run: --engine esst --property unreach-call --order any --symmetry threads --por none => true states=264
// run: --engine esst --property unreach-call --order any --symmetry threads -- -DBUG => false(unreach-call) states=30
// run: --engine esst --property unreach-call --order all --symmetry threads -- -DBUG => false(unreach-call) states=46
// run: --engine esst --property unreach-call --order any --symmetry threads -- -DTOLD_APART => false(unreach-call) states=35
// run: --engine esst --property unreach-call --order any -- -DTOLD_APART => false(unreach-call) states=35
#include <fthread.h>
#include <stddef.h>

extern void reach_error(void);

static int x, n;
static ft_thread_t first;

static void work(void *unused) {
  (void)unused;
  int mine = x;
  ft_thread_cooperate();
  x = mine + 1;
#ifdef BUG
  if (x > n) reach_error();
#endif
  n++;
  ft_thread_cooperate();
  if (x > n) reach_error();
}

#ifdef TOLD_APART
static void wait(void *unused) {
  (void)unused;
  ft_thread_join(first);
  if (n == 4) reach_error(); /* if it is the last one */
}
#endif

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  first = ft_thread_create(s, work, NULL, NULL);
  for (int i = 1; i < 4; i++) ft_thread_create(s, work, NULL, NULL);
#ifdef TOLD_APART
  ft_thread_create(s, wait, NULL, NULL);
#endif
  ft_scheduler_start(s);
  ft_exit();
}
