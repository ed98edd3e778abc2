/* wakeup.h -- wakeup trees.
 *
 * The wakeup tree of a state holds the initial fragments of executions that are still to be
 * explored from that state, as a tree, in the order of exploration.
 *
 * Reference: Abdulla, Aronis, Jonsson, Sagonas, JACM 64(4), 2017, section 4. */
#ifndef PV_DPOR_WAKEUP_H
#define PV_DPOR_WAKEUP_H

#include "dpor/trace.h"

/* A node other than the root, with the transition that leads to it. Children are ordered. */
struct pv_wakeup_node {
  struct pv_transition transition;
  struct pv_wakeup_node *next, *first; /* next sibling, first child */
};
/* Recycles nodes: nearly every event creates one and frees one. */
struct pv_wakeup_pool {
  struct pv_wakeup_node *unused; /* linked by `next` */
};
void pv_wakeup_pool_free(struct pv_wakeup_pool *all);
/* A new node without siblings or children, owned by the pool. */
struct pv_wakeup_node *pv_wakeup_node_new(struct pv_wakeup_pool *all,
                                          const struct pv_transition *transition);
/* Returns the node, its later siblings and all their descendants to the pool. NULL is fine. */
void pv_wakeup_node_free(struct pv_wakeup_pool *all, struct pv_wakeup_node *w);
/* Appends a node to the list of siblings. */
struct pv_wakeup_node *pv_wakeup_node_append(struct pv_wakeup_pool *all,
                                             struct pv_wakeup_node **list,
                                             const struct pv_transition *transition);

/* A sequence of events, with their clocks in the execution that they come from. */
struct pv_sequence_event {
  const struct pv_transition *transition;
  const struct pv_clock *clock;
  struct pv_marks marks; /* copied from the transition, like the next two members */
  uint32_t thread, index;
  bool gone; /* removed from the sequence */
};
struct pv_sequence {
  PV_VEC(struct pv_sequence_event) at;
  pv_threads threads; /* the threads of all events, removed ones included */
  /* If the sequence reverses a race: the length of the prefix that is the same in every execution
   * with this race, and whether the last event is the same, too. */
  uint32_t fixed;
  bool last_fixed;
};
/* Is this event the same in every execution with the race? */
static inline bool pv_sequence_has_for_good(const struct pv_sequence *v, uint32_t which) {
  return which < v->fixed || (v->last_fixed && which + 1 == v->at.n);
}
void pv_sequence_clear(struct pv_sequence *v);
/* Appends an event. Both pointers are borrowed. */
void pv_sequence_add(struct pv_sequence *v, const struct pv_transition *d,
                     const struct pv_clock *c);

/* Is `transition` a weak initial of the sequence? It is if an equivalent sequence begins with it,
 * or if it is independent of the whole sequence. It must be enabled where the sequence begins.
 * *which: its index in the sequence, or UINT32_MAX. */
bool pv_is_weak_initial(const struct pv_trace *t, const struct pv_sequence *v,
                        const struct pv_transition *transition, uint32_t *which);
/* Are the two the same access by two threads that have no event in the sequence? Then one is a weak
 * initial if and only if the other one is. This decides most members of large sleep sets quickly.
 */
bool pv_sequence_alike(const struct pv_sequence *v, const struct pv_transition *a,
                       const struct pv_transition *b);
/* Inserts the sequence into the tree (definition 4.5), unless the tree already has an initial
 * fragment of an equivalent sequence; then it returns false. Consumes the sequence. *for_good: from
 * now on the tree has such a fragment in every execution with this race. */
bool pv_wakeup_insert(const struct pv_trace *t, struct pv_wakeup_pool *all,
                      struct pv_wakeup_node **tree, struct pv_sequence *v, bool *for_good);

#endif
