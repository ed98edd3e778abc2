#include "explore/future_internal.h"

static int64_t extend(uint64_t v, unsigned bits) {
  return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

/* Of two known operands; false if it is not computed here. */
static bool compute(const struct pv_expr_node *n, uint64_t a, uint64_t b, unsigned from,
                    uint64_t *out) {
  switch (n->op) {
  case PV_X_ADD: *out = a + b; return true;
  case PV_X_SUB: *out = a - b; return true;
  case PV_X_MUL: *out = a * b; return true;
  case PV_X_UDIV: *out = b ? a / b : 0; return b;
  case PV_X_UREM: *out = b ? a % b : 0; return b;
  case PV_X_SHL: *out = b < 64 ? a << b : 0; return b < from;
  case PV_X_LSHR: *out = b < 64 ? a >> b : 0; return b < from;
  case PV_X_AND: *out = a & b; return true;
  case PV_X_OR: *out = a | b; return true;
  case PV_X_XOR: *out = a ^ b; return true;
  case PV_X_EQ: *out = a == b; return true;
  case PV_X_NE: *out = a != b; return true;
  case PV_X_ULT: *out = a < b; return true;
  case PV_X_ULE: *out = a <= b; return true;
  case PV_X_SLT: *out = extend(a, from) < extend(b, from); return true;
  case PV_X_SLE: *out = extend(a, from) <= extend(b, from); return true;
  case PV_X_ZEXT:
  case PV_X_TRUNC:
  case PV_X_BITCAST: *out = a; return true;
  case PV_X_SEXT: *out = (uint64_t)extend(a, from); return true;
  default: return false;
  }
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
  uint64_t out;
  unsigned from = pv_type_bits(pv_node(c->f->p, n->a)->type);
  if (a.kind != KNOWN || b.kind != KNOWN || from > 64) return none;
  return compute(n, a.bits, b.bits, from, &out) ? pv_known(out & mask(bits)) : none;
}
