/* search_internal.h -- shared by the files of the stateless search, which are one module:
 *
 * search.c   the depth-first search over executions
 * bounded.c  the search with a bound on preemptions
 * reverse.c  reversal of races: which initial fragments are to be explored
 * errors.c   reporting of errors, and paths to them
 * checkpoint.c  the state of the search as bytes
 * frontier.c  prefixes with sleep sets, from and for other engines and machines */
#ifndef PV_DPOR_SEARCH_INTERNAL_H
#define PV_DPOR_SEARCH_INTERNAL_H

#include "base/bytes.h"
#include "dpor/path.h"
#include "dpor/robustness.h"
#include "dpor/search.h"

/* A state on the search stack. */
struct pv_dpor_node {
  struct pv_wakeup_node *tree; /* the wakeup tree; its first child is being explored, if any */
  PV_VEC(struct pv_transition) sleep_set;
  pv_threads seen;        /* the threads of all children, explored ones included */
  uint32_t done;          /* children that were explored to their end */
  bool arrived, explored; /* explored: a successor was explored */
  uint8_t deferred;       /* enum pv_deferred */
};
/* What another search has to explore from a state below the base, because of races that this one
 * finds (frontier.c). */
enum pv_deferred {
  PV_NOT_DEFERRED, /* nothing, or it explores everything anyway */
  PV_DEFERRED,     /* nothing so far */
  PV_NEEDED        /* everything that is not asleep there, nor was explored from there */
};
/* An error that was reached. */
enum { PV_NO_VIOLATION = UINT32_MAX };
struct pv_dpor_error {
  uint32_t violation; /* index into the result's violations, or PV_NO_VIOLATION: not reported */
  uint32_t times;     /* how often it was reached since it was reported without a path */
  bool replayed;
};
struct pv_dpor_search {
  const struct pv_task *task;
  struct pv_result *result;
  enum pv_dpor_kind kind;
  struct pv_trace trace;
  PV_VEC(struct pv_dpor_node) nodes; /* entries behind the last one keep their memory for reuse */
  struct pv_wakeup_pool wakeup_nodes;
  struct pv_map reported; /* errors, by property, place and message: into `errors` */
  PV_VEC(struct pv_dpor_error) errors;
  struct pv_robustness robustness;
  struct pv_map raced; /* pairs of operations that were checked for data races */
  pv_choices path;
  struct pv_sequence sequence; /* the sequence that reverses a race */
  struct pv_clock last;        /* the clock of its last event */
  PV_VEC(uint32_t) rest; /* events between rest_of and rest_end that do not happen after rest_of */
  uint32_t rest_of, rest_end;   /* rest_of == UINT32_MAX: not computed */
  struct pv_registry *registry; /* owned; NULL: the search cannot be continued in another run */
  struct pv_checkpoint_timer timer;
  bool limited;    /* a limit was hit, and its proviso noted */
  uint64_t budget; /* transitions; then the search ends without a proviso */
  bool is_over_budget;
  /* Only what continues the prefixes of a given condition is explored; NULL: everything is. */
  const struct pv_open_part *given;
  uint32_t next_given; /* those from here on were not explored */
  struct pv_open_part
      needed;    /* prefixes of which it turned out that another search has to explore them */
  uint32_t base; /* events of the current prefix: the states before its end are not explored */
  uint32_t given_away; /* given prefixes from here on were given away; 0: none */
  uint32_t most_away;  /* nodes that were given away at once, the last time */
  double shared_at;    /* the time then */
  uint64_t next_share; /* the number of transitions when it may be next */
  bool is_part;        /* something was given away */
  bool shares;         /* the result has the assumptions of the given condition about other parts */
  bool stop;
};

/* ---- search.c -------------------------------------------------------------------------------- */
/* Must the search restart after this event, with a larger slice or split sections? */
bool pv_dpor_begins_anew(const struct pv_dpor_search *s);
void pv_dpor_begin_anew(struct pv_dpor_search *s); /* resets the trace for that */
/* Call it after every event: examines the new state. false: no thread can continue, or the
 * depth limit is reached. */
bool pv_dpor_arrive(struct pv_dpor_search *s);
bool pv_dpor_limited(struct pv_dpor_search *s);  /* Is a limit reached? Then adds a proviso. */
void pv_dpor_progress(struct pv_dpor_search *s); /* reports progress now and then */
/* Explores all executions that continue the first s->base events, which were executed, from the
 * last node of the stack. Returns false if the search must begin anew: then the trace is empty. */
bool pv_dpor_walk(struct pv_dpor_search *s);

/* A node above the last one, with this wakeup tree. */
struct pv_dpor_node *pv_dpor_push_node(struct pv_dpor_search *s, struct pv_wakeup_node *tree);

/* ---- checkpoint.c ---------------------------------------------------------------------------- */
/* Makes s->registry if the task's search can be continued in another run. */
void pv_dpor_prepare(struct pv_dpor_search *s, struct pv_vm *vm);
/* Between two events: writes an interim result if one is due. */
void pv_dpor_checkpoint(struct pv_dpor_search *s);
/* After the search: adds its state to the condition, if a limit ended it. */
void pv_dpor_leave_open(struct pv_dpor_search *s);
/* The given condition has the state of the same search. Call the two functions in this order: the
 * first before the slice is computed and the trace begins, the second after it. false: there is
 * none, and nothing has changed. */
bool pv_dpor_continue(struct pv_dpor_search *s, struct pv_vm *vm, struct pv_predicate *predicate,
                      struct pv_bytes *rest);
void pv_dpor_continue_stack(struct pv_dpor_search *s, struct pv_bytes *rest);

/* ---- frontier.c ------------------------------------------------------------------------------ */
/* Explores only what the given condition leaves open. Returns false, and has done nothing, if it
 * does not describe that by prefixes, or the abstraction does not allow it. */
bool pv_dpor_run_given(struct pv_dpor_search *s);
/* Describes what the search leaves open, as what the latest interruption in the condition refers
 * to. Returns false if it cannot: what a search covers under an abstraction that may still be
 * refuted is nothing to rely on. */
bool pv_dpor_describe(struct pv_dpor_search *s, struct pv_condition *out);

/* The number of prefixes that are for other searches to explore, because of what this one found.
 * pv_dpor_describe describes them as well. */
uint32_t pv_dpor_needs(struct pv_dpor_search *s);

/* Gives away a part of what is open, if that is asked for. */
void pv_dpor_share(struct pv_dpor_search *s);

/* ---- bounded.c ------------------------------------------------------------------------------- */
/* Explores the executions with at most so many preemptions as option `preemptions` says. */
void pv_dpor_bounded(struct pv_dpor_search *s);

/* ---- errors.c -------------------------------------------------------------------------------- */
/* Reports an error that occurred in the last event. user: the search. */
void pv_dpor_report(void *user, const struct pv_event *e);
void pv_dpor_check_races(struct pv_dpor_search *s); /* reports data races of the last event */
void pv_dpor_check_state(struct pv_dpor_search *s); /* reports errors of the current state */

/* ---- reverse.c ------------------------------------------------------------------------------- */
/* Call it after every event: `rest` is no longer valid. */
void pv_dpor_forget_rest(struct pv_dpor_search *s);
/* Reverses the races of the event: schedules executions in which it comes first. */
void pv_dpor_reverse(struct pv_dpor_search *s, uint32_t event);
/* The same for operations that are disabled in the final state of an execution. Abandoned
 * executions need it as well: other executions explored the next events, but not necessarily with
 * these operations first. */
void pv_dpor_reverse_waiting(struct pv_dpor_search *s, const struct pv_enabled_set *f);
/* The thread was scheduled in this state but is disabled. If it waits at a hidden operation, or to
 * join a thread that does, requests this operation for the slice. */
void pv_dpor_need_awaited(struct pv_dpor_search *s, const struct pv_enabled_set *f,
                          unsigned thread);

#endif
