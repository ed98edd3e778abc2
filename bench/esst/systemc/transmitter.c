/* transmitter: a master wakes the first of N transmitters (1 to 16), and each wakes the next one. A transmitter
 * that is woken has an error. OK: the master wakes nobody.
 * The threaded form of transmitter.NN of SV-COMP (systemc). */
#include "ring.h"
#include <sysc.h>
extern void reach_error(void);

static sysc_event e0;

static void master(void *unused) {
  (void)unused;
#ifndef OK
  sysc_notify_now(e1);
#endif
  for (;;) sysc_wait_event(e0);
}
#define TRANSMIT(NEXT, SELF)                                                                       \
  static void transmit##SELF(void *unused) {                                                       \
    (void)unused;                                                                                  \
    for (;;) {                                                                                     \
      sysc_wait_event(e##SELF);                                                                    \
      if (SELF == N) reach_error();                                                                \
      sysc_notify_now(SELF == N ? e0 : e##NEXT);                                                   \
    }                                                                                              \
  }
RING(TRANSMIT)

int main(void) {
  e0 = sysc_event_new();
#define EVENT(NEXT, SELF) e##SELF = sysc_event_new();
  RING(EVENT)
  sysc_thread(master, 0);
#define START(NEXT, SELF) sysc_thread(transmit##SELF, 0);
  RING(START)
  sysc_start_all();
  return 0;
}
