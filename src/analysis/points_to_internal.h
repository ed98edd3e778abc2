/* points_to_internal.h -- shared by the files of the points-to analysis only: sets, the graph of
 * inclusions, and who fills it.
 *
 * points_to_set.c   sparse sets
 * points_to_solve.c the graph: nodes, inclusions, waves
 * points_to_value.c where the parts of a value come from
 * points_to_build.c from the ir to inclusions: instances, objects, edges
 * points_to.c       questions and answers
 *
 * A node is a set of objects. Values have three nodes (enum pv_pts_part), and so has the content of
 * an object. Node 0 is the empty set. Object 0 in a set is "unknown", where it is the content of
 * all objects whose address was taken. */
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
struct pv_pts_set { /* by rising `at`, no empty blocks */
  struct pv_pts_block *at;
  uint32_t n, cap;
};
bool pv_pts_set_add(struct pv_pts_set *s, uint32_t x, uint64_t *bytes); /* true: it is new */
bool pv_pts_set_has(const struct pv_pts_set *s, uint32_t x);
bool pv_pts_set_unite(struct pv_pts_set *to, const struct pv_pts_set *from,
                      uint64_t *bytes); /* true: grown */
void pv_pts_set_minus(struct pv_pts_set *out, const struct pv_pts_set *a,
                      const struct pv_pts_set *b,
                      uint64_t *bytes); /* out: old content is dropped */
void pv_pts_set_keep(struct pv_pts_set *s, const struct pv_pts_set *other); /* intersection */
void pv_pts_set_free(struct pv_pts_set *s, uint64_t *bytes);

struct pv_pts_cursor { /* walks a set that does not change meanwhile */
  uint32_t block;
  uint64_t rest;
};
bool pv_pts_set_next(const struct pv_pts_set *s, struct pv_pts_cursor *c,
                     uint32_t *x); /* starts as {0, 0} */

/* ---- the graph ------------------------------------------------------------------------------- */
/* The parts of a value. A pointer has only the first. */
enum pv_pts_part {
  PTS_TARGETS, /* what its bits are the address of, in whole or in part */
  PTS_DERIVED, /* what it was computed from as an integer */
  PTS_FORGED,  /* {0} if it is an arbitrary integer */
  PTS_PARTS
};
struct pv_pts_value {
  uint32_t at[PTS_PARTS]; /* nodes; 0: nothing */
};

/* What is done with every object that a node points to. */
enum pv_pts_use {
  PTS_LOAD_POINTER, /* value <- content, as a pointer */
  PTS_LOAD,         /* value <- content */
  PTS_LOAD_WHOLE,   /* likewise, of a whole pointer by an atomic operation on an integer */
  PTS_STORE,        /* content <- value */
  PTS_CALL,         /* value.at[0]: number of the call site */
  PTS_FREE,         /* the object's life ends */
  PTS_TOUCH         /* nothing but an access */
};
struct pv_pts_access {
  uint8_t use;
  uint32_t next; /* of the same node, + 1 */
  struct pv_pts_value value;
};

struct pv_pts_cell {                /* the set of a node, once there is something to say of it */
  struct pv_pts_set points, pushed; /* pushed: the part that all successors have */
  struct pv_pts_set next;           /* successors: nodes that include this one */
  struct pv_pts_set seen;           /* the part that the accesses were applied to */
  uint32_t access;                  /* first, + 1 */
  bool queued;
};
struct pv_pts_node {
  uint32_t rep;  /* union-find: itself, or towards the node it was merged with */
  uint32_t cell; /* + 1; 0: empty and without successors */
};

struct pv_pts_object {
  struct pv_pt_object is;
  uint32_t content; /* first of PTS_PARTS nodes; 0: functions */
  uint32_t self;    /* a node that holds just this object, made when needed */
  bool taken, escapes, constant, freed;
  bool filled; /* GLOBAL: the initial values were looked at */
};

enum pv_pts_context_kind { PTS_USER, PTS_ROOT, PTS_SHARED, PTS_FROM_CALL, PTS_SPAWNED };
struct pv_pts_context {
  enum pv_pts_context_kind kind;
  uint32_t function, edge; /* FROM_CALL: the program's own call; SPAWNED: the creating place */
};

struct pv_pts_instance {
  uint32_t function, context;
  uint32_t vars; /* first node: PTS_PARTS for every variable, then for every result */
};

struct pv_pts_call {               /* a connection that was made */
  uint32_t instance, edge, callee; /* callee: an instance */
};
struct pv_pts_site {
  uint32_t instance, edge;
};

/* Objects that have one identity in the VM. */
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
  uint64_t bytes, steps;  /* bytes: of sets alone, see pv_pts_memory */
  PV_VEC(uint32_t) queue; /* nodes that changed, from queue_head on */
  uint32_t queue_head;
  uint64_t inclusions; /* made so far */
  uint64_t peak;       /* of pv_pts_memory */
  uint32_t rounds, n_nodes;

  PV_VEC(struct pv_pts_object) objects;
  struct pv_map object_keys, instance_keys, context_keys, call_keys;
  PV_VEC(uint32_t) taken, unfilled; /* objects */
  PV_VEC(struct pv_pts_context) contexts;
  PV_VEC(struct pv_pts_instance) instances;
  uint32_t n_built;  /* instances whose edges were looked at */
  uint32_t copied;   /* edges of models' functions in contexts of their own */
  uint32_t *weights; /* by function: edges of models reachable by direct calls; 0: not known yet */
  PV_VEC(struct pv_pts_site) sites;
  PV_VEC(uint32_t) unknown_calls;         /* sites */
  PV_VEC(struct pv_pts_call) calls;       /* in the end sorted */
  PV_VEC(uint32_t) callees;               /* the callees of `calls`, in the end */
  uint32_t thread_main;                   /* function, or PV_NO_FUNC */
  struct pv_pts_value arguments, results; /* of threads, all of them together */
  struct pv_pts_value heap;           /* the content of every heap object, once one comes back */
  bool reused;                        /* one was freed, and addresses come back */
  struct pv_pts_value unknown_stored; /* what is stored through unknown pointers */
  bool unknown_loads, unknown_stores, unknown_frees, unknown_used;

  /* collecting the sources of an expression */
  uint32_t *stamps, stamp; /* by expression and part */

  /* answers */
  struct pv_map groups_of;
  PV_VEC(struct pv_pts_group) groups;
  PV_VEC(uint32_t) members, shared_heap, by_function, function_first;
};

/* solve.c */
uint32_t pv_pts_node_new(struct pv_points_to *pt, uint32_t n); /* n in a row; the first */
uint32_t pv_pts_find(struct pv_points_to *pt, uint32_t node);
const struct pv_pts_set *pv_pts_points(const struct pv_points_to *pt, uint32_t node);
void pv_pts_add(struct pv_points_to *pt, uint32_t node, uint32_t object);
void pv_pts_include(struct pv_points_to *pt, uint32_t from, uint32_t to); /* to includes from */
void pv_pts_attach(struct pv_points_to *pt, uint32_t node, enum pv_pts_use use,
                   struct pv_pts_value value);
uint64_t pv_pts_memory(const struct pv_points_to *pt); /* bytes in use, approximately */
void pv_pts_look_at_limits(struct pv_points_to *pt);   /* sets pt->over */
/* Runs until nothing changes or a limit is hit (pt->over). */
void pv_pts_solve(struct pv_points_to *pt);

/* value.c */
/* Sources of a part of an expression's value in an instance: `visit` gets either a node or, if
 * `is_object`, an object (0: unknown). */
struct pv_pts_collector {
  struct pv_points_to *pt;
  const struct pv_pts_instance *instance;
  uint32_t at; /* number of the instance */
  void (*visit)(void *user, uint32_t source, bool is_object);
  void *user;
};
void pv_pts_collect(const struct pv_pts_collector *c, pv_expr e, enum pv_pts_part part);

/* build.c */
void pv_pts_begin(struct pv_points_to *pt); /* roots: the start function, invariants */
/* Are there new instances or globals? */
bool pv_pts_is_waiting(const struct pv_points_to *pt);
void pv_pts_build_waiting(struct pv_points_to *pt); /* edges of new instances */
/* A node with an access points to this object. */
void pv_pts_apply(struct pv_points_to *pt, struct pv_pts_access access, uint32_t object);
uint32_t pv_pts_slot_object(struct pv_points_to *pt, uint32_t instance, uint32_t slot);

#endif
