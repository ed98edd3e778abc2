/* await.h -- await loops, in which a thread repeats a test until another thread changes its result:
 * `while (!flag);`, a lock made of a compare-and-swap, repeated trylocks, a flag read under a lock.
 *
 * A round of a loop is idle if it changes nothing: it only reads, or writes the values that were
 * there, and leaves the thread's frames as they were at the beginning of the round. An execution
 * without the round is as good. So the path of a thread ends after an idle round. The execution in
 * which the thread finds what it waits for is explored nevertheless, because the write it waits for
 * races with its read.
 *
 * Reference: the spin-assume transformation of Kokologiannakis, Ren, Vafeiadis, "Dynamic Partial
 * Order Reductions for Spinloops", FMCAD 2021. Deviation: they use a static analysis; we compare
 * frames. Variables that decide nothing that matters (predicate.h) are not compared, since many
 * loops count their rounds in order to yield now and then. */
#ifndef PV_DPOR_AWAIT_H
#define PV_DPOR_AWAIT_H

#include "dpor/trace.h"

/* Did the event change nothing except frames of its thread? The journal must include the event. */
bool pv_await_quiet(const struct pv_trace *t, const struct pv_dpor_event *e);
/* The same, for an event after which the thread can continue; failed calls and sections that only
 * read are included. Always false for an operation that the thread executes for the first time. */
bool pv_await_idle(const struct pv_trace *t, const struct pv_dpor_event *e);
/* The last event of the thread was idle. Has the thread completed an idle round? */
bool pv_await_returned(const struct pv_trace *t, unsigned thread);

#endif
