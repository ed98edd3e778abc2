#include "ltl/small.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EFFECTS = 4000, MOST_CANDIDATES = 400, MOST_STEPS = 20000 };

static bool spent(struct pv_ltl_budget *b, uint64_t steps) {
  return b && pv_ltl_spend(b, steps);
}

/* ---- matrices and sets ------------------------------------------------------------------------
 */
static pv_matrix product(pv_matrix a, pv_matrix b) {
  pv_matrix c = 0;
  for (; a; a &= a - 1) {
    unsigned bit = (unsigned)__builtin_ctzll(a), q = bit / PV_SMALL, r = bit % PV_SMALL;
    c |= (b >> (PV_SMALL * r) & 0xff) << (PV_SMALL * q);
  }
  return c;
}

static pv_matrix rows_of(pv_matrix m, uint64_t states) {
  for (unsigned q = 0; q < PV_SMALL; q++)
    if (!(states >> q & 1)) m &= ~(UINT64_C(0xff) << (PV_SMALL * q));
  return m;
}

static uint64_t after(pv_matrix m, uint64_t states) {
  uint64_t to = 0;
  for (; states; states &= states - 1)
    to |= m >> (PV_SMALL * (unsigned)__builtin_ctzll(states)) & 0xff;
  return to;
}

static uint64_t before(pv_matrix m, uint64_t states) {
  uint64_t from = 0;
  for (unsigned q = 0; q < PV_SMALL; q++)
    if (m >> (PV_SMALL * q) & states) from |= UINT64_C(1) << q;
  return from;
}

/* The states that accept the word for ever. any, good: paths, and those that accept on the way. */
static uint64_t repeated(pv_matrix any, pv_matrix good) {
  pv_matrix reach = any | UINT64_C(0x8040201008040201);
  for (int i = 0; i < 3; i++) reach = product(reach, reach);
  pv_matrix cycle = product(product(reach, good), reach);
  uint64_t in = 0;
  for (unsigned q = 0; q < PV_SMALL; q++) in |= cycle >> (PV_SMALL * q) & (UINT64_C(1) << q);
  return before(reach, in);
}

/* ---- effects ----------------------------------------------------------------------------------
 * Found breadth first, so their words are short. */
struct effect { /* on two automata */
  pv_matrix any[2], good[2];
};
struct sets {
  uint64_t of[2];
};
struct found { /* by whom and with which letter; UINT32_MAX: by itself */
  uint32_t from, letter;
};
struct search {
  const struct pv_small *a[2];
  struct pv_ltl_budget *budget;
  struct pv_map effects, reached, rests; /* struct effect, struct sets, struct sets */
  PV_VEC(struct found)
  how_effect, how_reached, how_rest; /* rest: first of an effect, then longer */
};

static bool add_effect(struct search *s, const struct effect *e, uint32_t from, uint32_t letter) {
  bool is_new;
  uint32_t at = *pv_map_put(&s->effects, e, sizeof *e, s->effects.n, &is_new);
  if (!is_new) return true;
  pv_vec_push(&s->how_effect, ((struct found){from, letter}));
  struct sets w;
  for (int k = 0; k < 2; k++) w.of[k] = repeated(e->any[k], e->good[k]);
  pv_map_put(&s->rests, &w, sizeof w, s->rests.n, &is_new);
  if (is_new) pv_vec_push(&s->how_rest, ((struct found){at, UINT32_MAX}));
  return at < MOST_EFFECTS && !spent(s->budget, 2 * PV_LTL_ENTRY);
}

static bool find_effects(struct search *s) {
  uint32_t classes = s->a[0]->classes;
  for (uint32_t c = 0; c < classes; c++) {
    struct effect e;
    for (int k = 0; k < 2; k++) {
      e.any[k] = s->a[k]->step[c];
      e.good[k] = rows_of(e.any[k], s->a[k]->accepts);
    }
    if (!add_effect(s, &e, UINT32_MAX, c)) return false;
  }
  for (uint32_t i = 0; i < s->effects.n; i++)
    for (uint32_t c = 0; c < classes; c++) {
      struct effect e, to;
      memcpy(&e, s->effects.entry[i].key, sizeof e);
      for (int k = 0; k < 2; k++) {
        pv_matrix step = s->a[k]->step[c];
        to.any[k] = product(e.any[k], step);
        to.good[k] = product(e.good[k], step) | product(e.any[k], rows_of(step, s->a[k]->accepts));
      }
      if (!add_effect(s, &to, i, c)) return false;
    }
  return true;
}

static void find_reached(struct search *s) {
  struct sets w = {{1, 1}};
  pv_map_put(&s->reached, &w, sizeof w, 0, NULL);
  pv_vec_push(&s->how_reached, ((struct found){UINT32_MAX, 0}));
  for (uint32_t i = 0; i < s->reached.n && !spent(s->budget, PV_LTL_ENTRY); i++)
    for (uint32_t c = 0; c < s->a[0]->classes; c++) {
      bool is_new;
      memcpy(&w, s->reached.entry[i].key, sizeof w);
      for (int k = 0; k < 2; k++) w.of[k] = after(s->a[k]->step[c], w.of[k]);
      pv_map_put(&s->reached, &w, sizeof w, s->reached.n, &is_new);
      if (is_new) pv_vec_push(&s->how_reached, ((struct found){i, c}));
    }
}

/* Which states accept letters before the rests that are known. */
static void extend_rests(struct search *s) {
  for (uint32_t i = 0; i < s->rests.n && !spent(s->budget, PV_LTL_ENTRY); i++)
    for (uint32_t c = 0; c < s->a[0]->classes; c++) {
      struct sets w;
      bool is_new;
      memcpy(&w, s->rests.entry[i].key, sizeof w);
      for (int k = 0; k < 2; k++) w.of[k] = before(s->a[k]->step[c], w.of[k]);
      pv_map_put(&s->rests, &w, sizeof w, s->rests.n, &is_new);
      if (is_new) pv_vec_push(&s->how_rest, ((struct found){i, c}));
    }
}

static void end_search(struct search *s) {
  pv_map_free(&s->effects);
  pv_map_free(&s->reached);
  pv_map_free(&s->rests);
  pv_vec_free(&s->how_effect);
  pv_vec_free(&s->how_reached);
  pv_vec_free(&s->how_rest);
}

static bool add_letter(struct pv_small_word *w, uint32_t letter) {
  if (w->n == PV_SMALL_WORD) return false;
  w->letter[w->n++] = (uint8_t)letter;
  return true;
}

/* The letters that lead to found[at], in order. */
static bool add_path(struct pv_small_word *w, const struct found *found, uint32_t at) {
  uint32_t begin = w->n;
  for (; at != UINT32_MAX; at = found[at].from)
    if (!add_letter(w, found[at].letter)) return false;
  for (uint32_t i = begin, k = w->n; i + 1 < k; i++) {
    uint8_t swap = w->letter[i];
    w->letter[i] = w->letter[--k];
    w->letter[k] = swap;
  }
  return true;
}

/* The word that leads to these sets and goes on with this rest. *middle: between them. */
static bool make_word(const struct search *s, uint32_t reached, uint32_t rest,
                      struct pv_small_word *w, uint32_t *middle) {
  memset(w, 0, sizeof *w);
  if (reached) { /* set 0 is reached by no letter; its successors name it as theirs */
    PV_VEC(uint32_t) letters = {0};
    for (uint32_t at = reached; at; at = s->how_reached.at[at].from)
      pv_vec_push(&letters, s->how_reached.at[at].letter);
    bool fits = true;
    while (letters.n && fits) fits = add_letter(w, pv_vec_pop(&letters));
    pv_vec_free(&letters);
    if (!fits) return false;
  }
  *middle = w->n;
  for (; s->how_rest.at[rest].letter != UINT32_MAX; rest = s->how_rest.at[rest].from)
    if (!add_letter(w, s->how_rest.at[rest].letter)) return false;
  w->loop = w->n;
  return add_path(w, s->how_effect.at, s->how_rest.at[rest].from);
}

bool pv_small_compare(const struct pv_small *a, const struct pv_small *b,
                      struct pv_ltl_budget *budget, bool *differs, bool *first,
                      struct pv_small_word *word) {
  struct search s = {.a = {a, b}, .budget = budget};
  /* What is seen of some effects is enough to tell them apart, but not to call them equal. */
  bool all = find_effects(&s), fits = true;
  uint32_t middle;
  *differs = false;
  find_reached(&s);
  for (uint32_t i = 0; i < s.reached.n && !*differs; i++)
    for (uint32_t k = 0; k < s.rests.n && !*differs; k++) {
      struct sets u, w;
      memcpy(&u, s.reached.entry[i].key, sizeof u);
      memcpy(&w, s.rests.entry[k].key, sizeof w);
      *first = u.of[0] & w.of[0];
      *differs = *first != ((u.of[1] & w.of[1]) != 0);
      if (*differs) fits = make_word(&s, i, k, word, &middle);
    }
  end_search(&s);
  return fits && (all || *differs) && !spent(budget, 1);
}

/* ---- pairs ------------------------------------------------------------------------------------
 */
struct candidate {
  uint64_t set, rest;
  uint32_t reached, number; /* of the rest */
};
struct clique {
  const struct candidate *at;
  uint32_t n, steps, best, found[PV_SMALL], now[PV_SMALL];
};

static bool exchange(const struct candidate *a, const struct candidate *b) {
  return (a->set & b->rest) && (b->set & a->rest);
}

/* Extends the clique of `size` members by those from `first` on. */
static void grow(struct clique *c, uint32_t size, uint32_t first) {
  if (size > c->best) {
    c->best = size;
    memcpy(c->found, c->now, size * sizeof *c->now);
  }
  for (uint32_t i = first; i < c->n && c->best < PV_SMALL && c->steps++ < MOST_STEPS; i++) {
    bool fits = true;
    for (uint32_t k = 0; k < size && fits; k++) fits = !exchange(&c->at[i], &c->at[c->now[k]]);
    if (!fits) continue;
    c->now[size] = i;
    grow(c, size + 1, i + 1);
  }
}

struct candidates {
  PV_VEC(struct candidate) at;
};

/* Adds the candidate unless one from `begin` on has less of a rest; drops those that have more. */
static void add_least(struct candidates *all, uint32_t begin, struct candidate c) {
  uint32_t kept = begin;
  for (uint32_t i = begin; i < all->at.n; i++)
    if (!(all->at.at[i].rest & ~c.rest)) return;
  for (uint32_t i = begin; i < all->at.n; i++)
    if (c.rest & ~all->at.at[i].rest) all->at.at[kept++] = all->at.at[i];
  all->at.n = kept;
  pv_vec_push(&all->at, c);
}

uint32_t pv_small_pairs(const struct pv_small *a, bool initial, struct pv_ltl_budget *budget,
                        struct pv_small_pair *pairs) {
  struct search s = {.a = {a, a}, .budget = budget};
  struct candidates all = {0};
  find_effects(&s);
  find_reached(&s);
  extend_rests(&s);
  for (uint32_t i = 0; i < s.reached.n; i++) { /* with each set the least rests */
    uint32_t begin = all.at.n;
    for (uint32_t k = 0; k < s.rests.n && !spent(budget, 1 + all.at.n - begin); k++) {
      struct sets u, w;
      memcpy(&u, s.reached.entry[i].key, sizeof u);
      memcpy(&w, s.rests.entry[k].key, sizeof w);
      if (u.of[0] & w.of[0]) add_least(&all, begin, (struct candidate){u.of[0], w.of[0], i, k});
    }
  }
  /* Of all of them those that are less than others. */
  PV_VEC(struct candidate) good = {0};
  for (uint32_t i = 0; i < all.at.n && !spent(budget, all.at.n); i++) {
    bool best = true;
    const struct candidate *c = &all.at.at[i];
    for (uint32_t k = 0; k < all.at.n && best; k++) {
      const struct candidate *d = &all.at.at[k];
      bool equal = d->set == c->set && d->rest == c->rest;
      bool within = !(d->set & ~c->set) && !(d->rest & ~c->rest);
      best = !within || (equal && k >= i) || (initial && !c->reached && d->reached);
    }
    if (best && good.n < MOST_CANDIDATES) pv_vec_push(&good, *c);
  }
  struct clique c = {.at = good.at, .n = good.n};
  for (uint32_t i = 0; i < good.n; i++) {
    if (initial && good.at[i].reached) continue;
    c.now[0] = i;
    /* Those that come later are tried; with the initial state first, all others come later. */
    c.steps = 0;
    grow(&c, 1, initial ? 0 : i + 1);
  }
  uint32_t n = 0;
  for (uint32_t i = 0; i < c.best; i++) {
    const struct candidate *x = &good.at[c.found[i]];
    if (make_word(&s, x->reached, x->number, &pairs[n].word, &pairs[n].middle))
      n++;
    else if (!i)
      break;
  }
  pv_vec_free(&all.at);
  pv_vec_free(&good);
  end_search(&s);
  return spent(budget, 1) ? 0 : n;
}
