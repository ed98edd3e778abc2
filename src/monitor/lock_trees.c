/* lock_trees.c -- do threads take locks in opposite orders?
 *
 * Each thread has a tree of the locks that it took while it held others. If in the trees of two
 * threads two locks are nested in opposite orders, the threads may block each other for ever,
 * unless both hold a third lock meanwhile: a gate lock. Pairs of threads only; what a fork or a
 * join orders is not seen.
 *
 * Reference: Visser et al., ASE Journal 2003, section 3.3.4. Below an occurrence of a lock that was
 * examined for the same lock above, nothing is examined: that lock is a gate. */
#include <stdlib.h>

#include "monitor/monitor.h"

struct node {
  uint64_t lock;
  uint32_t parent, place; /* parent: a node, 0: the root */
  bool marked;
};
struct tree {
  PV_VEC(struct node) nodes; /* the root first; children after their parents */
  uint32_t at;
};
struct trees {
  struct pv_holdings holdings;
  struct tree of[PV_MAX_THREADS];
};

static bool holds(const struct pv_holdings *h, uint32_t thread, uint64_t lock) {
  for (uint32_t i = 0; i < h->of[thread].n; i++)
    if (h->of[thread].at[i].lock == lock) return true;
  return false;
}

static void take(struct tree *t, const struct pv_observed *e) {
  if (!t->nodes.n) pv_vec_push(&t->nodes, ((struct node){0}));
  for (uint32_t i = 1; i < t->nodes.n; i++)
    if (t->nodes.at[i].parent == t->at && t->nodes.at[i].lock == e->at) {
      t->at = i;
      return;
    }
  pv_vec_push(&t->nodes, ((struct node){.lock = e->at, .parent = t->at, .place = e->place}));
  t->at = t->nodes.n - 1;
}

static void tell(void *self, const struct pv_observed *e, struct pv_warnings *out) {
  struct trees *s = self;
  struct tree *t = &s->of[e->thread];
  (void)out;
  if (e->kind == PV_OBSERVED_LOCK && !holds(&s->holdings, e->thread, e->at)) take(t, e);
  pv_holdings_tell(&s->holdings, e);
  while (e->kind == PV_OBSERVED_UNLOCK && t->at &&
         !holds(&s->holdings, e->thread, t->nodes.at[t->at].lock))
    t->at = t->nodes.at[t->at].parent;
}

static bool is_below(const struct tree *t, uint32_t node, uint32_t above) {
  for (uint32_t i = t->nodes.at[node].parent; i; i = t->nodes.at[i].parent)
    if (i == above) return true;
  return false;
}

static bool is_below_mark(const struct tree *t, uint32_t node) {
  for (uint32_t i = t->nodes.at[node].parent; i; i = t->nodes.at[i].parent)
    if (t->nodes.at[i].marked) return true;
  return false;
}

struct pair {
  const struct trees *s;
  uint32_t thread[2];
  struct pv_warnings *out;
};

/* The first thread takes `inner` below a lock that the second one takes at `node`, below the inner
 * one's lock. */
static void warn(const struct pair *p, uint32_t inner, uint32_t node) {
  struct pv_warning w = {.kind = PV_WARNING_LOCK_ORDER, .n = 2};
  for (int k = 0; k < 2; k++) {
    const struct tree *t = &p->s->of[p->thread[k]];
    uint32_t at = k ? node : inner;
    w.side[k] = (struct pv_warning_side){
        .thread = p->thread[k], .place = t->nodes.at[at].place, .lock = t->nodes.at[at].lock};
    for (uint32_t i = t->nodes.at[at].parent; i; i = t->nodes.at[i].parent)
      pv_vec_push(&w.side[k].held, t->nodes.at[i].lock);
  }
  pv_warn(p->out, &w);
}

static void check(const struct pair *p, uint32_t node, uint32_t occurrence) {
  const struct tree *a = &p->s->of[p->thread[0]], *b = &p->s->of[p->thread[1]];
  for (uint32_t i = node + 1; i < a->nodes.n; i++) {
    if (!is_below(a, i, node)) continue;
    for (uint32_t k = b->nodes.at[occurrence].parent; k; k = b->nodes.at[k].parent)
      if (b->nodes.at[k].lock == a->nodes.at[i].lock) warn(p, i, occurrence);
  }
}

static void examine(const struct pair *p, uint32_t node) {
  struct tree *a = (struct tree *)&p->s->of[p->thread[0]],
              *b = (struct tree *)&p->s->of[p->thread[1]];
  PV_VEC(uint32_t) marked = {0};
  for (uint32_t i = 1; i < b->nodes.n; i++)
    if (b->nodes.at[i].lock == a->nodes.at[node].lock && !b->nodes.at[i].marked &&
        !is_below_mark(b, i)) {
      check(p, node, i);
      pv_vec_push(&marked, i);
    }
  for (uint32_t i = 0; i < marked.n; i++) b->nodes.at[marked.at[i]].marked = true;
  for (uint32_t i = node + 1; i < a->nodes.n; i++)
    if (a->nodes.at[i].parent == node) examine(p, i);
  for (uint32_t i = 0; i < marked.n; i++) b->nodes.at[marked.at[i]].marked = false;
  pv_vec_free(&marked);
}

static void end(void *self, struct pv_warnings *out) {
  struct trees *s = self;
  for (uint32_t a = 0; a < PV_MAX_THREADS; a++)
    for (uint32_t b = a + 1; b < PV_MAX_THREADS; b++) {
      struct pair p = {s, {a, b}, out};
      for (uint32_t i = 1; i < s->of[a].nodes.n; i++)
        if (!s->of[a].nodes.at[i].parent) examine(&p, i);
    }
}

static void *begin(void) {
  return pv_alloc(sizeof(struct trees));
}

static void release(void *self) {
  struct trees *s = self;
  for (unsigned i = 0; i < PV_MAX_THREADS; i++) pv_vec_free(&s->of[i].nodes);
  pv_holdings_free(&s->holdings);
  free(s);
}

const struct pv_runtime_analysis pv_lock_trees = {"lock-trees", begin, tell, end, release};
