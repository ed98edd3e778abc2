/* toy: two processes may add one to a value before it is written back to a signal. BUG: only one is expected.
 * The threaded form of toy, toy1 and toy2 of SV-COMP (systemc). */
#include <sysc.h>
extern void reach_error(void);

static sysc_event e, f, g;
static sysc_signal c;
static int d, data, processed;

static void write_loop(void *unused) {
  (void)unused;
  sysc_wait_time(0);
  for (;;) {
    int t = d;
    data = d;
    processed = 0;
    sysc_notify_now(f);
    sysc_wait_event(e);
#ifdef BUG
    if (d != t + 1) reach_error();
#else
    if (d != t + 1 && d != t + 2) reach_error();
#endif
  }
}
static void compute(void *unused) {
  (void)unused;
  for (;;) {
    sysc_wait_event(f);
    if (!processed) {
      data++;
      sysc_notify_now(g);
    }
  }
}
static void write_back(void *unused) {
  (void)unused;
  for (;;) {
    sysc_wait_event(g);
    sysc_write(c, data);
    processed = 1;
  }
}
static void read(void *unused) {
  (void)unused;
  d = sysc_read(c);
  sysc_notify_now(e);
}
int main(void) {
  e = sysc_event_new();
  f = sysc_event_new();
  g = sysc_event_new();
  c = sysc_signal_new(0);
  sysc_thread(write_loop, 0);
  sysc_thread(compute, 0);
  sysc_thread(compute, 0);
  sysc_thread(write_back, 0);
  sysc_process r = sysc_method(read, 0);
  sysc_sensitive(r, sysc_changed(c));
  sysc_dont_initialize(r);
  sysc_start_all();
  return 0;
}
