/* await.h -- loops in which a thread waits by looking again and again (`while (!flag);`, a lock
 * made of a compare-and-swap, tries of a lock, a flag read under one).
 *
 * A round of a loop that only reads, or writes what was there, and after which the thread is where
 * and as it was before, might as well not have been. So of a thread that has done one it is enough
 * to look at the executions in which it comes later, and finds what it waits for: they are explored
 * because the write that it waits for races with what it read (the spin-assume transformation of
 * Kokologiannakis, Ren, Vafeiadis, "Dynamic Partial Order Reductions for Spinloops", FMCAD 2021;
 * there by a static analysis, here by comparing frames). In the execution at hand its path ends.
 * Variables whose values decide nothing that matters (predicate.h) need not be as they were: many
 * loops count their rounds, to yield from time to time. */
#ifndef PV_DPOR_AWAIT_H
#define PV_DPOR_AWAIT_H

#include "dpor/trace.h"

/* The journal has kept what the event did: did nothing change but frames of its thread? */
bool pv_await_quiet(const struct pv_trace *t, const struct pv_dpor_event *e);
/* The same for one that did not end its thread's path: did it leave everything but those frames as
 * it was? A call that fails does, and a section that only reads, which is one event. (Asked of what
 * the thread does not do for the first time; else the answer is no.) */
bool pv_await_idle(const struct pv_trace *t, const struct pv_dpor_event *e);
/* The thread's last event was idle: has it come to where it has been, as it was? */
bool pv_await_returned(const struct pv_trace *t, unsigned thread);

#endif
