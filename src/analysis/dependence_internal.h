/* dependence_internal.h -- declarations that the files of the dependence graph and of slices share.
 *
 *    dependence.c           the construction as a whole
 *    dependence_calls.c     procedures, call sites, what calls pass; which memory is wide
 *    dependence_function.c  the nodes and arcs of one function
 *    dependence_summary.c   which results depend on which inputs
 *    dependence_print.c     output for users and tests
 *
 * A *procedure* is a function, or a *dispatcher*, which represents several functions that a pointer
 * may lead to. The inputs of a procedure are, in this order: parameters, the variadic area, groups
 * of memory. Its outputs are: results, one for "it returns", groups of memory. A *site* is a call
 * of a procedure. It has its own nodes for what it passes and receives. If it calls an instance
 * that uses or modifies fewer groups than the function as a whole (the same model called from
 * another place), it has nodes only for these. The nodes of a function are consecutive. */
#ifndef PV_DEPENDENCE_INTERNAL_H
#define PV_DEPENDENCE_INTERNAL_H

#include "analysis/accesses.h"
#include "analysis/call_graph.h"
#include "analysis/dependence.h"
#include "analysis/graph.h"
#include "analysis/termination.h"

#include <stdlib.h>
#include <string.h>

enum pv_dep_kind {
  PV_DEP_WIDE,      /* a wide group of memory */
  PV_DEP_STATEMENT, /* owner: procedure; number: location */
  PV_DEP_ENTRY,     /* owner: procedure */
  PV_DEP_IN,        /* an input of a procedure, by number */
  PV_DEP_OUT,       /* an output of a procedure */
  PV_DEP_SENT,      /* passed by a call: owner: site; number as of IN, among those of the site */
  PV_DEP_GOT,       /* received by a call: owner: site; number as of OUT, among those of the site */
  PV_DEP_RESULT,    /* a value that a RETURN returns; number: that of the result */
  PV_DEP_PASS,      /* that a run continues at a location (a loop head) that decides nothing else */
  PV_DEP_BRANCHES,  /* all branches of a function */
  PV_DEP_PLACE,   /* that an operation is reached, and at which place in memory; number: location */
  PV_DEP_VERSION, /* memory after a partial write */
  PV_DEP_MERGE    /* a merge of definitions */
};

struct pv_dep_list { /* slice of d->groups */
  uint32_t first, n;
};

struct pv_dep_procedure {
  bool runs;
  uint32_t n_params, n_results; /* the variadic area is one more parameter, if `area` */
  bool area;
  struct pv_dep_list in, out;    /* groups; for a function: of all its instances */
  uint32_t callees, n_callees;   /* dispatcher: slice of d->callees */
  uint32_t entry, in_at, out_at; /* nodes */
  uint32_t first, end;           /* all its nodes */
  uint32_t sites, n_sites;       /* function: its own sites, by edge */
  uint32_t returns, n_returns;   /* function: slice of d->returns, by edge */
  uint32_t places, n_places;     /* function: consecutive PLACE nodes, by location, in d->places */
  uint64_t *summary; /* by OUT: a set of INs, pv_dep_words words each; NULL: never called */
};

struct pv_dep_site {
  uint32_t function, edge, procedure;
  bool spawns;                /* a thread begins in the procedure */
  struct pv_dep_list in, out; /* groups: a subset of the procedure's */
  uint32_t sent, got;         /* nodes */
};

struct pv_dep_return {
  uint32_t edge, node; /* node: that of its first result */
};

struct pv_dependence {
  const struct pv_program *p;
  struct pv_dependence_options options;
  PV_VEC(uint32_t) groups;                    /* pool of lists */
  PV_VEC(uint32_t) callees;                   /* pool */
  PV_VEC(struct pv_dep_procedure) procedures; /* functions first */
  PV_VEC(struct pv_dep_site) sites;           /* by function and edge */
  PV_VEC(struct pv_dep_return) returns;       /* likewise */
  PV_VEC(uint32_t) places;                    /* PLACE nodes, by function and location */
  struct pv_graph callers;                    /* from a procedure to its sites */
  struct pv_graph dispatchers;                /* from a procedure to its dispatchers */

  PV_VEC(uint8_t) kind; /* by node */
  PV_VEC(uint32_t) owner, number;
  PV_VEC(uint32_t) first, to; /* arcs of a node; `first` has one more element */
  uint32_t n_wide;            /* the wide nodes are 0 .. n_wide - 1; their arcs: */
  struct pv_graph wide;

  uint32_t *edges_at; /* by function: number of its first edge among all edges of the program */
  uint32_t n_edges;
  struct pv_dependence_stats stats;
};

static inline uint32_t pv_dep_n_in(const struct pv_dep_procedure *q) {
  return q->n_params + q->area + q->in.n;
}
static inline uint32_t pv_dep_n_out(const struct pv_dep_procedure *q) {
  return q->n_results + 1 + q->out.n;
}
static inline uint32_t pv_dep_words(const struct pv_dep_procedure *q) {
  return (pv_dep_n_in(q) + 63) / 64;
}

/* The node at a site for the procedure's input (output) with that number; PV_NO_GRAPH_NODE: the
 * site has none. The other two functions return the number of a node. O(log groups). */
uint32_t pv_dep_sent(const struct pv_dependence *d, const struct pv_dep_site *s, uint32_t number);
uint32_t pv_dep_got(const struct pv_dependence *d, const struct pv_dep_site *s, uint32_t number);
uint32_t pv_dep_number_of_got(const struct pv_dependence *d, const struct pv_dep_site *s,
                              uint32_t node);
/* Translates between a dispatcher and a procedure that it represents; PV_NO_GRAPH_NODE: none. */
uint32_t pv_dep_in_of_dispatcher(const struct pv_dependence *d, uint32_t dispatcher,
                                 uint32_t procedure, uint32_t number);
uint32_t pv_dep_out_of_callee(const struct pv_dependence *d, uint32_t dispatcher,
                              uint32_t procedure, uint32_t number);
/* The site of a CALL edge, or of a PRIM edge that creates a thread; NULL: it has no callee. */
const struct pv_dep_site *pv_dep_site_at(const struct pv_dependence *d, uint32_t function,
                                         uint32_t edge);
/* The nodes of what an edge passes or receives: *n consecutive ones from the returned one; 0:
 * none. */
uint32_t pv_dep_arguments(const struct pv_dependence *d, uint32_t function, uint32_t edge,
                          uint32_t *n);

/* The PLACE node of an operation on memory at that location, or PV_NO_GRAPH_NODE. O(log
 * operations). */
uint32_t pv_dep_place(const struct pv_dependence *d, uint32_t function, pv_loc l);

/* ---- construction ---------------------------------------------------------------------------- */
struct pv_dep_build {
  struct pv_dependence *d;
  const struct pv_program *p;
  const struct pv_points_to *pt;
  struct pv_call_graph *calls;
  struct pv_termination *termination;
  struct pv_accesses *accesses;
  uint8_t *is_wide;    /* by group */
  uint32_t *wide_node; /* by group: its first node */
  pv_arcs wide_arcs;

  /* the current function */
  uint32_t function;
  pv_arcs arcs;          /* from, relative to `first`, to any node */
  uint32_t *seen, stamp; /* by expression */
  uint32_t *thing;       /* by group: 1 + its number among the things of a function, ... */
  uint32_t *thing_at;    /* ... and the function */
};

uint32_t pv_dep_node(struct pv_dependence *d, enum pv_dep_kind kind, uint32_t owner,
                     uint32_t number);
void pv_dep_find_calls(struct pv_dep_build *b); /* procedures, sites, wide groups */
void pv_dep_build_function(struct pv_dep_build *b, uint32_t function);
void pv_dep_summarise(struct pv_dependence *d);

#endif
