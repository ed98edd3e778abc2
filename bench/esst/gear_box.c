/* gear-box: a gearbox of five gears with a dry clutch, without time and priorities. A driver asks for a gear; the control opens the
 * clutch, takes the old gear out, puts the new one in, closes the clutch. Actuators and a display are threads of their own. A gear
 * only moves while the clutch is open, and only by one step. Written by us after section 6 of Cimatti, Narasamdya, Roveri, LMCS 2012,
 * which takes it from Waszniowski and Hanzálek, 2008. */
#include <fthread.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static ft_event_t asked, open_it, opened, close_it, closed, neutral_it, is_neutral, shift_it, shifted;
static int wanted, gear, clutch_is_open, target, torque, shown;

static void driver(void *unused) {
  (void)unused;
  for (;;) {
    int up = __VERIFIER_nondet_int();
    if (up && wanted < 5)
      wanted++;
    else if (!up && wanted > 1)
      wanted--;
    ft_thread_generate(asked);
    ft_thread_await(closed);
    ft_thread_cooperate();
  }
}
static void control(void *unused) {
  (void)unused;
  for (;;) {
    ft_thread_await(asked);
    target = wanted;
    torque = 0;
    ft_thread_generate(open_it);
    ft_thread_await(opened);
    ft_thread_generate(neutral_it);
    ft_thread_await(is_neutral);
    if (gear != 0) reach_error();
    ft_thread_generate(shift_it);
    ft_thread_await(shifted);
    if (gear != target) reach_error();
    ft_thread_generate(close_it);
    ft_thread_await(closed);
#ifdef BUG
    if (gear == 2 && !clutch_is_open) reach_error();
#else
    if (clutch_is_open) reach_error();
#endif
    torque = 1;
    ft_thread_cooperate();
  }
}
static void opens(void *unused) {
  (void)unused;
  for (;;) {
    ft_thread_await(open_it);
    if (torque) reach_error();
    clutch_is_open = 1;
    ft_thread_generate(opened);
    ft_thread_cooperate();
  }
}
static void closes(void *unused) {
  (void)unused;
  for (;;) {
    ft_thread_await(close_it);
    clutch_is_open = 0;
    ft_thread_generate(closed);
    ft_thread_cooperate();
  }
}
static void takes_out(void *unused) {
  (void)unused;
  for (;;) {
    ft_thread_await(neutral_it);
    if (!clutch_is_open) reach_error();
    gear = 0;
    ft_thread_generate(is_neutral);
    ft_thread_cooperate();
  }
}
static void puts_in(void *unused) {
  (void)unused;
  for (;;) {
    ft_thread_await(shift_it);
    if (!clutch_is_open) reach_error();
    if (target < 0 || target > 5) reach_error();
    gear = target;
    ft_thread_generate(shifted);
    ft_thread_cooperate();
  }
}
static void display(void *unused) {
  (void)unused;
  for (;;) {
    ft_thread_await(shifted);
    shown = gear;
    if (shown < 0 || shown > 5) reach_error();
    ft_thread_cooperate();
  }
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  asked = ft_event_create(s);
  open_it = ft_event_create(s);
  opened = ft_event_create(s);
  close_it = ft_event_create(s);
  closed = ft_event_create(s);
  neutral_it = ft_event_create(s);
  is_neutral = ft_event_create(s);
  shift_it = ft_event_create(s);
  shifted = ft_event_create(s);
  ft_thread_create(s, driver, 0, 0);
  ft_thread_create(s, control, 0, 0);
  ft_thread_create(s, opens, 0, 0);
  ft_thread_create(s, closes, 0, 0);
  ft_thread_create(s, takes_out, 0, 0);
  ft_thread_create(s, puts_in, 0, 0);
  ft_thread_create(s, display, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
