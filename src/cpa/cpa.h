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

#include "base/events.h"
#include "base/limits.h"
#include "cpa/control.h"
#include "cpa/symbolic.h"
#include "vm/prefixes.h"

enum { PV_CPA_PARTS = 6 }; /* most analyses in one composition */

/* A composite abstract state. The states of the parts are immutable and owned by their analyses. */
struct pv_composite {
  struct pv_point at;
  const void *part[PV_CPA_PARTS];
};

struct pv_post {
  const void *state; /* NULL: no successor (bottom) */
  /* The events that may happen during the move: an over-approximation. Borrowed. */
  const struct pv_sym_event *events;
  uint32_t n_events;
};

typedef PV_VEC(uint64_t) pv_classes;

/* The contract of an analysis. [e] denotes the set of concrete states of an abstract state e. */
struct pv_analysis {
  const char *name;
  void *self;
  /* Covers all initial states. */
  const void *(*initial)(void *self);
  /* [out->state] contains all successors of [state] by `move`. out->events contains all events that
   * can happen in the move. */
  void (*transfer)(void *self, const void *state, const struct pv_move *move, struct pv_post *out);
  /* Optional. Returns a state that contains the intersection of all parts; so it may use what the
   * other parts know. NULL: the intersection is empty. */
  const void *(*strengthen)(void *self, const void *state, const struct pv_composite *all);
  /* Optional: precision adjustment. Returns a state that covers [state], or the intersection of all
   * parts as in `strengthen`; the parts before this one are adjusted already. `node` is the
   * predecessor in the graph. NULL: the intersection is empty. */
  const void *(*adjust)(void *self, const void *state, const struct pv_composite *all,
                        uint32_t node);
  /* Optional; without it states are never merged. Returns a state that covers [fresh] and
   * [reached], or NULL to keep them separate. A composite state is merged only if all parts agree.
   */
  const void *(*merge)(void *self, const void *fresh, const void *reached, struct pv_point at);
  /* Is [fresh] contained in [reached]? */
  bool (*covers)(void *self, const void *fresh, const void *reached);
  /* Optional. If [reached] covers a part of [fresh] only, returns a state that covers the rest;
   * otherwise NULL. Asked if all other parts cover; no two analyses of a composition have it. */
  const void *(*rest)(void *self, const void *fresh, const void *reached);
  /* Optional: only states of the same class are merged and, without `covering`, compared. */
  uint64_t (*class_of)(void *self, const void *state, struct pv_point at);
  /* Optional: appends all classes whose states may cover this one. */
  void (*covering)(void *self, const void *state, struct pv_point at, pv_classes *out);
  /* Optional: negative if a is to be expanded before b. The first part that decides determines the
   * order; if none does, it is topological (pv_control_order). */
  int (*order)(void *self, const void *a, struct pv_point at_a, const void *b,
               struct pv_point at_b);
  /* Where there is no successor, the move is not examined: its events do not count. */
  bool excludes;
  /* Optional: tells the other parts something about the move from the state (pv_move.outside). */
  void (*mark)(void *self, const void *state, struct pv_move *move);
  /* Optional: the threads whose moves reduction may have left out of what follows the state,
   * because they are examined somewhere else (bit t: thread t). *twin: the state is the rest of one
   * that another node covers in part (`rest`). */
  uint64_t (*left_out)(void *self, const void *state, bool *twin);
  /* Optional: the size of a state, in a unit of the analysis (condition `state-size`). */
  uint64_t (*size)(void *self, const void *state);
};

/* Decides which moves of the reached states are left out. What follows a move that was left out is
 * not examined. */
struct pv_cpa_watch {
  void *self;
  /* Before the successor of a node by a move is computed. false: it is left out. */
  bool (*admits)(void *self, uint32_t node, const struct pv_move *move);
  /* Encloses the work on the successor, which may be done in several pieces. */
  void (*enter)(void *self);
  void (*leave)(void *self);
  /* After it was computed. false: the move is left out. */
  bool (*accepts)(void *self, uint32_t node, const struct pv_move *move,
                  const struct pv_composite *next);
  void (*restarted)(void *self); /* nodes are numbered from 0 again */
};

/* `covers` and `class_of` for analyses that intern their states and compare them by identity. */
bool pv_same_covers(void *self, const void *fresh, const void *reached);
uint64_t pv_same_class(void *self, const void *state, struct pv_point at);

/* ---- the graph ------------------------------------------------------------------------------- */
struct pv_arg_edge {
  uint32_t node; /* at the other end */
  uint32_t path; /* the moves before the last one (pv_cpa_moves); 0: there are none */
  struct pv_move move;
};
struct pv_node {
  struct pv_composite state;
  PV_VEC(struct pv_arg_edge) parents, children;
  PV_VEC(uint32_t) covered; /* nodes that this one covers */
  uint32_t covered_by;      /* or PV_NO_NODE */
  uint32_t prefix;  /* 1 + the node of the given prefixes that it is at; 0: it is behind them */
  uint32_t origin;  /* the last node of the prefixes on the path to it */
  uint32_t version; /* the number of removals before its state was computed */
  bool waiting, removed, expanded;
  bool follows_prefixes; /* it was expanded only along given prefixes */
};
#define PV_NO_NODE UINT32_MAX

struct pv_cpa; /* a composition and its reached set */
/* Borrows control, analyses and limits. */
struct pv_cpa *pv_cpa_new(struct pv_control *control, const struct pv_analysis *const *parts,
                          uint32_t n, struct pv_limits *limits);
void pv_cpa_free(struct pv_cpa *c);

enum pv_cpa_end {
  PV_CPA_FIXPOINT, /* no state is waiting */
  PV_CPA_EVENT,    /* the handler stopped the run */
  PV_CPA_PREFIX,   /* all states behind some of the given prefixes were expanded */
  PV_CPA_LIMIT     /* a limit was hit */
};
/* Called for every event. true: continue. false: stop; the state under expansion waits again. */
typedef bool (*pv_cpa_on_event)(void *user, uint32_t node, const struct pv_move *move,
                                const struct pv_sym_event *event);
/* Expands waiting nodes until one of the ends. A run that was stopped can be called again. */
enum pv_cpa_end pv_cpa_run(struct pv_cpa *c, pv_cpa_on_event on_event, void *user);
/* Discards the graph. The next run begins with the initial state, at the program's start or at the
 * given point; the caller informs the analyses. */
void pv_cpa_restart(struct pv_cpa *c);
void pv_cpa_restart_at(struct pv_cpa *c, struct pv_point at);
/* Tells listeners of each move that led to an abstract state: a new one, or one that covers it or
 * was merged with it. NULL: nobody listens. Borrowed. */
void pv_cpa_set_listeners(struct pv_cpa *c, const struct pv_listeners *listeners);

/* From now on this is called now and then while the analysis runs, to tell its progress. */
void pv_cpa_set_progress(struct pv_cpa *c, void (*progress)(void *user), void *user);

/* From now on only executions are explored that are open in the tree, and which it leads to
 * (vm/prefixes.h), those behind one prefix after those behind another: a run that ends early has
 * done with some of them. For programs with threads; call it before the first run. Borrowed.
 */
void pv_cpa_set_prefixes(struct pv_cpa *c, const struct pv_prefixes *prefixes);
const struct pv_prefixes *pv_cpa_prefixes(const struct pv_cpa *c); /* NULL: none */

/* From now on this is called before each expansion. It may look at the graph: a node that is
 * neither expanded nor covered is still to be explored. */
void pv_cpa_set_pause(struct pv_cpa *c, void (*pause)(void *user), void *user);

/* From now on the state of a node is computed anew before it is expanded for the first time, if
 * something was removed since. So refinements help nodes that wait. Not with a watch or prefixes.
 */
void pv_cpa_renew(struct pv_cpa *c);
/* From now on a state is passed by, without a node, if `is_passing` says so and no move from it has
 * an event. So a path inside a block of a large-block encoding (Beyer, Cimatti, Griggio, Keremoglu,
 * Sebastiani, FMCAD 2009) is one edge of the graph. Not with a watch; at prefixes every state is
 * kept. */
void pv_cpa_pass_by(struct pv_cpa *c, bool (*is_passing)(void *user, const struct pv_composite *s),
                    void *user);
/* The moves of an edge of the graph before its last one; `path` is that of the edge. Borrowed until
 * the graph changes. */
const struct pv_move *pv_cpa_passed(const struct pv_cpa *c, uint32_t path, uint32_t *n);
/* As pv_analysis.left_out, of a node. */
uint64_t pv_cpa_left_out(const struct pv_cpa *c, uint32_t node, bool *twin);
/* Appends all moves of an edge of the graph. */
void pv_cpa_moves(const struct pv_cpa *c, const struct pv_arg_edge *e, pv_moves *out);

/* Removes the node and everything that was reached only through it. Its parents and the nodes that
 * it covered wait again. */
void pv_cpa_remove(struct pv_cpa *c, uint32_t node);

/* Call it when the meaning of an edge changes: removes what was reached through it. The states
 * before it wait again. */
void pv_cpa_reconsider(struct pv_cpa *c, uint32_t function, uint32_t edge);

/* From now on this is asked about every move. Borrowed. */
void pv_cpa_set_watch(struct pv_cpa *c, const struct pv_cpa_watch *watch);
/* With a watch: the number of reached states, without those that others cover; all of them, and at
 * one location of a function. */
uint64_t pv_cpa_reached(const struct pv_cpa *c);
uint64_t pv_cpa_reached_at(const struct pv_cpa *c, uint32_t function, pv_loc loc);

uint32_t pv_cpa_waiting(const struct pv_cpa *c); /* the nodes still to be expanded, at most */
uint32_t pv_cpa_nodes(const struct pv_cpa *c);   /* including removed ones */
const struct pv_node *pv_cpa_node(const struct pv_cpa *c, uint32_t node);
struct pv_cpa_stats {
  uint64_t expanded, merged, covered, removed, passed, split, renewed;
};
const struct pv_cpa_stats *pv_cpa_stats(const struct pv_cpa *c);

#endif
