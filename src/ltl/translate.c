/* translate.c -- from a formula to a generalised automaton, by way of a very weak alternating one
 * (Gastin and Oddoux, CAV 2001). A state of the alternating automaton is a formula; a transition
 * has a label and a set of formulas that hold next. A state of the result is such a set. The mark
 * of an until f is on the transitions that f has no part in, or that could have been made without
 * f. */
#include "ltl/automaton.h"

#include <stdlib.h>
#include <string.h>

struct step { /* a transition: the set next[0 ... n), sorted */
  pv_label label;
  pv_formula *next;
  uint32_t n;
  uint64_t marks; /* of transitions of sets */
};
struct steps {
  PV_VEC(struct step) at;
};

struct translation {
  struct pv_ltl *l;
  struct pv_labels *labels;
  unsigned variant;
  PV_VEC(struct steps *) of; /* by formula; NULL: not computed */
  PV_VEC(pv_formula) untils; /* by mark */
  struct pv_map sets;        /* sets of formulas -> states */
  struct pv_buchi *out;
  bool failed;
};

static bool spent(struct translation *t, uint64_t steps) {
  return pv_ltl_spend(&t->l->budget, steps);
}

static void free_steps(struct steps *s) {
  for (uint32_t i = 0; i < s->at.n; i++) free(s->at.at[i].next);
  pv_vec_free(&s->at);
}

static bool is_subset(const pv_formula *a, uint32_t n, const pv_formula *b, uint32_t m) {
  uint32_t k = 0;
  for (uint32_t i = 0; i < n; i++) {
    while (k < m && b[k] < a[i]) k++;
    if (k == m || b[k] != a[i]) return false;
  }
  return true;
}

static bool contains(const struct step *s, pv_formula f) {
  return is_subset(&f, 1, s->next, s->n);
}

static struct step joined(struct translation *t, const struct step *a, const struct step *b) {
  struct step s = {.label = pv_label_and(t->labels, a->label, b->label)};
  s.next = pv_alloc((a->n + b->n + 1) * sizeof *s.next);
  for (uint32_t i = 0, k = 0; i < a->n || k < b->n;) {
    pv_formula x = i < a->n ? a->next[i] : UINT32_MAX, y = k < b->n ? b->next[k] : UINT32_MAX;
    s.next[s.n++] = x < y ? x : y;
    i += x <= y;
    k += y <= x;
  }
  return s;
}

/* Adds a transition unless another one makes it needless. Takes ownership of s.next. */
static void add_step(struct translation *t, struct steps *to, struct step s) {
  if (spent(t, PV_LTL_ENTRY + (uint64_t)to->at.n * (1 + s.n))) {
    free(s.next);
    return;
  }
  for (uint32_t i = 0; i < to->at.n && s.label != PV_LABEL_NONE; i++) {
    const struct step *o = &to->at.at[i];
    if (!is_subset(o->next, o->n, s.next, s.n) || s.marks & ~o->marks) continue;
    if (pv_label_within(t->labels, s.label, o->label)) s.label = PV_LABEL_NONE;
  }
  if (s.label == PV_LABEL_NONE) {
    free(s.next);
    return;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < to->at.n; i++) {
    struct step *o = &to->at.at[i];
    bool same = o->n == s.n && is_subset(s.next, s.n, o->next, o->n) && o->marks == s.marks;
    bool worse = is_subset(s.next, s.n, o->next, o->n) && !(o->marks & ~s.marks) &&
                 pv_label_within(t->labels, o->label, s.label);
    if (same) s.label = pv_label_or(t->labels, s.label, o->label);
    if (same || worse)
      free(o->next);
    else
      to->at.at[kept++] = *o;
  }
  to->at.n = kept;
  pv_vec_push(&to->at, s);
}

static struct step single(pv_label label, pv_formula f, uint32_t n) {
  struct step s = {.label = label, .next = pv_alloc(sizeof *s.next), .n = n};
  s.next[0] = f;
  return s;
}

static void product(struct translation *t, const struct steps *a, const struct steps *b,
                    struct steps *out) {
  for (uint32_t i = 0; i < a->at.n; i++)
    for (uint32_t k = 0; k < b->at.n && !t->l->budget.over; k++)
      add_step(t, out, joined(t, &a->at.at[i], &b->at.at[k]));
}

/* The sets of formulas one of which has to hold next if f does, as steps with every label. */
static void sets_of(struct translation *t, pv_formula f, struct steps *out) {
  const struct pv_ltl_node x = *pv_ltl_at(t->l, f);
  if (f == PV_LTL_BOTTOM) return;
  if (x.op == PV_LTL_OR && t->variant) {
    for (uint32_t i = 0; i < x.n; i++) sets_of(t, pv_ltl_kid(t->l, f, i), out);
    return;
  }
  if (x.op != PV_LTL_AND) {
    add_step(t, out, single(PV_LABEL_ANY, f, f != PV_LTL_TOP));
    return;
  }
  struct steps all = {0};
  add_step(t, &all, single(PV_LABEL_ANY, 0, 0));
  for (uint32_t i = 0; i < x.n; i++) {
    struct steps one = {0}, both = {0};
    sets_of(t, pv_ltl_kid(t->l, f, i), &one);
    product(t, &all, &one, &both);
    free_steps(&all);
    free_steps(&one);
    all = both;
  }
  for (uint32_t i = 0; i < all.at.n; i++) add_step(t, out, all.at.at[i]);
  pv_vec_free(&all.at);
}

static const struct steps *steps_of(struct translation *t, pv_formula f);

static void temporal_steps(struct translation *t, pv_formula f, struct steps *out) {
  bool until = pv_ltl_at(t->l, f)->op == PV_LTL_UNTIL;
  const struct steps *a = steps_of(t, pv_ltl_kid(t->l, f, 0));
  const struct steps *b = steps_of(t, pv_ltl_kid(t->l, f, 1));
  struct steps again = {0}, left = {0};
  add_step(t, &again, single(PV_LABEL_ANY, f, 1));
  if (until) { /* b, or a and f again */
    for (uint32_t i = 0; i < b->at.n; i++) {
      struct step none = {.label = PV_LABEL_ANY};
      add_step(t, out, joined(t, &b->at.at[i], &none));
    }
    product(t, a, &again, out);
  } else { /* b, and a or f again */
    struct step none = {.label = PV_LABEL_ANY};
    for (uint32_t i = 0; i < a->at.n; i++) add_step(t, &left, joined(t, &a->at.at[i], &none));
    if (again.at.n) add_step(t, &left, joined(t, &again.at.at[0], &none));
    product(t, b, &left, out);
  }
  free_steps(&again);
  free_steps(&left);
}

/* The transitions of a formula. */
static const struct steps *steps_of(struct translation *t, pv_formula f) {
  while (t->of.n <= f) pv_vec_push(&t->of, NULL);
  if (t->of.at[f]) return t->of.at[f];
  struct steps *s = pv_alloc(sizeof *s);
  const struct pv_ltl_node x = *pv_ltl_at(t->l, f);
  switch (x.op) {
  case PV_LTL_FALSE: break;
  case PV_LTL_TRUE: add_step(t, s, single(PV_LABEL_ANY, 0, 0)); break;
  case PV_LTL_IS:
  case PV_LTL_NOT:
    add_step(t, s, single(pv_label_prop(t->labels, x.first, x.op == PV_LTL_IS), 0, 0));
    break;
  case PV_LTL_NEXT: sets_of(t, pv_ltl_kid(t->l, f, 0), s); break;
  case PV_LTL_UNTIL:
  case PV_LTL_RELEASE: temporal_steps(t, f, s); break;
  case PV_LTL_AND:
  case PV_LTL_OR:
    for (uint32_t i = 0; i < x.n; i++) {
      const struct steps *k = steps_of(t, pv_ltl_kid(t->l, f, i));
      struct steps one = {0}, none = {0};
      add_step(t, &none, single(PV_LABEL_ANY, 0, 0));
      if (x.op == PV_LTL_AND && i) {
        product(t, s, k, &one);
        free_steps(s);
        *s = one;
      } else {
        product(t, k, &none, s);
      }
      free_steps(&none);
    }
    break;
  }
  return t->of.at[f] = s;
}

static unsigned mark_of(struct translation *t, pv_formula f) {
  for (uint32_t i = 0; i < t->untils.n; i++)
    if (t->untils.at[i] == f) return i;
  pv_vec_push(&t->untils, f);
  if (t->untils.n > PV_MOST_MARKS) t->failed = true;
  return t->untils.n - 1;
}

/* The marks that a transition with this label and this set of successors has. */
static uint64_t marks_of(struct translation *t, const struct step *s) {
  uint64_t marks = UINT64_MAX;
  for (uint32_t i = 0; i < s->n; i++) {
    pv_formula f = s->next[i];
    if (pv_ltl_at(t->l, f)->op != PV_LTL_UNTIL) continue;
    unsigned mark = mark_of(t, f);
    if (t->failed) return 0;
    const struct steps *own = steps_of(t, f);
    bool has = false;
    for (uint32_t k = 0; k < own->at.n && !has; k++) {
      const struct step *o = &own->at.at[k];
      has = !contains(o, f) && is_subset(o->next, o->n, s->next, s->n) &&
            pv_label_within(t->labels, s->label, o->label);
    }
    if (!has) marks &= ~(UINT64_C(1) << mark);
  }
  return marks;
}

/* Labels of steps are cut where it decides on marks, so that the marks are the same for all letters
 * of a label. */
static void add_marked(struct translation *t, struct steps *to, struct step s, uint32_t from) {
  for (uint32_t i = from; i < s.n; i++) {
    pv_formula f = s.next[i];
    if (pv_ltl_at(t->l, f)->op != PV_LTL_UNTIL) continue;
    const struct steps *own = steps_of(t, f);
    for (uint32_t k = 0; k < own->at.n; k++) {
      const struct step *o = &own->at.at[k];
      if (spent(t, 1 + o->n)) continue;
      if (contains(o, f) || !is_subset(o->next, o->n, s.next, s.n)) continue;
      pv_label in = pv_label_and(t->labels, s.label, o->label);
      if (in == PV_LABEL_NONE || in == s.label) continue;
      struct step none = {.label = o->label}, inside = joined(t, &s, &none);
      s.label = pv_label_and(t->labels, s.label, pv_label_not(t->labels, o->label));
      add_marked(t, to, inside, i + 1);
    }
  }
  s.marks = marks_of(t, &s);
  if (t->failed)
    free(s.next);
  else
    add_step(t, to, s);
}

static int by_index(const void *a, const void *b) {
  pv_formula x = *(const pv_formula *)a, y = *(const pv_formula *)b;
  return (x > y) - (x < y);
}

static uint32_t state_of(struct translation *t, const pv_formula *set, uint32_t n) {
  bool is_new;
  uint32_t q = *pv_map_put(&t->sets, set, n * sizeof *set, t->out->state.n, &is_new);
  if (is_new) pv_buchi_add(t->out);
  return q;
}

static void expand(struct translation *t, uint32_t q) {
  uint32_t n = t->sets.entry[q].key_len / (uint32_t)sizeof(pv_formula);
  pv_formula *set = pv_alloc((n + 1) * sizeof *set);
  memcpy(set, t->sets.entry[q].key, n * sizeof *set);
  struct steps all = {0}, marked = {0};
  add_step(t, &all, single(PV_LABEL_ANY, 0, 0));
  for (uint32_t i = 0; i < n; i++) {
    struct steps next = {0};
    product(t, &all, steps_of(t, set[i]), &next);
    free_steps(&all);
    all = next;
  }
  for (uint32_t i = 0; i < all.at.n; i++) {
    struct step none = {.label = PV_LABEL_ANY};
    add_marked(t, &marked, joined(t, &all.at.at[i], &none), 0);
  }
  for (uint32_t i = 0; i < marked.at.n; i++) {
    struct step *s = &marked.at.at[i];
    qsort(s->next, s->n, sizeof *s->next, by_index);
    struct pv_buchi_transition to = {state_of(t, s->next, s->n), s->label, s->marks};
    pv_vec_push(&t->out->state.at[q].out, to);
  }
  free_steps(&all);
  free_steps(&marked);
  free(set);
}

enum pv_status pv_ltl_translate(struct pv_ltl *l, struct pv_labels *labels, pv_formula f,
                                unsigned variant, uint32_t most, struct pv_buchi *out) {
  struct translation t = {.l = l, .labels = labels, .variant = variant, .out = out};
  *out = (struct pv_buchi){.labels = labels};
  labels->budget = &l->budget;
  state_of(&t, &f, 1);
  for (uint32_t q = 0; q < out->state.n && !t.failed; q++) {
    expand(&t, q);
    t.failed |= out->state.n > most || l->budget.over;
  }
  out->marks = t.untils.n;
  for (uint32_t q = 0; q < out->state.n; q++)
    for (uint32_t i = 0; i < out->state.at[q].out.n && !t.failed; i++)
      out->state.at[q].out.at[i].marks &= pv_buchi_all(out);
  for (uint32_t i = 0; i < t.of.n; i++) {
    if (t.of.at[i]) free_steps(t.of.at[i]);
    free(t.of.at[i]);
  }
  pv_vec_free(&t.of);
  pv_vec_free(&t.untils);
  pv_map_free(&t.sets);
  if (t.failed) pv_buchi_clear(out);
  return t.failed ? PV_E_LIMIT : PV_OK;
}
