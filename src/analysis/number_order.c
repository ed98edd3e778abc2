/* number_order.c -- which numbers that are compared may be addresses (points_to.h). */
#include "analysis/points_to.h"

#include <stdlib.h>
#include <string.h>

struct marking {
  struct pv_program *p;
  struct pv_points_to *pt;
  uint32_t function, words;
  uint32_t *seen; /* by expression: 1 + the function in which it was looked at */
  uint64_t *sets; /* of the two operands */
};

static bool is_order(const struct pv_program *p, const struct pv_expr_node *n) {
  if (n->op != PV_X_ULT && n->op != PV_X_ULE && n->op != PV_X_SLT && n->op != PV_X_SLE)
    return false;
  const struct pv_expr_node *a = pv_node(p, n->a), *b = pv_node(p, n->b);
  return a->type == PV_INT(p->pointer_bits) && a->op != PV_X_CONST && b->op != PV_X_CONST &&
         !(n->flags & PV_XF_PTRCMP);
}

/* Are pointers converted to numbers, and numbers of their width compared by order? */
static bool has_candidates(const struct pv_program *p) {
  bool casts = p->reads_addresses, orders = false;
  for (uint32_t i = 1; i < p->exprs.n; i++) {
    const struct pv_expr_node *n = &p->exprs.at[i];
    casts |= n->op == PV_X_BITCAST && !(n->flags & PV_XF_MEASURED) &&
             pv_type_kind(n->type) == PV_T_INT && pv_type_kind(pv_node(p, n->a)->type) == PV_T_PTR;
    orders |= is_order(p, n);
  }
  return casts && orders;
}

/* The expression without operations that leave an address one. Differences, remainders and hashes
 * of addresses are none. */
static pv_expr root_of(const struct pv_program *p, pv_expr e) {
  for (;;) {
    const struct pv_expr_node *n = pv_node(p, e);
    bool by_constant = n->b && pv_node(p, n->b)->op == PV_X_CONST;
    if (n->op == PV_X_PTRADD || n->op == PV_X_BITCAST ||
        (by_constant &&
         (n->op == PV_X_ADD || n->op == PV_X_SUB || n->op == PV_X_AND || n->op == PV_X_OR)))
      e = n->a;
    else
      return e;
  }
}

/* Adds the objects whose address it may be. false: it is no address, or may be any number. */
static bool may_be_address(struct marking *m, pv_expr e, uint64_t *set) {
  const struct pv_expr_node *n = pv_node(m->p, root_of(m->p, e));
  bool leaf = n->op == PV_X_VAR || n->op == PV_X_GLOBAL || n->op == PV_X_SLOT || n->op == PV_X_FUNC;
  memset(set, 0, m->words * sizeof *set);
  if (!leaf || pv_points_to_address(m->pt, m->function, e, set)) return false;
  for (uint32_t i = 0; i < m->words; i++)
    if (set[i]) return true;
  return false;
}

/* Is there more than one object in the sets? A place that allocates makes many. */
static bool are_several(const struct marking *m) {
  unsigned n = 0;
  for (uint32_t i = 0; i < m->words; i++)
    for (uint64_t rest = m->sets[i] | m->sets[m->words + i]; rest; rest &= rest - 1) {
      uint32_t object = 64 * i + (uint32_t)__builtin_ctzll(rest);
      enum pv_pt_kind kind = pv_points_to_object(m->pt, object)->kind;
      n += kind == PV_PT_GLOBAL || kind == PV_PT_FUNCTION ? 1 : 2;
    }
  return n > 1;
}

static void look_at(struct marking *m, pv_expr e) {
  if (!e || m->seen[e] == m->function + 1) return;
  m->seen[e] = m->function + 1;
  const struct pv_expr_node n = *pv_node(m->p, e);
  look_at(m, n.a);
  look_at(m, n.b);
  look_at(m, n.c);
  if (is_order(m->p, &n) && may_be_address(m, n.a, m->sets) &&
      may_be_address(m, n.b, m->sets + m->words) && are_several(m))
    m->p->exprs.at[e].flags |= PV_XF_PTRCMP;
}

void pv_points_to_mark_orders(struct pv_program *p) {
  if (!has_candidates(p)) return;
  struct marking m = {.p = p, .pt = pv_points_to_new(p, NULL)};
  m.words = pv_points_to_words(m.pt);
  m.seen = pv_alloc(p->exprs.n * sizeof *m.seen);
  m.sets = pv_alloc((2 * m.words + 1) * sizeof *m.sets);
  for (uint32_t f = 0; f < p->functions.n && pv_points_to_complete(m.pt); f++) {
    const struct pv_function *g = &p->functions.at[f];
    const uint32_t *instances;
    m.function = f;
    if (g->is_model || !pv_points_to_instances(m.pt, f, &instances)) continue;
    for (uint32_t i = 0; i < g->edges.n; i++) {
      const struct pv_edge *e = &g->edges.at[i];
      for (int k = 0; k < 3; k++) look_at(&m, e->e[k]);
      for (uint32_t k = 0; k < e->args.n; k++) look_at(&m, pv_arg(p, e->args, k));
    }
  }
  free(m.seen);
  free(m.sets);
  pv_points_to_free(m.pt);
}
