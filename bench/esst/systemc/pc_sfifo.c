/* pc_sfifo: a producer and a consumer, and a queue with one place. MODEL 1: the two wake each other at once; 2: the
 * queue notifies them in the update phase; 3: they also wait for clock edges. BUG: the consumer checks twice, and
 * the second check fails.
 * The threaded form of pc_sfifo_1..3 of SV-COMP (systemc). */
#include <sysc.h>
#ifndef MODEL
#  define MODEL 1
#endif
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int buffer, is_free = 1;
static sysc_event was_read, was_written;
static unsigned n_written, n_read;
static int last_written, last_read;
#if MODEL > 1
static sysc_channel queue;
static void update(void *unused) {
  (void)unused;
  sysc_notify(is_free ? was_read : was_written, 0);
}
#endif

static void tell(sysc_event e) {
#if MODEL == 1
  sysc_notify_now(e);
#else
  (void)e;
  sysc_request_update(queue);
#endif
}
static void produce(void *unused) {
  (void)unused;
  for (;;) {
#if MODEL == 3
    sysc_wait_time(1);
#endif
    if (!is_free) sysc_wait_event(was_read);
    buffer = __VERIFIER_nondet_int();
    last_written = buffer;
    n_written++;
    is_free = 0;
    tell(was_written);
  }
}
static void consume(void *unused) {
  (void)unused;
  for (;;) {
#if MODEL == 3
    sysc_wait_time(2);
#endif
    if (is_free) sysc_wait_event(was_written);
    last_read = buffer;
    n_read++;
    is_free = 1;
    tell(was_read);
    if (last_written != last_read || n_written != n_read) reach_error();
#ifdef BUG
    if (n_read == 1) reach_error();
#endif
  }
}
int main(void) {
  was_read = sysc_event_new();
  was_written = sysc_event_new();
#if MODEL > 1
  queue = sysc_channel_new(update, 0);
#endif
  sysc_thread(produce, 0);
  sysc_thread(consume, 0);
  sysc_start_all();
  return 0;
}
