/* search_internal.h -- shared by the files of the stateless search.
 *
 * search.c   the walk
 * bounded.c  another one: all executions with few preemptions
 * reverse.c  where two events race: what is to be explored because of it
 * errors.c   what is found, and the paths to it */
#ifndef PV_DPOR_SEARCH_INTERNAL_H
#define PV_DPOR_SEARCH_INTERNAL_H

#include "dpor/path.h"
#include "dpor/search.h"

/* The state after so many events. */
struct pv_dpor_node {
  struct pv_wakeup_node *tree; /* what to explore; the first child is being explored, if one is */
  PV_VEC(struct pv_transition) sleep_set;
  pv_threads seen;        /* threads that are children, or were */
  bool arrived, explored; /* explored: something was */
};
/* An error that was come to. */
enum { PV_NO_VIOLATION = UINT32_MAX };
struct pv_dpor_error {
  uint32_t violation; /* its index among the result's, or PV_NO_VIOLATION: not told of */
  uint32_t times;     /* it was come to since it was told of without a path */
  bool replayed;
};
struct pv_dpor_search {
  const struct pv_task *task;
  struct pv_result *result;
  enum pv_dpor_kind kind;
  struct pv_trace trace;
  PV_VEC(struct pv_dpor_node) nodes; /* behind the last one: such as were, with their room */
  struct pv_wakeup_pool wakeup_nodes;
  struct pv_map reported; /* errors, by property, place and message: into `errors` */
  PV_VEC(struct pv_dpor_error) errors;
  struct pv_map raced; /* pairs of operations that were looked at for data races */
  pv_choices path;
  struct pv_sequence sequence; /* where two events come the other way round */
  struct pv_clock last;        /* the clock of what comes last in it */
  PV_VEC(uint32_t) rest;      /* events after `rest_of`, before `rest_end`, that it did not cause */
  uint32_t rest_of, rest_end; /* UINT32_MAX: not known */
  bool stop;
};

/* ---- search.c -------------------------------------------------------------------------------- */
/* Is the search to begin anew, with a larger slice or sections apart, after this event? */
bool pv_dpor_begins_anew(const struct pv_dpor_search *s);
void pv_dpor_begin_anew(struct pv_dpor_search *s); /* ... the trace */
/* After every event: looks at the state. false: no thread goes on, or not any deeper. */
bool pv_dpor_arrive(struct pv_dpor_search *s);
bool pv_dpor_limited(struct pv_dpor_search *s); /* Is it time to stop? Then a proviso says so. */
void pv_dpor_progress(struct pv_dpor_search *s);

/* ---- bounded.c ------------------------------------------------------------------------------- */
void pv_dpor_bounded(struct pv_dpor_search *s);

/* ---- errors.c -------------------------------------------------------------------------------- */
/* An error that the last event ended with, or passed. user: the search. */
void pv_dpor_report(void *user, const struct pv_event *e);
void pv_dpor_look_at_races(struct pv_dpor_search *s); /* data races of the last event */
void pv_dpor_look(struct pv_dpor_search *s);          /* what the state at hand shows */

/* ---- reverse.c ------------------------------------------------------------------------------- */
/* After every event: the execution is another one than before. */
void pv_dpor_forget_rest(struct pv_dpor_search *s);
/* Has the event come before what it races with. */
void pv_dpor_reverse(struct pv_dpor_search *s, uint32_t event);
/* The same for what threads wait for, for ever, in a state. Also where an execution is given up:
 * that others have explored what comes next does not mean that they had these threads first. */
void pv_dpor_reverse_waiting(struct pv_dpor_search *s, const struct pv_enabled_set *f);
/* The thread was to go on in the state, and cannot: if it waits at what does not matter, or to join
 * one that does, that has to do with what matters. */
void pv_dpor_need_awaited(struct pv_dpor_search *s, const struct pv_enabled_set *f,
                          unsigned thread);

#endif
