/* space.h -- the machine's working state bound to a store: save it as a state id, go back to one.
 *
 * Going back undoes what was journalled since (paper 004 keeps its backtracking stack the same
 * way): for each change of the tree over the state its place and what was there before, eight
 * bytes, so that the cost is that of what changed. The journal is bounded; where it does not reach,
 * or where undoing would cost more, the state is rebuilt from the store by the difference between
 * the two trees.
 *
 * With a set of visited states instead of the store's tuples (visited.h, pv_space_may_lose) states
 * have no ids and cannot be rebuilt: the way back is the trail (trail.h), which is kept whole, so
 * that only states of the path at hand can be gone back to.
 *
 * A component has a place in the stored tuples from the first time on that it is not what it was in
 * the initial state; "as it was" is 0 there. What never changes costs nothing. */
#ifndef PV_SPACE_H
#define PV_SPACE_H

#include "explore/store.h"
#include "explore/trail.h"
#include "vm/vm.h"

struct pv_space {
  struct pv_vm *vm;       /* borrowed */
  struct pv_store *store; /* owned */
  struct pv_tuple tuple;  /* of the state last saved or gone back to */
  uint32_t at;            /* that state */
  PV_VEC(uint32_t) base;  /* by component: its leaf in the initial state, 0: absent */
  PV_VEC(uint32_t) place; /* by component: half, position << 1; PV_NO_PLACE: always as in `base` */
  PV_VEC(uint32_t) comp[2];   /* by half and position: the component */
  struct pv_visited *visited; /* owned; NULL: states are stored exactly, by the tuple */
  struct pv_trail trail;      /* else: the state last saved or gone back to */
  uint64_t component_bytes[PV_COMP_MEMORY + 1]; /* by enum pv_comp_kind: of the leaves */
  uint32_t last_leaf;                           /* the one interned last */
};
/* A place in the journal. */
struct pv_mark {
  uint32_t head;
  struct pv_tree_mark half[2];
  uint64_t trail;
};

void pv_space_init(struct pv_space *s, struct pv_vm *vm);
void pv_space_free(struct pv_space *s);
/* Before the first save: states are looked up in `visited`, which then belongs to the space. */
void pv_space_may_lose(struct pv_space *s, struct pv_visited *visited);
/* The id of the machine's working state (0 if states may be lost); looks only at components that
 * changed. */
uint32_t pv_space_save(struct pv_space *s, bool *is_new);
/* The leaf of one of the machine's components in the state at hand; 0: absent. */
uint32_t pv_space_leaf(const struct pv_space *s, uint32_t component);
/* Where the state at hand is in the journal, for pv_space_back. */
struct pv_mark pv_space_mark(const struct pv_space *s);
/* Puts the machine into a stored state, whatever it did since; `mark` was taken when that state was
 * at hand (NULL: not known; needed if states may be lost). */
void pv_space_back(struct pv_space *s, uint32_t state, const struct pv_mark *mark);
uint64_t pv_space_states(const struct pv_space *s);
uint64_t pv_space_bytes(const struct pv_space *s); /* of all that is kept by state */
/* Bytes that the next few saves will take at once; 0: none. */
uint64_t pv_space_growth(const struct pv_space *s);
uint64_t pv_space_path_bytes(const struct pv_space *s); /* of the way back */

#endif
