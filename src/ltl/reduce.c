/* reduce.c -- smaller automata with the same language: by components, by direct simulation, with
 * one mark on states, and by merging as long as the language stays. */
#include "ltl/automaton.h"

#include <stdlib.h>
#include <string.h>

static bool spent(const struct pv_buchi *a, uint64_t steps) {
  return a->labels->budget && pv_ltl_spend(a->labels->budget, steps);
}

/* ---- trimming ---------------------------------------------------------------------------------
 */
/* Keeps the states of the set, renumbered in order of discovery from the initial one. */
static void keep_states(struct pv_buchi *a, const bool *keep) {
  uint32_t n = a->state.n, *number = pv_alloc((n + 1) * sizeof *number), found = 0;
  PV_VEC(uint32_t) order = {0};
  struct pv_buchi b = *a;
  memset(&b.state, 0, sizeof b.state);
  for (uint32_t q = 0; q < n; q++) number[q] = UINT32_MAX;
  number[a->initial] = found++;
  pv_vec_push(&order, a->initial);
  for (uint32_t i = 0; i < order.n; i++) {
    const struct pv_buchi_state *s = &a->state.at[order.at[i]];
    uint32_t q = pv_buchi_add(&b);
    for (uint32_t k = 0; k < s->out.n; k++) {
      struct pv_buchi_transition t = s->out.at[k];
      if (!keep[t.to] || t.label == PV_LABEL_NONE) continue;
      if (number[t.to] == UINT32_MAX) {
        number[t.to] = found++;
        pv_vec_push(&order, t.to);
      }
      t.to = number[t.to];
      pv_vec_push(&b.state.at[q].out, t);
    }
  }
  b.initial = 0;
  pv_buchi_clear(a);
  *a = b;
  pv_vec_free(&order);
  free(number);
}

/* Transitions to the same state with the same marks become one. */
static void join_labels(struct pv_buchi *a) {
  for (uint32_t q = 0; q < a->state.n; q++) {
    struct pv_buchi_state *s = &a->state.at[q];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->out.n; i++) {
      struct pv_buchi_transition t = s->out.at[i];
      uint32_t k = 0;
      if (spent(a, 1 + kept)) break;
      while (k < kept && (s->out.at[k].to != t.to || s->out.at[k].marks != t.marks)) k++;
      if (k < kept)
        s->out.at[k].label = pv_label_or(a->labels, s->out.at[k].label, t.label);
      else if (t.label != PV_LABEL_NONE)
        s->out.at[kept++] = t;
    }
    s->out.n = kept;
  }
}

/* Outside of accepting components marks do not matter. */
static void clear_marks(struct pv_buchi *a, const uint32_t *scc, const bool *accepting) {
  for (uint32_t q = 0; q < a->state.n; q++)
    for (uint32_t i = 0; i < a->state.at[q].out.n; i++) {
      struct pv_buchi_transition *t = &a->state.at[q].out.at[i];
      if ((scc[q] != scc[t->to] && !a->by_state) || !accepting[scc[q]]) t->marks = 0;
    }
}

/* Is mark m, in each accepting component, on every transition that has mark k? Then k implies it.
 */
static bool mark_is_needless(const struct pv_buchi *a, const uint32_t *scc, uint32_t m,
                             uint32_t k) {
  if (spent(a, a->state.n)) return false;
  for (uint32_t q = 0; q < a->state.n; q++)
    for (uint32_t i = 0; i < a->state.at[q].out.n; i++) {
      const struct pv_buchi_transition *t = &a->state.at[q].out.at[i];
      if (scc[q] == scc[t->to] && (t->marks >> k & 1) && !(t->marks >> m & 1)) return false;
    }
  return true;
}

static void drop_mark(struct pv_buchi *a, uint32_t m) {
  uint64_t low = (UINT64_C(1) << m) - 1;
  for (uint32_t q = 0; q < a->state.n; q++)
    for (uint32_t i = 0; i < a->state.at[q].out.n; i++) {
      uint64_t *marks = &a->state.at[q].out.at[i].marks;
      *marks = (*marks & low) | (m < 63 ? (*marks >> (m + 1)) << m : 0);
    }
  a->marks--;
}

/* What leads to something useful is useful. Components only lead to smaller numbers. */
static void spread(const struct pv_buchi *a, const uint32_t *scc, uint32_t count, bool *useful) {
  uint32_t n = a->state.n, *first = pv_alloc((count + 1) * sizeof *first);
  uint32_t *next = pv_alloc((n + 1) * sizeof *next); /* lists of the states of a component */
  for (uint32_t c = 0; c < count; c++) first[c] = UINT32_MAX;
  for (uint32_t q = 0; q < n; q++) {
    next[q] = first[scc[q]];
    first[scc[q]] = q;
  }
  for (uint32_t c = 0; c < count; c++)
    for (uint32_t q = first[c]; q != UINT32_MAX; q = next[q])
      for (uint32_t i = 0; i < a->state.at[q].out.n; i++)
        useful[c] |= useful[scc[a->state.at[q].out.at[i].to]];
  free(first);
  free(next);
}

void pv_buchi_trim(struct pv_buchi *a) {
  uint32_t n = a->state.n, *scc = pv_alloc((n + 1) * sizeof *scc);
  bool *accepting = pv_alloc(n + 1), *useful = pv_alloc(n + 1), *keep = pv_alloc(n + 1);
  uint32_t count = pv_buchi_components(a, scc, accepting);
  memcpy(useful, accepting, count);
  spread(a, scc, count, useful);
  clear_marks(a, scc, accepting);
  for (uint32_t m = 0; m < a->marks && !a->by_state; m++)
    for (uint32_t k = 0; k < a->marks; k++)
      if (k != m && mark_is_needless(a, scc, m, k)) {
        drop_mark(a, m--);
        break;
      }
  for (uint32_t q = 0; q < n; q++) keep[q] = useful[scc[q]];
  keep_states(a, keep);
  join_labels(a);
  free(scc);
  free(accepting);
  free(useful);
  free(keep);
}

/* ---- direct simulation ------------------------------------------------------------------------
 */
/* sim[p * n + q]: p simulates q: whatever q can do p can do, with at least the marks. */
static bool step_simulated(const struct pv_buchi *a, const bool *sim,
                           const struct pv_buchi_transition *t, uint32_t p) {
  pv_label left = t->label;
  const struct pv_buchi_state *s = &a->state.at[p];
  if (spent(a, 1 + s->out.n)) return false;
  for (uint32_t i = 0; i < s->out.n && left != PV_LABEL_NONE; i++) {
    const struct pv_buchi_transition *u = &s->out.at[i];
    if (t->marks & ~u->marks || !sim[(size_t)u->to * a->state.n + t->to]) continue;
    left = pv_label_and(a->labels, left, pv_label_not(a->labels, u->label));
  }
  return left == PV_LABEL_NONE;
}

static bool *simulation(const struct pv_buchi *a) {
  uint32_t n = a->state.n;
  bool *sim = pv_alloc((size_t)n * n + 1), changed = true;
  memset(sim, true, (size_t)n * n);
  while (changed) {
    changed = false;
    for (uint32_t p = 0; p < n; p++)
      for (uint32_t q = 0; q < n; q++) {
        bool *is = &sim[(size_t)p * n + q];
        for (uint32_t i = 0; *is && p != q && i < a->state.at[q].out.n; i++)
          if (!step_simulated(a, sim, &a->state.at[q].out.at[i], p)) {
            *is = false;
            changed = true;
          }
      }
  }
  return sim;
}

/* Merges equivalent states and drops transitions that others make needless. */
static void quotient(struct pv_buchi *a) {
  uint32_t n = a->state.n, *of = pv_alloc((n + 1) * sizeof *of);
  bool *sim = simulation(a);
  for (uint32_t q = 0; q < n; q++) {
    of[q] = q;
    for (uint32_t p = 0; p < q; p++)
      if (sim[(size_t)p * n + q] && sim[(size_t)q * n + p]) {
        of[q] = p;
        break;
      }
  }
  for (uint32_t q = 0; q < n; q++) {
    struct pv_buchi_state *s = &a->state.at[q];
    for (uint32_t i = 0; i < s->out.n; i++) s->out.at[i].to = of[s->out.at[i].to];
  }
  a->initial = of[a->initial];
  join_labels(a);
  for (uint32_t q = 0; q < n; q++) {
    struct pv_buchi_state *s = &a->state.at[q];
    for (uint32_t i = 0; i < s->out.n; i++)
      for (uint32_t k = 0; k < s->out.n && !spent(a, 1); k++) {
        struct pv_buchi_transition *t = &s->out.at[i], *u = &s->out.at[k];
        bool weaker = i != k && !(t->marks & ~u->marks) && sim[(size_t)u->to * n + t->to];
        bool equal = weaker && t->to == u->to && t->marks == u->marks;
        if (weaker && !equal)
          t->label = pv_label_and(a->labels, t->label, pv_label_not(a->labels, u->label));
      }
  }
  free(sim);
  free(of);
}

enum { SIMULATED = 400 }; /* states: simulation takes the square of their number at least */

void pv_buchi_reduce(struct pv_buchi *a) {
  uint64_t before;
  pv_buchi_trim(a);
  do {
    before = a->state.n + pv_buchi_transitions(a);
    if (a->state.n <= SIMULATED) quotient(a);
    pv_buchi_trim(a);
  } while (a->state.n + pv_buchi_transitions(a) < before);
}

/* ---- marks on states --------------------------------------------------------------------------
 */
struct level {
  uint32_t state, level;
};

/* All transitions of the component have all marks. */
static void find_weak(const struct pv_buchi *a, const uint32_t *scc, bool *weak) {
  for (uint32_t q = 0; q < a->state.n; q++) weak[scc[q]] = true;
  for (uint32_t q = 0; q < a->state.n; q++)
    for (uint32_t i = 0; i < a->state.at[q].out.n; i++) {
      const struct pv_buchi_transition *t = &a->state.at[q].out.at[i];
      if (scc[t->to] == scc[q] && t->marks != pv_buchi_all(a)) weak[scc[q]] = false;
    }
}

struct buchi {
  const struct pv_buchi *a;
  const uint32_t *scc;
  const bool *accepting, *weak;
  struct pv_map known;
  struct pv_buchi out;
};

/* The level says which marks were passed since the last accepting state, in order; the last level
 * accepts. Levels matter only inside of accepting components; in weak ones every state accepts. */
static uint32_t level_state(struct buchi *b, uint32_t q, uint32_t level) {
  uint32_t c = b->scc[q];
  struct level key = {q, level};
  if (!b->accepting[c]) key.level = 0;
  if (b->accepting[c] && b->weak[c]) key.level = b->a->marks;
  bool is_new;
  uint32_t at = *pv_map_put(&b->known, &key, sizeof key, b->out.state.n, &is_new);
  if (is_new) pv_buchi_add(&b->out);
  return at;
}

static void level_steps(struct buchi *b, uint32_t at) {
  const struct pv_buchi *a = b->a;
  struct level l;
  memcpy(&l, b->known.entry[at].key, sizeof l);
  if (spent(a, PV_LTL_ENTRY * (uint64_t)(1 + a->state.at[l.state].out.n))) return;
  bool in = b->accepting[b->scc[l.state]], accepts = in && l.level == a->marks;
  for (uint32_t i = 0; i < a->state.at[l.state].out.n; i++) {
    struct pv_buchi_transition t = a->state.at[l.state].out.at[i];
    uint32_t level = l.level == a->marks ? 0 : l.level;
    if (b->scc[t.to] != b->scc[l.state]) level = 0, t.marks = 0;
    while (level < a->marks && (t.marks >> level & 1)) level++;
    t.to = level_state(b, t.to, level);
    t.marks = accepts;
    pv_vec_push(&b->out.state.at[at].out, t);
  }
}

struct pv_buchi pv_buchi_by_state(const struct pv_buchi *a) {
  uint32_t n = a->state.n, *scc = pv_alloc((n + 1) * sizeof *scc);
  bool *accepting = pv_alloc(n + 1), *weak = pv_alloc(n + 1);
  pv_buchi_components(a, scc, accepting);
  find_weak(a, scc, weak);
  struct buchi b = {a, scc, accepting, weak, {0}, {.labels = a->labels, .marks = 1}};
  b.out.by_state = true;
  level_state(&b, a->initial, 0);
  for (uint32_t q = 0; q < b.out.state.n; q++) level_steps(&b, q);
  pv_map_free(&b.known);
  free(scc);
  free(accepting);
  free(weak);
  return b.out;
}

/* ---- merging ----------------------------------------------------------------------------------
 */
/* Makes p of p and q; p accepts if one of them does. So no word is lost. */
static struct pv_buchi merged(const struct pv_buchi *a, uint32_t p, uint32_t q) {
  struct pv_buchi b = pv_buchi_copy(a);
  struct pv_buchi_state *to = &b.state.at[p], *from = &b.state.at[q];
  for (uint32_t i = 0; i < from->out.n; i++) pv_vec_push(&to->out, from->out.at[i]);
  from->out.n = 0;
  uint64_t marks = 0;
  for (uint32_t i = 0; i < to->out.n; i++) marks |= to->out.at[i].marks;
  for (uint32_t i = 0; b.by_state && i < to->out.n; i++) to->out.at[i].marks = marks;
  for (uint32_t s = 0; s < b.state.n; s++)
    for (uint32_t i = 0; i < b.state.at[s].out.n; i++)
      if (b.state.at[s].out.at[i].to == q) b.state.at[s].out.at[i].to = p;
  if (b.initial == q) b.initial = p;
  join_labels(&b);
  return b;
}

static bool merge_one(struct pv_buchi *a, const struct pv_buchi *complement) {
  for (uint32_t p = 0; p < a->state.n; p++)
    for (uint32_t q = p + 1; q < a->state.n; q++) {
      if (spent(a, PV_LTL_ENTRY * (1 + pv_buchi_transitions(a)))) return false;
      struct pv_buchi b = merged(a, p, q);
      if (pv_buchi_meet(&b, complement)) {
        pv_buchi_clear(&b);
        continue;
      }
      pv_buchi_clear(a);
      *a = b;
      pv_buchi_reduce(a);
      return true;
    }
  return false;
}

void pv_buchi_merge(struct pv_buchi *a, const struct pv_buchi *complement) {
  enum { WORK = 1 << 20 }; /* a bound on states of a, squared, times those of the complement */
  if (a->marks + complement->marks > PV_MOST_MARKS) return;
  uint64_t work = (uint64_t)a->state.n * a->state.n * complement->state.n;
  while (work <= WORK && merge_one(a, complement)) continue;
}
