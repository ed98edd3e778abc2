#include "smt/related.h"

#include <stdlib.h>

struct pv_related {
  struct pv_smt *smt;
  struct pv_map constants; /* conjunct -> place in `lists` */
  PV_VEC(pv_terms) lists;
  struct pv_map answers; /* group, a conjunction -> answer */
};

struct pv_related *pv_related_new(struct pv_smt *s) {
  struct pv_related *r = pv_alloc(sizeof *r);
  r->smt = s;
  return r;
}

void pv_related_free(struct pv_related *r) {
  if (!r) return;
  for (uint32_t i = 0; i < r->lists.n; i++) pv_vec_free(&r->lists.at[i]);
  pv_vec_free(&r->lists);
  pv_map_free(&r->constants);
  pv_map_free(&r->answers);
  free(r);
}

static const pv_terms *constants_of(struct pv_related *r, pv_term t) {
  bool is_new;
  uint32_t at = *pv_map_put(&r->constants, &t, sizeof t, r->lists.n, &is_new);
  if (is_new) {
    pv_vec_push(&r->lists, (pv_terms){0});
    pv_smt_constants(r->smt, t, &pv_vec_last(&r->lists));
  }
  return &r->lists.at[at];
}

/* One reduction: union-find over constants. Group 0 is that of the terms. */
struct groups {
  struct pv_map index; /* constant -> its number */
  PV_VEC(uint32_t) parent;
};

static uint32_t find(struct groups *g, uint32_t i) {
  while (g->parent.at[i] != i) i = g->parent.at[i] = g->parent.at[g->parent.at[i]];
  return i;
}

static uint32_t number_of(struct groups *g, pv_term constant) {
  bool is_new;
  uint32_t at = *pv_map_put(&g->index, &constant, sizeof constant, g->parent.n, &is_new);
  if (is_new) pv_vec_push(&g->parent, at);
  return at;
}

static void join(struct groups *g, uint32_t a, uint32_t b) {
  a = find(g, a);
  b = find(g, b);
  g->parent.at[a > b ? a : b] = a > b ? b : a;
}

static void relate(struct groups *g, const pv_terms *constants, uint32_t with) {
  for (uint32_t i = 0; i < constants->n; i++) {
    uint32_t number = number_of(g, constants->at[i]);
    if (with == UINT32_MAX) with = number;
    join(g, with, number);
  }
}

static void conjuncts(struct pv_smt *s, pv_term t, pv_terms *out) {
  pv_terms todo = {0};
  pv_vec_push(&todo, t);
  while (todo.n) {
    struct pv_smt_shape shape;
    pv_term next = pv_vec_pop(&todo);
    bool is_and =
        pv_smt_shape(s, next, &shape) && shape.kind == PV_SHAPE_OP && shape.op == PV_SMT_AND;
    if (!is_and && !pv_smt_is_true(s, next)) pv_vec_push(out, next);
    for (uint32_t i = is_and ? shape.n : 0; i-- > 0;)
      pv_vec_push(&todo, pv_smt_operand(s, next, i));
  }
  pv_vec_free(&todo);
}

static enum pv_smt_answer decide(struct pv_related *r, pv_term group) {
  bool is_new;
  uint32_t *known = pv_map_put(&r->answers, &group, sizeof group, PV_SMT_UNKNOWN, &is_new);
  if (is_new || *known == PV_SMT_UNKNOWN) *known = pv_smt_check(r->smt, 1, &group);
  return (enum pv_smt_answer) * known;
}

enum pv_smt_answer pv_related_reduce(struct pv_related *r, pv_term *formula, uint32_t n,
                                     const pv_term *terms) {
  struct pv_smt *s = r->smt;
  struct groups g = {0};
  pv_terms all = {0};
  enum pv_smt_answer answer = PV_SMT_SAT;
  conjuncts(s, *formula, &all);
  pv_vec_push(&g.parent, 0);
  for (uint32_t i = 0; i < n; i++) relate(&g, constants_of(r, terms[i]), 0);
  for (uint32_t i = 0; i < all.n; i++) relate(&g, constants_of(r, all.at[i]), UINT32_MAX);
  pv_term *group = pv_alloc(g.parent.n * sizeof *group); /* by representative */
  for (uint32_t i = 0; i < all.n; i++) {
    const pv_terms *constants = constants_of(r, all.at[i]);
    uint32_t at = constants->n ? find(&g, number_of(&g, constants->at[0])) : 0;
    group[at] = group[at] ? pv_smt_mk2(s, PV_SMT_AND, group[at], all.at[i]) : all.at[i];
  }
  for (uint32_t i = 1; i < g.parent.n && answer != PV_SMT_UNSAT; i++) {
    enum pv_smt_answer here = group[i] ? decide(r, group[i]) : PV_SMT_SAT;
    if (here != PV_SMT_SAT) answer = here == PV_SMT_UNSAT ? here : PV_SMT_UNKNOWN;
  }
  *formula = group[0] ? group[0] : pv_smt_bool(s, true);
  free(group);
  pv_vec_free(&all);
  pv_vec_free(&g.parent);
  pv_map_free(&g.index);
  return answer;
}
