/* ground.h -- what every symbolic engine of a run stands on: solver, memory layout, control,
 * symbolic states, made from the task; and how their findings become a result. */
#ifndef PV_GROUND_H
#define PV_GROUND_H

#include "cpa/cpa.h"
#include "engine.h"

struct pv_ground {
  const struct pv_task *task;
  struct pv_smt *smt;
  struct pv_points_to *pt;
  struct pv_layout *layout;
  struct pv_control *control;
  struct pv_symbolic *symbolic;
};
/* False: the program cannot be treated (the condition says why). */
bool pv_ground_new(struct pv_ground *g, const struct pv_task *task, struct pv_result *result);
void pv_ground_free(struct pv_ground *g);

/* The properties whose violations the engines saw in all that they looked at. */
pv_properties pv_ground_checked(const struct pv_ground *g);
/* Adds what was reached of the limits, the solver's statistics, and the verdict that the condition
 * and the violations amount to. `complete`: nothing was left out but what the condition says. */
void pv_ground_finish(struct pv_ground *g, struct pv_result *result, bool complete);
/* A proviso for an event that was not excluded. */
void pv_ground_proviso(struct pv_ground *g, struct pv_result *result,
                       const struct pv_sym_event *event);

#endif
