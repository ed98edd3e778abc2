/* fact2: two threads compute factorials of their own; a third one waits for both and announces it, once. Whether the fourth one
 * gets a second announcement depends on the scheduler only, not on data. -DBUG: there is a second one. Written by us after section 6
 * of Cimatti, Narasamdya, Roveri, LMCS 2012. */
#include <fthread.h>
extern void reach_error(void);

static ft_event_t ready;
static ft_thread_t left, right;
static int of_three, of_four;

static void computes_three(void *unused) {
  (void)unused;
  int product = 1;
  for (int i = 2; i <= 3; i++) product = product * i;
  of_three = product;
}
static void computes_four(void *unused) {
  (void)unused;
  int product = 1;
  for (int i = 2; i <= 4; i++) product = product * i;
  of_four = product;
  ft_thread_cooperate();
}
static void announces(void *unused) {
  (void)unused;
  ft_thread_join(left);
  ft_thread_join(right);
  ft_thread_generate(ready);
#ifdef BUG
  ft_thread_cooperate();
  ft_thread_generate(ready);
#endif
}
static void hears(void *unused) {
  (void)unused;
  ft_thread_await(ready);
  ft_thread_cooperate();
  ft_thread_await(ready);
  reach_error();
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  ready = ft_event_create(s);
  left = ft_thread_create(s, computes_three, 0, 0);
  right = ft_thread_create(s, computes_four, 0, 0);
  ft_thread_create(s, announces, 0, 0);
  ft_thread_create(s, hears, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
