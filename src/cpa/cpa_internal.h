/* cpa_internal.h -- what the two files of the reachability algorithm share.
 *
 *    cpa.c         expansion of nodes, the algorithm
 *    cpa_graph.c   the abstract reachability graph */
#ifndef PV_CPA_INTERNAL_H
#define PV_CPA_INTERNAL_H

#include "cpa/cpa.h"

struct pv_cpa {
  struct pv_control *control;
  const struct pv_analysis *part[PV_CPA_PARTS];
  uint32_t n_parts;
  struct pv_limits *limits;
  PV_VEC(struct pv_node) nodes;
  PV_VEC(uint32_t) heap; /* a binary heap, the next node first */
  struct pv_map index;   /* struct place_key -> bucket */
  PV_VEC(struct bucket { PV_VEC(uint32_t) nodes; }) buckets;
  bool splits; /* an analysis has `rest` */
  bool renews;
  uint32_t version;
  struct pv_cpa_stats stats;
  const struct pv_cpa_watch *watch; /* or NULL */
  uint64_t reached;
  struct pv_map reached_at; /* function and location -> reached states there */
  struct pv_point start;
  const struct pv_prefixes *prefixes; /* or NULL */
  uint32_t origin;                    /* of the node that was expanded last */
  bool begun;
  const struct pv_listeners *listeners; /* or NULL */
  void (*pause)(void *user);            /* or NULL */
  void *pause_user;
  void (*progress)(void *user); /* or NULL */
  void *progress_user;
  bool (*is_passing)(void *user, const struct pv_composite *s); /* or NULL */
  void *passing_user;
  struct path {
    pv_moves moves;  /* of the path that ends, without the last move */
    pv_moves onward; /* the moves from where it ends; all, if `node` is not PV_NO_NODE */
    uint32_t node;   /* the node made there */
    PV_VEC(struct unfinished_path {
      struct pv_composite state;
      pv_moves moves;
    })
    todo;
  } path;
  struct pv_map precomputed_at; /* node -> number in `precomputed` */
  PV_VEC(pv_moves) precomputed; /* moves that the next expansion of a node need not compute */
  pv_moves passed;              /* the moves of all paths, one after another */
  PV_VEC(struct path_moves {
    uint32_t first;
    uint32_t n;
  })
  paths;
};

/* Puts the node into the waitlist, unless it waits or was removed. */
void pv_arg_wait(struct pv_cpa *c, uint32_t node);
/* Takes the next node that is neither removed nor covered from the waitlist. PV_NO_NODE: none. */
uint32_t pv_arg_next(struct pv_cpa *c);
/* The nodes that are compared with this state: those at its point and of its classes. */
struct bucket *pv_arg_bucket(struct pv_cpa *c, const struct pv_composite *s);
/* With a watch: counts reached states that no other one covers. */
void pv_arg_count(struct pv_cpa *c, uint32_t node, int by);
/* Adds a node without edges. prefix: 1 + its node in the tree of prefixes; 0: none. */
uint32_t pv_arg_add(struct pv_cpa *c, const struct pv_composite *s, uint32_t prefix);
/* Looks for a node that covers this one, or a part of it (rest: not NULL), and notes it. */
bool pv_arg_cover(struct pv_cpa *c, uint32_t node, struct pv_composite *rest);
/* Merge and stop for the successor `fresh` of a node: it becomes part of a reached state, a covered
 * node, or a node that waits. */
void pv_arg_reach(struct pv_cpa *c, uint32_t from, const struct pv_move *move,
                  const struct pv_composite *fresh, uint32_t prefix);
/* Removes one node with its edges. What it covered waits again. */
void pv_arg_remove_one(struct pv_cpa *c, uint32_t node);
void pv_arg_drop_edge(struct pv_cpa *c, uint32_t from, uint32_t to);
/* The nodes that this one covers wait again. */
void pv_arg_uncover(struct pv_cpa *c, struct pv_node *n);
/* Discards moves that were computed before their node is expanded. */
void pv_arg_forget_precomputed(struct pv_cpa *c);

#endif
