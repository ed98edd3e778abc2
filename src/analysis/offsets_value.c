/* offsets_value.c -- the targets that the value of an expression may have. */
#include "analysis/offsets_internal.h"

#include <stdlib.h>

/* ---- values ---------------------------------------------------------------------------------- */
static uint32_t slot_object(const struct pv_offsets *o, uint32_t instance, uint32_t slot) {
  uint32_t n, function = pv_points_to_function_of(o->pt, instance);
  const uint32_t *all = pv_points_to_slot(o->pt, function, slot, &n);
  for (uint32_t i = 0; i < n; i++)
    if (pv_points_to_object(o->pt, all[i])->instance == instance) return all[i];
  return 0;
}

void pv_offsets_put_all(struct pv_offsets *o, const pv_targets *from, struct pv_offset_shift shift,
                        pv_targets *out) {
  for (uint32_t i = 0; i < from->n && pv_offsets_step(o); i++)
    pv_targets_add(out, pv_target_moved(from->at[i], shift.by, shift.stride));
}

bool pv_offsets_constant(const struct pv_offsets *o, pv_expr e, int64_t *value) {
  const struct pv_expr_node *n = pv_node(o->p, e);
  *value = pv_sign_extend(n->lo, pv_type_bits(n->type));
  return n->op == PV_X_CONST && pv_type_bits(n->type) <= 64;
}

static bool is_test(unsigned op) {
  return (op >= PV_X_EQ && op <= PV_X_FCMP) || op == PV_X_OVERFLOWS;
}

static uint32_t definition_of(struct pv_offsets *o, uint32_t function, uint32_t var) {
  uint32_t **known = &o->definitions[function];
  if (!*known) *known = pv_definitions_new(o->p, &o->p->functions.at[function]);
  return (*known)[var];
}

bool pv_offsets_is_fixed(struct pv_offsets *o, uint32_t function, uint32_t var) {
  return definition_of(o, function, var) != PV_DEFINED_OFTEN;
}

const struct pv_edge *pv_offsets_load_of(struct pv_offsets *o, pv_expr e) {
  const struct pv_expr_node *n = pv_node(o->p, e);
  if (n->op != PV_X_VAR) return NULL;
  uint32_t function = pv_points_to_function_of(o->pt, o->at);
  uint32_t edge = definition_of(o, function, (uint32_t)n->lo);
  if (edge == PV_DEFINED_OFTEN || edge == PV_DEFINED_BY_CALL) return NULL;
  const struct pv_edge *load = &o->p->functions.at[function].edges.at[edge];
  bool is_load = load->op == PV_OP_LOAD && pv_type_bytes(load->type) == o->pointer_bytes;
  return is_load ? load : NULL;
}

/* The number that a constant global holds at the target, if it is known. *none: what is there is no
 * distance: an address, whose sum with another one is in no object; or it is outside. */
static bool constant_at(const struct pv_offsets *o, struct pv_target t, int64_t *value,
                        bool *none) {
  *none = false;
  if (!t.object || t.object > o->p->globals.n || t.stride) return false;
  const struct pv_global *g = &o->p->globals.at[t.object - 1];
  uint64_t at = (uint64_t)t.offset, width = o->pointer_bytes, number = 0;
  *none = width > g->size || at > g->size - width;
  if (!g->is_const || g->is_external || *none) return false;
  for (uint32_t i = 0; i < g->relocs.n; i++) {
    const struct pv_reloc *r = &g->relocs.at[i];
    if (r->offset == at) return !(*none = !pv_offsets_constant(o, r->value, value));
    if (r->offset < at + width && at < r->offset + width) return false;
  }
  for (uint32_t i = 0; g->init && i < width; i++) number |= (uint64_t)g->init[at + i] << 8 * i;
  *value = width == 8 ? (int64_t)number : (int32_t)number;
  return true;
}

/* base + n, where n was loaded from constants: the place of a virtual base class is in a table. */
static bool collect_table(struct pv_offsets *o, const struct pv_expr_node *sum,
                          struct pv_offset_shift shift, pv_targets *out) {
  const struct pv_edge *e = shift.stride ? NULL : pv_offsets_load_of(o, sum->b);
  if (!e) return false;
  pv_targets from = {0};
  int64_t number;
  pv_offsets_collect(o, e->e[0], pv_no_shift, &from);
  bool known = from.n > 0, none;
  for (uint32_t i = 0; i < from.n; i++) known &= constant_at(o, from.at[i], &number, &none) || none;
  for (uint32_t i = 0; known && i < from.n; i++)
    if (constant_at(o, from.at[i], &number, &none) &&
        !__builtin_add_overflow(shift.by, number, &number))
      pv_offsets_collect(o, sum->a, (struct pv_offset_shift){number, 0}, out);
  pv_vec_free(&from);
  return known;
}

/* A number, not 0, that divides the expression's value. */
static uint32_t stride_of(const struct pv_offsets *o, pv_expr e) {
  const struct pv_expr_node *n = pv_node(o->p, e);
  int64_t value;
  switch (n->op) {
  case PV_X_CONST:
    if (!pv_offsets_constant(o, e, &value) || !value || value < -INT32_MAX || value > INT32_MAX)
      return 1;
    return (uint32_t)(value < 0 ? -value : value);
  case PV_X_MUL:
    if (pv_node(o->p, n->b)->op == PV_X_CONST) return stride_of(o, n->b);
    return pv_node(o->p, n->a)->op == PV_X_CONST ? stride_of(o, n->a) : 1;
  case PV_X_SHL:
    if (!pv_offsets_constant(o, n->b, &value)) return 1;
    return value >= 0 && value < 31 && value < pv_type_bits(n->type) ? UINT32_C(1) << value : 1;
  case PV_X_ADD:
  case PV_X_SUB: return (uint32_t)pv_gcd(stride_of(o, n->a), stride_of(o, n->b));
  default: return 1;
  }
}

void pv_offsets_collect(struct pv_offsets *o, pv_expr e, struct pv_offset_shift shift,
                        pv_targets *out) {
  if (!e || !pv_offsets_step(o)) return;
  const struct pv_expr_node *n = pv_node(o->p, e);
  uint32_t first_function = 1 + o->p->globals.n, slot;
  int64_t by;
  if (is_test(n->op)) return;
  switch (n->op) {
  case PV_X_VAR: pv_offsets_put_all(o, &o->nodes.at[o->vars[o->at] + n->lo], shift, out); return;
  case PV_X_GLOBAL:
    pv_targets_add(out, pv_target_at(1 + (uint32_t)n->lo, shift.by, shift.stride));
    return;
  case PV_X_FUNC: pv_targets_add(out, pv_target_at(first_function + (uint32_t)n->lo, 0, 0)); return;
  case PV_X_SLOT:
    slot = slot_object(o, o->at, (uint32_t)n->lo);
    if (slot) pv_targets_add(out, pv_target_at(slot, shift.by, shift.stride));
    return;
  case PV_X_ADD:
  case PV_X_PTRADD:
    if (pv_offsets_constant(o, n->b, &by) && !__builtin_add_overflow(shift.by, by, &by)) {
      pv_offsets_collect(o, n->a, (struct pv_offset_shift){by, shift.stride}, out);
      return;
    }
    if (n->op != PV_X_PTRADD) break;
    if (collect_table(o, n, shift, out)) return;
    pv_offsets_collect(
        o, n->a,
        (struct pv_offset_shift){shift.by, (uint32_t)pv_gcd(shift.stride, stride_of(o, n->b))},
        out);
    pv_offsets_collect(o, n->b, pv_any_shift, out);
    return;
  case PV_X_SELECT:
    pv_offsets_collect(o, n->b, shift, out);
    pv_offsets_collect(o, n->c, shift, out);
    return;
  case PV_X_BITCAST:
    if (pv_type_bits(n->type) != pv_type_bits(pv_node(o->p, n->a)->type)) break;
    pv_offsets_collect(o, n->a, shift, out);
    return;
  default: break;
  }
  unsigned arity = pv_expr_ops[n->op].arity;
  if (arity > 0) pv_offsets_collect(o, n->a, pv_any_shift, out);
  if (arity > 1) pv_offsets_collect(o, n->b, pv_any_shift, out);
  if (arity > 2) pv_offsets_collect(o, n->c, pv_any_shift, out);
}

pv_targets pv_offsets_value(struct pv_offsets *o, pv_expr e) {
  pv_targets v = {0};
  pv_offsets_collect(o, e, pv_no_shift, &v);
  return v;
}
