/* transmitter: a master wakes the first of N transmitters, and each wakes the next one. A transmitter that is
 * woken has an error (OK: only in the model where the master wakes nobody).
 * The threaded form of transmitter.NN of SV-COMP (systemc). */
#include <sysc.h>
#ifndef N
#  define N 3
#endif
extern void reach_error(void);

static sysc_event event[N + 1];

static void master(void *unused) {
  (void)unused;
#ifndef OK
  sysc_notify_now(event[0]);
#endif
  for (;;) sysc_wait_event(event[N]);
}
static void transmit(void *number) {
  int i = (int)(long)number;
  for (;;) {
    sysc_wait_event(event[i]);
    reach_error();
    if (i + 1 < N) sysc_notify_now(event[i + 1]);
  }
}
int main(void) {
  for (int i = 0; i <= N; i++) event[i] = sysc_event_new();
  sysc_thread(master, 0);
  for (int i = 0; i < N; i++) sysc_thread(transmit, (void *)(long)i);
  sysc_start_all();
  return 0;
}
