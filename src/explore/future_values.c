#include "explore/future_internal.h"

/* Can the expression's value be computed here? Signed divisions and right shifts, which are rare in
 * addresses, are not. */
static bool is_computed(const struct pv_expr_node *n) {
  return n->op != PV_X_SDIV && n->op != PV_X_SREM && n->op != PV_X_ASHR;
}

static struct value add_offset(const struct scope *c, const struct pv_expr_node *n) {
  struct value a = pv_evaluate(c, n->a), b = pv_evaluate(c, n->b);
  if (a.kind == KNOWN && b.kind == KNOWN)
    return pv_known((a.bits + b.bits) & mask(c->f->p->pointer_bits));
  if (a.kind == UNKNOWN || !(n->flags & PV_XF_INBOUNDS)) return (struct value){0};
  if (a.kind == KNOWN) a.kind = WITHIN;
  return a;
}

static struct value choose(const struct scope *c, const struct pv_expr_node *n) {
  struct value condition = pv_evaluate(c, n->a);
  if (condition.kind == KNOWN) return pv_evaluate(c, condition.bits & 1 ? n->b : n->c);
  struct value x = pv_evaluate(c, n->b), y = pv_evaluate(c, n->c);
  return x.kind == y.kind && x.bits == y.bits ? x : (struct value){0};
}

struct value pv_evaluate(const struct scope *c, pv_expr e) {
  const struct pv_expr_node *n = pv_node(c->f->p, e);
  unsigned bits = pv_type_bits(n->type);
  struct value none = {0}, a, b;
  if (bits > 64 || pv_type_kind(n->type) == PV_T_FLOAT) return none;
  switch (n->op) {
  case PV_X_CONST: return pv_known(n->lo);
  case PV_X_VAR: return c->var[n->lo];
  case PV_X_SLOT: return c->slot[n->lo];
  case PV_X_GLOBAL:
    if (c->f->p->globals.at[n->lo].is_thread_local) return (struct value){.kind = OWN};
    return pv_known(pv_vm_global_address(c->f->space->vm, (uint32_t)n->lo));
  case PV_X_FUNC: return pv_known(pv_vm_function_address(c->f->space->vm, (uint32_t)n->lo));
  case PV_X_PTRADD: return add_offset(c, n);
  case PV_X_SELECT: return choose(c, n);
  default: break;
  }
  if (!pv_expr_ops[n->op].arity || pv_expr_ops[n->op].arity > 2) return none;
  a = pv_evaluate(c, n->a);
  if (n->op == PV_X_BITCAST && a.kind != KNOWN) return a;
  b = n->b ? pv_evaluate(c, n->b) : pv_known(0);
  pv_u128 out;
  unsigned from = pv_type_bits(pv_node(c->f->p, n->a)->type);
  if (a.kind != KNOWN || b.kind != KNOWN || from > 64 || !is_computed(n)) return none;
  return pv_compute(n, from, a.bits, b.bits, &out) ? pv_known((uint64_t)out) : none;
}
