/* symbolic_unset.c -- indeterminate values. Each value has a second one: which of its bits are not
 * set. It is propagated by the rules of the machine (vm/taint.c): to copy what is unset is no
 * error, to let it decide something is an error of def-behavior. As in the machine, unset bits are
 * zeros.
 *
 * With bit-vectors the second value is a mask of bits, 1: unset, and the rules are the machine's.
 * With linear terms it is a truth value for all bits of the value together: is one of them unset?
 * That is an over-approximation; an error found through it is replayed like all others. NULL stands
 * for a value that is set. Only variables and places that may hold unset values (unset.h) have such
 * cells. */
#include "cpa/symbolic_internal.h"

#include <stdlib.h>

bool pv_sym_follows(const struct pv_symbolic *s) {
  return s->unset != NULL;
}

static bool has_bits(const struct pv_symbolic *s, pv_type type) {
  return s->options.encoding == PV_ENCODE_BITVECTOR && type != PV_INT(1);
}

struct pv_sort pv_sym_unset_sort(const struct pv_symbolic *s, pv_type type) {
  if (!has_bits(s, type)) return (struct pv_sort){.kind = PV_SORT_BOOL};
  return (struct pv_sort){.kind = PV_SORT_BV, .bits = (uint8_t)pv_type_bits(type)};
}

pv_term pv_sym_all_unset(struct pv_symbolic *s, pv_type type, bool unset) {
  return pv_smt_number(s->smt, pv_sym_unset_sort(s, type), unset ? UINT64_MAX : 0,
                       unset ? UINT64_MAX : 0);
}

/* NULL if the term is constant and says that all is set. */
static pv_term unless_set(struct pv_symbolic *s, pv_term unset) {
  struct pv_smt_shape shape;
  if (!unset || pv_smt_is_false(s->smt, unset)) return NULL;
  if (pv_smt_is_number(s->smt, unset) && pv_smt_shape(s->smt, unset, &shape) &&
      shape.kind == PV_SHAPE_NUMBER && !shape.lo && !shape.hi)
    return NULL;
  return unset;
}

pv_term pv_sym_any_unset(struct pv_symbolic *s, pv_term unset) {
  if (!unless_set(s, unset)) return pv_smt_bool(s->smt, false);
  struct pv_sort sort = pv_smt_sort(s->smt, unset);
  if (sort.kind == PV_SORT_BOOL) return unset;
  return pv_sym_not(s, pv_sym_eq(s, unset, pv_smt_number(s->smt, sort, 0, 0)));
}

void pv_sym_used(struct pv_symbolic *s, pv_term unset, const char *how) {
  if (!unless_set(s, unset)) return;
  pv_sym_fault(s, PV_PROP_DEF_BEHAVIOR, pv_sym_any_unset(s, unset),
               "use of an indeterminate value %s", how);
}

/* ---- cells ----------------------------------------------------------------------------------- */

static uint32_t cell_of_variable(struct pv_symbolic *s, uint32_t frame, uint32_t var) {
  const struct pv_frame *f = pv_control_frame(s->control, frame);
  if (!s->unset || !pv_unset_variable(s->unset, f->function, var)) return UINT32_MAX;
  return pv_sym_cell(s, PV_CELL_UNSET_VARIABLE, f->function, var, f->instance);
}

void pv_sym_mark(struct pv_symbolic *s, uint32_t frame, uint32_t var, pv_term unset) {
  uint32_t cell = cell_of_variable(s, frame, var);
  if (cell == UINT32_MAX) return;
  pv_type type = pv_control_function(s->control, frame)->vars.at[var].type;
  pv_sym_set(s, cell, unset ? unset : pv_sym_all_unset(s, type, false));
}

/* ---- expressions ----------------------------------------------------------------------------- */

struct walk {
  struct pv_symbolic *s;
  struct pv_map seen; /* struct seen_key -> place in `kept` */
  pv_terms kept;
};
struct seen_key {
  pv_term guard;
  uint64_t expr;
};

static pv_term unset_of(struct walk *w, pv_expr e, pv_term guard);

/* The operand's value. Its events are not reported: it is evaluated once more. */
static pv_term value_of(struct pv_symbolic *s, pv_expr e) {
  uint32_t events = s->encoder.events.n, side = s->encoder.side.n, fresh = s->encoder.fresh.n;
  pv_term t = pv_encode(&s->encoder, e, false);
  s->encoder.events.n = events;
  s->encoder.side.n = side;
  s->encoder.fresh.n = fresh;
  return t;
}

static void used_if(struct walk *w, pv_term guard, pv_term unset, const char *how) {
  struct pv_symbolic *s = w->s;
  if (!unset) return;
  pv_sym_fault(s, PV_PROP_DEF_BEHAVIOR, pv_sym_and(s, guard, pv_sym_any_unset(s, unset)),
               "use of an indeterminate value %s", how);
}

static pv_term op1(struct pv_symbolic *s, enum pv_smt_op op, pv_term a) {
  return pv_smt_mk1(s->smt, op, a);
}
static pv_term op2(struct pv_symbolic *s, enum pv_smt_op op, pv_term a, pv_term b) {
  return pv_smt_mk2(s->smt, op, a, b);
}
static pv_term zero(struct pv_symbolic *s, pv_type type) {
  return pv_sym_all_unset(s, type, false);
}

/* All bits of the result, if any of the operand's. */
static pv_term all_if(struct pv_symbolic *s, pv_type type, pv_term any) {
  if (!has_bits(s, type)) return any;
  return pv_sym_ite(s, any, pv_sym_all_unset(s, type, true), zero(s, type));
}

static pv_term conversion(struct pv_symbolic *s, const struct pv_expr_node *n, pv_type from,
                          pv_term a) {
  unsigned bits = pv_type_bits(n->type);
  if (!has_bits(s, n->type)) {
    if (!has_bits(s, from)) return a;
    return pv_sym_eq(s, pv_smt_extract(s->smt, 0, 0, a),
                     pv_smt_number(s->smt, (struct pv_sort){.kind = PV_SORT_BV, .bits = 1}, 1, 0));
  }
  if (!has_bits(s, from)) {
    pv_term one = n->op == PV_X_SEXT ? pv_sym_all_unset(s, n->type, true)
                                     : pv_smt_number(s->smt, pv_sym_unset_sort(s, n->type), 1, 0);
    return pv_sym_ite(s, a, one, zero(s, n->type));
  }
  if (n->op == PV_X_TRUNC) return pv_smt_extract(s->smt, bits - 1, 0, a);
  return pv_smt_extend(s->smt, n->op == PV_X_SEXT, bits, a);
}

/* AND, OR, XOR, EQ and NE depend on the operands' values. */
static pv_term bitwise(struct walk *w, const struct pv_expr_node *n, pv_type type, pv_term ta,
                       pv_term tb) {
  struct pv_symbolic *s = w->s;
  pv_term any = op2(s, PV_SMT_BVOR, ta, tb);
  if (n->op == PV_X_XOR) return any;
  pv_term a = value_of(s, n->a), b = value_of(s, n->b);
  if (n->op == PV_X_EQ || n->op == PV_X_NE) {
    pv_term differ = op2(s, PV_SMT_BVAND, op2(s, PV_SMT_BVXOR, a, b), op1(s, PV_SMT_BVNOT, any));
    return pv_sym_and(s, pv_sym_any_unset(s, any), pv_sym_eq(s, differ, zero(s, type)));
  }
  if (n->op == PV_X_OR) a = op1(s, PV_SMT_BVNOT, a), b = op1(s, PV_SMT_BVNOT, b);
  return op2(s, PV_SMT_BVAND, any,
             op2(s, PV_SMT_BVAND, op2(s, PV_SMT_BVOR, ta, a), op2(s, PV_SMT_BVOR, tb, b)));
}

static pv_term shifted(struct walk *w, const struct pv_expr_node *n, pv_term ta, pv_term tb) {
  struct pv_symbolic *s = w->s;
  enum pv_smt_op op = n->op == PV_X_SHL    ? PV_SMT_BVSHL
                      : n->op == PV_X_LSHR ? PV_SMT_BVLSHR
                                           : PV_SMT_BVASHR;
  pv_term r = op2(s, op, ta, value_of(s, n->b));
  return pv_sym_ite(s, pv_sym_any_unset(s, tb), pv_sym_all_unset(s, n->type, true), r);
}

/* The operation's result; some operand may be unset. */
static pv_term result(struct walk *w, const struct pv_expr_node *n, pv_term ta, pv_term tb,
                      pv_term tc) {
  struct pv_symbolic *s = w->s;
  pv_type from = pv_node(s->program, n->a)->type;
  pv_term any = pv_sym_or(s, pv_sym_any_unset(s, ta), pv_sym_any_unset(s, tb));
  any = pv_sym_or(s, any, pv_sym_any_unset(s, tc));
  if (s->options.encoding == PV_ENCODE_LINEAR) return any;
  pv_term a = ta ? ta : zero(s, from), b = tb;
  bool same = n->b && pv_node(s->program, n->b)->type == from;
  if (!b && same) b = zero(s, from);
  switch (n->op) {
  case PV_X_ADD:
  case PV_X_SUB:
  case PV_X_MUL:
  case PV_X_PTRADD: { /* a bit depends on all lower ones */
    if (!has_bits(s, n->type)) return any;
    pv_term both = a;
    if (tb && !same) return all_if(s, n->type, any);
    if (tb) both = op2(s, PV_SMT_BVOR, a, tb);
    return op2(s, PV_SMT_BVOR, both, op1(s, PV_SMT_BVNEG, both));
  }
  case PV_X_SHL:
  case PV_X_LSHR:
  case PV_X_ASHR: return has_bits(s, n->type) ? shifted(w, n, a, b) : any;
  case PV_X_AND:
  case PV_X_OR:
  case PV_X_XOR: return has_bits(s, from) ? bitwise(w, n, from, a, b) : any;
  case PV_X_EQ:
  case PV_X_NE:
    return has_bits(s, from) && pv_type_kind(from) != PV_T_FLOAT ? bitwise(w, n, from, a, b) : any;
  case PV_X_ZEXT:
  case PV_X_SEXT:
  case PV_X_TRUNC:
  case PV_X_BITCAST: return conversion(s, n, from, a);
  default: return all_if(s, n->type, any);
  }
}

static pv_term walk(struct walk *w, pv_expr e, pv_term guard) {
  struct pv_symbolic *s = w->s;
  const struct pv_expr_node n = *pv_node(s->program, e);
  if (n.op == PV_X_VAR) {
    uint32_t cell = cell_of_variable(s, s->frame, (uint32_t)n.lo);
    return cell == UINT32_MAX ? NULL : unless_set(s, pv_sym_get(s, cell));
  }
  if (pv_expr_ops[n.op].arity == 0) return NULL;
  pv_term ta = unset_of(w, n.a, guard);
  if (n.op == PV_X_SELECT) {
    pv_term c = pv_smt_bool(s->smt, true);
    used_if(w, guard, ta, "in a condition");
    c = value_of(s, n.a);
    pv_term tb = unset_of(w, n.b, pv_sym_and(s, guard, c));
    pv_term tc = unset_of(w, n.c, pv_sym_and(s, guard, pv_sym_not(s, c)));
    if (!tb && !tc) return NULL;
    return unless_set(s, pv_sym_ite(s, c, tb ? tb : zero(s, n.type), tc ? tc : zero(s, n.type)));
  }
  pv_term tb = n.b ? unset_of(w, n.b, guard) : NULL, tc = n.c ? unset_of(w, n.c, guard) : NULL;
  if (n.op == PV_X_SDIV || n.op == PV_X_UDIV || n.op == PV_X_SREM || n.op == PV_X_UREM)
    used_if(w, guard, tb, "as a divisor");
  if (n.op == PV_X_FPTOSI || n.op == PV_X_FPTOUI) used_if(w, guard, ta, "in a conversion");
  if (!ta && !tb && !tc) return NULL;
  return unless_set(s, result(w, &n, ta, tb, tc));
}

static pv_term unset_of(struct walk *w, pv_expr e, pv_term guard) {
  struct pv_symbolic *s = w->s;
  uint32_t function = pv_control_frame(s->control, s->frame)->function;
  if (!pv_unset_expression(s->unset, function, e)) return NULL;
  struct seen_key key = {guard, e};
  bool is_new;
  uint32_t at = *pv_map_put(&w->seen, &key, sizeof key, w->kept.n, &is_new);
  if (!is_new) return w->kept.at[at];
  pv_vec_push(&w->kept, NULL);
  pv_term t = walk(w, e, guard);
  w->kept.at[at] = t;
  return t;
}

pv_term pv_sym_unset(struct pv_symbolic *s, pv_expr e) {
  uint32_t function = pv_control_frame(s->control, s->frame)->function;
  if (!s->unset || !e || !pv_unset_expression(s->unset, function, e)) return NULL;
  struct walk w = {.s = s};
  pv_encoder_forget(&s->encoder);
  pv_term t = unset_of(&w, e, pv_smt_bool(s->smt, true));
  pv_map_free(&w.seen);
  pv_vec_free(&w.kept);
  return t;
}

/* ---- edges ----------------------------------------------------------------------------------- */

void pv_sym_uses(struct pv_symbolic *s, const struct pv_edge *e) {
  if (!s->unset) return;
  switch (e->op) {
  case PV_OP_ASSIGN: return; /* passed on */
  case PV_OP_LOAD:
  case PV_OP_STORE: /* the value is passed on unless the operation is atomic */
    pv_sym_used(s, pv_sym_unset(s, e->e[0]), "as an address");
    if (e->op == PV_OP_STORE && e->order != PV_ORDER_NONE)
      pv_sym_used(s, pv_sym_unset(s, e->e[1]), "in an atomic operation");
    return;
  default:
    for (int k = 0; k < 3; k++) pv_sym_used(s, pv_sym_unset(s, e->e[k]), pv_edge_use(e));
    if (e->op == PV_OP_CALL || e->op == PV_OP_RETURN) return;
    for (uint32_t k = 0; k < e->args.n; k++)
      pv_sym_used(s, pv_sym_unset(s, pv_arg(s->program, e->args, k)), pv_edge_use(e));
  }
}

void pv_sym_read_unset(struct pv_symbolic *s, const struct pv_edge *e, pv_term *unset) {
  *unset = unless_set(s, *unset);
  if (!*unset) return;
  bool bits = has_bits(s, e->type);
  bool plain = e->op == PV_OP_LOAD && e->order == PV_ORDER_NONE && s->options.follows_unset;
  uint32_t told = e->unset >> 16, may = e->unset & 0xffff;
  if (plain && (e->flags & PV_EF_MOVES)) may &= ~told;
  uint64_t allowed[2] = {0, 0}, asked[2] = {0, 0}, matter[2] = {UINT64_MAX, UINT64_MAX};
  for (unsigned i = 0; i < 16; i++) {
    if (may >> i & 1) allowed[i / 8] |= UINT64_C(0xff) << 8 * (i % 8);
    if (may & told) asked[i / 8] |= may >> i & told >> i & 1 ? UINT64_C(0xff) << 8 * (i % 8) : 0;
  }
  if (e->op == PV_OP_LOAD && e->e[1]) {
    matter[0] = pv_node(s->program, e->e[1])->lo;
    matter[1] = pv_node(s->program, e->e[1])->hi;
  }
  struct pv_sort sort = pv_sym_unset_sort(s, e->type);
  if (may & told) {
    pv_term some = *unset;
    if (bits) some = op2(s, PV_SMT_BVAND, some, pv_smt_number(s->smt, sort, asked[0], asked[1]));
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_sym_any_unset(s, some), false,
                 "the unset members of the structure that is passed, changed or compared at %s are "
                 "zero",
                 pv_sym_where(s));
  }
  if (bits)
    *unset = op2(s, PV_SMT_BVAND, *unset,
                 pv_smt_number(s->smt, sort, ~allowed[0] & matter[0], ~allowed[1] & matter[1]));
  *unset = unless_set(s, *unset);
  if (plain || !*unset) return;
  pv_sym_fault(s, PV_PROP_DEF_BEHAVIOR, pv_sym_any_unset(s, *unset),
               "read of an indeterminate value");
  *unset = NULL;
}
