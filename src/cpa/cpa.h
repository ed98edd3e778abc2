/* cpa.h -- configurable program analysis: one algorithm that computes a set of reached abstract
 * states, for analyses that are tables of functions.
 *
 * References: Beyer, Henzinger, Theoduloz, CAV 2007, and with dynamic precision adjustment ASE
 * 2008; the algorithm is Algorithm 1 of Beyer, Henzinger, Keremoglu, Wendler, "Conditional model
 * checking", FSE 2012. The reached set is kept as an abstract reachability graph (lazy abstraction:
 * Henzinger, Jhala, Majumdar, Sutre, POPL 2002), of which a refinement removes the part that it
 * makes obsolete.
 *
 * Deviations. Program point and call stack are part of the algorithm, not a component: every
 * analysis is composed with them, states at different points are never merged or compared, and they
 * say which moves there are. A transfer has at most one successor a move. Precisions belong to the
 * analyses (by program point, growing), not to reached states. */
#ifndef PV_CPA_H
#define PV_CPA_H

#include "base/limits.h"
#include "cpa/control.h"
#include "cpa/symbolic.h"

enum { PV_CPA_PARTS = 4 }; /* most analyses in one composition */

/* What an analysis sees of the composition. States are immutable and owned by their analyses. */
struct pv_composite {
  struct pv_point at;
  const void *part[PV_CPA_PARTS];
};

struct pv_post {
  const void *state; /* NULL: no successor (bottom) */
  /* What may happen during the move. The analysis's word is an over-approximation. Borrowed. */
  const struct pv_sym_event *events;
  uint32_t n_events;
};

typedef PV_VEC(uint64_t) pv_classes;

/* The contract (concrete states of an abstract state e are written [e]): */
struct pv_analysis {
  const char *name;
  void *self;
  /* Covers all initial states. */
  const void *(*initial)(void *self);
  /* [out->state] contains every successor by `move` of a state in [state]; every event that one of
   * them can have is in out->events. */
  void (*transfer)(void *self, const void *state, const struct pv_move *move, struct pv_post *out);
  /* Optional. May use what the other parts know about the same concrete states: contains the
   * intersection of all parts. NULL: that is empty. */
  const void *(*strengthen)(void *self, const void *state, const struct pv_composite *all);
  /* Optional: precision adjustment. Covers [state] or, as in `strengthen`, what all parts have in
   * common (those before this one were adjusted); NULL: that is empty. `node`: the predecessor in
   * the graph. */
  const void *(*adjust)(void *self, const void *state, const struct pv_composite *all,
                        uint32_t node);
  /* Optional (none: never merged). Covers both [fresh] and [reached]; NULL: stays separate. The
   * parts of a composition merge only together. */
  const void *(*merge)(void *self, const void *fresh, const void *reached, struct pv_point at);
  /* Is [fresh] contained in [reached]? */
  bool (*covers)(void *self, const void *fresh, const void *reached);
  /* Optional: only states of equal class are merged, and, without `covering`, compared. */
  uint64_t (*class_of)(void *self, const void *state, struct pv_point at);
  /* Optional: the classes whose states may cover this one, appended; those left out do not. */
  void (*covering)(void *self, const void *state, struct pv_point at, pv_classes *out);
  /* Optional: negative if a is to be expanded before b. Parts are asked in turn; where none decides
   * it is topological order. */
  int (*order)(void *self, const void *a, struct pv_point at_a, const void *b,
               struct pv_point at_b);
};

/* For analyses whose states are equal only if they are one: `covers` and `class_of`. */
bool pv_same_covers(void *self, const void *fresh, const void *reached);
uint64_t pv_same_class(void *self, const void *state, struct pv_point at);

/* ---- the graph ------------------------------------------------------------------------------- */
struct pv_arg_edge {
  uint32_t node; /* the other end */
  struct pv_move move;
};
struct pv_node {
  struct pv_composite state;
  PV_VEC(struct pv_arg_edge) parents, children;
  PV_VEC(uint32_t) covered; /* nodes that this one covers */
  uint32_t covered_by;      /* or PV_NO_NODE */
  bool waiting, removed, expanded;
};
#define PV_NO_NODE UINT32_MAX

struct pv_cpa; /* a composition and its reached set */
/* Borrows control, analyses and limits. */
struct pv_cpa *pv_cpa_new(struct pv_control *control, const struct pv_analysis *const *parts,
                          uint32_t n, struct pv_limits *limits);
void pv_cpa_free(struct pv_cpa *c);

enum pv_cpa_end {
  PV_CPA_FIXPOINT, /* nothing waits any more */
  PV_CPA_EVENT,    /* the handler stopped the run */
  PV_CPA_LIMIT     /* see the limits */
};
/* Told of every event; true: go on; false: stop. The state that was expanded still waits. */
typedef bool (*pv_cpa_on_event)(void *user, uint32_t node, const struct pv_move *move,
                                const struct pv_sym_event *event);
enum pv_cpa_end pv_cpa_run(struct pv_cpa *c, pv_cpa_on_event on_event, void *user);
/* Throws everything away: the next run begins with the initial state, at the program's start or at
 * the point given (the analyses are told by their owner). */
void pv_cpa_restart(struct pv_cpa *c);
void pv_cpa_restart_at(struct pv_cpa *c, struct pv_point at);
/* Removes the node and what was reached only by way of it; its parents and what it covered wait
 * again. */
void pv_cpa_remove(struct pv_cpa *c, uint32_t node);

/* The edge means something else from now on: what was reached by way of it is removed, and whoever
 * stands before it waits again. */
void pv_cpa_reconsider(struct pv_cpa *c, uint32_t function, uint32_t edge);

uint32_t pv_cpa_nodes(const struct pv_cpa *c); /* numbers handed out, removed nodes too */
const struct pv_node *pv_cpa_node(const struct pv_cpa *c, uint32_t node);
struct pv_cpa_stats {
  uint64_t expanded, merged, covered, removed;
};
const struct pv_cpa_stats *pv_cpa_stats(const struct pv_cpa *c);

#endif
