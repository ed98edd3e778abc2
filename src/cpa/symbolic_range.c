/* symbolic_range.c -- blocks of memory that are copied or filled. Their length and both addresses
 * may be variable. The bytes of the source are read first. Then each cell of the destination gets
 * the bytes that lie before the end of the block, and keeps the others. A cell that the end cannot
 * divide, because length and cell have a common divisor, is copied as a whole. */
#include "cpa/symbolic_internal.h"

#include <stdlib.h>

enum {
  MOST_BYTES = 256,     /* of a block of variable length */
  MOST_ELSEWHERE = 64,  /* the same without `objects` */
  MOST_CONSTANT = 4096, /* of one of constant length */
  MOST_ON_HEAP = 256,   /* the same on the heap without `objects` */
  MOST_WRITES = 8192    /* of single bytes, for all places where the block may begin */
};

static pv_term yes(struct pv_symbolic *s) {
  return pv_smt_bool(s->smt, true);
}

/* One side of the operation. */
struct side {
  const struct pv_reach *reach;
  pv_term address;
  pv_sym_extents extents;
  pv_sym_targets targets; /* none: an array of bytes, at any address */
  bool in_array;
  bool on_heap; /* in an array, perhaps of objects whose places and sizes are not known */
};

static void side_free(struct side *x) {
  pv_vec_free(&x->extents);
  pv_vec_free(&x->targets);
}

static bool number_of(struct pv_symbolic *s, pv_term t, uint64_t *value) {
  struct pv_smt_shape shape;
  if (!pv_smt_shape(s->smt, t, &shape) || shape.kind != PV_SHAPE_NUMBER) return false;
  *value = shape.lo;
  return true;
}

/* The largest number of bytes that the block may have on this side. */
static uint64_t room(const struct side *x) {
  uint64_t most = x->on_heap ? UINT64_MAX : 0;
  for (uint32_t i = 0; i < x->extents.n && x->in_array; i++)
    if (x->extents.at[i].size > most) most = x->extents.at[i].size;
  for (uint32_t i = 0; i < x->targets.n; i++) {
    uint64_t size = x->extents.at[x->targets.at[i].extent].size - x->targets.at[i].offset;
    if (size > most) most = size;
  }
  return most;
}

static uint64_t most_bytes(const struct pv_symbolic *s) {
  return s->objects ? MOST_BYTES : MOST_ELSEWHERE;
}

/* Is the memory one array of bytes? */
static bool is_bytes(const struct pv_symbolic *s, const struct pv_reach *r) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->places.n; i++) {
    const struct pv_place *p = pv_layout_place(s->layout, r->places.at[i]);
    if (p->cut || p->class != r->class) return false;
  }
  return r->in_class && pv_layout_class_types(s->layout, r->class, &n)[0] == PV_INT(8) && n == 1;
}

/* May it be on the heap, where without `objects` no places are known? */
static bool on_heap(const struct pv_symbolic *s, const struct pv_reach *r) {
  for (uint32_t i = 0; i < r->places.n && !s->objects; i++)
    if (pv_sym_is_heap(pv_layout_place(s->layout, r->places.at[i]))) return true;
  return false;
}

/* Arrays of several types cannot be followed, nor can the heap that is no array of bytes. */
static bool is_followed(const struct pv_symbolic *s, const struct pv_reach *r) {
  for (uint32_t i = 0; i < r->places.n; i++) {
    const struct pv_place *p = pv_layout_place(s->layout, r->places.at[i]);
    uint32_t n = 1;
    if (!p->cut) pv_layout_class_types(s->layout, p->class, &n);
    if (n > 1) return false;
  }
  return !on_heap(s, r) || is_bytes(s, r);
}

/* longest: of the block. */
static bool open_side(struct pv_symbolic *s, const struct pv_edge *e, unsigned operand, pv_term n,
                      uint64_t longest, struct side *x) {
  pv_sym_numbers leaves = {0};
  x->reach = pv_sym_reach(s, operand);
  if (!is_followed(s, x->reach)) return false;
  if (longest > most_bytes(s)) longest = most_bytes(s);
  x->on_heap = on_heap(s, x->reach);
  x->address = pv_sym_encode_address(s, e->e[operand]);
  pv_sym_extents_of(s, x->reach, pv_sym_is_named(s, e->e[operand]), &x->extents);
  pv_term none = pv_sym_eq(s, n, pv_sym_number(s, 0));
  pv_term valid = pv_sym_is_inside(s, &x->extents, x->address, n, operand == 0);
  if (x->on_heap)
    valid = pv_sym_or(s, valid, pv_sym_in_heap(s, x->reach, e->e[operand], x->address, n));
  pv_sym_fault(s, PV_PROP_VALID_DEREF, pv_sym_not(s, pv_sym_or(s, none, valid)), "invalid %s",
               e->op == PV_OP_FILL ? "fill of memory"
               : operand           ? "copy from memory"
                                   : "copy to memory");
  x->in_array = x->on_heap || (is_bytes(s, x->reach) && !pv_sym_leaves(s, x->address, 1, &leaves));
  pv_vec_free(&leaves);
  uint32_t most = (uint32_t)(MOST_WRITES / (longest + 1)) + 1;
  return x->in_array || pv_sym_targets_of(s, &x->extents, x->address, 0, most, &x->targets);
}

/* Bytes index .. index + bytes - 1 of the source, which is there where that is smaller than the
 * length. */
static struct pv_sym_bytes read_side(struct pv_symbolic *s, const struct side *x, uint64_t index,
                                     unsigned bytes) {
  struct pv_sym_bytes r = {0};
  if (x->in_array) return pv_sym_read_array(s, x->reach->class, x->address, index, bytes);
  for (uint32_t i = 0; i < x->targets.n; i++) {
    const struct pv_sym_target *target = &x->targets.at[i];
    const struct pv_sym_extent *v = &x->extents.at[target->extent];
    if (target->offset + index + bytes > v->size) continue;
    struct pv_sym_bytes here = pv_sym_read_at(s, v, target->offset + index, bytes);
    if (!r.value && !r.typed) {
      r = here;
      continue;
    }
    pv_term none = pv_sym_all_unset(s, PV_INT(8 * bytes), false);
    if (r.typed && here.typed && r.type == here.type && r.is_signed == here.is_signed) {
      r.typed = pv_sym_ite(s, target->here, here.typed, r.typed);
      r.value = NULL;
    } else {
      r.value = pv_sym_ite(s, target->here, pv_sym_value_of(s, &here), pv_sym_value_of(s, &r));
      r.typed = NULL;
    }
    if (r.unset || here.unset)
      r.unset =
          pv_sym_ite(s, target->here, here.unset ? here.unset : none, r.unset ? r.unset : none);
  }
  if (!r.value && !r.typed) r.value = pv_sym_bytes_number(s, bytes, 0);
  return r;
}

struct block {
  struct pv_symbolic *s;
  struct side to, from; /* from.address NULL: filled with `byte` */
  pv_term n, byte;
  uint64_t longest;       /* the length is at most this */
  uint64_t most, divisor; /* bytes that are followed; of the length */
};

static struct pv_sym_bytes source(struct block *b, uint64_t index, unsigned bytes) {
  if (b->from.address) return read_side(b->s, &b->from, index, bytes);
  struct pv_sym_bytes r = {.value = b->byte};
  for (unsigned i = 1; i < bytes; i++) r.value = pv_sym_join(b->s, r.value, i, b->byte, 1);
  return r;
}

/* index < n, where all bytes up to index + bytes - 1 are before the end, too. */
static pv_term before_end(struct block *b, uint64_t index, unsigned bytes) {
  uint64_t n;
  if (number_of(b->s, b->n, &n)) return pv_smt_bool(b->s->smt, index + bytes <= n);
  return pv_sym_at_most(b->s, pv_sym_number(b->s, index + bytes), b->n);
}

struct pending {
  uint32_t extent;
  uint64_t offset;
  unsigned bytes;
  struct pv_sym_bytes value;
  pv_term where;
};

/* The units in which the destination is written: its cells, unless the end may divide them. */
static unsigned unit(struct block *b, const struct pv_sym_extent *v, uint64_t offset,
                     uint64_t index) {
  const struct pv_place *p = pv_layout_place(b->s->layout, v->place);
  uint64_t n;
  unsigned bytes = 1;
  if (!p->cut) {
    uint32_t types;
    const pv_type *type = pv_layout_class_types(b->s->layout, p->class, &types);
    if (types == 1) bytes = pv_type_bytes(type[0]);
    if (offset % bytes) bytes = 1;
  }
  for (uint32_t i = 0; p->cut && i < p->n_cells; i++) {
    const struct pv_place_cell *c = pv_layout_cell(b->s->layout, p->first_cell + i);
    if (c->offset == offset) bytes = pv_type_bytes(c->type);
  }
  if (number_of(b->s, b->n, &n)) return index + bytes <= n ? bytes : 1;
  if (bytes > 1 && index % bytes == 0 && b->divisor % bytes == 0) return bytes;
  return 1;
}

static void run(struct block *b) {
  struct pv_symbolic *s = b->s;
  PV_VEC(struct pending) all = {0};
  for (uint64_t index = 0; b->to.in_array && index < b->most; index++) {
    struct pending p = {.offset = index, .bytes = 1, .where = before_end(b, index, 1)};
    if (pv_smt_is_false(s->smt, p.where)) break;
    p.value = source(b, index, 1);
    pv_vec_push(&all, p);
  }
  for (uint32_t i = 0; i < b->to.targets.n; i++) {
    const struct pv_sym_target *target = &b->to.targets.at[i];
    const struct pv_sym_extent *v = &b->to.extents.at[target->extent];
    pv_term here = b->to.targets.n == 1 ? yes(s) : target->here;
    for (uint64_t index = 0; index < b->most && target->offset + index < v->size;) {
      unsigned bytes = unit(b, v, target->offset + index, index);
      if (target->offset + index + bytes > v->size) bytes = 1;
      struct pending p = {
          .extent = target->extent, .offset = target->offset + index, .bytes = bytes};
      p.where = pv_sym_and(s, here, before_end(b, index, bytes));
      index += bytes;
      if (pv_smt_is_false(s->smt, p.where)) continue;
      p.value = source(b, index - bytes, bytes);
      pv_vec_push(&all, p);
    }
  }
  for (uint32_t i = 0; i < all.n && b->to.in_array; i++)
    pv_sym_write_array(s, b->to.reach->class, b->to.address, all.at[i].offset, all.at[i].value,
                       all.at[i].where);
  for (uint32_t i = 0; i < all.n && !b->to.in_array; i++)
    pv_sym_write_at(s, &b->to.extents.at[all.at[i].extent], all.at[i].offset, all.at[i].bytes,
                    all.at[i].value, all.at[i].where);
  pv_vec_free(&all);
}

/* Bounds the length by the room on both sides. */
static void bound(struct block *b) {
  struct pv_symbolic *s = b->s;
  uint64_t n, least, rest;
  b->most = b->longest;
  if ((least = room(&b->to)) < b->most) b->most = least;
  if (b->from.address && (least = room(&b->from)) < b->most) b->most = least;
  if (number_of(s, b->n, &n)) {
    if (n < b->most) b->most = n;
    if (b->most <= (b->to.on_heap || b->from.on_heap ? MOST_ON_HEAP : MOST_CONSTANT)) return;
  }
  uint64_t bytes = most_bytes(s);
  if (b->most > bytes) {
    b->most = bytes;
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT,
                 pv_sym_not(s, pv_sym_at_most(s, b->n, pv_sym_number(s, bytes))), true,
                 "at most %d bytes are copied or filled at %s", (int)bytes, pv_sym_where(s));
  }
  b->divisor = pv_sym_modulus(s, b->n, &rest);
  if (rest) b->divisor = 1;
}

static void range_is_unknown(struct pv_symbolic *s) {
  pv_sym_event(s, PV_SYM_CUT, PV_PROP_VALID_DEREF, yes(s), false,
               "the block copied or filled at %s is one that this engine follows", pv_sym_where(s));
  pv_sym_forget_reach(s, pv_sym_reach(s, 0));
}

static void overlap(struct block *b) {
  struct pv_symbolic *s = b->s;
  enum pv_smt_op add = s->options.encoding == PV_ENCODE_LINEAR ? PV_SMT_ADD : PV_SMT_BVADD;
  pv_term to = b->to.address, from = b->from.address;
  pv_term end_to = pv_smt_mk2(s->smt, add, to, b->n), end = pv_smt_mk2(s->smt, add, from, b->n);
  pv_term bad = pv_sym_and(s, pv_sym_not(s, pv_sym_at_most(s, end, to)),
                           pv_sym_not(s, pv_sym_at_most(s, end_to, from)));
  pv_sym_fault(s, PV_PROP_DEF_BEHAVIOR, pv_sym_and(s, bad, pv_sym_not(s, pv_sym_eq(s, to, from))),
               "memcpy between overlapping ranges");
}

void pv_sym_copy(struct pv_symbolic *s, const struct pv_edge *e) {
  struct block b = {.s = s, .n = pv_sym_encode(s, e->e[2], false)};
  pv_term to = pv_sym_encode(s, e->e[0], false), from = pv_sym_encode(s, e->e[1], false);
  pv_sym_sync_overwritten(s, pv_sym_reach(s, 0), to, b.n);
  pv_sym_sync_copied(s, pv_sym_reach(s, 1), from, b.n);
  b.longest = pv_sym_bound(s, b.n, UINT32_MAX);
  bool known =
      open_side(s, e, 1, b.n, b.longest, &b.from) && open_side(s, e, 0, b.n, b.longest, &b.to);
  if (known) {
    if (e->aux == 1) overlap(&b);
    bound(&b);
    run(&b);
  } else {
    range_is_unknown(s);
  }
  side_free(&b.from);
  side_free(&b.to);
}

void pv_sym_fill(struct pv_symbolic *s, const struct pv_edge *e) {
  struct block b = {.s = s, .n = pv_sym_encode(s, e->e[2], false)};
  pv_sym_sync_overwritten(s, pv_sym_reach(s, 0), pv_sym_encode(s, e->e[0], false), b.n);
  pv_type type = pv_node(s->program, e->e[1])->type;
  pv_term byte = pv_sym_to_bytes(s, pv_sym_encode(s, e->e[1], false), type, false);
  b.byte = pv_sym_part(s, byte, pv_type_bytes(type), 0, 1);
  b.longest = pv_sym_bound(s, b.n, UINT32_MAX);
  bool known = open_side(s, e, 0, b.n, b.longest, &b.to);
  if (known) {
    bound(&b);
    run(&b);
  } else {
    range_is_unknown(s);
  }
  side_free(&b.to);
}
