/* ranking_round.c -- one round of a loop as a formula. */
#include "cpa/ranking_internal.h"

#include <stdlib.h>
#include <string.h>

struct state pv_rank_state_new(const struct prover *r) {
  return (struct state){.value = pv_alloc((r->n + 1) * sizeof(pv_term))};
}

static void state_copy(const struct prover *r, struct state *to, const struct state *from) {
  to->guard = from->guard;
  memcpy(to->value, from->value, r->n * sizeof *to->value);
}

static void merge(struct prover *r, struct state *to, const struct state *from) {
  if (!to->guard) {
    state_copy(r, to, from);
    return;
  }
  for (uint32_t v = 0; v < r->n; v++) {
    if (to->value[v] == from->value[v]) continue;
    bool both = to->value[v] && from->value[v];
    to->value[v] =
        both ? pv_smt_mk3(r->smt, PV_SMT_ITE, from->guard, from->value[v], to->value[v]) : NULL;
  }
  to->guard = pv_smt_mk2(r->smt, PV_SMT_OR, to->guard, from->guard);
}

/* Any number of rounds of an inner loop. */
static void skip_inner(struct prover *r, const struct loop *inner, struct state *s) {
  for (uint32_t v = 0; v < r->n; v++) {
    if (!inner->sets[v]) continue;
    pv_term before = s->value[v], after = pv_rank_fresh(r, pv_rank_type_of(r, v));
    s->value[v] = after;
    if (!after) continue;
    pv_rank_assume_interval(r, inner->head, v, s->guard, after);
    uint8_t falls = before && pv_rank_is_number(r, v) ? inner->falls[v] : 0;
    pv_term known = pv_smt_bool(r->smt, true);
    if (falls & SIGNED_FALLS) known = both_of(r, known, pv_rank_at_most(r, true, after, before));
    if (falls & SIGNED_GROWS) known = both_of(r, known, pv_rank_at_most(r, true, before, after));
    if (falls & UNSIGNED_FALLS) known = both_of(r, known, pv_rank_at_most(r, false, after, before));
    if (falls & UNSIGNED_GROWS) known = both_of(r, known, pv_rank_at_most(r, false, before, after));
    pv_rank_assume(r, pv_smt_mk2(r->smt, PV_SMT_IMPLIES, s->guard, known));
  }
}

static void set(struct prover *r, struct state *s, uint32_t var, pv_term t) {
  if (var == PV_NO_VAR) return;
  s->value[var] = pv_rank_is_plain_type(pv_rank_type_of(r, var))
                      ? t ? t : pv_rank_fresh(r, pv_rank_type_of(r, var))
                      : NULL;
}

static void call(struct prover *r, struct state *s, uint32_t edge) {
  uint32_t n;
  const uint32_t *callees = pv_call_graph_callees(r->calls, r->function, edge, &n);
  bool writes = n == 0;
  for (uint32_t i = 0; i < n; i++) writes |= r->writes[callees[i]];
  for (uint32_t i = 0; i < r->cells.n && writes; i++)
    if (r->cells.at[i].is_global) set(r, s, r->f->vars.n + i, NULL);
}

static void input(struct prover *r, struct state *s, const struct pv_edge *e) {
  set(r, s, e->dst, NULL);
  pv_term t = e->dst != PV_NO_VAR ? s->value[e->dst] : NULL;
  if (!t || !pv_rank_is_number(r, e->dst) || e->aux == PV_HAVOC_TEXT) return;
  for (int i = 0; i < 2; i++) {
    if (!e->e[i] || !pv_rank_is_plain(r, e->e[i])) continue;
    pv_term bound = pv_rank_value_of(r, s, e->e[i]);
    bool is_signed = e->aux == PV_HAVOC_SIGNED;
    pv_rank_assume(r, pv_smt_mk2(r->smt, PV_SMT_IMPLIES, s->guard,
                                 i ? pv_rank_at_most(r, is_signed, t, bound)
                                   : pv_rank_at_most(r, is_signed, bound, t)));
  }
}

/* The state behind the edge, from that before it. */
static void pass(struct prover *r, uint32_t edge, struct state *s) {
  const struct pv_edge *e = &r->f->edges.at[edge];
  uint32_t cell =
      e->op == PV_OP_LOAD || e->op == PV_OP_STORE ? pv_rank_cell_at(r, e->e[0]) : PV_NO_VAR;
  pv_term t = NULL;
  switch (e->op) {
  case PV_OP_ASSUME: s->guard = both_of(r, s->guard, pv_rank_condition_of(r, s, e->e[0])); return;
  case PV_OP_ASSIGN: set(r, s, e->dst, pv_rank_value_of(r, s, e->e[0])); return;
  case PV_OP_HAVOC: input(r, s, e); return;
  case PV_OP_LOAD:
    if (cell != PV_NO_VAR) t = s->value[cell];
    set(r, s, e->dst, t);
    return;
  case PV_OP_STORE:
    if (cell != PV_NO_VAR) set(r, s, cell, e->e[2] ? NULL : pv_rank_value_of(r, s, e->e[1]));
    return;
  case PV_OP_LIVE:
  case PV_OP_DEAD:
    for (uint32_t i = 0; i < r->cells.n; i++)
      if (!r->cells.at[i].is_global && r->cells.at[i].index == e->aux)
        set(r, s, r->f->vars.n + i, NULL);
    return;
  case PV_OP_CALL: call(r, s, edge); break;
  default: break;
  }
  set(r, s, e->dst, NULL);
  set(r, s, e->dst2, NULL);
  for (uint32_t i = 0; i < e->dsts.n; i++) set(r, s, pv_arg(r->p, e->dsts, i), NULL);
}

static const struct loop *loop_at(const struct prover *r, pv_loc head) {
  for (uint32_t i = 0; i < r->loops.n; i++)
    if (r->loops.at[i].head == head) return &r->loops.at[i];
  return NULL;
}

void pv_rank_encode_round(struct prover *r, const struct loop *l, struct state *end,
                          comparisons *list) {
  const struct pv_function *f = r->f;
  struct state *at = pv_alloc((f->locs.n + 1) * sizeof *at), s = pv_rank_state_new(r);
  for (pv_loc i = 0; i < f->locs.n; i++)
    if (l->body[i]) at[i] = pv_rank_state_new(r);
  at[l->head].guard = pv_smt_bool(r->smt, true);
  for (uint32_t v = 0; v < r->n; v++) {
    r->head[v] = pv_rank_fresh(r, pv_rank_type_of(r, v));
    at[l->head].value[v] = r->head[v];
    pv_rank_assume_interval(r, l->head, v, at[l->head].guard, r->head[v]);
  }
  for (uint32_t o = r->rank[l->head]; o < r->n_order; o++) {
    pv_loc from = r->order[o];
    if (!l->body[from] || !at[from].guard) continue;
    const struct loop *inner = from == l->head ? NULL : loop_at(r, from);
    if (inner) skip_inner(r, inner, &at[from]);
    for (uint32_t i = f->locs.at[from].first_out;
         i < f->locs.at[from].first_out + f->locs.at[from].n_out; i++) {
      const struct pv_edge *e = &f->edges.at[i];
      if (e->op == PV_OP_ASSUME) pv_rank_note_comparison(r, &at[from], e->e[0], list);
      if (e->op == PV_OP_STOP || e->op == PV_OP_RETURN || !l->body[e->to]) continue;
      if (pv_rank_is_back_edge(r, e) && e->to != l->head) continue;
      state_copy(r, &s, &at[from]);
      pass(r, i, &s);
      merge(r, e->to == l->head && pv_rank_is_back_edge(r, e) ? end : &at[e->to], &s);
    }
  }
  for (pv_loc i = 0; i < f->locs.n; i++) free(at[i].value);
  free(at);
  free(s.value);
}
