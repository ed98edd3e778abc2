/* log.h -- one execution as a sequence of events, for analyses that look at it more than once:
 * which threads matter (window.c), and what could have happened in another schedule (predict.c). */
#ifndef PV_MONITOR_LOG_H
#define PV_MONITOR_LOG_H

#include "monitor/monitor.h"
#include "result/result.h"

enum { PV_LOG_EVENTS = 1000000 };
struct pv_log {
  PV_VEC(struct pv_observed) events;
  PV_VEC(uint32_t) step;            /* by event: the number of the step that it belongs to */
  PV_VEC(struct pv_choice) choices; /* by step */
  bool cut;                         /* there were more events */
};
/* A step begins; its events follow. */
void pv_log_step(struct pv_log *log, struct pv_choice c);
void pv_log_tell(struct pv_log *log, const struct pv_observed *e);
void pv_log_free(struct pv_log *log);

/* window.c: the threads that matter for what the warnings are about.
 *
 * The dependency graph has, for each thread, its parent and the objects that it read and wrote. The
 * window is the least set of threads with those of the warnings, the parents of its threads, and
 * all threads that wrote what one of its threads read. Deviations from the paper: a thread counts
 * only up to where it is needed, so that `main`, which joins all threads in the end, does not bring
 * them all in; and threads count that a thread of the window joined or waited for.
 *
 * Reference: Visser et al., ASE Journal 2003, section 4. Returns a set of threads (bit t: thread
 * t); 0: there is no warning. */
uint64_t pv_log_window(const struct pv_log *log, const struct pv_warnings *warnings);

/* predict.c: races and deadlocks of executions that keep the order of critical sections, and steps
 * that lead there.
 *
 * An ideal is a set of events that could happen without the others: with an event it has what comes
 * before it in its thread, the writes that it reads from, and, of two critical sections of a lock,
 * all of the earlier one. If the least ideal with everything before two accesses has neither of
 * them, they race; the same for locks that several threads take in a circle. The steps of the
 * ideal, in the order in which they were observed, are a schedule.
 *
 * References: Mathur, Pavlogiannis, Viswanathan, "Optimal prediction of synchronization-preserving
 * races", POPL 2021 (SyncP); Tunc, Mathur, Pavlogiannis, Viswanathan, "Sound dynamic deadlock
 * prediction in linear time", PLDI 2023 (SPDOffline). Deviations: synchronisation by anything but
 * locks keeps its order; of the pairs of accesses at two places only some are tried. */
struct pv_prediction {
  uint32_t warning;                 /* its number among the warnings */
  PV_VEC(struct pv_choice) choices; /* the observed steps that lead there */
};
struct pv_predictions {
  PV_VEC(struct pv_prediction) list; /* at most one for each warning */
};
/* Adds warnings that are new, and a prediction for each that it found to be feasible. */
void pv_log_predict(const struct pv_log *log, struct pv_warnings *warnings,
                    struct pv_predictions *out);
void pv_predictions_free(struct pv_predictions *p);

#endif
