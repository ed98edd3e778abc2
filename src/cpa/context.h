/* context.h -- what every symbolic engine of a run stands on: solver, memory layout, control,
 * symbolic states, made from the task; and how their findings become a result. */
#ifndef PV_CONTEXT_H
#define PV_CONTEXT_H

#include "cpa/cpa.h"
#include "engine.h"

struct pv_analysis_context {
  const struct pv_task *task;
  struct pv_smt *smt;
  struct pv_points_to *pt;
  struct pv_layout *layout;
  struct pv_control *control;
  struct pv_symbolic *symbolic;
  struct pv_map given_up;  /* struct pv_event_place */
  struct pv_map granted;   /* what pv_context_sentence says of them */
  struct pv_str not_shown; /* why the last error that was to be run was not shown (witness.h) */
};
/* What tells events apart: the frame and edge they happen at, and what they say. */
struct pv_event_place {
  uint32_t frame, edge;
  uint64_t message; /* hash */
};
struct pv_event_place pv_event_place(const struct pv_sym_event *event);
/* False: the program cannot be treated (the condition says why). */
bool pv_context_new(struct pv_analysis_context *g, const struct pv_task *task,
                    struct pv_result *result);
void pv_context_free(struct pv_analysis_context *g);
/* The engine understands moves of several threads (pv_control_allow_threads). Before anything is
 * looked at. */
void pv_context_allow_threads(struct pv_analysis_context *g);

/* Has the solver failed? Then nothing more can be found out, and what was is not sure: the engine
 * is to end, and its run is not complete. */
bool pv_context_lost(const struct pv_analysis_context *g);
/* The properties whose violations the engines saw in all that they looked at. */
pv_properties pv_context_checked(const struct pv_analysis_context *g);
/* Adds what was reached of the limits, the solver's statistics, and the verdict that the condition
 * and the violations amount to. `complete`: nothing was left out but what the condition says. */
void pv_context_finish(struct pv_analysis_context *g, struct pv_result *result, bool complete);
/* An event that was not excluded, and will not be: a proviso, once for each place and message.
 * `why` goes into its sentence: the two below, or pv_context_undecided; NULL: the event says it. */
void pv_context_give_up(struct pv_analysis_context *g, struct pv_result *result,
                        const struct pv_sym_event *event, const char *why);
/* What the proviso begins with, after "provided that": what does not happen, and where; appended.
 */
void pv_context_sentence(const struct pv_analysis_context *g, const struct pv_sym_event *event,
                         struct pv_str *out);
/* Why the solver did not answer the last time; `otherwise` if there was no such time. Borrowed. */
const char *pv_context_undecided(const struct pv_analysis_context *g, const char *otherwise);
/* Why an error that is possible by all that the engine knows is not in the result. Borrowed. */
const char *pv_context_not_shown(struct pv_analysis_context *g);
bool pv_context_is_given_up(const struct pv_analysis_context *g, const struct pv_sym_event *event);

#endif
