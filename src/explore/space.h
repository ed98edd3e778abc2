/* space.h -- the state at hand as a tuple of leaves: save it as a state id, go back to one, do a
 * transition from it.
 *
 * Going back undoes what was journalled since (paper 004 keeps its backtracking stack the same
 * way): for each leaf that changed its place and what was there before, eight bytes, so that the
 * cost is that of what changed. The journal is bounded; where it does not reach,
 * or where undoing would cost more, the state is rebuilt from the store by the difference between
 * the two trees.
 *
 * With a set of visited states instead of the store's tuples (visited.h, pv_space_may_lose) states
 * have no ids and cannot be rebuilt: the way back is the trail (trail.h), which is kept whole, so
 * that only states of the path at hand can be gone back to.
 *
 * A component has a place in the stored tuples from the first time on that it is not what it was in
 * the initial state; "as it was" is 0 there. What never changes costs nothing.
 *
 * With the first LEARN states the places are chosen anew (arrange.h), once, if there are many
 * nodes; states keep their ids.
 *
 * The machine is needed for transitions that were not done before (memo.h) and for questions about
 * contents, not for going back and forth: it follows the tuple only when pv_space_load is called,
 * but for the scheduler's state and its own (components 0 and 1), which are always those of the
 * state at hand. */
#ifndef PV_SPACE_H
#define PV_SPACE_H

#include "analysis/places.h"
#include "explore/memo.h"
#include "explore/store.h"
#include "explore/trail.h"
#include "vm/vm.h"

#define PV_NO_PLACE     UINT32_MAX
#define PV_NO_COMPONENT UINT32_MAX
enum { PV_SPACE_HEAD = 0 }; /* the component that changes most: the scheduler's state */

/* A place in the journal. */
struct pv_mark {
  uint32_t head;
  struct pv_half_mark half[2];
  uint64_t trail;
};

/* What the spaces of several machines of one program, each of a thread of its own, share: the
 * store, the machines' registry, and which component has which place in the tuples. */
struct pv_common;
struct pv_common *pv_common_new(void);
void pv_common_free(struct pv_common *c);

struct pv_space {
  struct pv_vm *vm;               /* borrowed */
  struct pv_store *store;         /* owned, but for that of the others in `common` */
  struct pv_common *common;       /* borrowed; NULL: this is the only space */
  bool joined;                    /* the store is another space's */
  uint32_t placed;                /* places given in common that are known here */
  struct pv_tuple tuple;          /* of the state last saved or gone back to */
  uint32_t at;                    /* that state */
  struct pv_mark here;            /* its place in the journal */
  const struct pv_places *places; /* borrowed; NULL: no order of places */
  struct pv_memo *memo;           /* owned; NULL: every transition is run */
  uint64_t instructions, inputs;  /* of transitions that were found in the memo */
  PV_VEC(uint32_t) base;          /* by component: its leaf in the initial state, 0: absent */
  PV_VEC(uint32_t) place; /* by component: half, position << 1; PV_NO_PLACE: always as in `base` */
  PV_VEC(uint32_t) comp[2];     /* by half and position: the component, or PV_NO_COMPONENT */
  bool arranged;                /* the places were chosen anew */
  struct pv_visited *visited;   /* owned; NULL: states are stored exactly, by the tuple */
  struct pv_symmetry *symmetry; /* borrowed; else: states are found by its keys */
  bool trails;                  /* one of these two: */
  struct pv_trail trail;        /* the state at hand */
  uint64_t component_bytes[PV_COMP_MEMORY + 1]; /* by enum pv_comp_kind: of the leaves */
  uint32_t last_leaf;                           /* the one interned last */
  PV_VEC(uint32_t) held;    /* by component: the leaf whose content the machine holds */
  PV_VEC(uint32_t) stale;   /* components in which the machine may differ from the tuple */
  PV_VEC(uint8_t) is_stale; /* by component: it is on that list */
  PV_VEC(uint32_t) frame;   /* by component: thread << 24 | 1 + depth of the frame it is; 0: none */
  PV_VEC(struct pv_memo_change) moved; /* since `at`: what the leaves were, in this order */
  struct {   /* the last transition, if it was done before: where it leads to */
    bool on; /* the state at hand is still the one it began in */
    struct pv_move move;
    struct pv_next next;                  /* once found */
    const struct pv_memo_change *changes; /* borrowed from the memo */
    uint32_t n, state;                    /* state: once found */
  } pending;
  uint32_t forgotten; /* how often the memo had been emptied when deltas were made last */
  bool ran;           /* the last transition was run by the machine */
  bool ran_away; /* the machine's last transition did not end in a state: its content counts for
                    nothing */
  uint32_t depth[PV_MAX_THREADS];    /* frames of a thread in the state at hand, */
  uint32_t top[PV_MAX_THREADS];      /* the component that holds the last one, */
  uint32_t top_leaf[PV_MAX_THREADS]; /* and its leaf */
};
/* memo: keep what transitions did, and do not run them again. */
void pv_space_init(struct pv_space *s, struct pv_vm *vm, bool memo);
/* Before the start: an order for pv_space_step, borrowed. Without one every transition goes back.
 */
void pv_space_order(struct pv_space *s, const struct pv_places *places);
void pv_space_free(struct pv_space *s);
/* The first space, started, begins to share its store. */
void pv_space_share(struct pv_space *s, struct pv_common *c);
/* Another one, whose machine was started in the same way and did nothing since, joins it when the
 * initial state is all that is stored. Its own store goes. */
void pv_space_join(struct pv_space *s, const struct pv_space *first, struct pv_common *c);
/* Before this thread goes back to states that others have saved. */
void pv_space_sync(struct pv_space *s);
/* Before the start: states are looked up in `visited`, which then belongs to the space. */
void pv_space_may_lose(struct pv_space *s, struct pv_visited *visited);
/* Before the start: states are numbered by keys (symmetry.h), of which several states may have the
 * same, so that states cannot be rebuilt either. */
void pv_space_find_by(struct pv_space *s, struct pv_symmetry *symmetry);
/* Takes the machine's content for the initial state. */
void pv_space_start(struct pv_space *s);
/* Does a transition from the state at hand, alternative < alternatives; if it is PV_RAN the state
 * at hand is the successor once it has been saved or found (until then only pv_space_back may be
 * called besides), else the same as before. */
/* back: after such a transition of a persistent set all threads have to move (reduce.h): it goes
 * back in the order of places, or does more visible operations than the one that was parked at. */
enum pv_outcome pv_space_step(struct pv_space *s, unsigned thread, unsigned alternative,
                              bool *back);
/* The same, to look at the successor and those behind it: it is not saved, and is at hand, also for
 * further tries, until pv_space_back. */
enum pv_outcome pv_space_try(struct pv_space *s, unsigned thread, unsigned alternative);
/* The errors that the last transition met and went on from (pv_vm_passed). */
const struct pv_event *pv_space_passed(const struct pv_space *s, uint32_t *n);
/* The id of the state at hand (0 if states may be lost); looks only at what changed. */
uint32_t pv_space_save(struct pv_space *s, bool *is_new);
/* As pv_space_save after a transition, but if the successor was known, it need not be the state at
 * hand before pv_space_enter: who only wants to know goes back for nothing. */
uint32_t pv_space_find(struct pv_space *s, bool *is_new);
void pv_space_enter(struct pv_space *s);
/* Makes the machine hold the state at hand. */
void pv_space_load(struct pv_space *s);
/* The machine, loaded, was made to run something that is no transition: it changed nothing. */
void pv_space_asked(struct pv_space *s);
/* The component that holds the thread's top frame in the state at hand; the thread must have one.
 */
static inline uint32_t pv_space_top(const struct pv_space *s, unsigned thread) {
  return s->top[thread];
}
/* The leaf of one of the machine's components in the state at hand; 0: absent. */
static inline uint32_t pv_space_leaf(const struct pv_space *s, uint32_t component) {
  if (component == PV_SPACE_HEAD) return s->tuple.head;
  if (s->trails) return pv_trail_get(&s->trail, component);
  if (component >= s->base.n) return 0;
  uint32_t place = s->place.at[component];
  if (place == PV_NO_PLACE) return s->base.at[component];
  uint32_t leaf = pv_half_get(&s->tuple.half[place & 1], place >> 1);
  return !leaf ? s->base.at[component] : leaf == PV_LEAF_ABSENT ? 0 : leaf;
}
/* Where the state at hand is in the journal, for pv_space_back. */
struct pv_mark pv_space_mark(const struct pv_space *s);
/* Makes a stored state the one at hand, whatever was done since; `mark` was taken when that state
 * was at hand (NULL: not known; needed if states may be lost). */
void pv_space_back(struct pv_space *s, uint32_t state, const struct pv_mark *mark);
uint64_t pv_space_states(const struct pv_space *s);
uint64_t pv_space_bytes(const struct pv_space *s); /* of all that is kept by state */
/* Bytes that the next few saves will take at once; 0: none. */
uint64_t pv_space_growth(const struct pv_space *s);
uint64_t pv_space_path_bytes(const struct pv_space *s); /* of the way back */

#endif
