/* token_ring: a master sends a token through N transmitters (1 to 16), each of which adds one; when it comes back,
 * the master checks it. BUG: the master has an error of its own after that.
 * The threaded form of token_ring.NN of SV-COMP (systemc). */
#include "ring.h"
#include <sysc.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static sysc_event e0; /* wakes the master */
static unsigned token, local;

static void master(void *unused) {
  (void)unused;
  for (;;) {
    token = (unsigned)__VERIFIER_nondet_int();
    local = token;
    sysc_notify_now(e1);
    sysc_wait_event(e0);
    if (token != local + N) reach_error();
#ifdef BUG
    if (__VERIFIER_nondet_int() == 5) reach_error();
#endif
  }
}
#define TRANSMIT(NEXT, SELF)                                                                       \
  static void transmit##SELF(void *unused) {                                                       \
    (void)unused;                                                                                  \
    for (;;) {                                                                                     \
      sysc_wait_event(e##SELF);                                                                    \
      token++;                                                                                     \
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
