/* ft-pc-sfifo2: as pc_sfifo1, with two places and a third thread that looks at the number of values between its neighbours' turns.
 * Written by us after section 6 of Cimatti, Narasamdya, Roveri, LMCS 2012. */
#include <fthread.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static ft_event_t was_written, was_read;
static int first, second; /* first: the older value */
static int used;

static void producer(void *unused) {
  (void)unused;
  for (;;) {
    while (used == 2) ft_thread_await(was_read);
    int value = __VERIFIER_nondet_int();
    if (used == 0)
      first = value;
    else
      second = value;
    used++;
    ft_thread_generate(was_written);
    ft_thread_cooperate();
  }
}
static void consumer(void *unused) {
  (void)unused;
  for (;;) {
    while (used == 0) ft_thread_await(was_written);
    int expected = used == 2 ? second : 0;
    int was = used;
    first = second;
    used--;
    if (was == 2 && first != expected) reach_error();
    ft_thread_generate(was_read);
    ft_thread_cooperate();
  }
}
static void observer(void *unused) {
  (void)unused;
  for (;;) {
#ifdef BUG /* a value that the consumer has not read yet */
    if (used == 1) reach_error();
#else
    if (used < 0 || used > 2) reach_error();
#endif
    ft_thread_cooperate();
  }
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  was_written = ft_event_create(s);
  was_read = ft_event_create(s);
  ft_thread_create(s, producer, 0, 0);
  ft_thread_create(s, consumer, 0, 0);
  ft_thread_create(s, observer, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
