/* window.c -- see log.h. */
#include <stdlib.h>

#include "monitor/log.h"

enum { ALL = UINT32_MAX };

/* By address or object: who gave something there, and when. */
struct gift {
  uint32_t thread, event;
};
struct gifts {
  PV_VEC(struct gift) list;
};
struct window {
  const struct pv_log *log;
  struct pv_map index;
  PV_VEC(struct gifts) gifts;
  uint32_t parent[PV_MAX_THREADS], born[PV_MAX_THREADS]; /* born: 1 + the event of its FORK */
  uint32_t need[PV_MAX_THREADS]; /* 1 + the last event up to which the thread is needed; 0: not */
  bool changed;
};

static struct gifts *gifts_at(struct window *w, bool memory, uint64_t at) {
  uint64_t key[2] = {memory, at};
  bool is_new;
  uint32_t i = *pv_map_put(&w->index, key, sizeof key, w->gifts.n, &is_new);
  if (is_new) pv_vec_push(&w->gifts, ((struct gifts){0}));
  return &w->gifts.at[i];
}

static void give(struct window *w, bool memory, const struct pv_observed *e, uint32_t event) {
  struct gifts *g = gifts_at(w, memory, e->at);
  pv_vec_push(&g->list, ((struct gift){e->thread, event}));
}

static void note(struct window *w) {
  const struct pv_log *log = w->log;
  for (uint32_t i = 0; i < log->events.n; i++) {
    const struct pv_observed *e = &log->events.at[i];
    if (e->kind == PV_OBSERVED_WRITE) give(w, true, e, i);
    if (e->kind == PV_OBSERVED_RELEASE) give(w, false, e, i);
    if (e->kind == PV_OBSERVED_FORK && !w->born[e->at]) {
      w->parent[e->at] = e->thread;
      w->born[e->at] = i + 1;
    }
  }
}

static void need(struct window *w, uint32_t thread, uint32_t until) {
  if (w->need[thread] >= until) return;
  w->need[thread] = until;
  w->changed = true;
}

/* The last one before the event, of each other thread; or the first one after it, which could come
 * before it in another execution. */
static void need_givers(struct window *w, bool memory, const struct pv_observed *e,
                        uint32_t event) {
  uint32_t best[PV_MAX_THREADS] = {0};
  const struct gifts *g = gifts_at(w, memory, e->at);
  for (uint32_t i = 0; i < g->list.n; i++) {
    const struct gift *x = &g->list.at[i];
    if (x->thread != e->thread && (x->event < event || !best[x->thread]))
      best[x->thread] = x->event + 1;
  }
  for (uint32_t t = 0; t < PV_MAX_THREADS; t++)
    if (best[t]) need(w, t, best[t]);
}

/* The last event of the thread at this place. */
static uint32_t last_at(const struct window *w, uint32_t thread, uint32_t place) {
  for (uint32_t i = w->log->events.n; i > 0; i--) {
    const struct pv_observed *e = &w->log->events.at[i - 1];
    if (e->thread == thread && e->place == place) return i;
  }
  return ALL;
}

uint64_t pv_log_window(const struct pv_log *log, const struct pv_warnings *warnings) {
  struct window *w = pv_alloc(sizeof *w);
  uint64_t set = 0;
  w->log = log;
  note(w);
  for (uint32_t i = 0; i < warnings->list.n; i++)
    for (uint32_t k = 0; k < warnings->list.at[i].n; k++) {
      const struct pv_warning_side *side = &warnings->list.at[i].side[k];
      need(w, side->thread, last_at(w, side->thread, side->place));
    }
  for (w->changed = warnings->list.n > 0; w->changed;) {
    w->changed = false;
    for (uint32_t t = 0; t < PV_MAX_THREADS; t++)
      if (w->need[t] && w->born[t]) need(w, w->parent[t], w->born[t]);
    for (uint32_t i = 0; i < log->events.n; i++) {
      const struct pv_observed *e = &log->events.at[i];
      if (i >= w->need[e->thread]) continue;
      if (e->kind == PV_OBSERVED_READ) need_givers(w, true, e, i);
      if (e->kind == PV_OBSERVED_ACQUIRE) need_givers(w, false, e, i);
      if (e->kind == PV_OBSERVED_JOIN) need(w, (uint32_t)e->at, ALL);
    }
  }
  for (uint32_t t = 0; t < PV_MAX_THREADS; t++)
    if (w->need[t]) set |= UINT64_C(1) << t;
  for (uint32_t i = 0; i < w->gifts.n; i++) pv_vec_free(&w->gifts.at[i].list);
  pv_vec_free(&w->gifts);
  pv_map_free(&w->index);
  free(w);
  return set;
}
