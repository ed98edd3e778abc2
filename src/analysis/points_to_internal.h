/* points_to_internal.h -- declarations that only the files of the points-to analysis share:
 *
 *    points_to_set.c   sparse sets
 *    points_to_solve.c the constraint graph: nodes, inclusions, propagation in waves
 *    points_to_value.c the sources of the parts of a value
 *    points_to_build.c from the ir to constraints: instances, objects, edges
 *    points_to.c       queries
 *
 * A node represents a set of objects. A value has three nodes (enum pv_pts_part), and so has the
 * content of an object. Node 0 is the empty set. Object 0 in a set means "unknown": its content is
 * that of all objects whose address was taken. */
#ifndef PV_POINTS_TO_INTERNAL_H
#define PV_POINTS_TO_INTERNAL_H

#include "analysis/points_to.h"

#include <stdlib.h>
#include <string.h>

/* ---- sparse sets of numbers ------------------------------------------------------------------ */
struct pv_pts_block {
  uint32_t at; /* numbers 64 * at .. 64 * at + 63 */
  uint64_t bits;
};
struct pv_pts_set { /* sorted by `at`, without empty blocks */
  struct pv_pts_block *at;
  uint32_t n, cap;
};
bool pv_pts_set_add(struct pv_pts_set *s, uint32_t x, uint64_t *bytes); /* true: it is new */
bool pv_pts_set_has(const struct pv_pts_set *s, uint32_t x);
bool pv_pts_set_unite(struct pv_pts_set *to, const struct pv_pts_set *from,
                      uint64_t *bytes); /* true: the set grew */
void pv_pts_set_minus(struct pv_pts_set *out, const struct pv_pts_set *a,
                      const struct pv_pts_set *b,
                      uint64_t *bytes); /* out: old content is dropped */
void pv_pts_set_keep(struct pv_pts_set *s, const struct pv_pts_set *other); /* intersection */
void pv_pts_set_free(struct pv_pts_set *s, uint64_t *bytes);

struct pv_pts_cursor { /* iterates over a set that is not changed meanwhile */
  uint32_t block;
  uint64_t rest;
};
bool pv_pts_set_next(const struct pv_pts_set *s, struct pv_pts_cursor *c,
                     uint32_t *x); /* starts as {0, 0} */

/* ---- the graph ------------------------------------------------------------------------------- */
/* The parts of a value. A pointer has only the first one. */
enum pv_pts_part {
  PTS_TARGETS, /* the objects whose address its bits are, as a whole or in part */
  PTS_DERIVED, /* the objects from whose addresses it was computed as an integer */
  PTS_FORGED,  /* {0} if it may be an arbitrary integer */
  PTS_PARTS
};
struct pv_pts_value {
  uint32_t at[PTS_PARTS]; /* nodes; 0: nothing */
};

/* A complex constraint: applied to every object that a node points to. */
enum pv_pts_use {
  PTS_LOAD_POINTER, /* value <- content, as a pointer */
  PTS_LOAD,         /* value <- content */
  PTS_LOAD_WHOLE,   /* the same for a whole pointer that an atomic operation reads as an integer */
  PTS_STORE,        /* content <- value */
  PTS_CALL,         /* value.at[0]: number of the call site */
  PTS_FREE,         /* the object is freed */
  PTS_TOUCH         /* an access without effect on values */
};
struct pv_pts_access {
  uint8_t use;
  uint32_t next; /* next access of the same node, + 1 */
  struct pv_pts_value value;
};

struct pv_pts_cell { /* the set of a node; created when it is needed */
  /* pushed: the part of `points` that all successors have received. */
  struct pv_pts_set points, pushed;
  struct pv_pts_set next; /* the successors: nodes that include this one */
  struct pv_pts_set seen; /* the part of `points` that the accesses were applied to */
  uint32_t access;        /* the first access, + 1 */
  bool queued;
};
struct pv_pts_node {
  uint32_t rep;  /* union-find: the node itself, or a step towards the node it was merged into */
  uint32_t cell; /* index + 1; 0: empty and without successors */
};

struct pv_pts_object {
  struct pv_pt_object is;
  uint32_t content; /* first of PTS_PARTS nodes; 0: functions */
  uint32_t self;    /* a node that contains just this object; created when it is needed */
  bool taken, escapes, constant, freed;
  bool filled; /* GLOBAL: the initial values were processed */
};

enum pv_pts_context_kind { PTS_USER, PTS_ROOT, PTS_SHARED, PTS_FROM_CALL, PTS_SPAWNED };
struct pv_pts_context {
  enum pv_pts_context_kind kind;
  /* FROM_CALL: the call in the program; SPAWNED: the creation of the thread. */
  uint32_t function, edge;
};

struct pv_pts_instance {
  uint32_t function, context;
  uint32_t vars; /* first node: PTS_PARTS for each variable, then for each result */
};

struct pv_pts_call {               /* a call edge that was added */
  uint32_t instance, edge, callee; /* callee: an instance */
};
struct pv_pts_site {
  uint32_t instance, edge;
};

/* Objects that are the same object for the VM. */
struct pv_pts_group {
  uint32_t first, n; /* slice of `members` */
};

struct pv_points_to {
  const struct pv_program *p;
  struct pv_points_to_options limits;
  bool complete, over;

  PV_VEC(struct pv_pts_node) nodes;
  PV_VEC(struct pv_pts_cell) cells;
  PV_VEC(struct pv_pts_access) accesses;
  uint64_t bytes, steps;  /* bytes: of the sets only, see pv_pts_memory */
  PV_VEC(uint32_t) queue; /* a work list: nodes that changed, from queue_head on */
  uint32_t queue_head;
  uint64_t inclusions; /* made so far */
  uint64_t peak;       /* the maximum of pv_pts_memory */
  uint32_t rounds, n_nodes;

  PV_VEC(struct pv_pts_object) objects;
  struct pv_map object_keys, instance_keys, context_keys, call_keys;
  PV_VEC(uint32_t) taken, unfilled; /* objects */
  PV_VEC(struct pv_pts_context) contexts;
  PV_VEC(struct pv_pts_instance) instances;
  uint32_t n_built;  /* number of instances whose edges were processed */
  uint32_t copied;   /* edges of model functions that were analysed in their own calling contexts */
  uint32_t *weights; /* by function: edges of models that direct calls reach; 0: not known yet */
  PV_VEC(struct pv_pts_site) sites;
  PV_VEC(uint32_t) unknown_calls;         /* sites */
  PV_VEC(struct pv_pts_call) calls;       /* sorted in the end */
  PV_VEC(uint32_t) callees;               /* the callees of `calls`, in the end */
  uint32_t thread_main;                   /* function, or PV_NO_FUNC */
  struct pv_pts_value arguments, results; /* of all threads together */
  /* The content of all heap objects, once a freed address may be reused. */
  struct pv_pts_value heap;
  bool reused;                        /* an object was freed, and addresses are reused */
  struct pv_pts_value unknown_stored; /* what is stored through unknown pointers */
  bool unknown_loads, unknown_stores, unknown_frees, unknown_used;

  /* scratch data for the sources of an expression */
  uint32_t *stamps, stamp; /* by expression and part */

  /* data of queries */
  struct pv_map groups_of;
  PV_VEC(struct pv_pts_group) groups;
  PV_VEC(uint32_t) members, shared_heap, by_function, function_first;
};

/* solve.c */
/* Creates n consecutive nodes and returns the first. */
uint32_t pv_pts_node_new(struct pv_points_to *pt, uint32_t n);
uint32_t pv_pts_find(struct pv_points_to *pt, uint32_t node);
const struct pv_pts_set *pv_pts_points(const struct pv_points_to *pt, uint32_t node);
void pv_pts_add(struct pv_points_to *pt, uint32_t node, uint32_t object);
/* Makes `to` include `from`. */
void pv_pts_include(struct pv_points_to *pt, uint32_t from, uint32_t to);
void pv_pts_attach(struct pv_points_to *pt, uint32_t node, enum pv_pts_use use,
                   struct pv_pts_value value);
uint64_t pv_pts_memory(const struct pv_points_to *pt); /* bytes in use, approximately */
void pv_pts_look_at_limits(struct pv_points_to *pt);   /* sets pt->over */
/* Propagates until nothing changes or a limit is hit (pt->over). */
void pv_pts_solve(struct pv_points_to *pt);

/* value.c */
/* Visits the sources of a part of an expression's value in an instance: `visit` receives a node or,
 * if `is_object`, an object (0: unknown). */
struct pv_pts_collector {
  struct pv_points_to *pt;
  const struct pv_pts_instance *instance;
  uint32_t at; /* number of the instance */
  void (*visit)(void *user, uint32_t source, bool is_object);
  void *user;
};
void pv_pts_collect(const struct pv_pts_collector *c, pv_expr e, enum pv_pts_part part);

/* build.c */
void pv_pts_begin(struct pv_points_to *pt); /* roots: the start function and the invariants */
/* Are there unprocessed instances or globals? */
bool pv_pts_is_waiting(const struct pv_points_to *pt);
void pv_pts_build_waiting(struct pv_points_to *pt); /* processes the edges of new instances */
/* Applies a constraint of a node to an object that the node points to. */
void pv_pts_apply(struct pv_points_to *pt, struct pv_pts_access access, uint32_t object);
uint32_t pv_pts_slot_object(struct pv_points_to *pt, uint32_t instance, uint32_t slot);

#endif
