/* symbolic_memory.c -- loads, stores, allocation. An address is compared with those of the cells
 * that it may refer to, or is an index into the array of its class. An access that is in none of
 * them is undefined behaviour, an event. */
#include "cpa/symbolic_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
  GAP = 4096, /* between objects, so that addresses just outside of one are in none */
  /* In a comparison, a pointer that is no further from an object is one into it: a loop that counts
   * down ends below its array. */
  NEAR = 1024,
  MOST_SPOTS = 1024 /* places where one access may begin */
};

/* ---- addresses ------------------------------------------------------------------------------- */
/* Assigns addresses: functions, then globals, then stack slots in the order of first use, then the
 * heap. */

static uint64_t round_up(uint64_t n, uint64_t to) {
  return (n + to - 1) / to * to;
}

/* The lowest address. On a 64-bit machine it is above 4 GiB, so an address truncated to 32 bits
 * refers to no object. */
static uint64_t lowest(const struct pv_symbolic *s) {
  return s->program->pointer_bits == 32 ? 0x1000 : UINT64_C(0x100001000);
}

uint64_t pv_sym_function_address(const struct pv_symbolic *s, uint32_t function) {
  return lowest(s) + 16 * (uint64_t)function;
}

uint64_t pv_sym_heap_begin(const struct pv_symbolic *s) {
  return s->program->pointer_bits == 32 ? UINT64_C(0x60000000) : UINT64_C(0x600000000000);
}

struct address_key {
  uint32_t place, instance;
};

uint64_t pv_sym_address(struct pv_symbolic *s, uint32_t place, uint32_t instance) {
  if (s->objects && pv_sym_is_heap(pv_layout_place(s->layout, place)))
    return pv_sym_heap_address(s, place, instance);
  struct address_key key = {place, instance};
  const uint32_t *at = pv_map_get(&s->addresses, &key, sizeof key);
  if (at) return (uint64_t)*at * 16;
  if (!s->next_address) {
    uint64_t behind_functions = pv_sym_function_address(s, s->program->functions.n) + 64;
    s->next_address = round_up(behind_functions, 1 << 16);
  }
  uint64_t address = s->next_address;
  s->next_address = round_up(address + pv_layout_place(s->layout, place)->size + GAP, 64);
  pv_map_put(&s->addresses, &key, sizeof key, (uint32_t)(address / 16), NULL);
  return address;
}

uint32_t pv_symbolic_objects(const struct pv_symbolic *s) {
  return s->addresses.n;
}
struct pv_sym_object pv_symbolic_object(const struct pv_symbolic *s, uint32_t i) {
  struct address_key key;
  memcpy(&key, s->addresses.entry[i].key, sizeof key);
  return (struct pv_sym_object){key.place, key.instance};
}
uint64_t pv_symbolic_address(struct pv_symbolic *s, struct pv_sym_object object) {
  return pv_sym_address(s, object.place, object.instance);
}

static pv_type pointer_type(const struct pv_symbolic *s) {
  return PV_TYPE(PV_T_PTR, s->program->pointer_bits);
}

pv_term pv_sym_number(struct pv_symbolic *s, uint64_t value) {
  return pv_smt_number(s->smt, pv_encode_sort(&s->encoder, pointer_type(s)), value, 0);
}

pv_term pv_sym_offset(struct pv_symbolic *s, pv_term address, uint64_t by) {
  if (!by) return address;
  return pv_smt_mk2(s->smt, s->options.encoding == PV_ENCODE_LINEAR ? PV_SMT_ADD : PV_SMT_BVADD,
                    address, pv_sym_number(s, by));
}

static pv_term minus(struct pv_symbolic *s, pv_term a, pv_term b) {
  return pv_smt_mk2(s->smt, s->options.encoding == PV_ENCODE_LINEAR ? PV_SMT_SUB : PV_SMT_BVSUB, a,
                    b);
}

pv_term pv_sym_at_most(struct pv_symbolic *s, pv_term a, pv_term b) {
  return pv_smt_mk2(s->smt, s->options.encoding == PV_ENCODE_LINEAR ? PV_SMT_LE : PV_SMT_BVULE, a,
                    b);
}

/* ---- values of another type -------------------------------------------------------------------
 */

/* The value of a cell of one type, read or written as another type of the same size. */
pv_term pv_sym_retype(struct pv_symbolic *s, pv_term t, pv_type from, bool from_signed, pv_type to,
                      bool to_signed) {
  bool plain = pv_type_kind(from) != PV_T_FLOAT && pv_type_kind(to) != PV_T_FLOAT;
  if (from == to || (plain && pv_type_bits(from) == pv_type_bits(to)))
    t = pv_encode_convert(&s->encoder, to, t, from_signed, to_signed);
  else if (s->options.encoding == PV_ENCODE_BITVECTOR && pv_type_bytes(from) == pv_type_bytes(to))
    t = pv_sym_from_bytes(s, pv_sym_to_bytes(s, t, from, from_signed), to, to_signed);
  else
    t = pv_sym_fresh(s, "punned", to, to_signed);
  pv_sym_encoded(s);
  return t;
}

/* ---- instances --------------------------------------------------------------------------------
 */

uint32_t pv_sym_alive_cell(struct pv_symbolic *s, uint32_t place, uint32_t instance) {
  const struct pv_place *p = pv_layout_place(s->layout, place);
  bool scoped = s->program->functions.at[p->function].slots.at[p->index].scoped;
  return scoped && p->taken ? pv_sym_cell(s, PV_CELL_ALIVE, place, 0, instance) : UINT32_MAX;
}

bool pv_sym_is_thread_local(const struct pv_symbolic *s, const struct pv_place *p) {
  return p->kind == PV_PLACE_GLOBAL && s->program->globals.at[p->index].is_thread_local;
}

uint32_t pv_sym_instance_here(const struct pv_symbolic *s, uint32_t place) {
  const struct pv_place *p = pv_layout_place(s->layout, place);
  const struct pv_frame *f = pv_control_frame(s->control, s->frame);
  if (pv_sym_is_thread_local(s, p)) return f->thread * PV_INSTANCES;
  return p->kind == PV_PLACE_SLOT ? f->instance : 0;
}

static void add_instances(const struct pv_symbolic *s, const struct pv_place *p, uint32_t frame,
                          pv_instances *out) {
  if (pv_sym_is_thread_local(s, p))
    pv_vec_push(out, pv_control_frame(s->control, frame)->thread * PV_INSTANCES);
  for (; p->kind != PV_PLACE_GLOBAL && frame != PV_NO_FRAME;
       frame = pv_control_frame(s->control, frame)->parent) {
    const struct pv_frame *f = pv_control_frame(s->control, frame);
    if (f->function == p->function) pv_vec_push(out, f->instance);
  }
}

void pv_sym_instances(struct pv_symbolic *s, uint32_t place, pv_instances *out) {
  const struct pv_place *p = pv_layout_place(s->layout, place);
  uint32_t n;
  const uint32_t *beside = pv_control_beside(s->control, s->beside, &n);
  if (p->kind == PV_PLACE_GLOBAL && !pv_sym_is_thread_local(s, p)) {
    pv_vec_push(out, 0);
    return;
  }
  if (s->objects && pv_sym_is_heap(p)) {
    for (uint32_t i = 0, objects = pv_sym_allocated(s, place); i < objects; i++)
      pv_vec_push(out, i);
    return;
  }
  add_instances(s, p, s->frame, out);
  for (uint32_t i = 0; i < n; i++) add_instances(s, p, beside[i], out);
}

/* ---- arrays ------------------------------------------------------------------------------------
 */

/* The pointer to which constants were added: in a correct program the start of a heap object. If it
 * is not, the event may be spurious. */
static pv_expr root_of(const struct pv_symbolic *s, pv_expr e, uint64_t *by) {
  const struct pv_expr_node *n = pv_node(s->program, e);
  uint64_t sum = 0;
  while (n->op == PV_X_PTRADD && pv_node(s->program, n->b)->op == PV_X_CONST) {
    const struct pv_expr_node *k = pv_node(s->program, n->b);
    sum += (uint64_t)pv_sign_extend(k->lo, pv_type_bits(k->type));
    e = n->a;
    n = pv_node(s->program, e);
  }
  *by = sum;
  return e;
}

/* The pointer to which anything was added: p in p[i]. */
static pv_expr pointer_of(const struct pv_symbolic *s, pv_expr e) {
  while (pv_node(s->program, e)->op == PV_X_PTRADD) e = pv_node(s->program, e)->a;
  return e;
}

static pv_term size_at(struct pv_symbolic *s, uint32_t class, pv_term start) {
  pv_term extent = pv_sym_get(s, pv_sym_cell(s, PV_CELL_EXTENT, class, 0, 0));
  return pv_smt_mk2(s->smt, PV_SMT_SELECT, extent, start);
}

/* at + bytes <= size, without overflow. */
static pv_term fits(struct pv_symbolic *s, pv_term at, pv_term bytes, pv_term size) {
  return pv_sym_and(s, pv_sym_at_most(s, bytes, size),
                    pv_sym_at_most(s, at, minus(s, size, bytes)));
}

/* Is the access inside of the heap object that begins at `start`? */
static pv_term in_object(struct pv_symbolic *s, uint32_t class, pv_term start, pv_term address,
                         pv_term bytes) {
  pv_term at = minus(s, address, start);
  return pv_sym_and(s, pv_sym_at_most(s, start, address),
                    fits(s, at, bytes, size_at(s, class, start)));
}

/* The same where numbers are known: the object is the last one that begins before the address. So a
 * pointer into the middle of an object may be a parameter. */
static pv_term in_known_object(struct pv_symbolic *s, uint32_t class, pv_term address,
                               pv_term bytes) {
  struct pv_smt_shape at, store, index;
  pv_term start = NULL;
  uint64_t last = 0;
  pv_term extent = pv_sym_get(s, pv_sym_cell(s, PV_CELL_EXTENT, class, 0, 0));
  if (!pv_smt_shape(s->smt, address, &at) || at.kind != PV_SHAPE_NUMBER)
    return pv_smt_bool(s->smt, false);
  while (pv_smt_shape(s->smt, extent, &store) && store.kind == PV_SHAPE_OP &&
         store.op == PV_SMT_STORE) {
    pv_term begin = pv_smt_operand(s->smt, extent, 1);
    if (pv_smt_shape(s->smt, begin, &index) && index.kind == PV_SHAPE_NUMBER && index.lo >= last &&
        index.lo <= at.lo) {
      start = begin;
      last = index.lo;
    }
    extent = pv_smt_operand(s->smt, extent, 0);
  }
  return start ? in_object(s, class, start, address, bytes) : pv_smt_bool(s->smt, false);
}

pv_term pv_sym_in_heap(struct pv_symbolic *s, const struct pv_reach *r, pv_expr e, pv_term address,
                       pv_term bytes) {
  uint64_t by;
  pv_term valid = pv_smt_bool(s->smt, false);
  pv_expr root = root_of(s, e, &by), pointer = pointer_of(s, e);
  pv_term size = size_at(s, r->class, pv_sym_encode(s, root, false));
  struct pv_smt_shape shape;
  const uint64_t large = UINT64_C(1)
                         << 31; /* the sum of two smaller numbers does not wrap around */
  bool is_number = pv_smt_shape(s->smt, bytes, &shape) && shape.kind == PV_SHAPE_NUMBER;
  if (by < large && is_number && shape.lo < large)
    valid = pv_sym_at_most(s, pv_sym_number(s, by + shape.lo), size);
  else if (by < large)
    valid = fits(s, pv_sym_number(s, by), bytes, size);
  if (pointer != root)
    valid = pv_sym_or(s, valid,
                      in_object(s, r->class, pv_sym_encode(s, pointer, false), address, bytes));
  if (pv_smt_is_true(s->smt, valid)) return valid;
  return pv_sym_or(s, valid, in_known_object(s, r->class, address, bytes));
}

/* base <= address and address + bytes <= base + size. */
static pv_term inside(struct pv_symbolic *s, pv_term address, uint64_t base, uint64_t size,
                      unsigned bytes) {
  if (size < bytes) return pv_smt_bool(s->smt, false);
  return pv_sym_and(s, pv_sym_at_most(s, pv_sym_number(s, base), address),
                    pv_sym_at_most(s, address, pv_sym_number(s, base + size - bytes)));
}

static void must_be_inside(struct pv_symbolic *s, const struct pv_reach *r, pv_expr e,
                           pv_term address, unsigned bytes, bool writes) {
  pv_term valid = pv_smt_bool(s->smt, false);
  bool in_heap = false;
  pv_sym_extents extents = {0};
  if (s->objects) {
    pv_sym_extents_of(s, r, false, &extents);
    valid = pv_sym_is_inside(s, &extents, address, pv_sym_number(s, bytes), writes);
    pv_vec_free(&extents);
  }
  for (uint32_t i = 0; i < r->places.n && !s->objects; i++) {
    const struct pv_place *p = pv_layout_place(s->layout, r->places.at[i]);
    if (pv_sym_is_heap(p)) {
      in_heap = true;
      continue;
    }
    if (writes && p->kind == PV_PLACE_GLOBAL && s->program->globals.at[p->index].is_const) continue;
    pv_instances instances = {0};
    pv_sym_instances(s, r->places.at[i], &instances);
    for (uint32_t k = 0; k < instances.n; k++) {
      uint64_t base = pv_sym_address(s, r->places.at[i], instances.at[k]);
      pv_term here = inside(s, address, base, p->size, bytes);
      uint32_t alive = p->kind == PV_PLACE_SLOT
                           ? pv_sym_alive_cell(s, r->places.at[i], instances.at[k])
                           : UINT32_MAX;
      if (alive != UINT32_MAX) here = pv_sym_and(s, here, pv_sym_get(s, alive));
      valid = pv_sym_or(s, valid, here);
    }
    pv_vec_free(&instances);
  }
  if (in_heap)
    valid = pv_sym_or(s, valid, pv_sym_in_heap(s, r, e, address, pv_sym_number(s, bytes)));
  pv_sym_fault(s, PV_PROP_VALID_DEREF, pv_sym_not(s, valid), "invalid access to memory");
}

uint32_t pv_sym_array_cell(struct pv_symbolic *s, uint32_t class, pv_type type) {
  return pv_sym_cell(s, PV_CELL_ARRAY, class, type, 0);
}

/* Where it says which bits of a memory cell, of an array are unset; UINT32_MAX: none are. */
uint32_t pv_sym_unset_cell(struct pv_symbolic *s, uint32_t cell) {
  const struct pv_cell *c = s->cells.at[cell];
  if (!s->unset || !pv_unset_place(s->unset, pv_layout_cell(s->layout, c->a)->place))
    return UINT32_MAX;
  return pv_sym_cell(s, PV_CELL_UNSET_MEMORY, c->a, 0, c->instance);
}

uint32_t pv_sym_unset_array(struct pv_symbolic *s, uint32_t class, pv_type type) {
  if (!s->unset || !pv_unset_class(s->unset, class)) return UINT32_MAX;
  return pv_sym_cell(s, PV_CELL_UNSET_ARRAY, class, type, 0);
}

/* Sets which bits of a memory cell are unset where `here` holds; NULL: none. */
void pv_sym_mark_cell(struct pv_symbolic *s, uint32_t cell, pv_term here, pv_term unset) {
  uint32_t at = pv_sym_unset_cell(s, cell);
  if (at == UINT32_MAX) return;
  if (!unset) unset = pv_sym_all_unset(s, s->cells.at[cell]->type, false);
  pv_sym_set(s, at, pv_sym_ite(s, here, unset, pv_sym_get(s, at)));
}

static pv_term fresh_of_sort(struct pv_symbolic *s, const char *name, struct pv_sort sort) {
  return pv_smt_fresh(s->smt, name, sort);
}

/* Makes the elements of the class's arrays that overlap `bytes` bytes at `address` unconstrained.
 * `address` has that alignment. Elements of type `except` are included only if they can overlap
 * without being identical. Alignment is assumed as clang states it (docs/semantics.md). */
static void forget_overlapping(struct pv_symbolic *s, uint32_t class, pv_term address,
                               unsigned bytes, pv_type except, unsigned align) {
  uint32_t n;
  const pv_type *types = pv_layout_class_types(s->layout, class, &n);
  for (uint32_t i = 0; i < n; i++) {
    unsigned width = pv_type_bytes(types[i]);
    /* Aligned elements overlap only with themselves. */
    if (types[i] == except && align >= bytes) continue;
    uint32_t cell = pv_sym_array_cell(s, class, types[i]),
             unset = pv_sym_unset_array(s, class, types[i]);
    pv_term array = pv_sym_get(s, cell);
    struct pv_sort element = pv_encode_sort(&s->encoder, types[i]);
    /* Aligned elements begin at multiples of the smaller width before and after the address. */
    unsigned step = width < bytes ? width : bytes;
    if (align < step) step = align ? align : 1;
    for (int64_t at = -(int64_t)(width - step); at < (int64_t)bytes; at += step) {
      pv_term index =
          at < 0 ? pv_smt_mk2(s->smt,
                              s->options.encoding == PV_ENCODE_LINEAR ? PV_SMT_SUB : PV_SMT_BVSUB,
                              address, pv_sym_number(s, (uint64_t)-at))
                 : pv_sym_offset(s, address, (uint64_t)at);
      array = pv_smt_mk3(s->smt, PV_SMT_STORE, array, index, fresh_of_sort(s, "punned", element));
      if (unset != UINT32_MAX)
        pv_sym_set(s, unset,
                   pv_smt_mk3(s->smt, PV_SMT_STORE, pv_sym_get(s, unset), index,
                              fresh_of_sort(s, "punned", pv_sym_unset_sort(s, types[i]))));
    }
    pv_sym_set(s, cell, array);
  }
}

void pv_sym_forget_class(struct pv_symbolic *s, uint32_t class) {
  uint32_t n;
  const pv_type *types = pv_layout_class_types(s->layout, class, &n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t cell = pv_sym_array_cell(s, class, types[i]);
    pv_sym_set(s, cell, fresh_of_sort(s, "memory", s->cells.at[cell]->sort));
    uint32_t unset = pv_sym_unset_array(s, class, types[i]);
    if (unset != UINT32_MAX)
      pv_sym_set(s, unset, fresh_of_sort(s, "unset", s->cells.at[unset]->sort));
  }
}

/* ---- order of addresses ---------------------------------------------------------------------- */

pv_term pv_sym_are_apart(struct pv_symbolic *s, pv_expr a, pv_expr b) {
  struct pv_reach reach;
  pv_sym_extents extents = {0}, one = {0};
  pv_term together = pv_smt_bool(s->smt, false), none = pv_sym_number(s, 0);
  pv_layout_reach_of(s->layout, pv_control_frame(s->control, s->frame)->function, a, &reach);
  pv_term x = pv_sym_encode(s, a, false), y = pv_sym_encode(s, b, false);
  pv_sym_extents_of(s, &reach, false, &extents);
  for (uint32_t i = 0; i < extents.n; i++) {
    struct pv_sym_extent near = extents.at[i];
    near.base -= NEAR;
    near.size += 2 * NEAR;
    if (near.bytes) near.bytes = pv_sym_offset(s, near.bytes, 2 * NEAR);
    one.n = 0;
    pv_vec_push(&one, near);
    pv_term here = pv_sym_is_inside(s, &one, x, none, false);
    if (pv_smt_is_false(s->smt, here)) continue;
    pv_term there = pv_sym_is_inside(s, &one, y, none, false);
    together = pv_sym_or(s, together, pv_sym_and(s, here, there));
  }
  pv_vec_free(&one);
  pv_vec_free(&extents);
  pv_vec_free(&reach.places);
  return pv_sym_not(s, together);
}

/* ---- access ------------------------------------------------------------------------------------
 */

const struct pv_reach *pv_sym_reach(struct pv_symbolic *s, unsigned operand) {
  const struct pv_reach *r = pv_layout_reach(
      s->layout, pv_control_frame(s->control, s->frame)->function, s->edge, operand);
  PV_REQUIRE(r, "an access that the layout does not know");
  return r;
}

/* The type of an array that holds single bytes, if the access is wider; 0 otherwise. */
static bool is_of_bytes(struct pv_symbolic *s, uint32_t class, pv_type type) {
  uint32_t n;
  const pv_type *types = pv_layout_class_types(s->layout, class, &n);
  return n == 1 && types[0] == PV_INT(8) && type != PV_INT(8);
}

static pv_term load_from_array(struct pv_symbolic *s, uint32_t class, pv_term address, pv_type type,
                               bool as_signed, pv_term *unset) {
  bool bytes = is_of_bytes(s, class, type);
  pv_type of = bytes ? PV_INT(8) : type;
  uint32_t cell = pv_sym_array_cell(s, class, of), marks = pv_sym_unset_array(s, class, of);
  bool is_signed = s->cells.at[cell]->is_signed;
  pv_term value = NULL, some = NULL;
  for (unsigned i = 0; i < (bytes ? pv_type_bytes(type) : 1); i++) {
    pv_term at = pv_sym_offset(s, address, i);
    pv_term here = pv_smt_mk2(s->smt, PV_SMT_SELECT, pv_sym_get(s, cell), at);
    pv_sym_assume(s, pv_encode_range(&s->encoder, of, is_signed, here));
    if (bytes) here = pv_sym_to_bytes(s, here, of, is_signed);
    value = value ? pv_sym_join(s, value, i, here, 1) : here;
    if (marks == UINT32_MAX) continue;
    here = pv_smt_mk2(s->smt, PV_SMT_SELECT, pv_sym_get(s, marks), at);
    some = i ? pv_sym_unset_join(s, some, i, here, 1) : here;
  }
  *unset = bytes ? pv_sym_unset_from_bytes(s, some, type) : some;
  if (bytes) return pv_sym_from_bytes(s, value, type, as_signed);
  value = pv_encode_convert(&s->encoder, type, value, is_signed, as_signed);
  pv_sym_encoded(s);
  return value;
}

static void store_to_array(struct pv_symbolic *s, uint32_t class, pv_term address, pv_type type,
                           pv_term value, bool value_signed, pv_term unset) {
  bool bytes = is_of_bytes(s, class, type);
  pv_type of = bytes ? PV_INT(8) : type;
  unsigned n = bytes ? pv_type_bytes(type) : 1;
  uint32_t cell = pv_sym_array_cell(s, class, of), marks = pv_sym_unset_array(s, class, of);
  bool is_signed = s->cells.at[cell]->is_signed;
  if (bytes) {
    value = pv_sym_to_bytes(s, value, type, value_signed);
    unset = pv_sym_unset_to_bytes(s, unset, type);
  } else {
    forget_overlapping(s, class, address, pv_type_bytes(type), type, pv_sym_edge(s)->align);
    value = pv_encode_convert(&s->encoder, type, value, value_signed, is_signed);
    pv_sym_encoded(s);
  }
  for (unsigned i = 0; i < n; i++) {
    pv_term at = pv_sym_offset(s, address, i), here = value, some = unset;
    if (bytes) {
      here = pv_sym_from_bytes(s, pv_sym_part(s, value, n, i, 1), of, is_signed);
      some = pv_sym_unset_part(s, unset, n, i, 1);
    }
    pv_sym_set(s, cell, pv_smt_mk3(s->smt, PV_SMT_STORE, pv_sym_get(s, cell), at, here));
    if (marks != UINT32_MAX)
      pv_sym_set(s, marks,
                 pv_smt_mk3(s->smt, PV_SMT_STORE, pv_sym_get(s, marks), at,
                            some ? some : pv_sym_all_unset(s, of, false)));
  }
}

/* The objects that the access may reach and where it may begin in them. An access that hits none
 * of them is an event. */
static void find_targets(struct pv_symbolic *s, const struct pv_reach *r, pv_expr e,
                         pv_term address, unsigned bytes, bool writes, pv_sym_extents *extents,
                         pv_sym_targets *targets) {
  pv_sym_extents_of(s, r, pv_sym_is_named(s, e), extents);
  if (!pv_sym_targets_of(s, extents, address, bytes, MOST_SPOTS, targets))
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_smt_bool(s->smt, true), true,
                 "the address at %s is one that this engine follows", pv_sym_where(s));
  pv_sym_fault(s, PV_PROP_VALID_DEREF,
               pv_sym_not(s, pv_sym_hits(s, extents, address, targets, bytes, writes)),
               "invalid access to memory");
}

/* The value at a known address in a constant global: its array may not have all elements. NULL: it
 * is elsewhere. */
static pv_term load_constant(struct pv_symbolic *s, const struct pv_reach *r, pv_term address,
                             pv_type type, bool as_signed, pv_term *unset) {
  struct pv_smt_shape shape;
  unsigned bytes = pv_type_bytes(type);
  if (!pv_smt_shape(s->smt, address, &shape) || shape.kind != PV_SHAPE_NUMBER || shape.hi)
    return NULL;
  for (uint32_t i = 0; i < r->places.n; i++) {
    const struct pv_place *p = pv_layout_place(s->layout, r->places.at[i]);
    if (p->kind != PV_PLACE_GLOBAL || !s->program->globals.at[p->index].is_const) continue;
    uint64_t base = pv_sym_address(s, r->places.at[i], 0);
    if (shape.lo < base || p->size < bytes || shape.lo - base > p->size - bytes) continue;
    if (s->unset) *unset = pv_sym_all_unset(s, type, false);
    return pv_sym_initial_scalar(s, p->index, shape.lo - base, type, as_signed);
  }
  return NULL;
}

pv_term pv_sym_load(struct pv_symbolic *s, pv_expr e, pv_type type, bool as_signed,
                    pv_term *unset) {
  const struct pv_reach *r = pv_sym_reach(s, s->operand);
  unsigned bytes = pv_type_bytes(type);
  pv_term address = pv_sym_encode_address(s, e), value = NULL;
  *unset = NULL;
  if (r->in_class) {
    must_be_inside(s, r, e, address, bytes, false);
    value = load_constant(s, r, address, type, as_signed, unset);
    if (value) return value;
    *unset = NULL;
    return load_from_array(s, r->class, address, type, as_signed, unset);
  }
  pv_sym_extents extents = {0};
  pv_sym_targets targets = {0};
  find_targets(s, r, e, address, bytes, false, &extents, &targets);
  for (uint32_t i = targets.n; i-- > 0;) {
    const struct pv_sym_target *target = &targets.at[i];
    struct pv_sym_bytes b = pv_sym_read_at(s, &extents.at[target->extent], target->offset, bytes);
    pv_term marks = pv_sym_unset_from_bytes(s, b.unset, type);
    pv_term here = b.typed ? pv_sym_retype(s, b.typed, b.type, b.is_signed, type, as_signed)
                           : pv_sym_from_bytes(s, b.value, type, as_signed);
    if (marks || *unset) {
      pv_term none = pv_sym_all_unset(s, type, false);
      if (!marks) marks = none;
      *unset = value ? pv_sym_ite(s, target->here, marks, *unset ? *unset : none) : marks;
    }
    value = value ? pv_sym_ite(s, target->here, here, value) : here;
  }
  pv_vec_free(&extents);
  pv_vec_free(&targets);
  return value ? value : pv_sym_fresh(s, "nowhere", type, as_signed);
}

void pv_sym_store(struct pv_symbolic *s, pv_expr e, pv_type type, pv_term value, bool value_signed,
                  pv_term unset) {
  const struct pv_reach *r = pv_sym_reach(s, s->operand);
  unsigned bytes = pv_type_bytes(type);
  pv_term address = pv_sym_encode_address(s, e);
  if (r->in_class) {
    must_be_inside(s, r, e, address, bytes, true);
    store_to_array(s, r->class, address, type, value, value_signed, unset);
    return;
  }
  pv_sym_extents extents = {0};
  pv_sym_targets targets = {0};
  find_targets(s, r, e, address, bytes, true, &extents, &targets);
  struct pv_sym_bytes b = {.typed = value, .type = type, .is_signed = value_signed};
  b.unset = pv_sym_unset_to_bytes(s, unset, type);
  for (uint32_t i = 0; i < targets.n; i++) {
    pv_term here = targets.n == 1 ? pv_smt_bool(s->smt, true) : targets.at[i].here;
    pv_sym_write_at(s, &extents.at[targets.at[i].extent], targets.at[i].offset, bytes, b, here);
  }
  pv_vec_free(&extents);
  pv_vec_free(&targets);
}

/* ---- allocation ------------------------------------------------------------------------------
 */

/* The place of the object: that of the program's own edge that allocates (points_to.h). */
static uint32_t allocation_site(const struct pv_symbolic *s, const struct pv_edge *e) {
  uint32_t frame = s->frame, edge = s->edge;
  while (pv_storage_on_heap(e->aux) && pv_control_function(s->control, frame)->is_model &&
         pv_control_frame(s->control, frame)->parent != PV_NO_FRAME) {
    edge = pv_control_frame(s->control, frame)->call;
    frame = pv_control_frame(s->control, frame)->parent;
  }
  uint32_t place = pv_layout_site(s->layout, pv_control_frame(s->control, frame)->function, edge);
  if (place != UINT32_MAX || frame == s->frame) return place;
  return pv_layout_site(s->layout, pv_control_frame(s->control, s->frame)->function, s->edge);
}

/* Addresses that come back are not modelled. If the program can notice that, an event says so, at
 * an allocation after a free. Between preemptive threads the order of the two may not have been
 * tried, so there each free is one. */
enum come_back { NEVER, AT_ALLOCATION, AT_FREE };
static enum come_back may_come_back(const struct pv_symbolic *s) {
  if (!pv_points_to_sees_reuse(s->program)) return NEVER;
  bool tried = !pv_control_has_threads(s->control) ||
               (pv_control_executes_scheduler(s->control) && !pv_control_preempts(s->control));
  return s->objects || tried ? AT_ALLOCATION : AT_FREE;
}

void pv_sym_address_returns(struct pv_symbolic *s) {
  if (may_come_back(s) == AT_ALLOCATION)
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT,
                 pv_sym_get(s, pv_sym_cell(s, PV_CELL_FREED, 0, 0, 0)), false,
                 "no address of an object that was freed comes back at %s", pv_sym_where(s));
}

/* A new object is above all existing ones, so it is distinct from them. */
void pv_sym_alloc(struct pv_symbolic *s, const struct pv_edge *e) {
  uint32_t place = allocation_site(s, e);
  s->met.heap |= pv_storage_on_heap(e->aux);
  if (e->aux == PV_STORAGE_MAPPING) /* zeroed, and distinct from what malloc returns */
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_smt_bool(s->smt, true), true,
                 "no memory is mapped at %s", pv_sym_where(s));
  if (s->objects && place != UINT32_MAX) {
    pv_sym_alloc_object(s, e, place);
    return;
  }
  if (s->objects)
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_smt_bool(s->smt, true), true,
                 "nothing is allocated at %s", pv_sym_where(s));
  if (pv_storage_on_heap(e->aux)) pv_sym_address_returns(s);
  uint32_t top = pv_sym_cell(s, PV_CELL_TOP, 0, 0, 0);
  pv_term size = pv_sym_encode(s, e->e[0], false), address = pv_sym_get(s, top);
  /* The VM refuses larger objects, too. So no address computation wraps around. */
  pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT,
               pv_sym_not(s, pv_sym_at_most(s, size, pv_sym_number(s, UINT64_C(256) << 20))), true,
               "no object of more than 256 MiB is allocated at %s", pv_sym_where(s));
  pv_term next;
  struct pv_smt_shape shape;
  if (pv_smt_shape(s->smt, size, &shape) && shape.kind == PV_SHAPE_NUMBER) {
    next = pv_sym_offset(s, address, round_up(shape.lo + GAP, 64));
  } else { /* a multiple of 64 above its end */
    bool linear = s->options.encoding == PV_ENCODE_LINEAR;
    pv_term end = pv_smt_mk2(s->smt, linear ? PV_SMT_ADD : PV_SMT_BVADD,
                             pv_sym_offset(s, address, GAP), size);
    next = pv_smt_mk2(s->smt, linear ? PV_SMT_MUL : PV_SMT_BVMUL, pv_sym_number(s, 64),
                      pv_sym_fresh(s, "top", pointer_type(s), false));
    pv_sym_assume(s, pv_sym_at_most(s, end, next));
    pv_sym_assume(s, pv_sym_at_most(s, next, pv_sym_offset(s, end, 64)));
  }
  pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT,
               pv_sym_not(s, pv_sym_at_most(
                                 s, next, pv_sym_number(s, 2 * pv_sym_heap_begin(s) - (1 << 16)))),
               true, "the heap does not grow over its bound at %s", pv_sym_where(s));
  pv_sym_set(s, top, pv_smt_simplify(s->smt, next));
  if (place != UINT32_MAX) {
    uint32_t extent =
        pv_sym_cell(s, PV_CELL_EXTENT, pv_layout_place(s->layout, place)->class, 0, 0);
    pv_sym_set(s, extent, pv_smt_mk3(s->smt, PV_SMT_STORE, pv_sym_get(s, extent), address, size));
  }
  if (e->dst == PV_NO_VAR) return;
  uint32_t cell = pv_sym_variable(s, s->frame, e->dst);
  pv_term t =
      pv_encode_convert(&s->encoder, pointer_type(s), address, false, s->cells.at[cell]->is_signed);
  pv_sym_encoded(s);
  pv_sym_set(s, cell, t);
}

/* Frees an object: null, or the start of a live one. The edge does not tell the classes that it may
 * belong to, so those of all heap places are considered. */
void pv_sym_free_object(struct pv_symbolic *s, const struct pv_edge *e) {
  pv_term address = pv_sym_encode(s, e->e[0], false);
  pv_term null = pv_sym_eq(s, address, pv_sym_number(s, 0)), valid = null;
  bool on_heap = pv_storage_on_heap(e->aux);
  if (on_heap && may_come_back(s) == AT_ALLOCATION) {
    uint32_t freed = pv_sym_cell(s, PV_CELL_FREED, 0, 0, 0);
    pv_sym_set(s, freed, pv_sym_or(s, pv_sym_get(s, freed), pv_sym_not(s, null)));
  } else if (on_heap && may_come_back(s) == AT_FREE) {
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_sym_not(s, null), false,
                 "addresses freed at %s never come back", pv_sym_where(s));
  }
  if (s->objects)
    valid = pv_sym_or(s, valid,
                      pv_sym_is_start(s, address, on_heap ? PV_PLACE_HEAP : PV_PLACE_ALLOCA, true));
  for (uint32_t c = 0; c < pv_layout_classes(s->layout) && !s->objects; c++) {
    bool any = false;
    for (uint32_t i = 0; i < pv_layout_places(s->layout); i++) {
      const struct pv_place *p = pv_layout_place(s->layout, i);
      any |= p->kind == (on_heap ? PV_PLACE_HEAP : PV_PLACE_ALLOCA) && p->class == c;
    }
    if (!any) continue;
    uint32_t extent = pv_sym_cell(s, PV_CELL_EXTENT, c, 0, 0);
    pv_term array = pv_sym_get(s, extent);
    pv_term size = pv_smt_mk2(s->smt, PV_SMT_SELECT, array, address);
    valid = pv_sym_or(s, valid, pv_sym_at_most(s, pv_sym_number(s, 1), size));
    pv_sym_set(s, extent, pv_smt_mk3(s->smt, PV_SMT_STORE, array, address, pv_sym_number(s, 0)));
  }
  if (on_heap)
    pv_sym_fault(s, PV_PROP_VALID_FREE, pv_sym_not(s, valid), "invalid pointer is freed");
}

/* Are all objects of unknown places in this class on the heap, and is there one? */
static bool is_of_heap(const struct pv_symbolic *s, uint32_t class) {
  bool any = false;
  for (uint32_t i = 0; i < pv_layout_places(s->layout); i++) {
    const struct pv_place *p = pv_layout_place(s->layout, i);
    if (p->cut || p->class != class) continue;
    if (p->kind == PV_PLACE_ALLOCA) return false;
    any |= p->kind == PV_PLACE_HEAP;
  }
  return any;
}

/* The same without `objects`: known where the address is the start of an object that is not empty,
 * else arbitrary. */
static void query_extents(struct pv_symbolic *s, const struct pv_edge *e, pv_term address) {
  uint32_t cell = pv_sym_variable(s, s->frame, e->dst);
  pv_type type = pv_symbolic_cell(s, cell)->type;
  bool is_signed = pv_symbolic_cell(s, cell)->is_signed;
  pv_term answer = pv_sym_fresh(s, "queried", type, is_signed);
  for (uint32_t c = 0; c < pv_layout_classes(s->layout); c++) {
    if (!is_of_heap(s, c)) continue;
    pv_term size = size_at(s, c, address), here = pv_sym_at_most(s, pv_sym_number(s, 1), size);
    pv_term known = pv_smt_bool(s->smt, true);
    if (e->aux != PV_QUERY_IS_HEAP_START) {
      known = pv_encode_convert(&s->encoder, type, size, false, is_signed);
      pv_sym_encoded(s);
    }
    answer = pv_sym_ite(s, here, known, answer);
  }
  pv_sym_assign(s, s->frame, e->dst, answer);
}

bool pv_sym_query_memory(struct pv_symbolic *s, const struct pv_edge *e) {
  bool is_start = e->aux == PV_QUERY_IS_HEAP_START;
  if (e->dst == PV_NO_VAR) return false;
  if (!is_start && e->aux != PV_QUERY_OBJECT_SIZE && e->aux != PV_QUERY_USABLE_SIZE) return false;
  pv_term address = pv_sym_encode(s, pv_arg(s->program, e->args, 0), false);
  if (!s->objects) {
    query_extents(s, e, address);
    return true;
  }
  if (is_start) {
    pv_sym_assign(s, s->frame, e->dst, pv_sym_is_start(s, address, PV_PLACE_HEAP, false));
    return true;
  }
  const struct pv_cell *c = pv_symbolic_cell(s, pv_sym_variable(s, s->frame, e->dst));
  pv_term size = pv_sym_fresh(s, "size", c->type, c->is_signed); /* of an object not on the heap */
  struct pv_reach all = {0};
  pv_sym_extents extents = {0};
  for (uint32_t i = 0; i < pv_layout_places(s->layout); i++)
    if (pv_layout_place(s->layout, i)->kind == PV_PLACE_HEAP) pv_vec_push(&all.places, i);
  pv_sym_extents_of(s, &all, false, &extents);
  for (uint32_t i = 0; i < extents.n; i++) {
    const struct pv_sym_extent *v = &extents.at[i];
    pv_sym_extents one = {.at = &extents.at[i], .n = 1};
    pv_term here = pv_sym_is_inside(s, &one, address, pv_sym_number(s, 0), false);
    if (pv_smt_is_false(s->smt, here)) continue;
    pv_term bytes = v->bytes ? v->bytes : pv_sym_number(s, v->size);
    pv_term left = minus(s, bytes, minus(s, address, pv_sym_number(s, v->base)));
    left =
        pv_encode_convert(&s->encoder, c->type, pv_smt_simplify(s->smt, left), false, c->is_signed);
    pv_sym_encoded(s);
    size = pv_sym_ite(s, here, left, size);
  }
  pv_vec_free(&all.places);
  pv_vec_free(&extents);
  pv_sym_assign(s, s->frame, e->dst, size);
  return true;
}
