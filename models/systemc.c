/* systemc.c -- the kernel of SystemC over the primitives of sched/systemc.c, as declared in
 * include/sysc.h. The scheduler knows processes, events and channels by their numbers; the values
 * of signals are kept here. */
#include "model.h"

enum { MAX_PROCESSES = 64, MAX_CHANNELS = 128, METHOD = 1, OF_CHANNEL = 128 };
enum wait { STATIC, TIME, ANY, EVERY };
enum { FOR_EVER = 1, ONE_DELTA = 2, CONTINUE = 4, ON_STARVATION = 8 };
enum { KEEP_TIME = 1, KEEP_DELTAS = 2, KEEP_TRIGGERED = 4 };

static struct channel {
  void (*update)(void *); /* null: a signal */
  void *argument;
} channels[MAX_CHANNELS];
static struct signal { int now, next; } signals[MAX_CHANNELS];
static bool late[MAX_PROCESSES]; /* the latest wait ended by its time; only if the program asks */

/* ---- processes ------------------------------------------------------------------------------- */
static void ended_wait(int timed_out) {
  if (__proviso_has_sysc_timed_out) late[__proviso_sc_self()] = timed_out;
}

/* The bottom frame of every process. */
_Noreturn void __proviso_sc_process_main(void (*run)(void *), void *argument);
_Noreturn void __proviso_sc_process_main(void (*run)(void *), void *argument) {
  if (!__proviso_sc_is_method()) {
    run(argument);
    __proviso_sc_finish();
  }
  for (;;) {
    run(argument);
    ended_wait(__proviso_sc_end_of_method());
  }
}
int sysc_thread(void (*run)(void *), void *argument) {
  return __proviso_sc_create(NULL, run, argument, 0);
}
int sysc_method(void (*run)(void *), void *argument) {
  return __proviso_sc_create(NULL, run, argument, METHOD);
}
void sysc_dont_initialize(int process) {
  __proviso_sc_wait_first(process);
}
void sysc_sensitive(int process, int event) {
  __proviso_sc_sensitive(process, event);
}
int sysc_self(void) {
  return __proviso_sc_self();
}

/* ---- events ---------------------------------------------------------------------------------- */
int sysc_event_new(void) {
  return __proviso_sc_event();
}
void sysc_event_end(int event) {
  __proviso_sc_end_event(event);
}
int sysc_notify_now(int event) {
  return __proviso_sc_notify_now(event);
}
void sysc_notify(int event, unsigned long long time) {
  __proviso_sc_notify(event, time);
}
void sysc_cancel(int event) {
  __proviso_sc_cancel(event);
}
int sysc_is_triggered(int event) {
  return __proviso_sc_triggered(event);
}

/* ---- waits ----------------------------------------------------------------------------------- */
static int waits(int kind, int event, int timed, unsigned long long time) {
  int timed_out = __proviso_sc_wait(kind, event, timed, time);
  ended_wait(timed_out);
  return timed_out;
}
static void collect(int n, const int *list) {
  for (int i = 0; i < n; i++) __proviso_sc_collect(list[i]);
}
void sysc_wait(void) {
  waits(STATIC, -1, 0, 0);
}
void sysc_wait_n(int triggers) {
  waits(STATIC, triggers, 0, 0);
}
void sysc_wait_time(unsigned long long time) {
  waits(TIME, -1, 1, time);
}
void sysc_wait_event(int event) {
  waits(ANY, event, 0, 0);
}
int sysc_wait_event_for(int event, unsigned long long time) {
  return waits(ANY, event, 1, time);
}
void sysc_wait_any(int n, const int *list) {
  collect(n, list);
  waits(ANY, -1, 0, 0);
}
int sysc_wait_any_for(int n, const int *list, unsigned long long time) {
  collect(n, list);
  return waits(ANY, -1, 1, time);
}
void sysc_wait_all(int n, const int *list) {
  collect(n, list);
  waits(EVERY, -1, 0, 0);
}
int sysc_wait_all_for(int n, const int *list, unsigned long long time) {
  collect(n, list);
  return waits(EVERY, -1, 1, time);
}
void sysc_next(void) {
  __proviso_sc_next(STATIC, -1, 0, 0);
}
void sysc_next_time(unsigned long long time) {
  __proviso_sc_next(TIME, -1, 1, time);
}
void sysc_next_event(int event) {
  __proviso_sc_next(ANY, event, 0, 0);
}
void sysc_next_event_for(int event, unsigned long long time) {
  __proviso_sc_next(ANY, event, 1, time);
}
void sysc_next_any(int n, const int *list) {
  collect(n, list);
  __proviso_sc_next(ANY, -1, 0, 0);
}
void sysc_next_any_for(int n, const int *list, unsigned long long time) {
  collect(n, list);
  __proviso_sc_next(ANY, -1, 1, time);
}
void sysc_next_all(int n, const int *list) {
  collect(n, list);
  __proviso_sc_next(EVERY, -1, 0, 0);
}
void sysc_next_all_for(int n, const int *list, unsigned long long time) {
  collect(n, list);
  __proviso_sc_next(EVERY, -1, 1, time);
}
int sysc_timed_out(void) {
  return late[__proviso_sc_self()];
}

/* ---- channels -------------------------------------------------------------------------------- */
int sysc_channel_new(void (*update)(void *), void *argument) {
  int channel = __proviso_sc_channel();
  channels[channel].update = update;
  channels[channel].argument = argument;
  return channel;
}
void sysc_request_update(int channel) {
  __proviso_sc_request(channel);
}
int sysc_signal_new(int value) {
  int channel = sysc_channel_new(NULL, NULL);
  signals[channel].now = signals[channel].next = value;
  return channel;
}
int sysc_read(int signal) {
  return signals[signal].now;
}
void sysc_write(int signal, int value) {
  /* An update that changes nothing is not noticed, except in the order of updates, or as activity.
   * So mostly it is requested without a look at the value. */
  bool any_update = !__proviso_has_sysc_activity && __proviso_sc_sorts_updates();
  signals[signal].next = value;
  if (any_update || value != signals[signal].now) __proviso_sc_request(signal);
}
int sysc_changed(int signal) {
  return OF_CHANNEL + signal;
}
static void update(int channel) {
  if (channels[channel].update) {
    channels[channel].update(channels[channel].argument);
  } else if (signals[channel].next != signals[channel].now) {
    signals[channel].now = signals[channel].next;
    __proviso_sc_notify(OF_CHANNEL + channel, 0);
  }
}

/* ---- the simulation -------------------------------------------------------------------------- */
static void simulate(int flags, unsigned long long time) {
  if (__proviso_sc_running() == 0)
    __proviso_sc_keep((__proviso_has_sysc_time ? KEEP_TIME : 0) |
                      (__proviso_has_sysc_deltas ? KEEP_DELTAS : 0) |
                      (__proviso_has_sysc_triggered ? KEEP_TRIGGERED : 0));
  for (int channel; (channel = __proviso_sc_run(flags, time)) > 0; flags = CONTINUE, time = 0)
    update(channel - 1);
}
void sysc_start(unsigned long long time) {
  simulate(time ? 0 : ONE_DELTA, time);
}
void sysc_start_until_idle(unsigned long long time) {
  simulate(time ? ON_STARVATION : ONE_DELTA, time);
}
void sysc_start_all(void) {
  simulate(FOR_EVER, 0);
}
void sysc_stop(void) {
  __proviso_sc_stop(1);
}
void sysc_stop_at_once(void) {
  __proviso_sc_stop(3);
}
void sysc_pause(void) {
  __proviso_sc_stop(2);
}
int sysc_status(void) {
  return __proviso_sc_running();
}
unsigned long long sysc_now(void) {
  return __proviso_sc_now();
}
unsigned long long sysc_deltas(void) {
  return __proviso_sc_deltas();
}
int sysc_activity(void) {
  return __proviso_sc_is_pending();
}
unsigned long long sysc_time_to_activity(void) {
  return __proviso_sc_until_next();
}
