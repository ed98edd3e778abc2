/* minimise.c -- fewer states by questions to a SAT solver: is there an automaton with fewer states
 * that accepts some words and refuses others, as this one does? If there is, and it differs in
 * another word, that word is added to them, and the question is asked again (Ehlers, Finkbeiner,
 * "On the virtue of patience: minimizing Buechi automata", SPIN 2010). Pairs that tell states apart
 * (small.h) bound their number, and name states, so that automata that differ by a permutation are
 * not tried one after the other. */
#include <stdlib.h>
#include <string.h>

#include "ltl/small.h"
#include "smt/sat.h"

enum {
  CONFLICTS = 100, /* of one question; most answers need fewer */
  ROUNDS = 200     /* words that are added */
};

static bool spent(const struct pv_buchi *a, uint64_t steps) {
  return a->labels->budget && pv_ltl_spend(a->labels->budget, steps);
}

/* ---- automata as matrices -------------------------------------------------------------------- */
struct classes {
  uint32_t n;
  pv_label label[PV_SMALL_CLASSES];
};

/* The coarsest classes such that each label of the automaton is a union of them. */
static bool find_classes(const struct pv_buchi *a, struct classes *c) {
  c->n = 1;
  c->label[0] = PV_LABEL_ANY;
  for (uint32_t q = 0; q < a->state.n; q++)
    for (uint32_t i = 0; i < a->state.at[q].out.n; i++)
      for (uint32_t k = 0, n = c->n; k < n; k++) {
        pv_label l = a->state.at[q].out.at[i].label, in = pv_label_and(a->labels, c->label[k], l);
        if (in == PV_LABEL_NONE || in == c->label[k]) continue;
        if (c->n == PV_SMALL_CLASSES) return false;
        c->label[c->n++] = pv_label_and(a->labels, c->label[k], pv_label_not(a->labels, l));
        c->label[k] = in;
      }
  return true;
}

static struct pv_small small_of(const struct pv_buchi *a, const struct classes *c) {
  struct pv_small s = {.n = a->state.n, .classes = c->n};
  for (uint32_t q = 0; q < a->state.n; q++)
    for (uint32_t i = 0; i < a->state.at[q].out.n; i++) {
      const struct pv_buchi_transition *t = &a->state.at[q].out.at[i];
      for (uint32_t k = 0; k < c->n; k++)
        if (pv_label_within(a->labels, c->label[k], t->label))
          s.step[k] |= UINT64_C(1) << (PV_SMALL * q + t->to);
      if (t->marks == pv_buchi_all(a)) s.accepts |= UINT64_C(1) << q;
    }
  return s;
}

static struct pv_buchi automaton_of(const struct pv_small *s, const struct classes *c,
                                    struct pv_labels *labels) {
  struct pv_buchi a = {.labels = labels, .marks = 1, .by_state = true};
  for (uint32_t q = 0; q < s->n; q++) {
    pv_buchi_add(&a);
    for (uint32_t k = 0; k < c->n; k++)
      for (uint32_t r = 0; r < s->n; r++)
        if (s->step[k] >> (PV_SMALL * q + r) & 1) {
          struct pv_buchi_transition t = {r, c->label[k], s->accepts >> q & 1};
          pv_vec_push(&a.state.at[q].out, t);
        }
  }
  return a;
}

/* ---- questions ------------------------------------------------------------------------------- */
struct question {
  struct pv_sat *sat;
  uint32_t n, classes;
  int step[PV_SMALL_CLASSES][PV_SMALL][PV_SMALL], accepts[PV_SMALL];
  PV_VEC(int) clause;
};

static void say(struct question *x, int a, int b, int c, int d) {
  int literals[4] = {a, b, c, d};
  pv_sat_clause(x->sat, d ? 4 : c ? 3 : b ? 2 : 1, literals);
}

static void begin_question(struct question *x, const struct pv_small *s, uint32_t n,
                           uint32_t named) {
  *x = (struct question){.sat = pv_sat_new(NULL, NULL), .n = n, .classes = s->classes};
  for (uint32_t q = 0; q < n; q++) {
    x->accepts[q] = pv_sat_input(x->sat);
    for (uint32_t c = 0; c < s->classes; c++)
      for (uint32_t r = 0; r < n; r++) x->step[c][q][r] = pv_sat_input(x->sat);
  }
  /* States without a name (the initial one has one) can be sorted. */
  for (uint32_t q = named ? named : 1; q + 1 < n; q++)
    say(x, -x->accepts[q], x->accepts[q + 1], 0, 0);
}

static void end_question(struct question *x) {
  pv_sat_free(x->sat);
  pv_vec_free(&x->clause);
}

/* The word is accepted: there is a run that is in the same state after some round of the loop as
 * after the last one, and accepts in between. 2n - 1 rounds are enough. name: after `middle`
 * letters the run is in this state, or UINT32_MAX. */
static void accept(struct question *x, const struct pv_small_word *w, uint32_t middle,
                   uint32_t name) {
  uint32_t n = x->n, size = w->n - w->loop, rounds = 2 * n - 1, length = w->loop + rounds * size;
  int *at = pv_alloc((length + 1) * n * sizeof *at), *good = pv_alloc((length + 1) * sizeof *good);
  for (uint32_t i = 0; i <= length; i++) {
    x->clause.n = 0;
    good[i] = pv_sat_input(x->sat);
    for (uint32_t q = 0; q < n; q++) {
      at[i * n + q] = pv_sat_input(x->sat);
      pv_vec_push(&x->clause, at[i * n + q]);
      say(x, -good[i], -at[i * n + q], x->accepts[q], 0);
      for (uint32_t r = 0; r < q; r++) say(x, -at[i * n + q], -at[i * n + r], 0, 0);
    }
    pv_sat_clause(x->sat, n, x->clause.at);
  }
  for (uint32_t i = 0; i < length; i++) {
    uint32_t c = w->letter[i < w->n ? i : w->loop + (i - w->loop) % size];
    for (uint32_t q = 0; q < n; q++)
      for (uint32_t r = 0; r < n; r++)
        say(x, -at[i * n + q], -at[(i + 1) * n + r], x->step[c][q][r], 0);
  }
  say(x, at[0], 0, 0, 0);
  if (name < n && middle <= length) say(x, at[middle * n + name], 0, 0, 0);
  PV_VEC(int) which = {0};
  for (uint32_t k = 0; k < rounds; k++) {
    uint32_t begin = w->loop + k * size;
    int chosen = pv_sat_input(x->sat);
    pv_vec_push(&which, chosen);
    for (uint32_t q = 0; q < n; q++) say(x, -chosen, -at[begin * n + q], at[length * n + q], 0);
    x->clause.n = 0;
    pv_vec_push(&x->clause, -chosen);
    for (uint32_t i = begin; i < length; i++) pv_vec_push(&x->clause, good[i]);
    pv_sat_clause(x->sat, x->clause.n, x->clause.at);
  }
  pv_sat_clause(x->sat, which.n, which.at);
  pv_vec_free(&which);
  free(at);
  free(good);
}

/* The word is refused: no run has n rounds of the loop in which a state accepts. (One that has them
 * is in the same state before two of them.) before[...]: a run may be there; in the loop by the
 * number of such rounds, and whether this round is one. */
static void refuse(struct question *x, const struct pv_small_word *w) {
  uint32_t n = x->n, size = w->n - w->loop;
  int *before = pv_alloc((w->loop + 1) * n * sizeof *before);
  int *in = pv_alloc(((size_t)n * size * n * 2 + 1) * sizeof *in);
#define IN(LEVEL, I, Q, GOOD) in[(((LEVEL)*size + (I)) * n + (Q)) * 2 + (GOOD)]
  for (uint32_t i = 0; i < n * size * n * 2; i++) in[i] = pv_sat_input(x->sat);
  for (uint32_t i = 0; i < w->loop * n; i++) before[i] = pv_sat_input(x->sat);
  for (uint32_t q = 0; q < n; q++) before[w->loop * n + q] = IN(0, 0, q, 0);
  say(x, before[0], 0, 0, 0);
  for (uint32_t i = 0; i < w->loop; i++)
    for (uint32_t q = 0; q < n; q++)
      for (uint32_t r = 0; r < n; r++)
        say(x, -before[i * n + q], -x->step[w->letter[i]][q][r], before[(i + 1) * n + r], 0);
  for (uint32_t level = 0; level < n; level++)
    for (uint32_t i = 0; i < size; i++)
      for (uint32_t q = 0; q < n; q++)
        for (uint32_t r = 0; r < n; r++) {
          int step = x->step[w->letter[w->loop + i]][q][r];
          int same, better; /* after this step, in a round without and with an accepting state */
          if (i + 1 < size) {
            same = IN(level, i + 1, r, 0);
            better = IN(level, i + 1, r, 1);
          } else {
            same = IN(level, 0, r, 0);
            better = level + 1 < n ? IN(level + 1, 0, r, 0) : PV_SAT_FALSE;
          }
          if (i) say(x, -IN(level, i, q, 1), -step, better, 0);
          say(x, -IN(level, i, q, 0), -step, -x->accepts[q], better);
          say(x, -IN(level, i, q, 0), -step, x->accepts[q], same);
        }
#undef IN
  free(before);
  free(in);
}

static struct pv_small answer(struct question *x) {
  struct pv_small s = {.n = x->n, .classes = x->classes};
  for (uint32_t q = 0; q < x->n; q++) {
    if (pv_sat_value(x->sat, x->accepts[q])) s.accepts |= UINT64_C(1) << q;
    for (uint32_t c = 0; c < x->classes; c++)
      for (uint32_t r = 0; r < x->n; r++)
        if (pv_sat_value(x->sat, x->step[c][q][r])) s.step[c] |= UINT64_C(1) << (PV_SMALL * q + r);
  }
  return s;
}

/* Is there an automaton with n states? NO: none; OPEN: not found. */
static enum pv_sat_answer shrink(const struct pv_buchi *a, const struct pv_small *s, uint32_t n,
                                 const struct pv_small_pair *pairs, uint32_t named,
                                 struct pv_small *out) {
  struct question x;
  enum pv_sat_answer is = PV_SAT_OPEN;
  begin_question(&x, s, n, named);
  for (uint32_t i = 0; i < named; i++) accept(&x, &pairs[i].word, pairs[i].middle, i);
  for (uint32_t i = 0; i < ROUNDS && !spent(a, PV_LTL_ENTRY * 100); i++) {
    is = pv_sat_solve(x.sat, 0, NULL, CONFLICTS);
    if (is != PV_SAT_YES) break;
    bool differs, first;
    struct pv_small_word w;
    *out = answer(&x);
    is = PV_SAT_OPEN;
    if (!pv_small_compare(s, out, a->labels->budget, &differs, &first, &w)) break;
    is = PV_SAT_YES;
    if (!differs) break;
    if (first)
      accept(&x, &w, 0, UINT32_MAX);
    else
      refuse(&x, &w);
    is = PV_SAT_OPEN;
  }
  end_question(&x);
  return is;
}

bool pv_buchi_minimise(struct pv_buchi *a, uint32_t *least) {
  struct classes classes;
  struct pv_small_pair pairs[PV_SMALL];
  *least = 1;
  if (!a->by_state || a->state.n > PV_SMALL || a->initial || !find_classes(a, &classes))
    return false;
  struct pv_small s = small_of(a, &classes), smaller;
  *least = pv_small_pairs(&s, false, a->labels->budget, pairs);
  if (*least >= s.n) return true;
  uint32_t named = pv_small_pairs(&s, true, a->labels->budget, pairs);
  enum pv_sat_answer is = PV_SAT_NO;
  while (s.n > 1 && s.n > *least) {
    is = shrink(a, &s, s.n - 1, pairs, named, &smaller);
    if (is != PV_SAT_YES) break;
    s = smaller;
  }
  if (is == PV_SAT_NO) *least = s.n;
  if (s.n < a->state.n) {
    struct pv_buchi b = automaton_of(&s, &classes, a->labels);
    pv_buchi_clear(a);
    *a = b;
    pv_buchi_reduce(a);
  }
  return *least == a->state.n;
}
