/* ft-pc-sfifo1: a producer and a consumer share a buffer of one place. What was read last is what was written last, and equally
 * many values were written and read. Written by us after section 6 of Cimatti, Narasamdya, Roveri, LMCS 2012. */
#include <fthread.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static ft_event_t was_written, was_read;
static int buffer, is_free = 1, last_written, last_read;
static unsigned written, read;

static void producer(void *unused) {
  (void)unused;
  for (;;) {
    while (!is_free) ft_thread_await(was_read);
    buffer = __VERIFIER_nondet_int();
    last_written = buffer;
    written++;
    is_free = 0;
    ft_thread_generate(was_written);
    ft_thread_cooperate();
  }
}
static void consumer(void *unused) {
  (void)unused;
  for (;;) {
    while (is_free) ft_thread_await(was_written);
    last_read = buffer;
    read++;
#ifdef BUG
    if (last_written == last_read) reach_error();
#else
    if (last_written != last_read) reach_error();
#endif
    if (written != read) reach_error();
    is_free = 1;
    ft_thread_generate(was_read);
    ft_thread_cooperate();
  }
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  was_written = ft_event_create(s);
  was_read = ft_event_create(s);
  ft_thread_create(s, producer, 0, 0);
  ft_thread_create(s, consumer, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
