/* wakeup.h -- wakeup trees (Abdulla et al., JACM 2017, section 4): beginnings of executions that
 * are still to be explored from a state, in the order in which they will be, as a tree. */
#ifndef PV_DPOR_WAKEUP_H
#define PV_DPOR_WAKEUP_H

#include "dpor/trace.h"

/* A node but the root: the event that leads to it. Its children, in order. */
struct pv_wake {
  struct pv_deed deed;
  struct pv_wake *next, *first; /* sibling, child */
};
/* Nodes that are not in use: there is one more and one less with every event. */
struct pv_wakes {
  struct pv_wake *unused; /* by `next` */
};
void pv_wakes_free(struct pv_wakes *all);
/* A node without neighbours. */
struct pv_wake *pv_wake_new(struct pv_wakes *all, const struct pv_deed *deed);
/* Takes it back, with its siblings and all below; NULL is fine. */
void pv_wake_free(struct pv_wakes *all, struct pv_wake *w);
/* A child at the end of the list. */
struct pv_wake *pv_wake_append(struct pv_wakes *all, struct pv_wake **list,
                               const struct pv_deed *deed);

/* A sequence of events, with their clocks in some execution that they are taken from. */
struct pv_wake_event {
  const struct pv_deed *deed;
  const struct pv_clock *clock;
  struct pv_marks marks; /* the deed's, as the next two */
  uint32_t thread, index;
  bool gone;
};
struct pv_sequence {
  PV_VEC(struct pv_wake_event) at;
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
void pv_sequence_add(struct pv_sequence *v, const struct pv_deed *d, const struct pv_clock *c);

/* Is `deed`, which its thread would do at the state that the sequence begins in, a weak initial of
 * it: does the sequence, or one equivalent to it, begin with it, or could it be put before it? Then
 * *which is its place in the sequence, or UINT32_MAX. */
bool pv_wake_initial(const struct pv_trace *t, const struct pv_sequence *v,
                     const struct pv_deed *deed, uint32_t *which);
/* The same access by two threads that have nothing in the sequence: one is a weak initial if the
 * other is. Where many read what one writes most of what is asleep, or to come, is of this kind. */
bool pv_wake_alike(const struct pv_sequence *v, const struct pv_deed *a, const struct pv_deed *b);
/* Insertion (definition 4.5): adds what is needed so that the tree has a beginning of something
 * equivalent to the sequence, which is used up. false: it had one. *for_good: the tree has one now
 * for this race in every execution. */
bool pv_wake_insert(const struct pv_trace *t, struct pv_wakes *all, struct pv_wake **tree,
                    struct pv_sequence *v, bool *for_good);

#endif
