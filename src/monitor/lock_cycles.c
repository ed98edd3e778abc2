/* lock_cycles.c -- could three or more threads wait for each other in a circle?
 *
 * A lock dependency is a lock that a thread took, with the locks that it held then. A cycle of
 * dependencies of different threads, each of which takes what the next one holds, is a warning,
 * unless two of them hold a common lock (a gate lock). Cycles of two are left to lock_trees.c.
 *
 * Reference: the lock-order graphs of Bensalem, Havelund, "Dynamic deadlock analysis of
 * multi-threaded programs", HVC 2005; dependencies as in Joshi, Park, Sen, Naik, "A randomized
 * dynamic program analysis technique for detecting real deadlocks", PLDI 2009. */
#include <stdlib.h>

#include "monitor/monitor.h"

enum { EFFORT = 1000000 /* dependencies looked at */ };

struct dependency {
  uint32_t thread, place;
  uint64_t lock;
  PV_VEC(uint64_t) held;
};
struct cycles {
  struct pv_holdings holdings;
  PV_VEC(struct dependency) list;
  struct pv_map known; /* thread, lock and locks held */
  uint32_t at[PV_WARNING_SIDES], n, effort;
};

static bool has(const struct dependency *d, uint64_t lock) {
  for (uint32_t i = 0; i < d->held.n; i++)
    if (d->held.at[i] == lock) return true;
  return false;
}

static void add(struct cycles *s, const struct pv_observed *e) {
  struct dependency d = {.thread = e->thread, .place = e->place, .lock = e->at};
  PV_VEC(uint64_t) key = {0};
  bool is_new;
  pv_vec_push(&key, e->thread);
  pv_vec_push(&key, e->at);
  for (uint32_t i = 0; i < s->holdings.of[e->thread].n; i++) {
    pv_vec_push(&d.held, s->holdings.of[e->thread].at[i].lock);
    pv_vec_push(&key, s->holdings.of[e->thread].at[i].lock);
  }
  pv_map_put(&s->known, key.at, key.n * sizeof key.at[0], 0, &is_new);
  pv_vec_free(&key);
  if (is_new && d.held.n && !has(&d, e->at))
    pv_vec_push(&s->list, d);
  else
    pv_vec_free(&d.held);
}

static void tell(void *self, const struct pv_observed *e, struct pv_warnings *out) {
  struct cycles *s = self;
  (void)out;
  if (e->kind == PV_OBSERVED_LOCK) add(s, e);
  pv_holdings_tell(&s->holdings, e);
}

/* May the dependency be in a cycle with those of the chain? */
static bool fits(const struct cycles *s, const struct dependency *d) {
  for (uint32_t i = 0; i < s->n; i++) {
    const struct dependency *other = &s->list.at[s->at[i]];
    if (other->thread == d->thread) return false;
    for (uint32_t k = 0; k < d->held.n; k++)
      if (has(other, d->held.at[k])) return false;
  }
  return true;
}

static void warn(const struct cycles *s, struct pv_warnings *out) {
  struct pv_warning w = {.kind = PV_WARNING_LOCK_ORDER, .n = s->n};
  for (uint32_t i = 0; i < s->n; i++) {
    const struct dependency *d = &s->list.at[s->at[i]];
    w.side[i] = (struct pv_warning_side){.thread = d->thread, .place = d->place, .lock = d->lock};
    for (uint32_t k = 0; k < d->held.n; k++) pv_vec_push(&w.side[i].held, d->held.at[k]);
  }
  pv_warn(out, &w);
}

/* Extends the chain, whose first member has the smallest number: so each cycle is found once. */
static void extend(struct cycles *s, struct pv_warnings *out) {
  uint32_t first = s->at[0];
  uint64_t wanted = s->list.at[s->at[s->n - 1]].lock;
  if (s->n > 2 && has(&s->list.at[first], wanted)) warn(s, out);
  if (s->n == PV_WARNING_SIDES) return;
  for (uint32_t i = first + 1; i < s->list.n && s->effort < EFFORT; i++, s->effort++) {
    const struct dependency *d = &s->list.at[i];
    if (!has(d, wanted) || !fits(s, d)) continue;
    s->at[s->n++] = i;
    extend(s, out);
    s->n--;
  }
}

static void end(void *self, struct pv_warnings *out) {
  struct cycles *s = self;
  for (uint32_t i = 0; i < s->list.n; i++) {
    s->at[0] = i;
    s->n = 1;
    extend(s, out);
  }
}

static void *begin(void) {
  return pv_alloc(sizeof(struct cycles));
}

static void release(void *self) {
  struct cycles *s = self;
  for (uint32_t i = 0; i < s->list.n; i++) pv_vec_free(&s->list.at[i].held);
  pv_vec_free(&s->list);
  pv_map_free(&s->known);
  pv_holdings_free(&s->holdings);
  free(s);
}

const struct pv_runtime_analysis pv_lock_cycles = {"lock-cycles", begin, tell, end, release};
