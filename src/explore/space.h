/* space.h -- the current state as a tuple of leaves: saving it, restoring a state, executing
 * transitions.
 *
 * Restoring undoes the changes in a journal, as the backtracking stack of paper 004 does. An entry
 * has the position of a changed leaf and its old value, eight bytes; so the cost is proportional to
 * the changes. The journal is bounded. If it does not reach back far enough, or if undoing would be
 * more expensive, the state is rebuilt from the difference between the two trees in the store.
 *
 * Searches that may lose states (visited.h, pv_space_may_lose) have no state ids and cannot rebuild
 * states. They keep a complete trail (trail.h) instead; then only states on the current path can be
 * restored.
 *
 * A component gets a place in the stored tuples when it first differs from the initial state. The
 * leaf 0 stands for the initial content. So components that never change cost nothing. After the
 * first LEARN states the places are chosen anew (arrange.h), once, if there are many nodes. State
 * ids stay.
 *
 * The machine is needed only for transitions that are not cached (memo.h) and for questions about
 * contents. It is synchronised with the tuple by pv_space_load. The scheduler's state and the
 * machine's own component (0 and 1) are always up to date.
 *
 * One module: space, symmetry, moves (with symmetry a state is saved under its key, for which
 * symmetry.c asks the space for what the threads are parked at). */
#ifndef PV_SPACE_H
#define PV_SPACE_H

#include "analysis/places.h"
#include "explore/memo.h"
#include "explore/store.h"
#include "explore/trail.h"
#include "vm/vm.h"

#define PV_NO_PLACE     UINT32_MAX
#define PV_NO_COMPONENT UINT32_MAX
enum { PV_SPACE_HEAD = 0 }; /* the component that changes most often: the scheduler's state */

struct pv_bytes; /* base/bytes.h */

/* A position in the journal. */
struct pv_mark {
  uint32_t head;
  struct pv_half_mark half[2];
  uint64_t trail;
};

/* Shared by the spaces of parallel workers: the store, the registry of the machines, and the places
 * of components in the tuples. */
struct pv_common;
struct pv_common *pv_common_new(void);
void pv_common_free(struct pv_common *c);

struct pv_space {
  struct pv_vm *vm;               /* borrowed */
  struct pv_store *store;         /* owned, unless `joined` */
  struct pv_common *common;       /* borrowed; NULL: this is the only space */
  bool joined;                    /* the store is another space's */
  uint32_t placed;                /* shared places that are known here */
  struct pv_tuple tuple;          /* the current state, as last saved or restored */
  uint32_t at;                    /* its id */
  struct pv_mark here;            /* its position in the journal */
  const struct pv_places *places; /* borrowed; NULL: no order of places */
  struct pv_memo *memo;           /* owned; NULL: every transition is executed */
  uint64_t instructions, inputs;  /* of transitions found in the cache */
  PV_VEC(uint32_t) base;          /* by component: its leaf in the initial state, 0: absent */
  PV_VEC(uint32_t) place;   /* by component: half | position << 1; PV_NO_PLACE: it never changed */
  PV_VEC(uint32_t) comp[2]; /* by half and position: the component, or PV_NO_COMPONENT */
  bool arranged;            /* the places were chosen anew */
  struct pv_visited *visited;   /* owned; NULL: states are stored exactly, by the tuple */
  struct pv_symmetry *symmetry; /* borrowed; if set, states are identified by its keys */
  bool trails;                  /* one of these two is set: */
  struct pv_trail trail;        /* the current state */
  uint64_t component_bytes[PV_COMP_MEMORY + 1]; /* bytes of leaves, by enum pv_comp_kind */
  uint32_t last_leaf;                           /* the leaf that was interned last */
  PV_VEC(uint32_t) held;    /* by component: the leaf whose content is in the machine */
  PV_VEC(uint32_t) stale;   /* components in which the machine may differ from the tuple */
  PV_VEC(uint8_t) is_stale; /* by component: is it in `stale`? */
  /* By component: thread << 24 | 1 + depth if it is a frame; 0: it is not. */
  PV_VEC(uint32_t) frame;
  PV_VEC(struct pv_memo_change) moved; /* changes since `at`: old leaves, in order */
  struct {                             /* the last transition, if it was found in the cache */
    bool on;                           /* the current state is still its source */
    struct pv_tuple_change move;
    struct pv_next next;                  /* its successor, once computed */
    const struct pv_memo_change *changes; /* borrowed from the memo */
    uint32_t n, state;                    /* state: once computed */
  } pending;
  uint32_t forgotten; /* pv_memo_forgotten when the deltas were computed */
  bool ran;           /* the machine executed the last transition */
  bool ran_away;      /* the machine's last transition did not end in a state: its content is
                         meaningless */
  uint32_t depth[PV_MAX_THREADS];    /* number of frames of a thread in the current state */
  uint32_t top[PV_MAX_THREADS];      /* the component of its top frame */
  uint32_t top_leaf[PV_MAX_THREADS]; /* and its leaf */
};
/* memo: cache transitions. */
void pv_space_init(struct pv_space *s, struct pv_vm *vm, bool memo);
/* Before the start: sets the order of places for pv_space_step. Borrowed. Without one, every
 * transition counts as going back. */
void pv_space_order(struct pv_space *s, const struct pv_places *places);
void pv_space_free(struct pv_space *s);
/* The first space, which has been started, shares its store from now on. */
void pv_space_share(struct pv_space *s, struct pv_common *c);
/* Another space joins it and gives up its own store. Its machine must be in the initial state, and
 * the shared store must contain only the initial state. */
void pv_space_join(struct pv_space *s, const struct pv_space *first, struct pv_common *c);
/* Call it before restoring states that other workers saved. */
void pv_space_sync(struct pv_space *s);
/* Before the start: states are looked up in `visited`. Takes ownership. */
void pv_space_may_lose(struct pv_space *s, struct pv_visited *visited);
/* Before the start: states are identified by keys (symmetry.h). Several states may have the same
 * key; so states cannot be rebuilt. */
void pv_space_find_by(struct pv_space *s, struct pv_symmetry *symmetry);
/* Starts: the machine's current content is the initial state. */
void pv_space_start(struct pv_space *s);
/* Executes a transition from the current state, alternative < alternatives. After PV_RAN call
 * pv_space_save or pv_space_find, which make the successor the current state, or pv_space_back.
 * After any other outcome the current state is unchanged. *back: if a persistent set contains this
 * transition, all threads have to move (reduce.h), because it does not advance in the order of
 * places, or performs more visible operations than the pending one. */
enum pv_outcome pv_space_step(struct pv_space *s, unsigned thread, unsigned alternative,
                              bool *back);
/* The same for looking ahead. The successor is not saved but becomes the current state, also for
 * further calls, until pv_space_back. */
enum pv_outcome pv_space_try(struct pv_space *s, unsigned thread, unsigned alternative);
/* The errors in the last transition that did not end it (pv_vm_passed). */
const struct pv_event *pv_space_passed(const struct pv_space *s, uint32_t *n);
/* Saves the current state and returns its id (0 if states may be lost). Costs O(changes). */
uint32_t pv_space_save(struct pv_space *s, bool *is_new);
/* After a transition, only if states may be lost: makes the successor the current state, without
 * storing it. Returns its fingerprint. */
struct pv_fingerprint pv_space_arrive(struct pv_space *s);
/* Like pv_space_save after a transition. But a known successor becomes the current state only with
 * pv_space_enter; so going back from it is free. */
uint32_t pv_space_find(struct pv_space *s, bool *is_new);
void pv_space_enter(struct pv_space *s);
/* How much was stored. */
struct pv_space_mark {
  struct pv_store_mark store;
  uint32_t registered, places[2];
  bool arranged;
};
struct pv_space_mark pv_space_stored(const struct pv_space *s, const struct pv_registry *registry);
/* What was stored after the mark (a zero one: everything), as bytes, for exact stores without
 * symmetry. The places must not have been chosen anew since a mark that is not zero. The machine
 * shares the registry. */
void pv_space_write(const struct pv_space *s, const struct pv_registry *registry,
                    const struct pv_space_mark *from, struct pv_str *out);
/* Instead of pv_space_start and the first save: what was stored in another run of the program, from
 * the beginning; then what was stored from there on, and so on. The machine shares an empty
 * registry. false: the bytes are wrong. */
bool pv_space_read(struct pv_space *s, struct pv_bytes *in);
/* After the last one: the initial state becomes the current one. false: as above. */
bool pv_space_restart(struct pv_space *s);
/* Loads the current state into the machine. */
void pv_space_load(struct pv_space *s);
/* Tells that the loaded machine executed something other than a transition, without changes. */
void pv_space_asked(struct pv_space *s);
/* The component of the thread's top frame in the current state. The thread must have a frame. */
static inline uint32_t pv_space_top(const struct pv_space *s, unsigned thread) {
  return s->top[thread];
}
/* The leaf of a component in the current state; 0: absent. */
static inline uint32_t pv_space_leaf(const struct pv_space *s, uint32_t component) {
  if (component == PV_SPACE_HEAD) return s->tuple.head;
  if (s->trails) return pv_trail_get(&s->trail, component);
  if (component >= s->base.n) return 0;
  uint32_t place = s->place.at[component];
  if (place == PV_NO_PLACE) return s->base.at[component];
  uint32_t leaf = pv_half_get(&s->tuple.half[place & 1], place >> 1);
  return !leaf ? s->base.at[component] : leaf == PV_LEAF_ABSENT ? 0 : leaf;
}
/* The position of the current state in the journal, for pv_space_back. */
struct pv_mark pv_space_mark(const struct pv_space *s);
/* Makes a stored state the current one. `mark` was taken when it was the current state (NULL: not
 * known; required if states may be lost). */
void pv_space_back(struct pv_space *s, uint32_t state, const struct pv_mark *mark);
uint64_t pv_space_states(const struct pv_space *s);
uint64_t pv_space_bytes(const struct pv_space *s); /* memory of everything stored for each state */
/* The size of an allocation that the next saves will make; 0: none. */
uint64_t pv_space_growth(const struct pv_space *s);
uint64_t pv_space_path_bytes(const struct pv_space *s); /* memory of the journal and the trail */

#endif
