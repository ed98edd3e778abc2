/* wakeup.h -- wakeup trees (Abdulla et al., JACM 2017, section 4): beginnings of executions that
 * are still to be explored from a state, in the order in which they will be, as a tree. */
#ifndef PV_DPOR_WAKEUP_H
#define PV_DPOR_WAKEUP_H

#include "dpor/trace.h"

/* A node but the root: the event that leads to it. Its children, in order. */
struct pv_wakeup_node {
  struct pv_transition transition;
  struct pv_wakeup_node *next, *first; /* sibling, child */
};
/* Nodes that are not in use: there is one more and one less with every event. */
struct pv_wakeup_pool {
  struct pv_wakeup_node *unused; /* by `next` */
};
void pv_wakeup_pool_free(struct pv_wakeup_pool *all);
/* A node without neighbours. */
struct pv_wakeup_node *pv_wakeup_node_new(struct pv_wakeup_pool *all,
                                          const struct pv_transition *transition);
/* Takes it back, with its siblings and all below; NULL is fine. */
void pv_wakeup_node_free(struct pv_wakeup_pool *all, struct pv_wakeup_node *w);
/* A child at the end of the list. */
struct pv_wakeup_node *pv_wakeup_node_append(struct pv_wakeup_pool *all,
                                             struct pv_wakeup_node **list,
                                             const struct pv_transition *transition);

/* A sequence of events, with their clocks in some execution that they are taken from. */
struct pv_sequence_event {
  const struct pv_transition *transition;
  const struct pv_clock *clock;
  struct pv_marks marks; /* the transition's, as the next two */
  uint32_t thread, index;
  bool gone;
};
struct pv_sequence {
  PV_VEC(struct pv_sequence_event) at;
  pv_threads threads; /* whose events it has, or had */
  /* Where it stands for a race: how many at its beginning, and whether the last one, are the same
   * in every execution that has the race. */
  uint32_t fixed;
  bool last_fixed;
};
/* Is the event one of those? */
static inline bool pv_sequence_has_for_good(const struct pv_sequence *v, uint32_t which) {
  return which < v->fixed || (v->last_fixed && which + 1 == v->at.n);
}
void pv_sequence_clear(struct pv_sequence *v);
/* At the end. The sequence refers to both. */
void pv_sequence_add(struct pv_sequence *v, const struct pv_transition *d,
                     const struct pv_clock *c);

/* Is `transition`, which its thread would do at the state that the sequence begins in, a weak
 * initial of it: does the sequence, or one equivalent to it, begin with it, or could it be put
 * before it? Then *which is its place in the sequence, or UINT32_MAX. */
bool pv_is_weak_initial(const struct pv_trace *t, const struct pv_sequence *v,
                        const struct pv_transition *transition, uint32_t *which);
/* The same access by two threads that have nothing in the sequence: one is a weak initial if the
 * other is. Where many read what one writes most of what is in the sleep set, or to come, is of
 * this kind. */
bool pv_sequence_alike(const struct pv_sequence *v, const struct pv_transition *a,
                       const struct pv_transition *b);
/* Insertion (definition 4.5): adds what is needed so that the tree has a beginning of something
 * equivalent to the sequence, which is used up. false: it had one. *for_good: the tree has one now
 * for this race in every execution. */
bool pv_wakeup_insert(const struct pv_trace *t, struct pv_wakeup_pool *all,
                      struct pv_wakeup_node **tree, struct pv_sequence *v, bool *for_good);

#endif
