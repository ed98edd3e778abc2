/* unwritten.c -- replaces variables that are never written by their initial values.
 *
 * The models of the C library keep the data of rarely used features (exit handlers, values of keys)
 * in variables that stay zero in all other programs. If such a variable is only read, by its name,
 * in the whole program, its reads become constants. So threads need no copies of it, and no
 * analysis follows the code for other values. Variables of the program itself are not changed,
 * because users want to see their reads. */
#include <stdlib.h>

#include "ir/ir.h"

static bool starts_as_zero(const struct pv_global *g) {
  return !g->is_external && !g->init && !g->relocs.n;
}

/* Everything whose address is in the expression may be written. */
static void take(const struct pv_program *p, pv_expr e, bool *only_read) {
  for (; e; e = pv_node(p, e)->a) {
    const struct pv_expr_node *n = pv_node(p, e);
    if (n->op == PV_X_GLOBAL) only_read[n->lo] = false;
    if (pv_expr_ops[n->op].arity == 0) return;
    take(p, n->b, only_read);
    take(p, n->c, only_read);
  }
}

/* The variable from whose beginning the edge reads, or UINT32_MAX. */
static uint32_t read_by(const struct pv_program *p, const struct pv_edge *e) {
  if (e->op != PV_OP_LOAD || (e->order != PV_ORDER_NONE && e->order != PV_ORDER_SEQ_CST))
    return UINT32_MAX;
  const struct pv_expr_node *n = pv_node(p, e->e[0]);
  enum pv_type_kind kind = pv_type_kind(e->type);
  bool plain = kind == PV_T_INT || kind == PV_T_PTR;
  return plain && n->op == PV_X_GLOBAL ? (uint32_t)n->lo : UINT32_MAX;
}

static void take_all(const struct pv_program *p, const struct pv_edge *e, bool *only_read) {
  uint32_t read = read_by(p, e);
  bool fits = read != UINT32_MAX && (pv_type_bits(e->type) + 7) / 8 <= p->globals.at[read].size;
  for (int i = fits; i < 3; i++) take(p, e->e[i], only_read);
  for (uint32_t i = 0; i < e->args.n; i++) take(p, pv_arg(p, e->args, i), only_read);
}

static void fold(struct pv_program *p, struct pv_edge *e, const bool *only_read) {
  uint32_t read = read_by(p, e);
  if (read == UINT32_MAX || !only_read[read]) return;
  struct pv_edge zero = pv_edge_of(PV_OP_ASSIGN, e->from, e->to);
  zero.dst = e->dst;
  zero.e[0] = pv_mk_const(p, e->type, 0);
  zero.span = e->span;
  zero.stmt = e->stmt;
  *e = zero;
}

void pv_program_fold_unwritten(struct pv_program *p) {
  bool *only_read = pv_alloc(p->globals.n + 1);
  for (uint32_t i = 0; i < p->globals.n; i++)
    only_read[i] = p->globals.at[i].is_model && starts_as_zero(&p->globals.at[i]);
  for (uint32_t i = 0; i < p->observers.n; i++) only_read[p->observers.at[i]] = false;
  for (uint32_t i = 0; i < p->globals.n; i++)
    for (uint32_t k = 0; k < p->globals.at[i].relocs.n; k++)
      take(p, p->globals.at[i].relocs.at[k].value, only_read);
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
      take_all(p, &p->functions.at[f].edges.at[i], only_read);
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
      fold(p, &p->functions.at[f].edges.at[i], only_read);
  free(only_read);
}
