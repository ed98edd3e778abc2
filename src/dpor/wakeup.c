#include "dpor/wakeup.h"

#include <stdlib.h>

void pv_wakeup_pool_free(struct pv_wakeup_pool *all) {
  while (all->unused) {
    struct pv_wakeup_node *w = all->unused;
    all->unused = w->next;
    free(w);
  }
}

struct pv_wakeup_node *pv_wakeup_node_new(struct pv_wakeup_pool *all,
                                          const struct pv_transition *transition) {
  struct pv_wakeup_node *w = all->unused;
  if (w)
    all->unused = w->next;
  else
    w = pv_alloc(sizeof *w);
  w->transition = *transition;
  w->next = w->first = NULL;
  return w;
}

void pv_wakeup_node_free(struct pv_wakeup_pool *all, struct pv_wakeup_node *w) {
  while (w) {
    struct pv_wakeup_node *next = w->next, **end = &w->first;
    while (*end) end = &(*end)->next;
    *end = next; /* the children come next */
    next = w->first;
    w->next = all->unused;
    all->unused = w;
    w = next;
  }
}

struct pv_wakeup_node *pv_wakeup_node_append(struct pv_wakeup_pool *all,
                                             struct pv_wakeup_node **list,
                                             const struct pv_transition *transition) {
  while (*list) list = &(*list)->next;
  return *list = pv_wakeup_node_new(all, transition);
}

void pv_sequence_clear(struct pv_sequence *v) {
  v->at.n = 0;
  v->threads = 0;
  v->fixed = 0;
  v->last_fixed = false;
}

void pv_sequence_add(struct pv_sequence *v, const struct pv_transition *d,
                     const struct pv_clock *c) {
  struct pv_sequence_event e = {d, c, d->marks, d->thread, d->index, false};
  pv_vec_push(&v->at, e);
  v->threads |= PV_THREAD_BIT(d->thread);
}

static bool precedes(const struct pv_sequence_event *x, const struct pv_sequence_event *y) {
  return y->clock->at[x->thread] >= x->index;
}

static bool commutes_with_all(const struct pv_trace *t, const struct pv_sequence *v,
                              const struct pv_transition *transition) {
  for (uint32_t i = 0; i < v->at.n; i++)
    if (pv_marks_meet(transition->marks, v->at.at[i].marks) && !v->at.at[i].gone &&
        pv_trace_ordered(t, transition, v->at.at[i].transition))
      return false;
  return true;
}

bool pv_is_weak_initial(const struct pv_trace *t, const struct pv_sequence *v,
                        const struct pv_transition *transition, uint32_t *which) {
  uint32_t i = v->threads & PV_THREAD_BIT(transition->thread) ? 0 : v->at.n;
  while (i < v->at.n && (v->at.at[i].gone || v->at.at[i].thread != transition->thread)) i++;
  *which = UINT32_MAX;
  if (i == v->at.n) return commutes_with_all(t, v, transition);
  const struct pv_sequence_event *y = &v->at.at[i];
  if (transition->alternative != PV_ANY_ALTERNATIVE &&
      transition->alternative != y->transition->alternative)
    return false;
  for (uint32_t k = 0; k < i; k++)
    if (!v->at.at[k].gone && precedes(&v->at.at[k], y)) return false;
  *which = i;
  return true;
}

bool pv_sequence_alike(const struct pv_sequence *v, const struct pv_transition *a,
                       const struct pv_transition *b) {
  const struct pv_pending *x = &a->what, *y = &b->what;
  return x->kind == PV_PEND_ACCESS && y->kind == PV_PEND_ACCESS && x->edge == y->edge &&
         x->address == y->address && x->bytes == y->bytes && x->stays == y->stays && !a->inner &&
         !b->inner && !(v->threads & (PV_THREAD_BIT(a->thread) | PV_THREAD_BIT(b->thread)));
}

bool pv_wakeup_insert(const struct pv_trace *t, struct pv_wakeup_pool *all,
                      struct pv_wakeup_node **tree, struct pv_sequence *v, bool *for_good) {
  *for_good = true;
  const struct pv_transition *last = NULL; /* the last element that was checked and is no initial */
  for (struct pv_wakeup_node *w = *tree; w;) {
    uint32_t which;
    if ((last && pv_sequence_alike(v, last, &w->transition)) ||
        !pv_is_weak_initial(t, v, &w->transition, &which)) {
      last = &w->transition;
      w = w->next;
      continue;
    }
    last = NULL;
    if (which != UINT32_MAX) v->at.at[which].gone = true;
    *for_good &= which != UINT32_MAX && pv_sequence_has_for_good(v, which);
    if (!w->first) return false;
    tree = &w->first;
    w = w->first;
  }
  bool any = false;
  for (uint32_t i = 0; i < v->at.n; i++) {
    if (v->at.at[i].gone) continue;
    *for_good &= pv_sequence_has_for_good(v, i);
    tree = &pv_wakeup_node_append(all, tree, v->at.at[i].transition)->first;
    any = true;
  }
  return any;
}
