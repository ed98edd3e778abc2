/* observe.h -- one execution of a program in the machine, seen by the runtime analyses. */
#ifndef PV_MONITOR_OBSERVE_H
#define PV_MONITOR_OBSERVE_H

#include "engine.h"
#include "monitor/log.h"

struct pv_observation {
  struct pv_warnings warnings;
  PV_VEC(char *) places;  /* by place: "f (x.c:5), called at x.c:9" */
  PV_VEC(uint32_t) lines; /* by place: the line */
  PV_VEC(uint32_t) spans; /* by place */
  PV_VEC(char *) names;   /* by warning: the variable; NULL: none */
  struct pv_map locks;    /* lock -> index into lock_names */
  PV_VEC(char *) lock_names;
  struct pv_predictions predictions; /* with choices for a replay of the program */
  uint64_t window;                   /* the threads that matter for the warnings (log.h) */
  uint64_t steps;
  PV_VEC(struct pv_choice) choices; /* the steps of the last execution in the machine */
  char *end;                        /* how the execution ended, if not normally; NULL: normally */
};

/* Executes the task's program once, and adds what it shows to *out. If it is called again, with
 * another seed, equal warnings are not added twice. A thread runs until it waits; with option
 * `seed` other than 0 the next thread is drawn in each step. newest_first: instead, the newest
 * thread goes first, so that a thread does what it has to do before the end of the program. Inputs
 * give their first value, or one that is drawn. Ends at the limits of the task, or after
 * PV_OBSERVED_STEPS steps. The caller zero-initialises *out at first. Returns false if the
 * execution ended at an assumption. */
enum { PV_OBSERVED_STEPS = 1000000 };
bool pv_observe(const struct pv_task *task, bool newest_first, struct pv_observation *out);
/* A schedule that leads to what the warning says, to be replayed; NULL: none is known. */
const struct pv_prediction *pv_observation_shows(const struct pv_observation *o, uint32_t warning);
/* Appends the warnings as text. outcome(user, i): what became of warning i ("confirmed"); NULL, or
 * returns NULL: nothing is said. */
void pv_observation_print(const struct pv_observation *o,
                          const char *(*outcome)(void *user, uint32_t i), void *user,
                          struct pv_str *out);
/* Sets out->choices to the path that replays the last execution of the task's program. It differs
 * from o->choices, where a step of a thread that no other can observe has a choice of its own.
 * false: the execution cannot be repeated. */
bool pv_observation_path(const struct pv_task *task, const struct pv_observation *o,
                         struct pv_error_path *out);
/* The window and the places of the warnings. The caller clears *out. */
void pv_focus_of(const struct pv_observation *o, struct pv_focus *out);
void pv_focus_clear(struct pv_focus *f);
void pv_observation_clear(struct pv_observation *o);

#endif
