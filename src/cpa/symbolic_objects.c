/* symbolic_objects.c -- the objects that an address may refer to, and their bytes (docs/memory.md).
 *
 * With `objects` each allocation of a path is an object of its own, with a constant address: the
 * k-th one of its place. How many there are is part of the state. Where paths meet, the larger
 * number counts, so no path has two objects with one number. An object that was not allocated on a
 * path is not alive there. */
#include "cpa/symbolic_internal.h"

#include <stdlib.h>

enum {
  MANY = 8,        /* targets: then a comparison with the ends of the object is shorter */
  MOST_LEAVES = 64 /* values of an address that are told apart */
};

static pv_term yes(struct pv_symbolic *s) {
  return pv_smt_bool(s->smt, true);
}

static bool number_of(struct pv_symbolic *s, pv_term t, uint64_t *value) {
  struct pv_smt_shape shape;
  if (!t || !pv_smt_shape(s->smt, t, &shape) || shape.kind != PV_SHAPE_NUMBER) return false;
  *value = shape.lo;
  return true;
}

static bool on_heap(const struct pv_place *p) {
  return p->kind == PV_PLACE_HEAP || p->kind == PV_PLACE_ALLOCA;
}

static pv_type pointer_type(const struct pv_symbolic *s) {
  return PV_TYPE(PV_T_PTR, s->program->pointer_bits);
}

/* ---- heap objects ---------------------------------------------------------------------------- */

/* The largest object whose size is not known when its place is. */
static uint64_t largest(const struct pv_symbolic *s) {
  return s->program->pointer_bits == 32 ? UINT64_C(16) << 20 : UINT64_C(256) << 20;
}

struct address_key {
  uint32_t place, instance;
};

uint64_t pv_sym_heap_address(struct pv_symbolic *s, uint32_t place, uint32_t instance) {
  struct address_key key = {place, instance};
  const uint32_t *at = pv_map_get(&s->heap_index, &key, sizeof key);
  if (at) return s->heap_addresses.at[*at];
  const struct pv_place *p = pv_layout_place(s->layout, place);
  if (!s->next_heap) s->next_heap = pv_sym_heap_begin(s);
  uint64_t address = s->next_heap, size = p->bounded && !p->cut ? largest(s) : p->size;
  s->next_heap = (address + size + 4096 + 4095) / 4096 * 4096;
  pv_map_put(&s->heap_index, &key, sizeof key, s->heap_addresses.n, NULL);
  pv_vec_push(&s->heap_addresses, address);
  return address;
}

uint32_t pv_sym_allocated(struct pv_symbolic *s, uint32_t place) {
  uint64_t n = 0;
  number_of(s, pv_sym_get(s, pv_sym_cell(s, PV_CELL_COUNT, place, 0, 0)), &n);
  return (uint32_t)n;
}

static uint32_t alive_of(struct pv_symbolic *s, uint32_t place, uint32_t instance) {
  return pv_sym_cell(s, PV_CELL_ALIVE, place, 0, instance);
}

uint64_t pv_sym_bound(struct pv_symbolic *s, pv_term t, uint64_t most) {
  static const uint64_t steps[] = {8, 32, 96};
  uint64_t value;
  if (number_of(s, t, &value)) return value < most ? value : most;
  if (!s->objects) return most;
  for (unsigned i = 0; i < sizeof steps / sizeof *steps && steps[i] < most; i++) {
    pv_term parts[] = {pv_symbolic_condition(s, &s->w),
                       pv_sym_not(s, pv_sym_at_most(s, t, pv_sym_number(s, steps[i])))};
    if (pv_smt_check(s->smt, 2, parts) == PV_SMT_UNSAT) return steps[i];
  }
  return most;
}

void pv_sym_alloc_object(struct pv_symbolic *s, const struct pv_edge *e, uint32_t place) {
  const struct pv_place *p = pv_layout_place(s->layout, place);
  pv_term size = pv_sym_encode(s, e->e[0], false);
  uint32_t k = pv_sym_allocated(s, place);
  uint64_t base = pv_sym_heap_address(s, place, k);
  if (p->kind == PV_PLACE_HEAP) pv_sym_address_returns(s);
  if (p->bounded && p->cut) {
    uint32_t events = s->events.n;
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT,
                 pv_sym_not(s, pv_sym_at_most(s, size, pv_sym_number(s, p->size))), true,
                 "objects of at most %u bytes are allocated at %s", (unsigned)p->size,
                 pv_sym_where(s));
    if (s->events.n > events) pv_vec_last(&s->events).coarse = place + 1;
  } else {
    uint64_t most = p->bounded ? largest(s) : UINT64_C(256) << 20;
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT,
                 pv_sym_not(s, pv_sym_at_most(s, size, pv_sym_number(s, most))), true,
                 "no object of more than %u MiB is allocated at %s", (unsigned)(most >> 20),
                 pv_sym_where(s));
  }
  if (s->program->pointer_bits == 32 && s->next_heap > 2 * pv_sym_heap_begin(s))
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, yes(s), true,
                 "the heap does not grow over its bound at %s", pv_sym_where(s));
  pv_sym_set(s, pv_sym_cell(s, PV_CELL_COUNT, place, 0, 0), pv_sym_number(s, k + 1));
  if (p->bounded) {
    pv_sym_set(s, pv_sym_cell(s, PV_CELL_SIZE, place, 0, k), size);
    if (p->cut)
      pv_sym_set(s, pv_sym_cell(s, PV_CELL_MOST, place, 0, k),
                 pv_sym_number(s, pv_sym_bound(s, size, p->size)));
  }
  pv_sym_set(s, alive_of(s, place, k), yes(s));
  if (e->dst == PV_NO_VAR) return;
  uint32_t cell = pv_sym_variable(s, s->frame, e->dst);
  pv_term t = pv_encode_convert(&s->encoder, pointer_type(s), pv_sym_number(s, base), false,
                                s->cells.at[cell]->is_signed);
  pv_sym_encoded(s);
  pv_sym_assign(s, s->frame, e->dst, t);
}

/* Is the address the start of a live heap object? */
pv_term pv_sym_is_start(struct pv_symbolic *s, pv_term address, enum pv_place_kind kind,
                        bool ends) {
  pv_term any = pv_smt_bool(s->smt, false);
  for (uint32_t i = 0; i < pv_layout_places(s->layout); i++) {
    if (pv_layout_place(s->layout, i)->kind != kind) continue;
    for (uint32_t k = 0, n = pv_sym_allocated(s, i); k < n; k++) {
      pv_term here = pv_sym_is_value(s, address, pv_sym_heap_address(s, i, k));
      if (pv_smt_is_false(s->smt, here)) continue;
      uint32_t alive = alive_of(s, i, k);
      any = pv_sym_or(s, any, pv_sym_and(s, here, pv_sym_get(s, alive)));
      if (ends) pv_sym_set(s, alive, pv_sym_and(s, pv_sym_get(s, alive), pv_sym_not(s, here)));
    }
  }
  return any;
}

/* ---- extents -----------------------------------------------------------------------------------
 */

static void add_heap(struct pv_symbolic *s, uint32_t place, pv_sym_extents *out) {
  const struct pv_place *p = pv_layout_place(s->layout, place);
  for (uint32_t k = 0, n = pv_sym_allocated(s, place); k < n; k++) {
    uint64_t bytes;
    struct pv_sym_extent v = {.place = place, .instance = k, .size = p->size};
    v.base = pv_sym_heap_address(s, place, k);
    v.alive = pv_sym_get(s, alive_of(s, place, k));
    if (pv_smt_is_false(s->smt, v.alive)) continue;
    if (pv_smt_is_true(s->smt, v.alive)) v.alive = NULL;
    if (p->bounded) {
      v.bytes = pv_sym_get(s, pv_sym_cell(s, PV_CELL_SIZE, place, 0, k));
      if (!p->cut)
        v.size = largest(s);
      else
        number_of(s, pv_sym_get(s, pv_sym_cell(s, PV_CELL_MOST, place, 0, k)), &v.size);
      if (number_of(s, v.bytes, &bytes)) {
        if (bytes < v.size) v.size = bytes;
        v.bytes = NULL;
      }
    }
    pv_vec_push(out, v);
  }
}

void pv_sym_extents_of(struct pv_symbolic *s, const struct pv_reach *r, bool by_name,
                       pv_sym_extents *out) {
  for (uint32_t i = 0; i < r->places.n; i++) {
    uint32_t place = r->places.at[i];
    const struct pv_place *p = pv_layout_place(s->layout, place);
    if (on_heap(p)) {
      if (s->objects) add_heap(s, place, out);
      continue;
    }
    pv_instances instances = {0};
    if (by_name)
      pv_vec_push(&instances, pv_sym_instance_here(s, place));
    else
      pv_sym_instances(s, place, &instances);
    for (uint32_t k = 0; k < instances.n; k++) {
      struct pv_sym_extent v = {.place = place, .instance = instances.at[k], .size = p->size};
      v.base = pv_sym_address(s, place, v.instance);
      v.spots = pv_reach_spots(r, place, &v.n_spots);
      uint32_t alive = p->kind == PV_PLACE_SLOT && !by_name
                           ? pv_sym_alive_cell(s, place, v.instance)
                           : UINT32_MAX;
      if (alive != UINT32_MAX) v.alive = pv_sym_get(s, alive);
      pv_vec_push(out, v);
    }
    pv_vec_free(&instances);
  }
}

bool pv_sym_is_named(struct pv_symbolic *s, pv_expr address) {
  uint32_t function = pv_control_frame(s->control, s->frame)->function, place;
  uint64_t at;
  return pv_layout_constant(s->layout, function, address, &place, &at);
}

static pv_term minus(struct pv_symbolic *s, pv_term a, pv_term b) {
  uint64_t x, y;
  if (number_of(s, a, &x) && number_of(s, b, &y) && x >= y) return pv_sym_number(s, x - y);
  return pv_smt_mk2(s->smt, s->options.encoding == PV_ENCODE_LINEAR ? PV_SMT_SUB : PV_SMT_BVSUB, a,
                    b);
}

static bool is_constant_object(const struct pv_symbolic *s, const struct pv_sym_extent *v) {
  const struct pv_place *p = pv_layout_place(s->layout, v->place);
  return p->kind == PV_PLACE_GLOBAL && s->program->globals.at[p->index].is_const;
}

static pv_term inside(struct pv_symbolic *s, const struct pv_sym_extent *v, pv_term address,
                      pv_term n) {
  uint64_t bytes;
  pv_term size = v->bytes ? v->bytes : pv_sym_number(s, v->size);
  if (!v->bytes && number_of(s, n, &bytes)) {
    if (bytes > v->size) return pv_smt_bool(s->smt, false);
    return pv_sym_and(s, pv_sym_at_most(s, pv_sym_number(s, v->base), address),
                      pv_sym_at_most(s, address, pv_sym_number(s, v->base + v->size - bytes)));
  }
  pv_term base = pv_sym_number(s, v->base);
  pv_term fits = pv_sym_and(s, pv_sym_at_most(s, n, size),
                            pv_sym_at_most(s, minus(s, address, base), minus(s, size, n)));
  return pv_sym_and(s, pv_sym_at_most(s, base, address), fits);
}

/* [offset, offset + n) is in the object. */
static pv_term fits(struct pv_symbolic *s, const struct pv_sym_extent *v, uint64_t offset,
                    pv_term n) {
  uint64_t bytes;
  if (offset > v->size) return pv_smt_bool(s->smt, false);
  if (!v->bytes && number_of(s, n, &bytes)) return pv_smt_bool(s->smt, bytes <= v->size - offset);
  if (!v->bytes) return pv_sym_at_most(s, n, pv_sym_number(s, v->size - offset));
  pv_term at = pv_sym_number(s, offset);
  return pv_sym_and(s, pv_sym_at_most(s, at, v->bytes),
                    pv_sym_at_most(s, n, minus(s, v->bytes, at)));
}

pv_term pv_sym_is_inside(struct pv_symbolic *s, const pv_sym_extents *extents, pv_term address,
                         pv_term n, bool writes) {
  pv_term valid = pv_smt_bool(s->smt, false);
  pv_sym_numbers leaves = {0};
  bool known = pv_sym_leaves(s, address, MOST_LEAVES, &leaves);
  for (uint32_t i = 0; i < extents->n; i++) {
    const struct pv_sym_extent *v = &extents->at[i];
    if (writes && is_constant_object(s, v)) continue;
    pv_term here = known ? pv_smt_bool(s->smt, false) : inside(s, v, address, n);
    for (uint32_t k = 0; known && k < leaves.n; k++) {
      uint64_t value = leaves.at[k];
      if (value < v->base || value - v->base > v->size) continue;
      here = pv_sym_or(
          s, here,
          pv_sym_and(s, pv_sym_is_value(s, address, value), fits(s, v, value - v->base, n)));
    }
    if (v->alive) here = pv_sym_and(s, here, v->alive);
    valid = pv_sym_or(s, valid, here);
  }
  pv_vec_free(&leaves);
  return valid;
}

/* ---- targets -----------------------------------------------------------------------------------
 */

/* Do all cells of the place have this width? */
static bool is_uniform(const struct pv_symbolic *s, const struct pv_place *p, unsigned bytes) {
  for (uint32_t i = 0; i < p->n_cells; i++)
    if (pv_type_bytes(pv_layout_cell(s->layout, p->first_cell + i)->type) != bytes) return false;
  return p->cut;
}

static void add_target(struct pv_symbolic *s, uint32_t extent, const struct pv_sym_extent *v,
                       uint64_t offset, pv_term address, pv_sym_targets *out) {
  struct pv_sym_target target = {extent, offset, pv_sym_is_value(s, address, v->base + offset)};
  if (!pv_smt_is_false(s->smt, target.here)) pv_vec_push(out, target);
}

/* All offsets, or those of cells. Returns false if they are too many. */
static bool add_offsets(struct pv_symbolic *s, uint32_t extent, const struct pv_sym_extent *v,
                        pv_term address, unsigned bytes, uint32_t most, pv_sym_targets *out) {
  const struct pv_place *p = pv_layout_place(s->layout, v->place);
  uint64_t rest, step = pv_sym_modulus(s, address, &rest), end = v->size;
  for (uint32_t i = 0; i < v->n_spots; i++)
    if (bytes <= end && v->spots[i].offset <= end - bytes)
      add_target(s, extent, v, v->spots[i].offset, address, out);
  if (v->spots) return out->n <= most;
  if (bytes && pv_sym_edge(s)->align >= bytes && is_uniform(s, p, bytes)) {
    for (uint32_t i = 0; i < p->n_cells; i++) {
      uint64_t at = pv_layout_cell(s->layout, p->first_cell + i)->offset;
      if (at % step == rest % step && at + bytes <= end) add_target(s, extent, v, at, address, out);
    }
    return out->n <= most;
  }
  if (bytes > end) return true;
  end -= bytes ? bytes - 1 : 0;
  if (end / step > most) return false;
  for (uint64_t at = rest % step; at < end; at += step) add_target(s, extent, v, at, address, out);
  return out->n <= most;
}

bool pv_sym_targets_of(struct pv_symbolic *s, const pv_sym_extents *extents, pv_term address,
                       unsigned bytes, uint32_t most, pv_sym_targets *out) {
  pv_sym_numbers leaves = {0};
  bool known = pv_sym_leaves(s, address, MOST_LEAVES, &leaves), all = true;
  for (uint32_t i = 0; i < extents->n && all; i++) {
    const struct pv_sym_extent *v = &extents->at[i];
    for (uint32_t k = 0; known && k < leaves.n; k++) {
      uint64_t value = leaves.at[k], least = bytes ? bytes : 1;
      if (value < v->base || least > v->size || value - v->base > v->size - least) continue;
      add_target(s, i, v, value - v->base, address, out);
    }
    if (!known) all = add_offsets(s, i, v, address, bytes, most, out);
  }
  pv_vec_free(&leaves);
  return all;
}

/* Are the targets all places inside of the objects where the access may begin? */
static bool is_complete(struct pv_symbolic *s, const pv_sym_extents *extents, pv_term address,
                        unsigned bytes) {
  uint64_t rest, step = pv_sym_modulus(s, address, &rest);
  for (uint32_t i = 0; i < extents->n; i++)
    if (extents->at[i].spots) return false;
  if (pv_sym_edge(s)->align < bytes || (step % bytes == 0 && rest % bytes == 0)) return true;
  for (uint32_t i = 0; i < extents->n && bytes > 1; i++)
    if (is_uniform(s, pv_layout_place(s->layout, extents->at[i].place), bytes)) return false;
  return true;
}

pv_term pv_sym_hits(struct pv_symbolic *s, const pv_sym_extents *extents, pv_term address,
                    const pv_sym_targets *targets, unsigned bytes, bool writes) {
  if (targets->n > MANY && is_complete(s, extents, address, bytes))
    return pv_sym_is_inside(s, extents, address, pv_sym_number(s, bytes), writes);
  pv_term hit = pv_smt_bool(s->smt, false);
  for (uint32_t i = 0; i < targets->n; i++) {
    const struct pv_sym_extent *v = &extents->at[targets->at[i].extent];
    if (writes && is_constant_object(s, v)) continue;
    pv_term here = pv_sym_and(s, targets->at[i].here,
                              fits(s, v, targets->at[i].offset, pv_sym_number(s, bytes)));
    if (v->alive) here = pv_sym_and(s, here, v->alive);
    hit = pv_sym_or(s, hit, here);
  }
  return hit;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* A cell of a divided object, or an element of an array. */
struct lane {
  uint64_t from; /* offset in the object */
  unsigned bytes;
  pv_type type;
  uint32_t cell, marks; /* marks: UINT32_MAX: none of it is ever unset */
  pv_term index;        /* of an array */
  bool is_signed;
};

static bool lane_at(struct pv_symbolic *s, const struct pv_sym_extent *v, uint64_t offset,
                    struct lane *l) {
  const struct pv_place *p = pv_layout_place(s->layout, v->place);
  *l = (struct lane){.from = offset};
  if (!p->cut) {
    uint32_t n;
    const pv_type *types = pv_layout_class_types(s->layout, p->class, &n);
    if (n != 1) return false;
    l->type = types[0];
    l->bytes = pv_type_bytes(l->type);
    l->from = offset - offset % l->bytes;
    l->cell = pv_sym_array_cell(s, p->class, l->type);
    l->marks = pv_sym_unset_array(s, p->class, l->type);
    l->index = pv_sym_number(s, v->base + l->from);
    l->is_signed = s->cells.at[l->cell]->is_signed;
    return true;
  }
  for (uint32_t i = 0; i < p->n_cells; i++) {
    const struct pv_place_cell *c = pv_layout_cell(s->layout, p->first_cell + i);
    if (offset < c->offset || offset >= c->offset + pv_type_bytes(c->type)) continue;
    l->type = c->type;
    l->bytes = pv_type_bytes(c->type);
    l->from = c->offset;
    l->cell = pv_sym_cell(s, PV_CELL_MEMORY, p->first_cell + i, 0, v->instance);
    l->marks = pv_sym_unset_cell(s, l->cell);
    l->is_signed = s->cells.at[l->cell]->is_signed;
    return true;
  }
  return false;
}

static pv_term get(struct pv_symbolic *s, const struct lane *l, uint32_t cell) {
  pv_term t = pv_sym_get(s, cell);
  return l->index ? pv_smt_mk2(s->smt, PV_SMT_SELECT, t, l->index) : t;
}

static void set(struct pv_symbolic *s, const struct lane *l, uint32_t cell, pv_term where,
                pv_term value) {
  if (where != pv_smt_bool(s->smt, true)) value = pv_sym_ite(s, where, value, get(s, l, cell));
  if (l->index) value = pv_smt_mk3(s->smt, PV_SMT_STORE, pv_sym_get(s, cell), l->index, value);
  pv_sym_set(s, cell, value);
}

pv_term pv_sym_value_of(struct pv_symbolic *s, const struct pv_sym_bytes *b) {
  return b->value ? b->value : pv_sym_to_bytes(s, b->typed, b->type, b->is_signed);
}

static struct pv_sym_bytes read_lane(struct pv_symbolic *s, const struct lane *l) {
  struct pv_sym_bytes r = {.typed = get(s, l, l->cell), .type = l->type, .is_signed = l->is_signed};
  if (l->index) pv_sym_assume(s, pv_encode_range(&s->encoder, l->type, l->is_signed, r.typed));
  if (l->marks != UINT32_MAX) r.unset = pv_sym_unset_to_bytes(s, get(s, l, l->marks), l->type);
  return r;
}

struct pv_sym_bytes pv_sym_read_at(struct pv_symbolic *s, const struct pv_sym_extent *v,
                                   uint64_t offset, unsigned bytes) {
  struct pv_sym_bytes all = {0};
  struct lane l;
  for (unsigned done = 0; done < bytes;) {
    unsigned n = 1;
    struct pv_sym_bytes part = {0};
    if (!lane_at(s, v, offset + done, &l)) {
      part.value = pv_sym_fresh(s, "hole", PV_INT(8), false);
    } else {
      unsigned in = (unsigned)(offset + done - l.from);
      struct pv_sym_bytes whole = read_lane(s, &l);
      n = l.bytes - in < bytes - done ? l.bytes - in : bytes - done;
      if (n == bytes && l.bytes == bytes) return whole;
      part.value = pv_sym_part(s, pv_sym_value_of(s, &whole), l.bytes, in, n);
      part.unset = pv_sym_unset_part(s, whole.unset, l.bytes, in, n);
    }
    all.unset = done ? pv_sym_unset_join(s, all.unset, done, part.unset, n) : part.unset;
    all.value = done ? pv_sym_join(s, all.value, done, part.value, n) : part.value;
    done += n;
  }
  return all;
}

/* n bytes of new ones, from `from` on, are put over the bytes `in` .. of the lane's. */
static void write_lane(struct pv_symbolic *s, const struct lane *l, unsigned in, unsigned n,
                       const struct pv_sym_bytes *value, unsigned of, unsigned from,
                       pv_term where) {
  pv_term new, unset = pv_sym_unset_part(s, value->unset, of, from, n);
  struct pv_sym_bytes old = {0};
  if (n < l->bytes) old = read_lane(s, l);
  if (n == l->bytes && n == of && value->typed) {
    new = pv_sym_retype(s, value->typed, value->type, value->is_signed, l->type, l->is_signed);
  } else {
    new = pv_sym_part(s, pv_sym_value_of(s, value), of, from, n);
    if (n < l->bytes) {
      pv_term bytes = pv_sym_value_of(s, &old);
      unsigned rest = l->bytes - in - n;
      if (in) {
        new = pv_sym_join(s, pv_sym_part(s, bytes, l->bytes, 0, in), in, new, n);
        unset =
            pv_sym_unset_join(s, pv_sym_unset_part(s, old.unset, l->bytes, 0, in), in, unset, n);
      }
      if (rest) {
        new = pv_sym_join(s, new, in + n, pv_sym_part(s, bytes, l->bytes, in + n, rest), rest);
        unset = pv_sym_unset_join(s, unset, in + n,
                                  pv_sym_unset_part(s, old.unset, l->bytes, in + n, rest), rest);
      }
    }
    new = pv_sym_from_bytes(s, new, l->type, l->is_signed);
  }
  set(s, l, l->cell, where, new);
  if (l->marks == UINT32_MAX) return;
  unset = pv_sym_unset_from_bytes(s, unset, l->type);
  set(s, l, l->marks, where, unset ? unset : pv_sym_all_unset(s, l->type, false));
}

void pv_sym_write_at(struct pv_symbolic *s, const struct pv_sym_extent *v, uint64_t offset,
                     unsigned bytes, struct pv_sym_bytes value, pv_term where) {
  struct lane l;
  for (unsigned done = 0; done < bytes;) {
    if (!lane_at(s, v, offset + done, &l)) {
      done++;
      continue;
    }
    unsigned in = (unsigned)(offset + done - l.from);
    unsigned n = l.bytes - in < bytes - done ? l.bytes - in : bytes - done;
    write_lane(s, &l, in, n, &value, bytes, done, where);
    done += n;
  }
}

static void byte_lane(struct pv_symbolic *s, uint32_t class, pv_term address, uint64_t index,
                      struct lane *l) {
  *l = (struct lane){.bytes = 1, .type = PV_INT(8)};
  l->cell = pv_sym_array_cell(s, class, l->type);
  l->marks = pv_sym_unset_array(s, class, l->type);
  l->index = pv_sym_offset(s, address, index);
  l->is_signed = s->cells.at[l->cell]->is_signed;
}

struct pv_sym_bytes pv_sym_read_array(struct pv_symbolic *s, uint32_t class, pv_term address,
                                      uint64_t index, unsigned bytes) {
  struct pv_sym_bytes all = {0};
  struct lane l;
  for (unsigned i = 0; i < bytes; i++) {
    byte_lane(s, class, address, index + i, &l);
    struct pv_sym_bytes one = read_lane(s, &l);
    if (bytes == 1) return one;
    pv_term value = pv_sym_value_of(s, &one);
    all.unset = i ? pv_sym_unset_join(s, all.unset, i, one.unset, 1) : one.unset;
    all.value = i ? pv_sym_join(s, all.value, i, value, 1) : value;
  }
  return all;
}

void pv_sym_write_array(struct pv_symbolic *s, uint32_t class, pv_term address, uint64_t index,
                        struct pv_sym_bytes value, pv_term where) {
  struct lane l;
  byte_lane(s, class, address, index, &l);
  write_lane(s, &l, 0, 1, &value, 1, 0, where);
}
