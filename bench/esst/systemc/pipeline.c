/* pipeline: five processes at one clock: inputs, their sum and difference, the sum and twice the sum, and what these differ by, which
 * is nothing. BUG: that is taken for the error.
 * The threaded form of pipeline of SV-COMP (systemc). */
#include <sysc.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static sysc_event rises;
static sysc_signal in1, in2, sum, difference, once, twice, zero;
static unsigned printed;

static unsigned get(sysc_signal s) {
  return (unsigned)sysc_read(s);
}
static void put(sysc_signal s, unsigned value) {
  sysc_write(s, (int)value);
}
static void generate(void *unused) {
  (void)unused;
  for (;; sysc_wait_event(rises)) {
    put(in1, (unsigned)__VERIFIER_nondet_int());
    put(in2, (unsigned)__VERIFIER_nondet_int());
  }
}
static void add(void *unused) {
  (void)unused;
  for (;; sysc_wait_event(rises)) {
    unsigned a = get(in1), b = get(in2);
    put(sum, a + b);
    put(difference, a - b);
  }
}
static void twofold(void *unused) {
  (void)unused;
  for (;; sysc_wait_event(rises)) {
    unsigned a = get(sum), b = get(difference);
    put(once, a);
    put(twice, (a + b) + (a - b));
  }
}
static void subtract(void *unused) {
  (void)unused;
  for (;; sysc_wait_event(rises)) {
    unsigned a = get(once), b = get(twice);
    put(zero, b - (a + a));
  }
}
static void print(void *unused) {
  (void)unused;
  for (;; sysc_wait_event(rises)) printed = get(zero);
}
static void clock(void *unused) {
  (void)unused;
  for (int count = 1;; count = count == 5 ? 1 : count + 1) {
    sysc_notify(rises, 0);
    sysc_wait_time(1);
#ifdef BUG
    if (count == 5 && printed == 0) reach_error();
#else
    if (count == 5 && printed != 0) reach_error();
#endif
  }
}

int main(void) {
  rises = sysc_event_new();
  sysc_signal *signals[] = {&in1, &in2, &sum, &difference, &once, &twice, &zero};
  for (int i = 0; i < 7; i++) *signals[i] = sysc_signal_new(0);
  sysc_thread(generate, 0);
  sysc_thread(add, 0);
  sysc_thread(twofold, 0);
  sysc_thread(subtract, 0);
  sysc_thread(print, 0);
  sysc_thread(clock, 0);
  sysc_start_all();
  return 0;
}
