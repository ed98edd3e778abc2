/* context.h -- what all symbolic engines share: the solver, the memory layout, the control states
 * and the symbolic states of a task; and how their findings become a result. */
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
  struct pv_given_inputs *untried; /* given_inputs.h; NULL: none */
  struct pv_map given_up;          /* struct pv_event_place */
  struct pv_map granted;           /* the sentences of their provisos */
  struct pv_monitor *monitor;      /* monitor.h; NULL: none. Borrowed */
  struct pv_str not_shown; /* why the last error that was to be replayed was not (witness.h) */
};
/* Identifies an event: its frame, its edge and its message. */
struct pv_event_place {
  uint32_t frame, edge;
  uint64_t message; /* hash */
};
struct pv_event_place pv_event_place(const struct pv_sym_event *event);
/* Returns false if the program cannot be analysed; the condition of *result then says why. */
bool pv_context_new(struct pv_analysis_context *g, const struct pv_task *task,
                    struct pv_result *result);
/* The same, if all paths begin at the start of the program and have finitely many allocations: each
 * of these is an object of its own. arrays[i]: place i of the layout is not divided into cells;
 * NULL: none. Borrowed for the call. */
bool pv_context_new_objects(struct pv_analysis_context *g, const struct pv_task *task,
                            const bool *arrays, struct pv_result *result);
void pv_context_free(struct pv_analysis_context *g);
/* Declares that the engine handles moves of several threads (pv_control_allow_threads). To be
 * called before the first state is made. */
void pv_context_allow_threads(struct pv_analysis_context *g);

/* Has the solver failed? Then the engine must end, and its run is not complete. */
bool pv_context_lost(const struct pv_analysis_context *g);
/* The properties whose violations the engines detect. */
pv_properties pv_context_checked(const struct pv_analysis_context *g);
/* The symbolic engines take variables that no file defines, and that are no inputs, as zero at
 * first: adds a proviso for each. The machine, which shows every error, cuts reads of them. */
void pv_context_note_undefined(const struct pv_task *task, struct pv_result *result);
/* The number of operations that wrap around from now on (pv_symbolic_wrap). */
uint64_t pv_context_wrapping(const struct pv_analysis_context *g);
/* Adds a proviso if a limit was hit, the statistics of the solver, and the verdict that follows
 * from the condition and the violations. `complete`: everything outside the condition was explored.
 */
void pv_context_finish(struct pv_analysis_context *g, struct pv_result *result, bool complete);
/* Gives up excluding an event: adds a proviso, once for each place and message. `why` becomes part
 * of its sentence, for example pv_context_undecided. NULL: the event's own message suffices. */
void pv_context_give_up(struct pv_analysis_context *g, struct pv_result *result,
                        const struct pv_sym_event *event, const char *why);
/* The same because of a condition on a part of the analysis (monitor.h). */
void pv_context_exclude(struct pv_analysis_context *g, struct pv_result *result,
                        const struct pv_sym_event *event, const char *why);
/* Appends the beginning of the proviso's sentence: what does not happen, and where. */
void pv_context_sentence(const struct pv_analysis_context *g, const struct pv_sym_event *event,
                         struct pv_str *out);
/* Why the last unanswered solver query had no answer; `otherwise` if there was none. Borrowed. */
const char *pv_context_undecided(const struct pv_analysis_context *g, const char *otherwise);
/* Why the last error that the engine found could not be replayed. Borrowed. */
const char *pv_context_not_shown(struct pv_analysis_context *g);
bool pv_context_is_given_up(const struct pv_analysis_context *g, const struct pv_sym_event *event);

#endif
