#include "cpa/symbolic_internal.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/liveness.h"
#include "cpa/given_inputs.h"

/* ---- events ---------------------------------------------------------------------------------- */

const struct pv_edge *pv_sym_edge(const struct pv_symbolic *s) {
  return &pv_control_function(s->control, s->frame)->edges.at[s->edge];
}

static const char *keep_text(struct pv_symbolic *s, const char *text) {
  size_t n = strlen(text) + 1;
  return memcpy(pv_pool_alloc(&s->pool, n), text, n);
}

const char *pv_sym_where(struct pv_symbolic *s) {
  struct pv_str text = {0};
  pv_control_place(s->control, s->frame, s->edge, &text);
  const char *kept = keep_text(s, pv_str_cstr(&text));
  pv_str_free(&text);
  return kept;
}

static void event(struct pv_symbolic *s, enum pv_sym_event_kind kind, enum pv_property property,
                  pv_term when, bool assumed_away, const char *fmt, va_list ap) {
  if (pv_smt_is_false(s->smt, when)) return;
  struct pv_str text = {0};
  pv_str_vaddf(&text, fmt, ap);
  struct pv_sym_event e = {
      .kind = kind,
      .property = property,
      .when = pv_sym_and(s, pv_symbolic_condition(s, &s->w),
                         kind == PV_SYM_VIOLATION ? pv_sym_with_new_input(s, when) : when),
      .frame = s->frame,
      .edge = s->edge,
      .message = keep_text(s, pv_str_cstr(&text))};
  pv_str_free(&text);
  pv_vec_push(&s->events, e);
  if (assumed_away) pv_sym_assume(s, pv_sym_not(s, when));
}

void pv_sym_event(struct pv_symbolic *s, enum pv_sym_event_kind kind, enum pv_property property,
                  pv_term when, bool assumed_away, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  event(s, kind, property, when, assumed_away, fmt, ap);
  va_end(ap);
}

static bool asked(const struct pv_symbolic *s, enum pv_property property) {
  return s->options.properties & PV_PROP_BIT(property);
}

void pv_sym_fault(struct pv_symbolic *s, enum pv_property property, pv_term when, const char *fmt,
                  ...) {
  va_list ap;
  va_start(ap, fmt);
  if (asked(s, property)) {
    event(s, PV_SYM_VIOLATION, property, when, true, fmt, ap);
  } else {
    struct pv_str text = {0};
    pv_str_vaddf(&text, fmt, ap);
    pv_sym_event(s, PV_SYM_CUT, property, when, true,
                 "this does not happen at %s: %s (%s was not asked for)", pv_sym_where(s),
                 pv_str_cstr(&text), pv_property_table[property].name);
    pv_str_free(&text);
  }
  va_end(ap);
}

/* ---- expressions ----------------------------------------------------------------------------- */

static pv_term leaf(void *user, const struct pv_expr_node *n) {
  struct pv_symbolic *s = user;
  uint64_t address = 0;
  switch (n->op) {
  case PV_X_VAR: return pv_sym_get(s, pv_sym_variable(s, s->frame, (uint32_t)n->lo));
  case PV_X_GLOBAL: {
    uint32_t place = pv_layout_global(s->layout, (uint32_t)n->lo);
    address = pv_sym_address(s, place, pv_sym_instance_here(s, place));
    break;
  }
  case PV_X_SLOT: {
    const struct pv_frame *f = pv_control_frame(s->control, s->frame);
    address =
        pv_sym_address(s, pv_layout_slot(s->layout, f->function, (uint32_t)n->lo), f->instance);
    break;
  }
  case PV_X_FUNC: address = pv_sym_function_address(s, (uint32_t)n->lo); break;
  case PV_X_LABEL: /* functions have small numbers; labels have larger ones */
    address = pv_sym_function_address(s, s->program->functions.n + (uint32_t)n->lo) +
              16 * (n->hi + 1) * (uint64_t)(s->program->functions.n + 1);
    break;
  default: PV_REQUIRE(false, "not a leaf");
  }
  return pv_smt_number(s->smt, pv_encode_sort(&s->encoder, n->type), address, 0);
}

static pv_term is_no_small_number(struct pv_symbolic *s, pv_expr e) {
  enum { PAGE = 4096 }; /* there is no object below */
  enum pv_smt_op le = s->options.encoding == PV_ENCODE_LINEAR ? PV_SMT_LE : PV_SMT_BVULE;
  return pv_smt_mk2(s->smt, le, pv_sym_number(s, PAGE), pv_sym_encode(s, e, false));
}

/* The order of two pointers matters only within an object. What the evaluation of the operands
 * raises was raised before. */
static void compare_order(struct pv_symbolic *s, const struct pv_encoded_event *v) {
  const struct pv_expr_node *n = pv_node(s->program, v->expr);
  pv_term apart = pv_sym_are_apart(s, n->a, n->b);
  bool numbers = pv_type_kind(pv_node(s->program, n->a)->type) == PV_T_INT;
  for (unsigned i = 0; i < 2 && numbers; i++) /* a small number is no address */
    apart = pv_sym_and(s, apart, is_no_small_number(s, i ? n->b : n->a));
  pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_sym_and(s, v->when, apart), false,
               "the order of addresses makes no difference at %s", pv_sym_where(s));
}

void pv_sym_encoded(struct pv_symbolic *s) {
  struct pv_encoder *e = &s->encoder;
  PV_VEC(struct pv_encoded_event) compared = {0};
  for (uint32_t i = 0; i < e->side.n; i++) pv_sym_assume(s, e->side.at[i]);
  e->side.n = 0;
  for (uint32_t i = 0; i < e->events.n; i++) {
    const struct pv_encoded_event *v = &e->events.at[i];
    switch (v->kind) {
    case PV_EVENT_OVERFLOW:
      if (asked(s, PV_PROP_NO_OVERFLOW))
        pv_sym_event(s, PV_SYM_VIOLATION, PV_PROP_NO_OVERFLOW, v->when, true,
                     "signed overflow in %u bits",
                     pv_type_bits(pv_node(s->program, v->expr)->type));
      else if (e->assume_no_overflow)
        pv_sym_event(s, PV_SYM_WRAP, PV_PROP_NO_OVERFLOW, v->when, true,
                     "the signed operation at %s does not overflow", pv_sym_where(s));
      break;
    case PV_EVENT_DIVISION:
      pv_sym_fault(s, PV_PROP_DEF_BEHAVIOR, v->when, "division by zero");
      break;
    case PV_EVENT_DIVISION_OVERFLOW:
      pv_sym_fault(s, PV_PROP_NO_OVERFLOW, v->when, "overflow in a division");
      break;
    case PV_EVENT_ADDRESS_WRAP:
      if (!s->is_address) /* otherwise the access is outside of all objects, which is detected */
        pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, v->when, true,
                     "no pointer leaves the address space at %s", pv_sym_where(s));
      break;
    case PV_EVENT_SHIFT:
      pv_sym_fault(s, PV_PROP_DEF_BEHAVIOR, v->when, "shift by more than the width");
      break;
    case PV_EVENT_FLOAT_CAST:
      pv_sym_fault(s, PV_PROP_DEF_BEHAVIOR, v->when, "conversion out of range");
      break;
    case PV_EVENT_ADDRESS_ORDER: pv_vec_push(&compared, *v); break;
    }
  }
  e->events.n = 0;
  e->fresh.n = 0;
  for (uint32_t i = 0; i < compared.n; i++) compare_order(s, &compared.at[i]);
  pv_vec_free(&compared);
}

pv_term pv_sym_encode(struct pv_symbolic *s, pv_expr e, bool as_signed) {
  pv_encoder_forget(&s->encoder);
  pv_term t = pv_encode(&s->encoder, e, as_signed);
  pv_sym_encoded(s);
  return t;
}

pv_term pv_sym_encode_address(struct pv_symbolic *s, pv_expr e) {
  s->is_address = true;
  pv_term t = pv_sym_encode(s, e, false);
  s->is_address = false;
  return t;
}

pv_term pv_sym_condition(struct pv_symbolic *s, pv_expr e) {
  pv_encoder_forget(&s->encoder);
  pv_term t = pv_encode_condition(&s->encoder, e);
  pv_sym_encoded(s);
  return t;
}

pv_term pv_sym_fresh(struct pv_symbolic *s, const char *name, pv_type type, bool is_signed) {
  pv_term t = pv_smt_fresh(s->smt, name, pv_encode_sort(&s->encoder, type));
  pv_sym_assume(s, pv_encode_range(&s->encoder, type, is_signed, t));
  return t;
}

/* ---- edges ----------------------------------------------------------------------------------- */

void pv_sym_assign(struct pv_symbolic *s, uint32_t frame, uint32_t var, pv_term value) {
  if (var == PV_NO_VAR) return;
  pv_sym_set(s, pv_sym_variable(s, frame, var), value);
  pv_sym_mark(s, frame, var, NULL);
}

static void assign_fresh(struct pv_symbolic *s, const struct pv_edge *e, const char *name) {
  if (e->dst == PV_NO_VAR) return;
  uint32_t cell = pv_sym_variable(s, s->frame, e->dst);
  s->input = pv_sym_fresh(s, name, s->cells.at[cell]->type, s->cells.at[cell]->is_signed);
  pv_sym_assign(s, s->frame, e->dst, s->input);
}

/* An input between bounds, which are expressions over the state before it. */
static void havoc(struct pv_symbolic *s, const struct pv_edge *e) {
  bool is_signed = e->aux != PV_HAVOC_UNSIGNED;
  pv_term low = e->e[0] ? pv_sym_encode(s, e->e[0], is_signed) : NULL;
  pv_term high = e->e[0] ? pv_sym_encode(s, e->e[1], is_signed) : NULL;
  if (e->aux == PV_HAVOC_TEXT) low = high; /* any text */
  assign_fresh(s, e, e->text ? e->text : "input");
  if (!low || !s->input) return;
  const struct pv_cell *c = pv_symbolic_cell(s, pv_sym_variable(s, s->frame, e->dst));
  enum pv_smt_op le = PV_SMT_LE;
  if (c->sort.kind == PV_SORT_BV) le = is_signed ? PV_SMT_BVSLE : PV_SMT_BVULE;
  if (c->sort.kind != PV_SORT_BV && c->sort.kind != PV_SORT_INT) return;
  pv_term t = pv_encode_convert(&s->encoder, c->type, s->input, c->is_signed, is_signed);
  pv_sym_encoded(s);
  pv_sym_assume(s, pv_smt_mk2(s->smt, le, low, t));
  pv_sym_assume(s, pv_smt_mk2(s->smt, le, t, high));
}

/* May the machine have to choose the value? */
static bool may_be_arbitrary(struct pv_symbolic *s) {
  uint32_t function = pv_control_frame(s->control, s->frame)->function;
  bool may = false;
  if (asked(s, PV_PROP_DEF_BEHAVIOR)) return false;
  if (!s->arbitrary) s->arbitrary = pv_unset_new(s->program, s->pt, s->layout);
  const struct pv_reach *r = pv_layout_reach(s->layout, function, s->edge, 0);
  for (uint32_t i = 0; i < r->places.n && !may; i++)
    may = pv_unset_place(s->arbitrary, r->places.at[i]);
  return may;
}

static void load(struct pv_symbolic *s, const struct pv_edge *e) {
  pv_term unset;
  if (e->dst == PV_NO_VAR) {
    pv_sym_load(s, e->e[0], e->type, true, &unset);
    pv_sym_read_unset(s, e, &unset);
    return;
  }
  uint32_t cell = pv_sym_variable(s, s->frame, e->dst);
  pv_term value = pv_sym_load(s, e->e[0], e->type, s->cells.at[cell]->is_signed, &unset);
  pv_sym_read_unset(s, e, &unset);
  if (may_be_arbitrary(s)) s->loaded = value;
  pv_sym_assign(s, s->frame, e->dst, value);
  if (unset) pv_sym_mark(s, s->frame, e->dst, unset);
}

/* (old & ~mask) | (value & mask); unconstrained if terms are linear. */
static pv_term masked(struct pv_symbolic *s, const struct pv_edge *e, pv_term old, pv_term value,
                      bool is_signed) {
  if (s->options.encoding == PV_ENCODE_LINEAR) return pv_sym_fresh(s, "field", e->type, is_signed);
  pv_term mask = pv_sym_encode(s, e->e[2], false);
  pv_term kept = pv_smt_mk2(s->smt, PV_SMT_BVAND, old, pv_smt_mk1(s->smt, PV_SMT_BVNOT, mask));
  return pv_smt_mk2(s->smt, PV_SMT_BVOR, kept, pv_smt_mk2(s->smt, PV_SMT_BVAND, value, mask));
}

/* The bits that such a store leaves unset. */
static pv_term masked_unset(struct pv_symbolic *s, const struct pv_edge *e, pv_term old,
                            pv_term unset) {
  if (!old && !unset) return NULL;
  if (!old) old = pv_sym_all_unset(s, e->type, false);
  if (!unset) unset = pv_sym_all_unset(s, e->type, false);
  if (pv_smt_sort(s->smt, old).kind == PV_SORT_BOOL) return pv_sym_or(s, old, unset);
  return masked(s, e, old, unset, false);
}

static void store(struct pv_symbolic *s, const struct pv_edge *e) {
  bool is_signed = pv_encode_cell_is_signed(e->type);
  pv_term unset = pv_sym_unset(s, e->e[1]);
  pv_term value = pv_sym_encode(s, e->e[1], is_signed);
  if (e->e[2]) { /* a store of some bits, to a bit-field */
    pv_term old_unset, old = pv_sym_load(s, e->e[0], e->type, is_signed, &old_unset);
    value = masked(s, e, old, value, is_signed);
    unset = masked_unset(s, e, old_unset, unset);
  }
  pv_sym_store(s, e->e[0], e->type, value, is_signed, unset);
}

/* It stores what it reads (vm_internal.h: pv_edge_is_idle); unset bits stay unset. */
static bool is_idle(const struct pv_symbolic *s, const struct pv_edge *e) {
  if (e->aux != PV_RMW_OR || e->dst != PV_NO_VAR || pv_type_bits(e->type) > 64) return false;
  const struct pv_expr_node *with = pv_node(s->program, e->e[1]);
  return with->op == PV_X_CONST && !with->lo && !with->hi;
}

static void rmw(struct pv_symbolic *s, const struct pv_edge *e) {
  bool is_signed = pv_encode_cell_is_signed(e->type);
  pv_term unset, old = pv_sym_load(s, e->e[0], e->type, is_signed, &unset);
  if (is_idle(s, e)) return;
  pv_sym_read_unset(s, e, &unset);
  pv_term operand = pv_sym_encode(s, e->e[1], is_signed);
  pv_term value = pv_encode_rmw(&s->encoder, e->aux, e->type, old, operand, is_signed);
  pv_sym_encoded(s);
  pv_sym_store(s, e->e[0], e->type, value, is_signed, NULL);
  if (e->dst == PV_NO_VAR) return;
  uint32_t cell = pv_sym_variable(s, s->frame, e->dst);
  pv_term t = pv_encode_convert(&s->encoder, e->type, old, is_signed, s->cells.at[cell]->is_signed);
  pv_sym_encoded(s);
  pv_sym_assign(s, s->frame, e->dst, t);
}

static void cmpxchg(struct pv_symbolic *s, const struct pv_edge *e) {
  bool is_signed = pv_encode_cell_is_signed(e->type);
  pv_term unset, old = pv_sym_load(s, e->e[0], e->type, is_signed, &unset);
  pv_sym_read_unset(s, e, &unset);
  pv_term same = pv_sym_eq(s, old, pv_sym_encode(s, e->e[1], is_signed));
  pv_term value = pv_sym_ite(s, same, pv_sym_encode(s, e->e[2], is_signed), old);
  pv_sym_store(s, e->e[0], e->type, value, is_signed, NULL);
  if (e->dst != PV_NO_VAR) {
    uint32_t cell = pv_sym_variable(s, s->frame, e->dst);
    pv_term t =
        pv_encode_convert(&s->encoder, e->type, old, is_signed, s->cells.at[cell]->is_signed);
    pv_sym_encoded(s);
    pv_sym_assign(s, s->frame, e->dst, t);
  }
  pv_sym_assign(s, s->frame, e->dst2, same);
}

static const struct {
  enum pv_property property;
  const char *text;
} check_table[PV_CHECK_COUNT] = {
    [PV_CHECK_SHIFT_EXPONENT] = {PV_PROP_DEF_BEHAVIOR, "shift amount is negative or too large"},
    [PV_CHECK_SHIFT_BASE] = {PV_PROP_NO_OVERFLOW, "bits of a signed value are shifted out"},
    [PV_CHECK_SHIFT_AMOUNT] = {PV_PROP_NO_OVERFLOW, "shift amount is negative or too large"},
    [PV_CHECK_OVERFLOW] = {PV_PROP_NO_OVERFLOW, "signed overflow"},
    [PV_CHECK_ARRAY_BOUNDS] = {PV_PROP_DEF_BEHAVIOR, "index out of bounds"},
    [PV_CHECK_FLOAT_CAST] = {PV_PROP_DEF_BEHAVIOR, "conversion out of range"},
    [PV_CHECK_VLA_BOUND] = {PV_PROP_DEF_BEHAVIOR, "array of negative or zero length"},
    [PV_CHECK_UNREACHABLE] = {PV_PROP_DEF_BEHAVIOR, "unreachable code is reached"},
    [PV_CHECK_ARGUMENT] = {PV_PROP_DEF_BEHAVIOR, "an argument that the function does not allow"},
};

/* As in the VM: if the property is not checked, execution continues with a defined meaning. */
static void check(struct pv_symbolic *s, const struct pv_edge *e) {
  if (!asked(s, check_table[e->aux].property)) return;
  pv_term bad = pv_sym_not(s, pv_sym_condition(s, e->e[0]));
  pv_sym_event(s, PV_SYM_VIOLATION, check_table[e->aux].property, bad, true, "%s",
               e->text ? e->text : check_table[e->aux].text);
}

static void error(struct pv_symbolic *s, const struct pv_edge *e) {
  enum pv_property property = e->aux == PV_ERROR_OBSERVER ? PV_PROP_OBSERVER : PV_PROP_UNREACH_CALL;
  if (!asked(s, property)) return;
  pv_sym_event(s, PV_SYM_VIOLATION, property, pv_smt_bool(s->smt, true), true, "%s",
               e->text                    ? e->text
               : e->aux == PV_ERROR_LABEL ? "label ERROR is reached"
               : e->aux == PV_ERROR_CALL  ? "reach_error is called"
                                          : "an assertion fails");
}

/* The engine does not determine which pointers exist. */
static void may_be_held(struct pv_symbolic *s, const struct pv_edge *e) {
  if (asked(s, PV_PROP_VALID_DEREF) || asked(s, PV_PROP_DEF_BEHAVIOR))
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_smt_bool(s->smt, true), false, "%s" PV_UNENDED,
                 e->text);
}

static void stop(struct pv_symbolic *s, const struct pv_edge *e) {
  if (e->aux == PV_STOP_UNSUPPORTED)
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_smt_bool(s->smt, true), true,
                 "what is not modelled at %s is never reached: %s", pv_sym_where(s),
                 e->text ? e->text : "?");
  if (e->aux == PV_STOP_OBSERVER || e->aux == PV_STOP_BOUND || e->aux == PV_STOP_TRIED)
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_smt_bool(s->smt, true), true, "%s", e->text);
}

static void query(struct pv_symbolic *s, const struct pv_edge *e) {
  if (pv_sym_query_memory(s, e)) return;
  if (e->aux == PV_QUERY_MALLOC_MAY_FAIL)
    pv_sym_assign(s, s->frame, e->dst, pv_smt_bool(s->smt, s->options.malloc_may_fail));
  else if (e->aux == PV_QUERY_ORDER)
    pv_sym_assign(s, s->frame, e->dst, pv_smt_bool(s->smt, true));
  else if (e->aux == PV_QUERY_CALLS_MAY_FAIL)
    pv_sym_assign(s, s->frame, e->dst, pv_smt_bool(s->smt, s->options.calls_may_fail));
  else
    assign_fresh(s, e, "query");
  s->input = NULL; /* it is no input of the program */
}

static void indeterminate(struct pv_symbolic *s, const struct pv_edge *e) {
  if (pv_sym_follows(s) && s->options.follows_unset && e->dst != PV_NO_VAR) {
    const struct pv_cell *c = pv_symbolic_cell(s, pv_sym_variable(s, s->frame, e->dst));
    pv_sym_assign(s, s->frame, e->dst, pv_sym_zero(s, c->type));
    pv_sym_mark(s, s->frame, e->dst, pv_sym_all_unset(s, c->type, true));
    return;
  }
  if (asked(s, PV_PROP_DEF_BEHAVIOR))
    pv_sym_event(s, PV_SYM_VIOLATION, PV_PROP_DEF_BEHAVIOR, pv_smt_bool(s->smt, true), true,
                 "an indeterminate value is read");
  assign_fresh(s, e, "indeterminate");
}

static void step_edge(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m) {
  pv_sym_uses(s, e);
  switch (e->op) {
  case PV_OP_ASSUME: pv_sym_assume(s, pv_sym_condition(s, e->e[0])); break;
  case PV_OP_ASSIGN: {
    uint32_t cell = pv_sym_variable(s, s->frame, e->dst);
    bool undefined = pv_node(s->program, e->e[0])->op == PV_X_UNDEF;
    if (undefined && asked(s, PV_PROP_DEF_BEHAVIOR)) /* its use is not tracked */
      pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_smt_bool(s->smt, true), false,
                   "the indeterminate value at %s is not used", pv_sym_where(s));
    pv_term unset = pv_sym_unset(s, e->e[0]);
    pv_sym_assign(s, s->frame, e->dst, pv_sym_encode(s, e->e[0], s->cells.at[cell]->is_signed));
    if (unset) pv_sym_mark(s, s->frame, e->dst, unset);
    break;
  }
  case PV_OP_HAVOC:
    havoc(s, e);
    if (s->options.untried) pv_sym_note_untried(s, e);
    break;
  case PV_OP_INDET: indeterminate(s, e); break;
  case PV_OP_LOAD: load(s, e); break;
  case PV_OP_STORE: store(s, e); break;
  case PV_OP_COPY:
  case PV_OP_FILL:
    if (m->alternative == 1) /* a step for each word of it, elsewhere */
      pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_smt_bool(s->smt, true), false,
                   "no other thread interrupts the copying or filling of a block at %s",
                   pv_sym_where(s));
    if (e->op == PV_OP_COPY)
      pv_sym_copy(s, e);
    else
      pv_sym_fill(s, e);
    break;
  case PV_OP_ALLOC: pv_sym_alloc(s, e); break;
  case PV_OP_FREE: pv_sym_free_object(s, e); break;
  case PV_OP_LIVE:
    if (e->flags & PV_EF_AGAIN)
      pv_sym_slot_forgets(s, s->frame, e->aux);
    else
      pv_sym_slot_begins(s, s->frame, e->aux);
    break;
  case PV_OP_DEAD:
    if (e->flags & PV_EF_HELD)
      may_be_held(s, e);
    else
      pv_sym_slot_ends(s, s->frame, e->aux);
    break;
  case PV_OP_RMW: rmw(s, e); break;
  case PV_OP_CMPXCHG: cmpxchg(s, e); break;
  case PV_OP_PRIM:
    s->met.scheduler = true;
    if (pv_control_has_threads(s->control)) {
      pv_sym_prim(s, e, m);
      break;
    }
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_smt_bool(s->smt, true), true,
                 "`%s` is not called at %s: this engine has no threads",
                 s->program->prims.at[e->aux].name, pv_sym_where(s));
    break;
  case PV_OP_CHECK: check(s, e); break;
  case PV_OP_ERROR: error(s, e); break;
  case PV_OP_STOP: stop(s, e); break;
  case PV_OP_QUERY: query(s, e); break;
  case PV_OP_SETJMP:
    pv_sym_assign(s, s->frame, e->dst,
                  pv_smt_number(s->smt, pv_encode_sort(&s->encoder, PV_INT(32)), 0, 0));
    pv_sym_assign(s, s->frame, e->dst2, pv_smt_bool(s->smt, false));
    break;
  case PV_OP_LONGJMP:
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_smt_bool(s->smt, true), true,
                 "longjmp is not called at %s: this engine does not follow it", pv_sym_where(s));
    break;
  default: break; /* SKIP, FENCE, ATOMIC_BEGIN, ATOMIC_END, PRINT: no effect on the state */
  }
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Does the function accept the call's arguments and return its results? Results that the call
 * ignores do not matter. */
static bool fits_call(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_function *f) {
  const struct pv_function *caller = pv_control_function(s->control, s->frame);
  if (e->args.n < f->n_params || (e->dsts.n && e->dsts.n != f->n_results)) return false;
  for (uint32_t i = 0; i < f->n_params; i++)
    if (pv_node(s->program, pv_arg(s->program, e->args, i))->type != f->vars.at[i].type)
      return false;
  for (uint32_t i = 0; i < e->dsts.n; i++) {
    uint32_t var = pv_arg(s->program, e->dsts, i);
    if (var != PV_NO_VAR && caller->vars.at[var].type != f->result[i]) return false;
  }
  return true;
}

static void step_call(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m) {
  uint32_t to = m->other;
  uint32_t callee = pv_control_frame(s->control, to)->function;
  const struct pv_function *f = &s->program->functions.at[callee];
  uint32_t n = f->n_params;
  pv_sym_uses(s, e);
  if (e->callee == PV_NO_FUNC) {
    pv_term address = pv_sym_encode(s, e->e[0], false);
    struct pv_sort sort = pv_encode_sort(&s->encoder, pv_node(s->program, e->e[0])->type);
    pv_term function = pv_smt_number(s->smt, sort, pv_sym_function_address(s, callee), 0);
    pv_sym_assume(s, pv_sym_eq(s, address, function));
  }
  if (!fits_call(s, e, f)) {
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_smt_bool(s->smt, true), true,
                 "no function is called with wrong arguments at %s", pv_sym_where(s));
    return;
  }
  pv_terms args = {0}, unset = {0};
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_cell *c = pv_symbolic_cell(s, pv_sym_variable(s, to, i));
    pv_vec_push(&unset, pv_sym_unset(s, pv_arg(s->program, e->args, i)));
    pv_vec_push(&args, pv_sym_encode(s, pv_arg(s->program, e->args, i), c->is_signed));
  }
  pv_term area = f->variadic && e->e[1] ? pv_sym_encode(s, e->e[1], false) : NULL;
  if (pv_control_replaces(s->control, m)) pv_sym_frame_ends(s, s->frame);
  for (uint32_t i = 0; i < args.n; i++) {
    pv_sym_assign(s, to, i, args.at[i]);
    if (unset.at[i]) pv_sym_mark(s, to, i, unset.at[i]);
  }
  pv_vec_free(&unset);
  if (area) pv_sym_assign(s, to, f->n_params, area);
  pv_vec_free(&args);
  pv_sym_frame_begins(s, to);
}

/* Objects of alloca end with the function. */
static void allocas_end(struct pv_symbolic *s, uint32_t function) {
  for (uint32_t i = 0; i < pv_layout_places(s->layout); i++) {
    const struct pv_place *p = pv_layout_place(s->layout, i);
    if (p->kind == PV_PLACE_ALLOCA && p->outlived && p->function == function)
      pv_sym_used_again(s, i, pv_smt_bool(s->smt, true));
  }
}

void pv_sym_frame_ends(struct pv_symbolic *s, uint32_t frame) {
  const struct pv_frame *f = pv_control_frame(s->control, frame);
  const struct pv_function *function = pv_control_function(s->control, frame);
  uint32_t number = f->function, instance = f->instance;
  for (uint32_t i = 0; i < function->slots.n; i++) pv_sym_slot_ends(s, frame, i);
  allocas_end(s, number);
  for (uint32_t i = 0; i < function->vars.n; i++) {
    pv_sym_forget(s, PV_CELL_VARIABLE, number, i, instance);
    pv_sym_forget(s, PV_CELL_UNSET_VARIABLE, number, i, instance);
  }
}

static void step_return(struct pv_symbolic *s, const struct pv_edge *e) {
  const struct pv_frame *f = pv_control_frame(s->control, s->frame);
  const struct pv_edge *call = &pv_control_function(s->control, f->parent)->edges.at[f->call];
  uint32_t parent = f->parent;
  pv_terms results = {0}, unset = {0};
  for (uint32_t i = 0; i < call->dsts.n && i < e->args.n; i++) {
    uint32_t var = pv_arg(s->program, call->dsts, i);
    bool is_signed =
        var != PV_NO_VAR && pv_symbolic_cell(s, pv_sym_variable(s, parent, var))->is_signed;
    pv_vec_push(&unset, pv_sym_unset(s, pv_arg(s->program, e->args, i)));
    pv_vec_push(&results, pv_sym_encode(s, pv_arg(s->program, e->args, i), is_signed));
  }
  pv_sym_frame_ends(s, s->frame);
  for (uint32_t i = 0; i < results.n; i++) {
    uint32_t var = pv_arg(s->program, call->dsts, i);
    pv_sym_assign(s, parent, var, results.at[i]);
    if (unset.at[i] && var != PV_NO_VAR) pv_sym_mark(s, parent, var, unset.at[i]);
  }
  pv_vec_free(&results);
  pv_vec_free(&unset);
}

/* ---- steps ----------------------------------------------------------------------------------- */

struct step_key {
  const struct pv_sym *from;
  uint32_t frame, edge, other, wraps, alternative, beside, waiting, outside;
};
struct wrap_key {
  uint32_t function, edge;
};

bool pv_symbolic_wraps(const struct pv_symbolic *s, uint32_t function, uint32_t edge) {
  struct wrap_key key = {function, edge};
  return pv_map_get(&s->wraps, &key, sizeof key) != NULL;
}

bool pv_symbolic_wrap(struct pv_symbolic *s, uint32_t function, uint32_t edge) {
  struct wrap_key key = {function, edge};
  bool is_new;
  pv_map_put(&s->wraps, &key, sizeof key, 1, &is_new);
  return is_new;
}

bool pv_symbolic_wrapped(const struct pv_symbolic *s, uint32_t i, uint32_t *function,
                         uint32_t *edge) {
  struct wrap_key key;
  if (i >= s->wraps.n) return false;
  memcpy(&key, s->wraps.entry[i].key, sizeof key);
  *function = key.function;
  *edge = key.edge;
  return true;
}

static void make_step(struct pv_symbolic *s, const struct pv_move *m) {
  const struct pv_edge *e = pv_sym_edge(s);
  if (m->alternative == PV_ALTERNATIVE_BESIDE && e->op != PV_OP_PRIM)
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_smt_bool(s->smt, true), false,
                 "a thread beside the scheduler does at once what it does at %s", pv_sym_where(s));
  switch (m->kind) {
  case PV_MOVE_CALL: step_call(s, e, m); break;
  case PV_MOVE_RETURN: step_return(s, e); break;
  case PV_MOVE_CUT:
    if (pv_control_executed(s->control, m)) {
      s->met.scheduler = true;
      pv_sym_executed(s, e, m);
      break;
    }
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_smt_bool(s->smt, true), true, "%s at %s",
                 e->op == PV_OP_CALL ? "calls do not nest deeper"
                 : m->alternative == PV_ALTERNATIVE_IN_SECTION
                     ? "the atomic section does not have to wait"
                     : "no more threads exist at one time",
                 pv_sym_where(s));
    break;
  case PV_MOVE_NOWHERE:
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_smt_bool(s->smt, true), true,
                 "the pointer called at %s is no function's address", pv_sym_where(s));
    break;
  case PV_MOVE_STEP:
  case PV_MOVE_END:
    if (pv_move_is_stuck(m))
      pv_sym_stuck(s, m);
    else if (e->op != PV_OP_RETURN)
      step_edge(s, e, m);
    break;
  }
}

static bool wraps_at(const struct pv_symbolic *s, const struct pv_move *m) {
  return pv_symbolic_wraps(s, pv_control_frame(s->control, m->frame)->function, m->edge);
}

static void begin_step(struct pv_symbolic *s, const struct pv_sym *from, const struct pv_move *m) {
  s->w = *from;
  s->frame = m->frame;
  s->edge = m->edge;
  s->beside = m->beside;
  s->waiting = m->waiting;
  s->restricts = s->options.untried && (!s->options.outside || m->outside != PV_OUTSIDE_NOT);
  s->operand = 0;
  s->events.n = s->reads.n = 0;
  s->input = s->loaded = NULL;
  s->encoder.imprecise = false;
  s->encoder.function = pv_control_function(s->control, m->frame);
  s->encoder.assume_no_overflow = asked(s, PV_PROP_NO_OVERFLOW) || !wraps_at(s, m);
}

pv_term pv_symbolic_argument(struct pv_symbolic *s, const struct pv_sym *state,
                             const struct pv_move *call, uint32_t i) {
  begin_step(s, state, call);
  return pv_sym_argument(s, pv_sym_edge(s), i);
}

bool pv_symbolic_accessed(struct pv_symbolic *s, const struct pv_sym *state,
                          const struct pv_move *access, uint64_t *address) {
  struct pv_smt_shape shape;
  begin_step(s, state, access);
  pv_term t = pv_sym_encode_address(s, pv_sym_edge(s)->e[0]);
  if (!pv_smt_shape(s->smt, t, &shape) || shape.kind != PV_SHAPE_NUMBER) return false;
  *address = shape.lo;
  return true;
}

const struct pv_sym_step *pv_symbolic_step(struct pv_symbolic *s, const struct pv_sym *from,
                                           const struct pv_move *m) {
  struct step_key key = {from,           m->frame,  m->edge,    m->other,  wraps_at(s, m),
                         m->alternative, m->beside, m->waiting, m->outside};
  const uint32_t *at = pv_map_get(&s->steps, &key, sizeof key);
  if (at) return s->kept.at[*at];
  begin_step(s, from, m);
  make_step(s, m);
  struct pv_sym_step *step = pv_pool_alloc(&s->pool, sizeof *step);
  bool ends = m->kind == PV_MOVE_END || m->kind == PV_MOVE_CUT || m->kind == PV_MOVE_NOWHERE;
  if (s->options.untried && !ends) pv_sym_leave_tried(s, m);
  if (!ends && !pv_smt_is_false(s->smt, pv_symbolic_condition(s, &s->w)))
    step->next = s->w.path == from->path && pv_values_same(s->w.values, from->values)
                     ? from
                     : pv_sym_keep(s, &s->w);
  step->n_events = s->events.n;
  step->input = s->input;
  step->loaded = s->loaded;
  step->imprecise = s->encoder.imprecise;
  s->met.imprecise += step->imprecise;
  if (step->imprecise) {
    size_t bytes = s->reads.n * sizeof *s->reads.at;
    step->reads = bytes ? memcpy(pv_pool_alloc(&s->pool, bytes), s->reads.at, bytes) : NULL;
    step->n_reads = s->reads.n;
  }
  if (s->events.n) {
    size_t bytes = s->events.n * sizeof *s->events.at;
    step->events = memcpy(pv_pool_alloc(&s->pool, bytes), s->events.at, bytes);
  }
  pv_map_put(&s->steps, &key, sizeof key, s->kept.n, NULL);
  pv_vec_push(&s->kept, step);
  return step;
}

/* ---- the module as a whole ------------------------------------------------------------------- */

struct pv_symbolic_met pv_symbolic_met(const struct pv_symbolic *s) {
  return s->met;
}

struct pv_symbolic *pv_symbolic_new(struct pv_smt *smt, const struct pv_program *p,
                                    const struct pv_points_to *pt, struct pv_layout *layout,
                                    struct pv_control *control,
                                    const struct pv_symbolic_options *options) {
  struct pv_symbolic *s = pv_alloc(sizeof *s);
  s->smt = smt;
  s->program = p;
  s->pt = pt;
  s->layout = layout;
  s->sync = pv_sync_new(p, pt, layout);
  s->control = control;
  s->options = *options;
  s->objects = pv_layout_has_objects(layout);
  if (asked(s, PV_PROP_DEF_BEHAVIOR)) s->unset = pv_unset_new(p, pt, layout);
  s->encoder = (struct pv_encoder){
      .smt = smt, .program = p, .encoding = options->encoding, .leaf = leaf, .user = s};
  s->live = pv_alloc((p->functions.n ? p->functions.n : 1) * sizeof *s->live);
  s->entry = pv_sym_keep(s, &(struct pv_sym){0});
  s->begin = pv_sym_keep(s, &(struct pv_sym){.start = true});
  return s;
}

void pv_symbolic_restrict_outside(struct pv_symbolic *s, const struct pv_given_inputs *untried) {
  s->options.untried = untried;
  s->options.outside = true;
}

void pv_symbolic_free(struct pv_symbolic *s) {
  if (!s) return;
  for (uint32_t i = 0; i < s->program->functions.n; i++) free(s->live[i].sets);
  free(s->live);
  pv_sync_free(s->sync);
  pv_unset_free(s->unset);
  pv_unset_free(s->arbitrary);
  pv_encoder_free(&s->encoder);
  pv_pool_free(&s->pool);
  pv_vec_free(&s->cells);
  pv_vec_free(&s->kept);
  pv_vec_free(&s->events);
  pv_vec_free(&s->reads);
  pv_map_free(&s->cell_index);
  pv_map_free(&s->constant_index);
  pv_map_free(&s->steps);
  pv_map_free(&s->merges);
  pv_map_free(&s->ranges);
  pv_map_free(&s->wraps);
  pv_map_free(&s->states);
  pv_map_free(&s->variants);
  pv_map_free(&s->addresses);
  pv_map_free(&s->steering);
  pv_map_free(&s->heap_index);
  pv_map_free(&s->parts);
  pv_vec_free(&s->heap_addresses);
  pv_vec_free(&s->part);
  free(s);
}
