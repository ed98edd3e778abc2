/* symbolic_initial.c -- what memory holds when the program begins. */
#include "cpa/symbolic_internal.h"

#include <stdlib.h>
#include <string.h>

/* Bounds on the stores that make the initial value of an array; elements beyond are unknown. */
enum { MOST_STORES = 128, MOST_IN_TABLES = 1024 };

/* Is there an address in the bytes, or a part of one? *value: the address of which they are a part,
 * from byte *skipped on; 0: there is something else in them, too. */
static bool relocated(const struct pv_symbolic *s, const struct pv_global *g, uint64_t at,
                      unsigned bytes, pv_expr *value, unsigned *skipped) {
  unsigned width = s->program->pointer_bits / 8;
  for (uint32_t i = 0; i < g->relocs.n; i++) {
    uint64_t to = g->relocs.at[i].offset;
    if (to >= at + bytes || to + width <= at) continue;
    bool part = to <= at && at + bytes <= to + width;
    *value = part ? g->relocs.at[i].value : 0;
    *skipped = part ? (unsigned)(at - to) : 0;
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
  unsigned bytes = pv_type_bytes(type), skipped;
  pv_expr relocation;
  uint64_t bits = 0;
  if (bytes > 8) return NULL;
  if (pv_type_kind(type) == PV_T_FLOAT && s->options.encoding == PV_ENCODE_LINEAR) return NULL;
  if (relocated(s, g, at, bytes, &relocation, &skipped)) {
    if (!relocation || !constant_address(s, relocation, &bits)) return NULL;
    bits >>= 8 * skipped;
  } else if (g->init) {
    for (unsigned i = 0; i < bytes; i++) bits |= (uint64_t)g->init[at + i] << 8 * i;
  }
  return from_bits(s, type, is_signed, bits);
}

pv_term pv_sym_initial_scalar(struct pv_symbolic *s, uint32_t global, uint64_t at, pv_type type,
                              bool is_signed) {
  return initial_scalar(s, &s->program->globals.at[global], at, type, is_signed);
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

/* Is the element all zeros, and so every byte of a relocation outside of it? */
static bool is_zero(const struct pv_global *g, uint64_t at, unsigned bytes) {
  for (uint32_t i = 0; i < g->relocs.n; i++)
    if (g->relocs.at[i].offset < at + bytes && g->relocs.at[i].offset + 8 > at) return false;
  for (unsigned i = 0; g->init && i < bytes; i++)
    if (g->init[at + i]) return false;
  return true;
}

/* A global whose elements are in an array. */
struct kept_global {
  uint32_t place;
  uint64_t size;
};
typedef PV_VEC(struct kept_global) kept_globals;

static int smaller_first(const void *a, const void *b) {
  const struct kept_global *x = a, *y = b;
  if (x->size != y->size) return x->size < y->size ? -1 : 1;
  return x->place < y->place ? -1 : 1;
}

/* The globals of a class, small ones first: they are known whole. */
static kept_globals globals_of(const struct pv_symbolic *s, uint32_t class) {
  kept_globals v = {0};
  for (uint32_t i = 0; i < pv_layout_places(s->layout); i++) {
    const struct pv_place *p = pv_layout_place(s->layout, i);
    if (!p->cut && p->class == class && p->kind == PV_PLACE_GLOBAL)
      pv_vec_push(&v, ((struct kept_global){i, p->size}));
  }
  if (v.n) qsort(v.at, v.n, sizeof *v.at, smaller_first);
  return v;
}

static const struct pv_global *global_at(const struct pv_symbolic *s, uint32_t place) {
  return &s->program->globals.at[pv_layout_place(s->layout, place)->index];
}

/* Are the elements of globals that are not zero so few that each can be stored? Elsewhere than in
 * `bmc` there may be unaligned ones, so there it must have none. */
static bool few_are_set(const struct pv_symbolic *s, const struct pv_cell *c,
                        const kept_globals *globals) {
  unsigned bytes = pv_type_bytes(c->type);
  uint32_t n = 0, most = s->objects ? most_stores(s, c->a) : 0;
  for (uint32_t i = 0; i < globals->n; i++) {
    const struct pv_global *g = global_at(s, globals->at[i].place);
    if (!g->init && !g->relocs.n) continue;
    for (uint64_t at = 0; at + bytes <= globals->at[i].size; at += pv_sym_step(c->type))
      if (!is_zero(g, at, bytes) && ++n > most) return false;
  }
  return true;
}

/* The initial array of a class. Where unset bits are zeros, it is zero but for what globals hold,
 * if that is little. Else as many elements of globals as can be stored are, and all others are
 * unconstrained. */
static pv_term initial_array(struct pv_symbolic *s, const struct pv_cell *c) {
  kept_globals globals = globals_of(s, c->a);
  bool zero = s->unset && few_are_set(s, c, &globals);
  pv_term array = zero ? pv_smt_constant_array(s->smt, c->sort, pv_sym_zero(s, c->type)) : c->entry;
  unsigned bytes = pv_type_bytes(c->type);
  uint32_t left = most_stores(s, c->a);
  for (uint32_t i = 0; i < globals.n; i++) {
    uint32_t place = globals.at[i].place;
    const struct pv_global *g = global_at(s, place);
    for (uint64_t at = 0; at + bytes <= globals.at[i].size && left; at += pv_sym_step(c->type)) {
      if (zero && is_zero(g, at, bytes)) continue;
      pv_term value = initial_scalar(s, g, at, c->type, c->is_signed);
      pv_term index = pv_sym_number(s, pv_sym_address(s, place, 0) + at);
      if (!value) value = pv_smt_mk2(s->smt, PV_SMT_SELECT, c->entry, index);
      array = pv_smt_mk3(s->smt, PV_SMT_STORE, array, index, value);
      left--;
    }
  }
  pv_vec_free(&globals);
  return array;
}

/* Objects of the heap begin unset; globals and, until they begin, slots count as set. */
static pv_term initial_unset(struct pv_symbolic *s, const struct pv_cell *c) {
  bool others = false;
  uint32_t left = most_stores(s, c->a);
  for (uint32_t i = 0; i < pv_layout_places(s->layout); i++) {
    const struct pv_place *p = pv_layout_place(s->layout, i);
    others |= !p->cut && p->class == c->a && p->kind != PV_PLACE_GLOBAL;
  }
  pv_term set = pv_sym_all_unset(s, c->b, false);
  pv_term array = pv_smt_constant_array(s->smt, c->sort, pv_sym_all_unset(s, c->b, others));
  if (!others) return array;
  kept_globals globals = globals_of(s, c->a);
  for (uint32_t i = 0; i < globals.n; i++)
    for (uint64_t at = 0; at + pv_type_bytes(c->b) <= globals.at[i].size && left;
         at += pv_type_bytes(c->b), left--)
      array = pv_smt_mk3(s->smt, PV_SMT_STORE, array,
                         pv_sym_number(s, pv_sym_address(s, globals.at[i].place, 0) + at), set);
  pv_vec_free(&globals);
  return array;
}

pv_term pv_sym_initial(struct pv_symbolic *s, uint32_t cell) {
  struct pv_cell *c = s->cells.at[cell];
  switch (c->kind) {
  case PV_CELL_MEMORY: {
    const struct pv_place_cell *pc = pv_layout_cell(s->layout, c->a);
    const struct pv_place *p = pv_layout_place(s->layout, pc->place);
    if (pv_sym_is_heap(p) && s->unset) return pv_sym_zero(s, c->type);
    if (p->kind != PV_PLACE_GLOBAL) return NULL;
    return initial_scalar(s, &s->program->globals.at[p->index], pc->offset, c->type, c->is_signed);
  }
  case PV_CELL_ARRAY:
    if (!c->initial) c->initial = initial_array(s, c);
    return c->initial;
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
  case PV_CELL_UNSET_ARRAY:
    if (!c->initial) c->initial = initial_unset(s, c);
    return c->initial;
  default: return NULL;
  }
}

static void make_of_class(struct pv_symbolic *s, uint32_t class) {
  uint32_t n;
  const pv_type *types = pv_layout_class_types(s->layout, class, &n);
  for (uint32_t i = 0; i < n; i++) {
    pv_sym_array_cell(s, class, types[i]);
    pv_sym_unset_array(s, class, types[i]);
  }
}

void pv_symbolic_make_initial(struct pv_symbolic *s) {
  for (uint32_t i = 0; i < pv_layout_places(s->layout); i++) {
    const struct pv_place *p = pv_layout_place(s->layout, i);
    if (p->kind != PV_PLACE_GLOBAL || pv_sym_is_thread_local(s, p)) continue;
    if (!p->cut) make_of_class(s, p->class);
    for (uint32_t k = 0; p->cut && p->stored && k < p->n_cells; k++)
      pv_sym_unset_cell(s, pv_sym_cell(s, PV_CELL_MEMORY, p->first_cell + k, 0, 0));
  }
}
