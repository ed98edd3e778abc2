#include "ltl/automaton.h"

#include <stdlib.h>
#include <string.h>

void pv_buchi_clear(struct pv_buchi *a) {
  for (uint32_t q = 0; q < a->state.n; q++) pv_vec_free(&a->state.at[q].out);
  pv_vec_free(&a->state);
}

struct pv_buchi pv_buchi_copy(const struct pv_buchi *a) {
  struct pv_buchi b = *a;
  memset(&b.state, 0, sizeof b.state);
  for (uint32_t q = 0; q < a->state.n; q++) {
    pv_buchi_add(&b);
    for (uint32_t i = 0; i < a->state.at[q].out.n; i++)
      pv_vec_push(&b.state.at[q].out, a->state.at[q].out.at[i]);
  }
  return b;
}

uint32_t pv_buchi_add(struct pv_buchi *a) {
  struct pv_buchi_state none = {0};
  pv_vec_push(&a->state, none);
  return a->state.n - 1;
}

uint64_t pv_buchi_transitions(const struct pv_buchi *a) {
  uint64_t n = 0;
  for (uint32_t q = 0; q < a->state.n; q++) n += a->state.at[q].out.n;
  return n;
}

static bool spent(const struct pv_buchi *a, uint64_t steps) {
  return a->labels->budget && pv_ltl_spend(a->labels->budget, steps);
}

/* ---- strongly connected components ------------------------------------------------------------
 * Tarjan's algorithm with a stack of its own, on automata and on products (pv_components). */
struct visit {
  uint32_t state, next;
};
struct components {
  const struct pv_buchi *a;
  uint32_t *scc, *order, *low, found, n; /* order: 0: not visited */
  PV_VEC(uint32_t) open;
  PV_VEC(struct visit) path;
};

static void enter(struct components *c, uint32_t q) {
  struct visit v = {q, 0};
  c->order[q] = c->low[q] = ++c->found;
  c->scc[q] = UINT32_MAX;
  pv_vec_push(&c->open, q);
  pv_vec_push(&c->path, v);
}

static void leave(struct components *c, uint32_t q) {
  if (--c->path.n) {
    uint32_t below = pv_vec_last(&c->path).state;
    if (c->low[q] < c->low[below]) c->low[below] = c->low[q];
  }
  if (c->low[q] != c->order[q]) return;
  uint32_t member;
  do {
    member = pv_vec_pop(&c->open);
    c->scc[member] = c->n;
  } while (member != q);
  c->n++;
}

static void visit_all(struct components *c) {
  while (c->path.n) {
    struct visit *v = &pv_vec_last(&c->path);
    const struct pv_buchi_state *s = &c->a->state.at[v->state];
    if (v->next == s->out.n) {
      leave(c, v->state);
      continue;
    }
    uint32_t to = s->out.at[v->next++].to;
    if (!c->order[to])
      enter(c, to);
    else if (c->scc[to] == UINT32_MAX && c->order[to] < c->low[v->state])
      c->low[v->state] = c->order[to];
  }
}

uint32_t pv_buchi_components(const struct pv_buchi *a, uint32_t *scc, bool *accepting) {
  uint32_t n = a->state.n;
  struct components c = {.a = a, .scc = scc};
  c.order = pv_alloc((n + 1) * sizeof *c.order);
  c.low = pv_alloc((n + 1) * sizeof *c.low);
  for (uint32_t q = 0; q < n; q++) {
    if (c.order[q]) continue;
    enter(&c, q);
    visit_all(&c);
  }
  uint64_t *seen = pv_alloc((n + 1) * sizeof *seen);
  bool *cyclic = pv_alloc(n + 1);
  for (uint32_t q = 0; q < n; q++)
    for (uint32_t i = 0; i < a->state.at[q].out.n; i++) {
      const struct pv_buchi_transition *t = &a->state.at[q].out.at[i];
      if (scc[t->to] != scc[q]) continue;
      cyclic[scc[q]] = true;
      seen[scc[q]] |= t->marks;
    }
  for (uint32_t i = 0; accepting && i < c.n; i++)
    accepting[i] = cyclic[i] && !(pv_buchi_all(a) & ~seen[i]);
  free(seen);
  free(cyclic);
  free(c.order);
  free(c.low);
  pv_vec_free(&c.open);
  pv_vec_free(&c.path);
  return c.n;
}

/* ---- products ---------------------------------------------------------------------------------
 */
bool pv_buchi_meet(const struct pv_buchi *a, const struct pv_buchi *b) {
  struct pv_buchi p = {.labels = a->labels, .marks = a->marks + b->marks};
  PV_REQUIRE(p.marks <= PV_MOST_MARKS, "the product has not too many marks");
  struct pv_map pairs = {0};
  uint32_t key[2] = {a->initial, b->initial};
  pv_map_put(&pairs, key, sizeof key, 0, NULL);
  pv_buchi_add(&p);
  for (uint32_t q = 0; q < p.state.n; q++) {
    memcpy(key, pairs.entry[q].key, sizeof key);
    const struct pv_buchi_state *x = &a->state.at[key[0]], *y = &b->state.at[key[1]];
    for (uint32_t i = 0; i < x->out.n; i++)
      for (uint32_t k = 0; k < y->out.n; k++) {
        const struct pv_buchi_transition *s = &x->out.at[i], *t = &y->out.at[k];
        if (spent(a, 1)) continue;
        if (pv_label_and(a->labels, s->label, t->label) == PV_LABEL_NONE) continue;
        spent(a, PV_LTL_ENTRY);
        uint32_t to[2] = {s->to, t->to};
        bool is_new;
        uint32_t at = *pv_map_put(&pairs, to, sizeof to, p.state.n, &is_new);
        if (is_new) pv_buchi_add(&p);
        uint64_t shifted = a->marks < 64 ? t->marks << a->marks : 0;
        struct pv_buchi_transition u = {at, PV_LABEL_ANY, s->marks | shifted};
        pv_vec_push(&p.state.at[q].out, u);
      }
  }
  uint32_t *scc = pv_alloc((p.state.n + 1) * sizeof *scc);
  bool *accepting = pv_alloc(p.state.n + 1), meet = false;
  uint32_t n = pv_buchi_components(&p, scc, accepting);
  for (uint32_t i = 0; i < n; i++) meet |= accepting[i];
  free(scc);
  free(accepting);
  pv_map_free(&pairs);
  pv_buchi_clear(&p);
  return meet;
}

bool pv_buchi_accepts(const struct pv_buchi *a, const uint64_t *letter, uint32_t n, uint32_t loop) {
  /* The product with the word: state (q, i) reads the letter i. */
  if (spent(a, n * pv_buchi_transitions(a))) return false;
  struct pv_buchi p = {.labels = a->labels, .marks = a->marks};
  for (uint32_t i = 0; i < n * a->state.n; i++) pv_buchi_add(&p);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t q = 0; q < a->state.n; q++)
      for (uint32_t k = 0; k < a->state.at[q].out.n; k++) {
        struct pv_buchi_transition t = a->state.at[q].out.at[k];
        if (!pv_label_has(a->labels, t.label, letter[i])) continue;
        t.to = (i + 1 < n ? i + 1 : loop) * a->state.n + t.to;
        pv_vec_push(&p.state.at[i * a->state.n + q].out, t);
      }
  p.initial = a->initial;
  uint32_t *scc = pv_alloc((p.state.n + 1) * sizeof *scc);
  bool *accepting = pv_alloc(p.state.n + 1), *reached = pv_alloc(p.state.n + 1), yes = false;
  pv_buchi_components(&p, scc, accepting);
  PV_VEC(uint32_t) todo = {0};
  pv_vec_push(&todo, p.initial);
  reached[p.initial] = true;
  while (todo.n) {
    uint32_t q = pv_vec_pop(&todo);
    yes |= accepting[scc[q]];
    for (uint32_t k = 0; k < p.state.at[q].out.n; k++) {
      uint32_t to = p.state.at[q].out.at[k].to;
      if (!reached[to]) pv_vec_push(&todo, to);
      reached[to] = true;
    }
  }
  pv_vec_free(&todo);
  free(scc);
  free(accepting);
  free(reached);
  pv_buchi_clear(&p);
  return yes;
}
