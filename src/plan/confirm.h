/* confirm.h -- confirms or refutes the warnings of a runtime analysis.
 *
 * There are three steps, each for the warnings that are left. A predicted schedule is replayed. A
 * directed search moves only the threads of the window (monitor/window.c), towards the places of
 * the warnings, for a limited number of states. Then all executions are examined, as far as the
 * limits go.
 *
 * Reference: Visser et al., ASE Journal 2003, section 4. */
#ifndef PV_PLAN_CONFIRM_H
#define PV_PLAN_CONFIRM_H

#include "monitor/observe.h"
#include "native/replay.h"

enum pv_confirmation {
  PV_LEFT_OPEN, /* under the condition of the result */
  PV_CONFIRMED, /* a replayed execution shows it */
  PV_REFUTED    /* all executions were examined, and none does */
};
struct pv_verdict_on_warning {
  enum pv_confirmation what;
  uint32_t violation; /* CONFIRMED: its number in the result */
  const char *by;     /* CONFIRMED: "a predicted schedule", "guided search", "search" */
};
typedef PV_VEC(struct pv_verdict_on_warning) pv_verdicts_on_warnings;

/* Looks for the warnings of *o. The task must check nothing but data races and deadlocks. *out: one
 * verdict for each warning.
 * *result: the violations that confirm them, and what is open. The caller frees both. */
enum pv_status pv_plan_confirm(const struct pv_task *task, const struct pv_observation *o,
                               pv_verdicts_on_warnings *out, struct pv_result *result);

/* Imposes the schedule and the inputs of the last execution that was observed on the real program
 * (native/replay.h), and analyses the trace of that. PV_E_INPUT, with a message, if the real
 * program cannot follow the execution. The caller clears *traced and *out, which are zero at
 * first. */
enum pv_status pv_plan_observe_natively(const struct pv_task *task,
                                        const struct pv_observation *seen,
                                        struct pv_observation *traced,
                                        struct pv_native_outcome *out, struct pv_str *err);

#endif
