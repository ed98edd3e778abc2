/* weak.c -- minimal deterministic weak automata, for formulas that are obligations: the subset
 * construction; a component accepts if the word around one of its cycles is accepted; then states
 * are merged as in a finite automaton, once components have colours such that the accepting ones
 * are even (Loeding, "Efficient minimization of deterministic weak omega-automata", IPL 79, 2001;
 * for formulas Dax, Eisinger, Klaedtke, "Mechanizing the powerset construction for restricted
 * classes of omega-automata", ATVA 2007). Whether the formula is an obligation is seen at the end:
 * the automaton and its complement are compared with those of the formula and its negation. */
#include "ltl/automaton.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PROPS = 8, MOST_SUBSETS = 600 };

struct subsets {
  const struct pv_buchi *a;
  uint32_t letters, n;
  struct pv_map known;   /* set of states, as bytes -> number */
  PV_VEC(uint32_t) next; /* [subset * letters + letter] */
  uint32_t *scc;
  bool *accepting;
};

static bool add_successors(struct subsets *d, uint32_t at) {
  uint32_t n = d->a->state.n;
  struct pv_ltl_budget *b = d->a->labels->budget;
  if (b && pv_ltl_spend(b, d->letters * (n + pv_buchi_transitions(d->a)))) return false;
  uint8_t *set = pv_alloc(n + 1), *from = pv_alloc(n + 1);
  memcpy(from, d->known.entry[at].key, n);
  for (uint32_t letter = 0; letter < d->letters; letter++) {
    memset(set, 0, n);
    for (uint32_t q = 0; q < n; q++)
      for (uint32_t i = 0; from[q] && i < d->a->state.at[q].out.n; i++) {
        const struct pv_buchi_transition *t = &d->a->state.at[q].out.at[i];
        if (pv_label_has(d->a->labels, t->label, letter)) set[t->to] = 1;
      }
    pv_vec_push(&d->next, *pv_map_put(&d->known, set, n, d->known.n, NULL));
  }
  free(set);
  free(from);
  return d->known.n <= MOST_SUBSETS;
}

/* The deterministic automaton as an ordinary one; a transition for each letter's group. */
static struct pv_buchi shape(const struct subsets *d) {
  struct pv_buchi g = {.labels = d->a->labels};
  for (uint32_t q = 0; q < d->n; q++) {
    pv_buchi_add(&g);
    for (uint32_t x = 0; x < d->letters; x++) {
      struct pv_buchi_transition t = {d->next.at[q * d->letters + x], PV_LABEL_ANY, 0};
      pv_vec_push(&g.state.at[q].out, t);
    }
  }
  return g;
}

/* The letters of a path from one state to another, inside of their component; at least one. */
static bool find_path(const struct subsets *d, uint32_t from, uint32_t to, uint64_t *word,
                      uint32_t *length) {
  uint32_t *parent = pv_alloc((d->n + 1) * sizeof *parent), *by = pv_alloc((d->n + 1) * sizeof *by);
  PV_VEC(uint32_t) todo = {0};
  bool found = false;
  memset(parent, 0xff, (d->n + 1) * sizeof *parent);
  pv_vec_push(&todo, from);
  for (uint32_t i = 0; i < todo.n && !found; i++)
    for (uint32_t x = 0; x < d->letters && !found; x++) {
      uint32_t q = todo.at[i], r = d->next.at[q * d->letters + x];
      bool seen = parent[r] != UINT32_MAX;
      if (d->scc[r] != d->scc[from] || (seen && r != to)) continue;
      if (seen) continue;
      parent[r] = q;
      by[r] = x;
      found = r == to;
      pv_vec_push(&todo, r);
    }
  PV_VEC(uint64_t) back = {0};
  for (uint32_t r = to; found;) {
    pv_vec_push(&back, by[r]);
    r = parent[r];
    if (r == from) break;
  }
  *length = back.n;
  for (uint32_t i = 0; i < back.n; i++) word[i] = back.at[back.n - 1 - i];
  pv_vec_free(&back);
  pv_vec_free(&todo);
  free(parent);
  free(by);
  return found;
}

/* Does the component accept? By the word around a cycle through the state, read from one of the
 * states of the original automaton in the subset. */
static bool accepts_around(const struct subsets *d, uint32_t q) {
  uint64_t *word = pv_alloc((d->n + 1) * sizeof *word);
  uint32_t length;
  bool yes = false;
  if (find_path(d, q, q, word, &length)) {
    const uint8_t *set = d->known.entry[q].key;
    struct pv_buchi from = *d->a;
    for (uint32_t s = 0; s < d->a->state.n && !yes; s++) {
      if (!set[s]) continue;
      from.initial = s;
      yes = pv_buchi_accepts(&from, word, length, 0);
    }
  }
  free(word);
  return yes;
}

/* Colours of components from the end: even if and only if it accepts; transient ones take the
 * smallest that keeps them lowest. */
static void colour(const struct subsets *d, uint32_t components, uint32_t *of_state) {
  uint32_t *colour_of = pv_alloc((components + 1) * sizeof *colour_of);
  for (uint32_t c = 0; c < components; c++) {
    uint32_t most = UINT32_MAX;
    bool cyclic = false;
    for (uint32_t q = 0; q < d->n; q++)
      for (uint32_t x = 0; d->scc[q] == c && x < d->letters; x++) {
        uint32_t to = d->scc[d->next.at[q * d->letters + x]];
        cyclic |= to == c;
        if (to != c && (most == UINT32_MAX || colour_of[to] > most)) most = colour_of[to];
      }
    if (most == UINT32_MAX)
      colour_of[c] = d->accepting[c] ? 0 : 1;
    else
      colour_of[c] = cyclic && (most % 2 == 0) != d->accepting[c] ? most + 1 : most;
  }
  for (uint32_t q = 0; q < d->n; q++) of_state[q] = colour_of[d->scc[q]];
  free(colour_of);
}

/* Moore's algorithm: splits classes until successors by each letter are in the same class. */
static uint32_t refine(const struct subsets *d, uint32_t *class) {
  uint32_t count = 0, before;
  uint32_t *key = pv_alloc((d->letters + 1) * sizeof *key);
  do {
    struct pv_map classes = {0};
    uint32_t *fresh = pv_alloc((d->n + 1) * sizeof *fresh);
    for (uint32_t q = 0; q < d->n; q++) {
      key[0] = class[q];
      for (uint32_t x = 0; x < d->letters; x++) key[1 + x] = class[d->next.at[q * d->letters + x]];
      fresh[q] = *pv_map_put(&classes, key, (d->letters + 1) * sizeof *key, classes.n, NULL);
    }
    before = count;
    count = classes.n;
    memcpy(class, fresh, d->n * sizeof *class);
    free(fresh);
    pv_map_free(&classes);
  } while (count != before);
  free(key);
  return count;
}

static pv_label letter_label(struct pv_labels *labels, uint32_t letter, uint32_t props) {
  pv_label l = PV_LABEL_ANY;
  for (uint32_t i = 0; i < props; i++)
    l = pv_label_and(labels, l, pv_label_prop(labels, i, letter >> i & 1));
  return l;
}

/* The automaton of the classes. flipped: its complement. */
static struct pv_buchi build(const struct subsets *d, const uint32_t *class, uint32_t count,
                             const uint32_t *colours, uint32_t props, bool flipped) {
  struct pv_buchi b = {.labels = d->a->labels, .marks = 1, .by_state = true};
  bool *done = pv_alloc(count + 1);
  for (uint32_t c = 0; c < count; c++) pv_buchi_add(&b);
  for (uint32_t q = 0; q < d->n; q++) {
    if (done[class[q]]) continue;
    done[class[q]] = true;
    uint64_t marks = (colours[q] % 2 == 0) != flipped;
    for (uint32_t x = 0; x < d->letters; x++) {
      struct pv_buchi_transition t = {class[d->next.at[q * d->letters + x]],
                                      letter_label(b.labels, x, props), marks};
      pv_vec_push(&b.state.at[class[q]].out, t);
    }
  }
  free(done);
  b.initial = class[0];
  pv_buchi_trim(&b); /* makes one transition of those to the same state */
  return b;
}

static bool determine(struct subsets *d) {
  uint8_t *set = pv_alloc(d->a->state.n + 1);
  set[d->a->initial] = 1;
  pv_map_put(&d->known, set, d->a->state.n, 0, NULL);
  free(set);
  for (uint32_t q = 0; q < d->known.n; q++)
    if (!add_successors(d, q)) return false;
  d->n = d->known.n;
  return true;
}

static bool same_language(const struct pv_buchi *a, const struct pv_buchi *b,
                          const struct pv_buchi *not_a, const struct pv_buchi *not_b) {
  return !pv_buchi_meet(a, not_b) && !pv_buchi_meet(b, not_a);
}

bool pv_buchi_weak(const struct pv_buchi *a, const struct pv_buchi *complement, uint32_t props,
                   struct pv_buchi *out) {
  struct subsets d = {.a = a};
  bool fits = props <= MOST_PROPS && a->marks < PV_MOST_MARKS && complement->marks < PV_MOST_MARKS;
  if (fits) {
    d.letters = 1u << props;
    fits = determine(&d);
  }
  if (fits) {
    struct pv_buchi graph = shape(&d);
    d.scc = pv_alloc((d.n + 1) * sizeof *d.scc);
    uint32_t count = pv_buchi_components(&graph, d.scc, NULL);
    uint32_t *colours = pv_alloc((d.n + 1) * sizeof *colours);
    uint32_t *class = pv_alloc((d.n + 1) * sizeof *class);
    bool *asked = pv_alloc(count + 1);
    d.accepting = pv_alloc(count + 1);
    for (uint32_t q = 0; q < d.n; q++) {
      if (asked[d.scc[q]]) continue;
      asked[d.scc[q]] = true;
      d.accepting[d.scc[q]] = accepts_around(&d, q);
    }
    colour(&d, count, colours);
    memcpy(class, colours, d.n * sizeof *class);
    uint32_t classes = refine(&d, class);
    *out = build(&d, class, classes, colours, props, false);
    struct pv_buchi other = build(&d, class, classes, colours, props, true);
    fits = same_language(out, a, &other, complement);
    if (!fits) pv_buchi_clear(out);
    pv_buchi_clear(&other);
    pv_buchi_clear(&graph);
    free(colours);
    free(class);
    free(asked);
    free(d.accepting);
    free(d.scc);
  }
  pv_map_free(&d.known);
  pv_vec_free(&d.next);
  return fits;
}
