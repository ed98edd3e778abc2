#include "dpor/wakeup.h"

#include <stdlib.h>

void pv_wakes_free(struct pv_wakes *all) {
  while (all->unused) {
    struct pv_wake *w = all->unused;
    all->unused = w->next;
    free(w);
  }
}

struct pv_wake *pv_wake_new(struct pv_wakes *all, const struct pv_deed *deed) {
  struct pv_wake *w = all->unused;
  if (w)
    all->unused = w->next;
  else
    w = pv_alloc(sizeof *w);
  w->deed = *deed;
  w->next = w->first = NULL;
  return w;
}

void pv_wake_free(struct pv_wakes *all, struct pv_wake *w) {
  while (w) {
    struct pv_wake *next = w->next, **end = &w->first;
    while (*end) end = &(*end)->next;
    *end = next; /* the children come next */
    next = w->first;
    w->next = all->unused;
    all->unused = w;
    w = next;
  }
}

struct pv_wake *pv_wake_append(struct pv_wakes *all, struct pv_wake **list,
                               const struct pv_deed *deed) {
  while (*list) list = &(*list)->next;
  return *list = pv_wake_new(all, deed);
}

void pv_sequence_clear(struct pv_sequence *v) {
  v->at.n = 0;
  v->threads = 0;
  v->fixed = 0;
  v->last_fixed = false;
}

void pv_sequence_add(struct pv_sequence *v, const struct pv_deed *d, const struct pv_clock *c) {
  struct pv_wake_event e = {d, c, d->marks, d->thread, d->index, false};
  pv_vec_push(&v->at, e);
  v->threads |= PV_THREAD_BIT(d->thread);
}

static bool precedes(const struct pv_wake_event *x, const struct pv_wake_event *y) {
  return y->clock->at[x->thread] >= x->index;
}

static bool commutes_with_all(const struct pv_trace *t, const struct pv_sequence *v,
                              const struct pv_deed *deed) {
  for (uint32_t i = 0; i < v->at.n; i++)
    if (pv_marks_meet(deed->marks, v->at.at[i].marks) && !v->at.at[i].gone &&
        pv_trace_ordered(t, deed, v->at.at[i].deed))
      return false;
  return true;
}

bool pv_wake_initial(const struct pv_trace *t, const struct pv_sequence *v,
                     const struct pv_deed *deed, uint32_t *which) {
  uint32_t i = v->threads & PV_THREAD_BIT(deed->thread) ? 0 : v->at.n;
  while (i < v->at.n && (v->at.at[i].gone || v->at.at[i].thread != deed->thread)) i++;
  *which = UINT32_MAX;
  if (i == v->at.n) return commutes_with_all(t, v, deed);
  const struct pv_wake_event *y = &v->at.at[i];
  if (deed->way != PV_ANY_WAY && deed->way != y->deed->way) return false;
  for (uint32_t k = 0; k < i; k++)
    if (!v->at.at[k].gone && precedes(&v->at.at[k], y)) return false;
  *which = i;
  return true;
}

bool pv_wake_alike(const struct pv_sequence *v, const struct pv_deed *a, const struct pv_deed *b) {
  const struct pv_pending *x = &a->what, *y = &b->what;
  return x->kind == PV_PEND_ACCESS && y->kind == PV_PEND_ACCESS && x->edge == y->edge &&
         x->address == y->address && x->bytes == y->bytes && x->stays == y->stays && !a->inner &&
         !b->inner && !(v->threads & (PV_THREAD_BIT(a->thread) | PV_THREAD_BIT(b->thread)));
}

bool pv_wake_insert(const struct pv_trace *t, struct pv_wakes *all, struct pv_wake **tree,
                    struct pv_sequence *v, bool *for_good) {
  *for_good = true;
  const struct pv_deed *last = NULL; /* looked at here, and no initial */
  for (struct pv_wake *w = *tree; w;) {
    uint32_t which;
    if ((last && pv_wake_alike(v, last, &w->deed)) || !pv_wake_initial(t, v, &w->deed, &which)) {
      last = &w->deed;
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
    tree = &pv_wake_append(all, tree, v->at.at[i].deed)->first;
    any = true;
  }
  return any;
}
