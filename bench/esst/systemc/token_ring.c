/* token_ring: a master sends a token through N transmitters, each of which adds one; when it comes back, the
 * master checks it. BUG: the master has an error of its own after that.
 * The threaded form of token_ring.NN of SV-COMP (systemc). */
#include <sysc.h>
#ifndef N
#  define N 3
#endif
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static sysc_event event[N + 1]; /* event[N] is the master's */
static unsigned token, local;

static void master(void *unused) {
  (void)unused;
  for (;;) {
    token = (unsigned)__VERIFIER_nondet_int();
    local = token;
    sysc_notify_now(event[0]);
    sysc_wait_event(event[N]);
    if (token != local + N) reach_error();
#ifdef BUG
    if (__VERIFIER_nondet_int() == 5) reach_error();
#endif
  }
}
static void transmit(void *number) {
  int i = (int)(long)number;
  for (;;) {
    sysc_wait_event(event[i]);
    token++;
    sysc_notify_now(event[i + 1]);
  }
}
int main(void) {
  for (int i = 0; i <= N; i++) event[i] = sysc_event_new();
  sysc_thread(master, 0);
  for (int i = 0; i < N; i++) sysc_thread(transmit, (void *)(long)i);
  sysc_start_all();
  return 0;
}
