/* abstract_facts.c -- what is known of variables at a location. */
#include "abstraction/abstract_internal.h"

#include <stdlib.h>
#include <string.h>

bool pv_abs_mentions_abstracted(const struct abstractor *x, pv_expr e) {
  if (!e) return false;
  const struct pv_expr_node *n = pv_node(x->p, e);
  if (n->op == PV_X_VAR) return n->lo < x->old_vars && x->abstract[n->lo];
  return pv_abs_mentions_abstracted(x, n->a) || pv_abs_mentions_abstracted(x, n->b) ||
         pv_abs_mentions_abstracted(x, n->c);
}

bool pv_abs_may_change(struct abstractor *x, uint32_t def, pv_loc at, uint64_t cells) {
  const struct pv_edge *edges = x->old.at;
  uint32_t n = x->old.n, locs = x->f->locs.n;
  uint8_t *first = pv_alloc(locs), *second = pv_alloc(locs);
  bool may_change = false;
  pv_abs_reach(edges, n, edges[def].to, def, first);
  /* Another thread comes in between where this one is not in an atomic section. */
  if (cells & x->foreign) may_change = !x->depth[at] || !x->depth[edges[def].to];
  for (uint32_t i = 0; i < n && !may_change; i++) {
    if (i == def || !first[edges[i].from]) continue;
    bool writes = pv_abs_written_by(x, x->function, i, &edges[i]) & cells;
    bool open = (cells & x->foreign) && (!x->depth[edges[i].from] || !x->depth[edges[i].to]);
    if (!writes && !open) continue;
    memset(second, 0, locs);
    pv_abs_reach(edges, n, edges[i].to, def, second);
    may_change = second[at];
  }
  free(first);
  free(second);
  return may_change;
}

/* Is there a path from a definition of the variable to the location that does not pass edge `def`
 * after it? */
static bool is_stale(const struct abstractor *x, uint32_t var, uint32_t def, pv_loc at) {
  for (uint32_t i = 0; i < x->old.n; i++) {
    const struct pv_edge *e = &x->old.at[i];
    bool defines = e->dst == var || e->dst2 == var;
    if (e->op == PV_OP_CALL)
      for (uint32_t k = 0; k < e->dsts.n; k++) defines |= pv_arg(x->p, e->dsts, k) == var;
    if (!defines) continue;
    uint8_t *seen = pv_alloc(x->f->locs.n);
    pv_abs_reach(x->old.at, x->old.n, e->to, def, seen);
    bool is_stale = seen[at];
    free(seen);
    if (is_stale) return true;
  }
  return false;
}

static bool is_any_stale(const struct abstractor *x, pv_expr e, uint32_t def, pv_loc at) {
  if (!e) return false;
  const struct pv_expr_node *n = pv_node(x->p, e);
  if (n->op == PV_X_VAR) return is_stale(x, (uint32_t)n->lo, def, at);
  return is_any_stale(x, n->a, def, at) || is_any_stale(x, n->b, def, at) ||
         is_any_stale(x, n->c, def, at);
}

pv_term pv_abs_value_of(struct abstractor *x, uint32_t var) {
  struct pv_expr_node n = {.op = PV_X_VAR, .type = x->f->vars.at[var].type, .lo = var};
  return pv_abs_encode_leaf(x, &n);
}

bool pv_abs_dominates(const struct abstractor *x, uint32_t edge, pv_loc at) {
  uint8_t *seen = pv_alloc(x->f->locs.n);
  pv_abs_reach(x->old.at, x->old.n, x->f->entry, edge, seen);
  bool dominates = !seen[at];
  free(seen);
  return dominates;
}

pv_term pv_abs_facts_at(struct abstractor *x, pv_loc at) {
  pv_term all = pv_smt_bool(x->smt, true);
  for (uint32_t v = 0; v < x->old_vars; v++) {
    pv_type type = x->f->vars.at[v].type;
    if (pv_type_kind(type) != PV_T_INT || type == PV_INT(1)) continue;
    bool is_signed = pv_encode_is_signed(&x->encoder, x->f, v);
    all = mk2(x, PV_SMT_AND, all, pv_abs_range_of(x, type, is_signed, pv_abs_value_of(x, v)));
    if (!x->abstract[v] || x->defs[v] != 1) continue;
    const struct pv_edge *e = &x->old.at[x->def[v]];
    pv_term is = NULL;
    if (e->op == PV_OP_LOAD) {
      uint32_t c = pv_abs_cell_at(x, e->e[0], e->type);
      if (c != NO_CELL && !pv_abs_may_change(x, x->def[v], at, UINT64_C(1) << c))
        is = pv_encode_convert(&x->encoder, type, x->cells.at[c].term, true, is_signed);
    } else if (e->op == PV_OP_ASSIGN && !is_any_stale(x, e->e[0], x->def[v], at)) {
      is = pv_encode(&x->encoder, e->e[0], is_signed);
      all = mk2(x, PV_SMT_AND, all, pv_abs_take_assumptions(x, e->span));
    }
    if (is) all = mk2(x, PV_SMT_AND, all, mk2(x, PV_SMT_EQ, pv_abs_value_of(x, v), is));
  }
  for (uint32_t i = 0; i < x->cells.n; i++)
    all =
        mk2(x, PV_SMT_AND, all, pv_abs_range_of(x, x->cells.at[i].type, true, x->cells.at[i].term));
  return all;
}
