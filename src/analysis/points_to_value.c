/* points_to_value.c -- finds the sources of the parts of an expression's value: variables and
 * addresses. */
#include "analysis/points_to_internal.h"

/* May the number be an address? Marks of programs and the C library (NULL, -1, small codes) are
 * not. */
static bool may_be_address(const struct pv_points_to *pt, uint64_t value) {
  enum { SMALL = 4096 };
  unsigned bits = pt->p->pointer_bits;
  uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
  return (value & mask) >= SMALL && (-value & mask) > SMALL;
}

static bool is_pointer(const struct pv_points_to *pt, pv_expr e) {
  return pv_type_kind(pv_node(pt->p, e)->type) == PV_T_PTR;
}

static void collect(const struct pv_pts_collector *c, pv_expr e, enum pv_pts_part part, bool plain);

static void all_parts(const struct pv_pts_collector *c, pv_expr e, bool plain) {
  for (unsigned part = 0; part < PTS_PARTS; part++) collect(c, e, (enum pv_pts_part)part, plain);
}

/* An operand whose value becomes part of a value of another kind, for instance in casts. */
static void operand(const struct pv_pts_collector *c, pv_expr e, bool to_pointer,
                    enum pv_pts_part part, bool plain) {
  if (!e) return;
  bool pointer = is_pointer(c->pt, e);
  if (pointer == to_pointer)
    collect(c, e, part, plain);
  else if (to_pointer)
    all_parts(c, e, plain);
  else if (part == PTS_DERIVED)
    collect(c, e, PTS_TARGETS, plain);
}

static void leaf(const struct pv_pts_collector *c, const struct pv_expr_node *n,
                 enum pv_pts_part part, bool plain) {
  bool pointer = pv_type_kind(n->type) == PV_T_PTR;
  switch (n->op) {
  case PV_X_CONST: /* in arithmetic, a number is an offset or a mask */
    if (plain && may_be_address(c->pt, n->lo) && part == (pointer ? PTS_TARGETS : PTS_FORGED) &&
        pv_type_bits(n->type) >= c->pt->p->pointer_bits)
      c->visit(c->user, 0, true);
    break;
  case PV_X_UNDEF:
    if (part == (pointer ? PTS_TARGETS : PTS_FORGED)) c->visit(c->user, 0, true);
    break;
  case PV_X_VAR:
    c->visit(c->user, c->instance->vars + PTS_PARTS * (uint32_t)n->lo + part, false);
    break;
  case PV_X_GLOBAL: c->visit(c->user, 1 + (uint32_t)n->lo, true); break;
  case PV_X_FUNC: c->visit(c->user, 1 + c->pt->p->globals.n + (uint32_t)n->lo, true); break;
  case PV_X_SLOT: c->visit(c->user, pv_pts_slot_object(c->pt, c->at, (uint32_t)n->lo), true); break;
  default: break; /* LABEL: no object */
  }
}

/* pointer + offset: the offset may be the difference of addresses of two objects. */
static void offset_pointer(const struct pv_pts_collector *c, const struct pv_expr_node *n) {
  const struct pv_expr_node *base = pv_node(c->pt->p, n->a);
  collect(c, n->a, PTS_TARGETS, true);
  if (base->op == PV_X_CONST)
    all_parts(c, n->b, true); /* an integer that may contain an address */
  else
    collect(c, n->b, PTS_DERIVED, false);
}

static bool is_test(unsigned op) {
  return (op >= PV_X_EQ && op <= PV_X_FCMP) || op == PV_X_OVERFLOWS;
}

static bool keeps_value(unsigned op) {
  return op == PV_X_ZEXT || op == PV_X_SEXT || op == PV_X_TRUNC || op == PV_X_BITCAST;
}

static void collect(const struct pv_pts_collector *c, pv_expr e, enum pv_pts_part part,
                    bool plain) {
  struct pv_points_to *pt = c->pt;
  const struct pv_expr_node *n = pv_node(pt->p, e);
  bool pointer = pv_type_kind(n->type) == PV_T_PTR;
  if (is_test(n->op) || (pointer && part != PTS_TARGETS)) return;
  uint32_t *stamp = &pt->stamps[(size_t)e * PTS_PARTS + part];
  if (pv_expr_ops[n->op].arity == 0) {
    leaf(c, n, part, plain);
    return;
  }
  if (*stamp == pt->stamp) return; /* a shared subexpression that was processed already */
  *stamp = pt->stamp;
  pt->steps++;
  if (n->op == PV_X_PTRADD) {
    offset_pointer(c, n);
  } else if (n->op == PV_X_SELECT) {
    operand(c, n->b, pointer, part, plain);
    operand(c, n->c, pointer, part, plain);
  } else {
    plain &= keeps_value(n->op);
    operand(c, n->a, pointer, part, plain);
    operand(c, n->b, pointer, part, plain);
    operand(c, n->c, pointer, part, plain);
  }
}

void pv_pts_collect(const struct pv_pts_collector *c, pv_expr e, enum pv_pts_part part) {
  if (!e) return;
  c->pt->stamp++;
  collect(c, e, part, true);
}
