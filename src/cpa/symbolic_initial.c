/* symbolic_initial.c -- what memory holds when the program begins. */
#include "cpa/symbolic_internal.h"

#include <string.h>

/* A bound on the stores that make the initial value of an array; beyond it, the value is unknown.
 */
/* Elements of globals in an array whose initial values are told. */
enum { MOST_STORES = 128, MOST_IN_TABLES = 1024 };

static bool relocated(const struct pv_global *g, uint64_t at, unsigned bytes, pv_expr *value) {
  for (uint32_t i = 0; i < g->relocs.n; i++) {
    uint64_t to = g->relocs.at[i].offset;
    if (to >= at + bytes || to + 4 <= at) continue;
    *value = to == at ? g->relocs.at[i].value : 0;
    return true;
  }
  return false;
}

/* The address that a constant expression of a relocation denotes. */
static bool constant_address(struct pv_symbolic *s, pv_expr e, uint64_t *out) {
  const struct pv_expr_node *n = pv_node(s->program, e);
  uint64_t a, b;
  switch (n->op) {
  case PV_X_CONST: *out = n->lo; return true;
  case PV_X_GLOBAL:
    *out = pv_sym_address(s, pv_layout_global(s->layout, (uint32_t)n->lo), 0);
    return true;
  case PV_X_FUNC: *out = pv_sym_function_address(s, (uint32_t)n->lo); return true;
  case PV_X_PTRADD:
    if (!constant_address(s, n->a, &a) || !constant_address(s, n->b, &b)) return false;
    *out = a + b;
    if (s->program->pointer_bits == 32) *out &= UINT32_MAX;
    return true;
  default: return false;
  }
}

/* The number that bits denote, as the encoding represents it. */
static pv_term from_bits(struct pv_symbolic *s, pv_type type, bool is_signed, uint64_t lo) {
  struct pv_sort sort = pv_encode_sort(&s->encoder, type);
  unsigned bits = pv_type_bits(type);
  uint64_t hi = 0;
  if (sort.kind == PV_SORT_BOOL) return pv_smt_bool(s->smt, lo & 1);
  if (bits < 64) lo &= (UINT64_C(1) << bits) - 1;
  if (sort.kind == PV_SORT_INT && is_signed && bits <= 64 && lo >> (bits - 1) & 1) {
    if (bits < 64) lo |= UINT64_MAX << bits;
    hi = UINT64_MAX;
  }
  return pv_smt_number(s->smt, sort, lo, hi);
}

pv_term pv_sym_zero(struct pv_symbolic *s, pv_type type) {
  if (pv_type_kind(type) == PV_T_FLOAT && s->options.encoding == PV_ENCODE_LINEAR)
    return pv_sym_fresh(s, "zero", type, false);
  return from_bits(s, type, false, 0);
}

static pv_term initial_scalar(struct pv_symbolic *s, const struct pv_global *g, uint64_t at,
                              pv_type type, bool is_signed) {
  unsigned bytes = pv_type_bytes(type);
  pv_expr relocation;
  uint64_t bits = 0;
  if (bytes > 8) return NULL;
  if (pv_type_kind(type) == PV_T_FLOAT && s->options.encoding == PV_ENCODE_LINEAR) return NULL;
  if (relocated(g, at, bytes, &relocation)) {
    if (!relocation || !constant_address(s, relocation, &bits)) return NULL;
  } else if (g->init) {
    for (unsigned i = 0; i < bytes; i++) bits |= (uint64_t)g->init[at + i] << 8 * i;
  }
  return from_bits(s, type, is_signed, bits);
}

/* Tables of constants are affordable where circuits, not a theory of arrays, read them. */
static uint32_t most_stores(const struct pv_symbolic *s, uint32_t class) {
  if (!s->objects || s->options.encoding != PV_ENCODE_BITVECTOR) return MOST_STORES;
  for (uint32_t i = 0; i < pv_layout_places(s->layout); i++) {
    const struct pv_place *p = pv_layout_place(s->layout, i);
    if (p->cut || p->class != class) continue;
    if (p->kind != PV_PLACE_GLOBAL || !s->program->globals.at[p->index].is_const)
      return MOST_STORES;
  }
  return MOST_IN_TABLES;
}

/* Are the elements in globals of the class few enough for each to have its initial value? Elsewhere
 * than in `bmc` there may be unaligned ones, so there it must have no globals. */
static bool holds_globals(const struct pv_symbolic *s, const struct pv_cell *c) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < pv_layout_places(s->layout); i++) {
    const struct pv_place *p = pv_layout_place(s->layout, i);
    if (!p->cut && p->class == c->a && p->kind == PV_PLACE_GLOBAL)
      n += p->size / pv_sym_step(c->type);
  }
  return n <= (s->objects ? most_stores(s, c->a) : 0);
}

/* The initial array of a class: the elements of its globals, if there are few; all others are
 * unconstrained, or zeros where unset bits are. */
static pv_term initial_array(struct pv_symbolic *s, const struct pv_cell *c) {
  pv_term array = c->entry;
  if (s->unset && holds_globals(s, c))
    array = pv_smt_constant_array(s->smt, c->sort, pv_sym_zero(s, c->type));
  unsigned bytes = pv_type_bytes(c->type);
  uint32_t left = most_stores(s, c->a);
  for (uint32_t i = 0; i < pv_layout_places(s->layout); i++) {
    const struct pv_place *p = pv_layout_place(s->layout, i);
    if (p->cut || p->class != c->a || p->kind != PV_PLACE_GLOBAL) continue;
    for (uint64_t at = 0; at + bytes <= p->size && left; at += pv_sym_step(c->type), left--) {
      pv_term value =
          initial_scalar(s, &s->program->globals.at[p->index], at, c->type, c->is_signed);
      pv_term index = pv_sym_number(s, pv_sym_address(s, i, 0) + at);
      if (!value) value = pv_smt_mk2(s->smt, PV_SMT_SELECT, c->entry, index);
      array = pv_smt_mk3(s->smt, PV_SMT_STORE, array, index, value);
    }
  }
  return array;
}

/* Objects of the heap begin unset; globals and, until they begin, slots count as set. */
static pv_term initial_unset(struct pv_symbolic *s, const struct pv_cell *c) {
  bool on_heap = false;
  uint32_t left = most_stores(s, c->a);
  for (uint32_t i = 0; i < pv_layout_places(s->layout); i++) {
    const struct pv_place *p = pv_layout_place(s->layout, i);
    on_heap |= !p->cut && p->class == c->a && p->kind != PV_PLACE_GLOBAL;
  }
  pv_term set = pv_sym_all_unset(s, c->b, false);
  pv_term array = pv_smt_constant_array(s->smt, c->sort, pv_sym_all_unset(s, c->b, on_heap));
  for (uint32_t i = 0; i < pv_layout_places(s->layout) && on_heap; i++) {
    const struct pv_place *p = pv_layout_place(s->layout, i);
    if (p->cut || p->class != c->a || p->kind != PV_PLACE_GLOBAL) continue;
    for (uint64_t at = 0; at + pv_type_bytes(c->b) <= p->size && left;
         at += pv_type_bytes(c->b), left--)
      array = pv_smt_mk3(s->smt, PV_SMT_STORE, array,
                         pv_sym_number(s, pv_sym_address(s, i, 0) + at), set);
  }
  return array;
}

pv_term pv_sym_initial(struct pv_symbolic *s, uint32_t cell) {
  const struct pv_cell *c = s->cells.at[cell];
  switch (c->kind) {
  case PV_CELL_MEMORY: {
    const struct pv_place_cell *pc = pv_layout_cell(s->layout, c->a);
    const struct pv_place *p = pv_layout_place(s->layout, pc->place);
    if (pv_sym_is_heap(p) && s->unset) return pv_sym_zero(s, c->type);
    if (p->kind != PV_PLACE_GLOBAL) return NULL;
    return initial_scalar(s, &s->program->globals.at[p->index], pc->offset, c->type, c->is_signed);
  }
  case PV_CELL_ARRAY: {
    pv_term t = initial_array(s, c);
    return t;
  }
  case PV_CELL_TOP: return pv_sym_number(s, pv_sym_heap_begin(s));
  case PV_CELL_EXTENT: return pv_smt_constant_array(s->smt, c->sort, pv_sym_number(s, 0));
  case PV_CELL_FREED:
  case PV_CELL_NEW_INPUT:
  case PV_CELL_ALIVE: return pv_smt_bool(s->smt, false);
  case PV_CELL_SYNC: return pv_sym_sync_initial(s, cell);
  case PV_CELL_UNSET_VARIABLE:
    return pv_sym_all_unset(s, s->program->functions.at[c->a].vars.at[c->b].type, false);
  case PV_CELL_UNSET_MEMORY: {
    const struct pv_place_cell *pc = pv_layout_cell(s->layout, c->a);
    return pv_sym_all_unset(s, pc->type, pv_sym_is_heap(pv_layout_place(s->layout, pc->place)));
  }
  case PV_CELL_COUNT:
  case PV_CELL_MOST:
  case PV_CELL_SIZE: return pv_sym_number(s, 0);
  case PV_CELL_UNSET_ARRAY: return initial_unset(s, c);
  default: return NULL;
  }
}
