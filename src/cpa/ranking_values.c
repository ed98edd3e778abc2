/* ranking_values.c -- values as terms, and what is known of them. */
#include "cpa/ranking_internal.h"

#include <stdlib.h>

pv_type pv_rank_type_of(const struct prover *r, uint32_t v) {
  return v < r->f->vars.n ? r->f->vars.at[v].type : r->cells.at[v - r->f->vars.n].type;
}

bool pv_rank_is_plain_type(pv_type t) {
  return (pv_type_kind(t) == PV_T_INT && pv_type_bits(t) <= 64) || pv_type_kind(t) == PV_T_PTR;
}

bool pv_rank_is_plain(const struct prover *r, pv_expr e) {
  const struct pv_expr_node *n = pv_node(r->p, e);
  if (!pv_rank_is_plain_type(n->type) || n->op == PV_X_MATH) return false;
  if (pv_expr_ops[n->op].arity == 0) return true;
  return pv_rank_is_plain(r, n->a) && (!n->b || pv_rank_is_plain(r, n->b)) &&
         (!n->c || pv_rank_is_plain(r, n->c));
}

pv_term pv_rank_encode_leaf(void *user, const struct pv_expr_node *n) {
  struct prover *r = user;
  struct pv_sort sort = pv_encode_sort(&r->encoder, n->type);
  if (n->op == PV_X_VAR && r->now->value[n->lo]) return r->now->value[n->lo];
  if (n->op == PV_X_VAR) return pv_smt_fresh(r->smt, "any", sort);
  char *name =
      pv_format("&%u.%llu.%llu", n->op, (unsigned long long)n->lo, (unsigned long long)n->hi);
  pv_term t = pv_smt_const(r->smt, name, sort);
  free(name);
  return t;
}

pv_term pv_rank_fresh(struct prover *r, pv_type t) {
  return pv_rank_is_plain_type(t) ? pv_smt_fresh(r->smt, "any", pv_encode_sort(&r->encoder, t))
                                  : NULL;
}

static void take_side(struct prover *r) {
  for (uint32_t i = 0; i < r->encoder.side.n; i++) pv_vec_push(&r->facts, r->encoder.side.at[i]);
  r->encoder.side.n = 0;
  r->encoder.events.n = 0;
}

void pv_rank_assume(struct prover *r, pv_term t) {
  pv_vec_push(&r->facts, t);
}

/* What a solver finds out late: a rest is smaller than the divisor. */
static void assume_rests(struct prover *r, pv_expr e) {
  const struct pv_expr_node *n = pv_node(r->p, e);
  if (!e || pv_expr_ops[n->op].arity == 0) return;
  assume_rests(r, n->a);
  assume_rests(r, n->b);
  assume_rests(r, n->c);
  if (n->op != PV_X_UREM && n->op != PV_X_SREM) return;
  bool is_signed = n->op == PV_X_SREM;
  enum pv_smt_op less = is_signed ? PV_SMT_BVSLT : PV_SMT_BVULT;
  pv_term rest = pv_encode(&r->encoder, e, false), by = pv_encode(&r->encoder, n->b, false);
  pv_term zero = pv_smt_number(r->smt, pv_encode_sort(&r->encoder, n->type), 0, 0);
  pv_term when = pv_smt_mk2(r->smt, less, zero, by);
  pv_rank_assume(r, pv_smt_mk2(r->smt, PV_SMT_IMPLIES, when, pv_smt_mk2(r->smt, less, rest, by)));
  if (!is_signed) return;
  pv_term of = pv_encode(&r->encoder, n->a, false);
  when = both_of(r, when, pv_smt_mk2(r->smt, PV_SMT_BVSLE, zero, of));
  pv_rank_assume(
      r, pv_smt_mk2(r->smt, PV_SMT_IMPLIES, when, pv_smt_mk2(r->smt, PV_SMT_BVSLE, zero, rest)));
}

pv_term pv_rank_value_of(struct prover *r, const struct state *s, pv_expr e) {
  if (!pv_rank_is_plain(r, e)) return pv_rank_fresh(r, pv_node(r->p, e)->type);
  r->now = s;
  pv_encoder_forget(&r->encoder);
  pv_term t = pv_encode(&r->encoder, e, false);
  assume_rests(r, e);
  take_side(r);
  return t;
}

pv_term pv_rank_condition_of(struct prover *r, const struct state *s, pv_expr e) {
  if (!pv_rank_is_plain(r, e))
    return pv_smt_fresh(r->smt, "any", (struct pv_sort){.kind = PV_SORT_BOOL});
  r->now = s;
  pv_encoder_forget(&r->encoder);
  pv_term t = pv_encode_condition(&r->encoder, e);
  assume_rests(r, e);
  take_side(r);
  return t;
}

pv_term pv_rank_at_most(struct prover *r, bool is_signed, pv_term a, pv_term b) {
  return pv_smt_mk2(r->smt, is_signed ? PV_SMT_BVSLE : PV_SMT_BVULE, a, b);
}

void pv_rank_assume_interval(struct prover *r, pv_loc l, uint32_t v, pv_term guard, pv_term value) {
  pv_type t = pv_rank_type_of(r, v);
  uint64_t key[2] = {t, v};
  unsigned bits = pv_type_bits(t);
  if (!r->intervals || !value || v >= r->f->vars.n || pv_type_kind(t) != PV_T_INT || bits < 2)
    return;
  const uint32_t *e = pv_map_get(&r->var_expr, key, sizeof key);
  if (!e) return;
  struct pv_interval x = pv_intervals_of(r->intervals, r->function, l, *e);
  uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  struct pv_sort sort = pv_smt_sort(r->smt, value);
  if (pv_interval_is_empty(x)) return;
  pv_term lo = pv_smt_number(r->smt, sort, (uint64_t)x.lo & mask, 0);
  pv_term hi = pv_smt_number(r->smt, sort, (uint64_t)x.hi & mask, 0);
  pv_term within =
      both_of(r, pv_rank_at_most(r, true, lo, value), pv_rank_at_most(r, true, value, hi));
  pv_rank_assume(r, pv_smt_mk2(r->smt, PV_SMT_IMPLIES, guard, within));
}

bool pv_rank_is_number(const struct prover *r, uint32_t v) {
  pv_type t = pv_rank_type_of(r, v);
  return pv_type_kind(t) == PV_T_INT && pv_type_bits(t) >= 2 && pv_type_bits(t) <= 64;
}
