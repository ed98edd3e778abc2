/* ranking_candidates.c -- functions that may fall in every round. */
#include "cpa/ranking_internal.h"

#include <stdlib.h>

static const char *name_of(const struct prover *r, uint32_t v) {
  if (v < r->f->vars.n) return r->f->vars.at[v].name;
  const struct cell *c = &r->cells.at[v - r->f->vars.n];
  return c->is_global ? r->p->globals.at[c->index].name : r->f->slots.at[c->index].name;
}

static pv_term widen(struct prover *r, pv_term t, bool is_signed, unsigned bits) {
  return pv_smt_extend(r->smt, is_signed, bits, t);
}

static pv_term negative(struct prover *r, pv_term t) {
  return pv_smt_mk1(r->smt, PV_SMT_BVNEG, t);
}

/* The term in the next round. */
static pv_term next_of(struct prover *r, const struct state *end, pv_term t) {
  pv_terms from = {0}, to = {0};
  for (uint32_t v = 0; v < r->n; v++)
    if (r->head[v] && end->value[v] != r->head[v]) {
      pv_vec_push(&from, r->head[v]);
      pv_vec_push(&to, end->value[v]);
    }
  pv_term next = pv_smt_substitute(r->smt, t, from.n, from.at, to.at);
  pv_vec_free(&from);
  pv_vec_free(&to);
  return next;
}

/* Adds the term and its negation. */
static void add_candidate(struct prover *r, const struct state *end, pv_term t, const char *name) {
  for (uint32_t i = 0; i < r->list.n; i++)
    if (r->list.at[i].before == t) return;
  pv_term next = next_of(r, end, t);
  if (next == t) return;
  struct candidate c = {t, next, pv_strdup(name)};
  struct candidate n = {negative(r, t), negative(r, next), pv_format("-(%s)", name)};
  pv_vec_push(&r->list, c);
  pv_vec_push(&r->list, n);
}

static void add_named(struct prover *r, const struct state *end, pv_term t, const char *a,
                      const char *op, const char *b) {
  char *name = pv_format("%s%s%s", a, op, b);
  add_candidate(r, end, t, name);
  free(name);
}

static unsigned width_of(struct prover *r, pv_term t) {
  return pv_smt_sort(r->smt, t).bits;
}

void pv_rank_add_variables(struct prover *r, const struct loop *l, const struct state *end) {
  PV_VEC(uint32_t) changed = {0};
  for (uint32_t v = 0; v < r->n; v++)
    if (l->sets[v] && pv_rank_is_number(r, v) && r->head[v] && end->value[v])
      pv_vec_push(&changed, v);
  for (uint32_t i = 0; i < changed.n; i++)
    for (int is_signed = 1; is_signed >= 0; is_signed--) {
      pv_term t = r->head[changed.at[i]];
      add_named(r, end, widen(r, t, is_signed, width_of(r, t) + 2), is_signed ? "" : "(unsigned)",
                "", name_of(r, changed.at[i]));
    }
  for (uint32_t i = 0; i < changed.n && changed.n <= MOST_PAIRED; i++)
    for (uint32_t k = 0; k < i; k++) {
      pv_term a = r->head[changed.at[i]], b = r->head[changed.at[k]];
      unsigned bits = (width_of(r, a) > width_of(r, b) ? width_of(r, a) : width_of(r, b)) + 2;
      pv_term x = widen(r, a, true, bits), y = widen(r, b, true, bits);
      const char *n = name_of(r, changed.at[i]), *m = name_of(r, changed.at[k]);
      add_named(r, end, pv_smt_mk2(r->smt, PV_SMT_BVADD, x, y), n, " + ", m);
      add_named(r, end, pv_smt_mk2(r->smt, PV_SMT_BVSUB, x, y), n, " - ", m);
    }
  pv_vec_free(&changed);
}

/* Does the term depend on nothing but values at the beginning of the round? */
static bool is_of_head(struct prover *r, pv_term t) {
  pv_terms all = {0};
  bool fine = true;
  pv_smt_constants(r->smt, t, &all);
  for (uint32_t i = 0; i < all.n && fine; i++) {
    fine = false;
    for (uint32_t v = 0; v < r->n && !fine; v++) fine = r->head[v] == all.at[i];
  }
  pv_vec_free(&all);
  return fine;
}

void pv_rank_note_comparison(struct prover *r, const struct state *s, pv_expr e, comparisons *out) {
  const struct pv_expr_node *n = pv_node(r->p, e);
  bool compares = n->op >= PV_X_EQ && n->op <= PV_X_SLE;
  if (!compares) {
    for (unsigned i = 0; i < pv_expr_ops[n->op].arity && pv_type_bits(n->type) == 1; i++)
      pv_rank_note_comparison(r, s, i == 0 ? n->a : i == 1 ? n->b : n->c, out);
    return;
  }
  pv_type t = pv_node(r->p, n->a)->type;
  if (pv_type_kind(t) != PV_T_INT || pv_type_bits(t) < 2 || !pv_rank_is_plain(r, e)) return;
  struct comparison c = {pv_rank_value_of(r, s, n->a), pv_rank_value_of(r, s, n->b), NULL, NULL};
  struct pv_str text = {0};
  if (!is_of_head(r, c.a) || !is_of_head(r, c.b)) return;
  pv_expr_print(r->p, r->f, n->a, &text);
  c.name_a = pv_strdup(pv_str_cstr(&text));
  pv_str_clear(&text);
  pv_expr_print(r->p, r->f, n->b, &text);
  c.name_b = pv_strdup(pv_str_cstr(&text));
  pv_str_free(&text);
  pv_vec_push(out, c);
}

void pv_rank_add_comparisons(struct prover *r, const struct state *end, const comparisons *list) {
  for (uint32_t i = 0; i < list->n; i++)
    for (int is_signed = 1; is_signed >= 0; is_signed--) {
      const struct comparison *c = &list->at[i];
      unsigned bits = width_of(r, c->a) + 2;
      pv_term t = pv_smt_mk2(r->smt, PV_SMT_BVSUB, widen(r, c->a, is_signed, bits),
                             widen(r, c->b, is_signed, bits));
      add_named(r, end, t, c->name_a, is_signed ? " - " : " -u ", c->name_b);
    }
}
