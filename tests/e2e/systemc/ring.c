// SystemC under engine esst: a master sends a token, which is an input, through two transmitters. Signals, time and immediate
// notifications; with all reductions.
// expect: true
// states: 28
// args: --engine esst --property unreach-call --order any
// run: --engine esst --property unreach-call --order any --por none => true states=37
// run: --engine esst --property unreach-call --order creation => true states=28
// run: --engine esst --property unreach-call --order any -- -DBUG => false(unreach-call) states=15
// run: --engine esst --property unreach-call --order any --por none -- -DBUG => false(unreach-call) states=15
// run: --engine esst --property unreach-call --order creation -- -DBUG => false(unreach-call) states=15
#include <sysc.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static sysc_event e1, back;
static sysc_signal sent;
static unsigned token, local;

static void master(void *unused) {
  (void)unused;
  sysc_wait_time(1);
  for (;;) {
    token = (unsigned)__VERIFIER_nondet_int();
    local = token;
    sysc_notify_now(e1);
    sysc_wait_event(back);
#ifdef BUG
    if (token == local + 2) reach_error();
#else
    if (token != local + 2) reach_error();
#endif
  }
}
static void transmit1(void *unused) {
  (void)unused;
  for (;;) {
    sysc_wait_event(e1);
    token++;
    sysc_write(sent, !sysc_read(sent));
  }
}
static void transmit2(void *unused) {
  (void)unused;
  for (;;) {
    sysc_wait_event(sysc_changed(sent));
    token++;
    sysc_notify_now(back);
  }
}
int main(void) {
  e1 = sysc_event_new();
  back = sysc_event_new();
  sent = sysc_signal_new(0);
  sysc_thread(master, 0);
  sysc_thread(transmit1, 0);
  sysc_thread(transmit2, 0);
  sysc_start_all();
  return 0;
}
