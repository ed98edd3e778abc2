/* kundu: producers write to two places, a consumer reads them. BUG 1: one producer, as fast as the consumer; 2: two
 * producers, as fast as the consumer.
 * The threaded form of kundu, kundu1 and kundu2 of SV-COMP (systemc). */
#include <sysc.h>
#ifndef BUG
#  define BUG 0
#endif
extern void reach_error(void);

enum { MAX = BUG ? 2 : 8, PERIOD = BUG ? 1 : 2 };
static sysc_event e;
static int num, i, timer;
static char data[2];

static void put(char c) {
  if (num < 0 || num > 1) reach_error();
  data[num & 1] = c;
}
static void produce_1(void *unused) {
  (void)unused;
  while (i < MAX) {
    put('A');
    num++;
    sysc_wait_time(PERIOD);
  }
}
static void produce_2(void *unused) {
  (void)unused;
  while (i < MAX) {
    put('B');
    num++;
    if (timer) {
      timer = 0;
      sysc_notify_now(e);
    }
    sysc_wait_time(PERIOD);
  }
}
static void consume(void *unused) {
  (void)unused;
  while (i < MAX) {
    if (num == 0) {
      timer = 1;
      i++;
      sysc_wait_event(e);
    }
    num--;
    if (num < 0 || num > 1) reach_error();
    i++;
    sysc_wait_time(1);
  }
}
int main(void) {
  e = sysc_event_new();
  sysc_thread(produce_1, 0);
  if (BUG != 1) sysc_thread(produce_2, 0);
  sysc_thread(consume, 0);
  sysc_start_all();
  return 0;
}
