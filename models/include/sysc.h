/* sysc.h -- an interface in C to SystemC's kernel (IEEE 1666), for programs that proviso analyses.
 * <systemc> is the one in C++.
 *
 * A program's main makes events, signals and processes, and calls sysc_start. Times are numbers of
 * one unit that the program chooses. Events, signals, channels and processes are small numbers. */
#ifndef PV_SYSC_H
#define PV_SYSC_H

#ifdef __cplusplus
extern "C" {
#endif

typedef int sysc_event;
typedef int sysc_process;
typedef int sysc_channel;
typedef int sysc_signal;
typedef unsigned long long sysc_time;

/* ---- processes. A thread runs once, a method anew after each trigger. Both run at the start of
 * the simulation, in any order, unless they are told to wait first. */
sysc_process sysc_thread(void (*run)(void *), void *argument);
sysc_process sysc_method(void (*run)(void *), void *argument);
void sysc_dont_initialize(sysc_process);
void sysc_sensitive(sysc_process, sysc_event); /* adds to its static sensitivity */
sysc_process sysc_self(void);                  /* the running process; sc_main is 0 */

/* ---- events. A later notification of an event replaces an earlier one that is pending only if it
 * is due sooner. Time 0 is the next delta cycle. */
sysc_event sysc_event_new(void);
void sysc_event_end(sysc_event);
int sysc_notify_now(sysc_event); /* 0; 1: not allowed outside of the evaluation phase */
void sysc_notify(sysc_event, sysc_time);
void sysc_cancel(sysc_event);
int sysc_is_triggered(sysc_event); /* in this evaluation, or at its start */

/* ---- what a thread waits for. Those with a time return 1 if it passed before the events came,
 * else 0. Without events: the static sensitivity. */
void sysc_wait(void);
void sysc_wait_n(int triggers); /* that many triggers of the static sensitivity */
void sysc_wait_time(sysc_time);
void sysc_wait_event(sysc_event);
int sysc_wait_event_for(sysc_event, sysc_time);
void sysc_wait_any(int n, const sysc_event *list);
int sysc_wait_any_for(int n, const sysc_event *list, sysc_time);
void sysc_wait_all(int n, const sysc_event *list);
int sysc_wait_all_for(int n, const sysc_event *list, sysc_time);
/* The same for the next run of a method. The last call counts. */
void sysc_next(void);
void sysc_next_time(sysc_time);
void sysc_next_event(sysc_event);
void sysc_next_event_for(sysc_event, sysc_time);
void sysc_next_any(int n, const sysc_event *list);
void sysc_next_any_for(int n, const sysc_event *list, sysc_time);
void sysc_next_all(int n, const sysc_event *list);
void sysc_next_all_for(int n, const sysc_event *list, sysc_time);
int sysc_timed_out(void); /* did the calling process's latest wait end by its time? */

/* ---- channels. A request has the channel updated after the evaluation. */
sysc_channel sysc_channel_new(void (*update)(void *), void *argument);
void sysc_request_update(sysc_channel);
/* A signal: what is written is read after the update, and its event follows in the next delta
 * cycle. */
sysc_signal sysc_signal_new(int value);
int sysc_read(sysc_signal);
void sysc_write(sysc_signal, int value);
sysc_event sysc_changed(sysc_signal);

/* ---- the simulation, for main. Returns when the time is over, or sysc_stop or sysc_pause was
 * called; sysc_start_all also if nothing will happen any more. Time 0: one delta cycle. */
void sysc_start(sysc_time);
/* The same, but the time that is left does not pass if nothing happens in it. */
void sysc_start_until_idle(sysc_time);
void sysc_start_all(void);
void sysc_stop(void);         /* ends the simulation after this delta cycle; from anywhere */
void sysc_stop_at_once(void); /* when the running process waits; without an update */
void sysc_pause(void);
int sysc_status(void); /* 0: elaboration, 1: running or between runs, 2: stopped */
sysc_time sysc_now(void);
unsigned long long sysc_deltas(void); /* delta cycles so far */
int sysc_activity(void);              /* pending: 1: in this time, 2: later, 3: both; 0: none */
sysc_time sysc_time_to_activity(void);

#ifdef __cplusplus
}
#endif
#endif
