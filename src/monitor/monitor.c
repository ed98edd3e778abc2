#include "monitor/monitor.h"

#include <stdlib.h>

static void clear(struct pv_warning *w) {
  for (uint32_t i = 0; i < w->n; i++) pv_vec_free(&w->side[i].held);
}

static int ascending(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

uint32_t pv_warn(struct pv_warnings *all, struct pv_warning *w) {
  uint32_t key[PV_WARNING_SIDES + 1];
  bool is_new;
  for (uint32_t i = 0; i < w->n; i++) key[i] = w->side[i].place;
  qsort(key, w->n, sizeof key[0], ascending);
  key[w->n] = w->kind;
  uint32_t number = *pv_map_put(&all->known, key, (w->n + 1) * sizeof key[0], all->list.n, &is_new);
  if (is_new)
    pv_vec_push(&all->list, *w);
  else
    clear(w);
  return number;
}

void pv_warnings_free(struct pv_warnings *all) {
  for (uint32_t i = 0; i < all->list.n; i++) clear(&all->list.at[i]);
  pv_vec_free(&all->list);
  pv_map_free(&all->known);
}

void pv_holdings_tell(struct pv_holdings *h, const struct pv_observed *e) {
  if (e->kind != PV_OBSERVED_LOCK && e->kind != PV_OBSERVED_UNLOCK) return;
  uint32_t i = 0, n = h->of[e->thread].n;
  struct pv_held *held = h->of[e->thread].at;
  while (i < n && held[i].lock != e->at) i++;
  if (e->kind == PV_OBSERVED_LOCK && i == n)
    pv_vec_push(&h->of[e->thread], ((struct pv_held){e->at, 1, e->shared}));
  else if (e->kind == PV_OBSERVED_LOCK)
    held[i].times++;
  else if (i < n && !--held[i].times) {
    for (; i + 1 < n; i++) held[i] = held[i + 1];
    h->of[e->thread].n--;
  }
}

void pv_holdings_list(const struct pv_holdings *h, uint32_t thread, struct pv_warning_side *side) {
  for (uint32_t i = 0; i < h->of[thread].n; i++) pv_vec_push(&side->held, h->of[thread].at[i].lock);
}

void pv_holdings_free(struct pv_holdings *h) {
  for (unsigned i = 0; i < PV_MAX_THREADS; i++) pv_vec_free(&h->of[i]);
}

/* ---- the analyses ---------------------------------------------------------------------------- */
const struct pv_runtime_analysis *const pv_runtime_analyses[PV_RUNTIME_ANALYSES] = {
    &pv_happens_before, &pv_eraser, &pv_lock_trees, &pv_lock_cycles};
