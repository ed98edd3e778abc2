#include "cpa/layout_internal.h"

#include <stdlib.h>
#include <string.h>

#include "sched/sched.h"

enum {
  MAX_SEEDS = 64,       /* a bound on the cells that a source type suggests */
  MOST_CELLS = 256,     /* of one place */
  HEAP_CAPACITY = 128,  /* bytes of heap objects whose size is not known */
  MOST_PATTERNS = 1024, /* suggestions for one heap object */
  WORD = 8              /* bytes of a cell that no access and no type suggests */
};

struct place_key {
  uint32_t kind, function, index;
};
struct access_key {
  uint32_t function, edge, operand;
};

/* ---- places ---------------------------------------------------------------------------------- */

/* Is it a table of the library, with an entry for each thread, event or channel? Their numbers are
 * arguments of the scheduler that is executed, so they are known in every abstract state. */
static bool is_table(const struct pv_layout *l, const struct pv_place *p) {
  return p->kind == PV_PLACE_GLOBAL && l->program->globals.at[p->index].is_model &&
         !pv_sched_of(l->program->sched)->preemptive;
}

static uint32_t place_of(const struct pv_layout *l, enum pv_place_kind kind, uint32_t function,
                         uint32_t index) {
  struct place_key key = {kind, function, index};
  const uint32_t *at = pv_map_get(&l->index, &key, sizeof key);
  return at ? *at : UINT32_MAX;
}

static bool constant(const struct pv_layout *l, pv_expr e, uint64_t *value) {
  const struct pv_expr_node *n = pv_node(l->program, e);
  *value = n->lo;
  return n->op == PV_X_CONST;
}

/* The size of the objects that an edge allocates: an ALLOC, or a call of malloc or calloc. */
static bool known_size(const struct pv_layout *l, uint32_t function, uint32_t edge,
                       uint64_t *size) {
  const struct pv_edge *e = &l->program->functions.at[function].edges.at[edge];
  uint64_t count;
  *size = 0;
  if (e->op == PV_OP_ALLOC) return constant(l, e->e[0], size);
  if (e->op != PV_OP_CALL || e->callee == PV_NO_FUNC) return false;
  const struct pv_function *f = &l->program->functions.at[e->callee];
  if (!f->is_model) return false;
  if (!strcmp(f->name, "malloc") && e->args.n == 1)
    return constant(l, pv_arg(l->program, e->args, 0), size);
  if (strcmp(f->name, "calloc") != 0 || e->args.n != 2) return false;
  if (!constant(l, pv_arg(l->program, e->args, 0), &count) ||
      !constant(l, pv_arg(l->program, e->args, 1), size))
    return false;
  return !__builtin_mul_overflow(count, *size, size);
}

static void add_place(struct pv_layout *l, enum pv_place_kind kind, uint32_t function,
                      uint32_t index, uint64_t size) {
  struct place_key key = {kind, function, index};
  bool is_new;
  pv_map_put(&l->index, &key, sizeof key, l->places.n, &is_new);
  if (!is_new) return;
  struct pv_place p = {.kind = kind, .function = function, .index = index, .size = size};
  p.cut = kind == PV_PLACE_GLOBAL || kind == PV_PLACE_SLOT;
  if (l->objects && !p.cut) {
    p.cut = !l->arrays || !l->arrays[l->places.n];
    p.bounded = !known_size(l, function, index, &p.size);
    if (p.cut && p.bounded) p.size = HEAP_CAPACITY;
    if (!p.bounded && p.size > MOST_CELLS * WORD) p.cut = false;
    if (!p.cut && p.bounded) p.size = 0;
  }
  pv_vec_push(&l->parent, l->places.n);
  pv_vec_push(&l->places, p);
}

static void make_places(struct pv_layout *l) {
  const struct pv_program *p = l->program;
  for (uint32_t g = 0; g < p->globals.n; g++)
    add_place(l, PV_PLACE_GLOBAL, 0, g, p->globals.at[g].size);
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t s = 0; s < p->functions.at[f].slots.n; s++)
      add_place(l, PV_PLACE_SLOT, f, s, p->functions.at[f].slots.at[s].size);
  for (uint32_t o = 0; o < pv_points_to_objects(l->pt); o++) {
    const struct pv_pt_object *object = pv_points_to_object(l->pt, o);
    uint32_t place = UINT32_MAX;
    if (object->kind == PV_PT_GLOBAL)
      place = place_of(l, PV_PLACE_GLOBAL, 0, object->index);
    else if (object->kind == PV_PT_SLOT)
      place = place_of(l, PV_PLACE_SLOT, object->function, object->index);
    else if (object->kind == PV_PT_HEAP || object->kind == PV_PT_ALLOCA) {
      enum pv_place_kind kind = object->kind == PV_PT_HEAP ? PV_PLACE_HEAP : PV_PLACE_ALLOCA;
      add_place(l, kind, object->function, object->index, 0);
      place = place_of(l, kind, object->function, object->index);
    }
    if (place != UINT32_MAX && pv_points_to_taken(l->pt, o)) l->places.at[place].taken = true;
    pv_vec_push(&l->of_object, place);
  }
}

static uint32_t find(struct pv_layout *l, uint32_t place) {
  while (l->parent.at[place] != place)
    place = l->parent.at[place] = l->parent.at[l->parent.at[place]];
  return place;
}

static void join(struct pv_layout *l, uint32_t a, uint32_t b) {
  a = find(l, a);
  b = find(l, b);
  if (a != b) l->parent.at[a > b ? a : b] = a > b ? b : a;
}

/* ---- addresses ------------------------------------------------------------------------------- */

bool pv_layout_constant(const struct pv_layout *l, uint32_t function, pv_expr address,
                        uint32_t *place, uint64_t *offset) {
  const struct pv_expr_node *n = pv_node(l->program, address);
  uint64_t sum = 0;
  for (; n->op == PV_X_PTRADD; n = pv_node(l->program, n->a)) {
    const struct pv_expr_node *by = pv_node(l->program, n->b);
    if (by->op != PV_X_CONST) return false;
    sum += (uint64_t)pv_sign_extend(by->lo, pv_type_bits(by->type));
  }
  if (n->op == PV_X_GLOBAL)
    *place = place_of(l, PV_PLACE_GLOBAL, 0, (uint32_t)n->lo);
  else if (n->op == PV_X_SLOT)
    *place = place_of(l, PV_PLACE_SLOT, function, (uint32_t)n->lo);
  else
    return false;
  *offset = sum;
  return *place != UINT32_MAX;
}

static void seed(struct pv_layout *l, uint32_t place, uint64_t offset, pv_type type) {
  struct seed s = {place, offset, type};
  pv_vec_push(&l->seeds, s);
}

/* Lists the scalars of a source type. Returns false if it has unions, bit-fields or too many
 * scalars. */
static bool seed_type(struct pv_layout *l, uint32_t place, uint64_t offset, pv_srctype type,
                      uint32_t *left) {
  const struct pv_srctype_info *t = &l->program->srctypes.at[type];
  pv_type scalar = 0;
  switch (t->kind) {
  case PV_S_BOOL:
  case PV_S_CHAR:
  case PV_S_SIGNED:
  case PV_S_UNSIGNED:
  case PV_S_ENUM: scalar = PV_INT(t->bits); break;
  case PV_S_FLOAT: scalar = PV_FLOAT(t->bits == 128 || t->bits == 96 ? 80 : t->bits); break;
  case PV_S_POINTER: scalar = PV_TYPE(PV_T_PTR, l->program->pointer_bits); break;
  case PV_S_STRUCT:
    for (uint32_t i = 0; i < t->fields.n; i++) {
      const struct pv_srcfield *f = &t->fields.at[i];
      uint64_t bits = l->program->srctypes.at[f->type].bits;
      if (f->bit_offset % 8 || f->bit_size != bits) return false;
      if (!seed_type(l, place, offset + f->bit_offset / 8, f->type, left)) return false;
    }
    return !t->unlisted;
  case PV_S_ARRAY:
    for (uint64_t i = 0; i < t->count; i++)
      if (!seed_type(l, place, offset + i * (l->program->srctypes.at[t->element].bits / 8),
                     t->element, left))
        return false;
    return true;
  default: return false;
  }
  if (!*left || pv_type_bits(scalar) == 0) return false;
  --*left;
  seed(l, place, offset, scalar);
  return true;
}

static void seed_types(struct pv_layout *l) {
  for (uint32_t i = 0; i < l->places.n; i++) {
    const struct pv_place *p = &l->places.at[i];
    if (!p->cut || pv_layout_on_heap(p)) continue;
    pv_srctype type = p->kind == PV_PLACE_GLOBAL
                          ? l->program->globals.at[p->index].srctype
                          : l->program->functions.at[p->function].slots.at[p->index].srctype;
    uint32_t left = is_table(l, p) ? MOST_CELLS : MAX_SEEDS, before = l->seeds.n;
    if (type && !seed_type(l, i, 0, type, &left)) l->seeds.n = before;
  }
}

/* ---- accesses -------------------------------------------------------------------------------- */

static void collect_places(struct pv_layout *l, uint32_t function, pv_expr address, uint64_t *set,
                           struct pv_reach *out) {
  uint32_t words = pv_points_to_words(l->pt);
  memset(set, 0, words * sizeof *set);
  out->unknown = pv_points_to_address(l->pt, function, address, set);
  bool *seen = pv_alloc((l->places.n ? l->places.n : 1) * sizeof *seen);
  for (uint32_t o = 0; o < l->of_object.n; o++) {
    uint32_t place = l->of_object.at[o];
    if (!(set[o / 64] >> o % 64 & 1) || place == UINT32_MAX || seen[place]) continue;
    seen[place] = true;
    pv_vec_push(&out->places, place);
  }
  free(seen);
}

void pv_layout_reach_of(struct pv_layout *l, uint32_t function, pv_expr pointer,
                        struct pv_reach *out) {
  uint64_t *set = pv_alloc((pv_points_to_words(l->pt) + 1) * sizeof *set);
  *out = (struct pv_reach){0};
  collect_places(l, function, pointer, set, out);
  free(set);
}

/* The address that is accessed; for a call of the scheduler, an argument. */
static pv_expr operand_of(const struct pv_layout *l, const struct pv_edge *e, unsigned operand) {
  return e->op == PV_OP_PRIM ? pv_arg(l->program, e->args, operand) : e->e[operand];
}

/* ---- heap objects ----------------------------------------------------------------------------
 * Accesses suggest a pattern that is repeated: an element of an array of structures. */
struct pattern {
  uint64_t offset, stride; /* of the access, from a pointer; of variable parts of the address */
  pv_type type;
};
typedef PV_VEC(struct pattern) patterns;

/* A number that divides the expression's value. */
static uint64_t stride_of(const struct pv_layout *l, pv_expr e) {
  const struct pv_expr_node *n = pv_node(l->program, e);
  uint64_t value;
  switch (n->op) {
  case PV_X_CONST: return n->lo;
  case PV_X_MUL:
    if (constant(l, n->b, &value) || constant(l, n->a, &value)) return value;
    return 1;
  case PV_X_SHL: return constant(l, n->b, &value) && value < 32 ? UINT64_C(1) << value : 1;
  case PV_X_ADD:
  case PV_X_SUB: return pv_gcd(stride_of(l, n->a), stride_of(l, n->b));
  default: return 1;
  }
}

static struct pattern pattern_of(const struct pv_layout *l, pv_expr address, pv_type type) {
  const struct pv_expr_node *n = pv_node(l->program, address);
  struct pattern p = {0, 0, type};
  for (; n->op == PV_X_PTRADD; n = pv_node(l->program, n->a)) {
    uint64_t by;
    if (constant(l, n->b, &by))
      p.offset += by;
    else
      p.stride = pv_gcd(p.stride, stride_of(l, n->b));
  }
  if (l->program->pointer_bits == 32) p.offset &= UINT32_MAX;
  return p;
}

static void seed_heap(struct pv_layout *l) {
  patterns *all = pv_alloc((l->places.n + 1) * sizeof *all);
  for (uint32_t i = 0; i < l->accesses.n; i++) {
    const struct access *a = &l->accesses.at[i];
    const struct pv_edge *e = &l->program->functions.at[a->function].edges.at[a->edge];
    if (!a->type || e->op == PV_OP_PRIM) continue;
    struct pattern p = pattern_of(l, e->e[0], a->type);
    for (uint32_t k = 0; k < a->reach.places.n; k++)
      if (pv_layout_on_heap(&l->places.at[a->reach.places.at[k]]))
        pv_vec_push(&all[a->reach.places.at[k]], p);
  }
  for (uint32_t i = 0; i < l->places.n; i++) {
    uint64_t size = l->places.at[i].size, period = 0;
    for (uint32_t k = 0; k < all[i].n; k++) period = pv_gcd(period, all[i].at[k].stride);
    for (uint32_t k = 0; k < all[i].n && l->places.at[i].cut; k++) {
      const struct pattern *p = &all[i].at[k];
      unsigned bytes = pv_type_bytes(p->type);
      uint64_t at = period ? p->offset % period : p->offset, left = MOST_PATTERNS;
      uint64_t step = period < bytes && period ? bytes : period;
      for (; at < size && bytes <= size - at && left; at += step, left--) {
        seed(l, i, at, p->type);
        if (!step) break;
      }
    }
    pv_vec_free(&all[i]);
  }
  free(all);
}

/* A store to a constant is an error. */
static void mark_stored(struct pv_layout *l, const struct pv_reach *r) {
  for (uint32_t i = 0; i < r->places.n; i++) {
    struct pv_place *p = &l->places.at[r->places.at[i]];
    bool is_const = p->kind == PV_PLACE_GLOBAL && l->program->globals.at[p->index].is_const;
    p->stored |= !is_const;
  }
}

static void add_access(struct pv_layout *l, uint32_t function, uint32_t edge, unsigned operand,
                       pv_type type, bool writes, uint64_t *set) {
  struct access a = {function, edge, operand, type, writes, {0}};
  const struct pv_edge *e = &l->program->functions.at[function].edges.at[edge];
  uint32_t place;
  uint64_t offset;
  pv_expr address = operand_of(l, e, operand);
  if (pv_layout_constant(l, function, address, &place, &offset)) {
    pv_vec_push(&a.reach.places, place);
    if (writes) mark_stored(l, &a.reach);
    const struct pv_place *p = &l->places.at[place];
    if (type && offset <= p->size && pv_type_bytes(type) <= p->size - offset)
      seed(l, place, offset, type);
  } else {
    collect_places(l, a.function, address, set, &a.reach);
    if (writes) mark_stored(l, &a.reach);
    pv_layout_find_spots(l, a.function, address, type, &a.reach);
    for (uint32_t i = 0; type && i < a.reach.spots.n; i++)
      seed(l, a.reach.spots.at[i].place, a.reach.spots.at[i].offset, type);
  }
  struct access_key key = {function, edge, operand};
  pv_map_put(&l->by_edge, &key, sizeof key, l->accesses.n, NULL);
  pv_vec_push(&l->accesses, a);
}

/* Adds the accesses of scheduler calls that write: the number of a new thread, the result of a
 * joined one. */
static void add_prim(struct pv_layout *l, uint32_t function, uint32_t edge, uint64_t *set) {
  const struct pv_program *p = l->program;
  const char *name = p->prims.at[p->functions.at[function].edges.at[edge].aux].prim->name;
  if (!strcmp(name, "__proviso_thread_create"))
    add_access(l, function, edge, 0, PV_INT(p->pointer_bits), true, set);
  if (!strcmp(name, "__proviso_thread_join"))
    add_access(l, function, edge, 1, PV_TYPE(PV_T_PTR, p->pointer_bits), true, set);
}

static void collect_accesses(struct pv_layout *l) {
  const struct pv_program *p = l->program;
  uint64_t *set = pv_alloc((pv_points_to_words(l->pt) + 1) * sizeof *set);
  for (uint32_t f = 0; f < p->functions.n; f++) {
    const uint32_t *instances;
    if (!pv_points_to_instances(l->pt, f, &instances)) continue;
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++) {
      const struct pv_edge *e = &p->functions.at[f].edges.at[i];
      switch (e->op) {
      case PV_OP_LOAD: add_access(l, f, i, 0, e->type, false, set); break;
      case PV_OP_STORE:
      case PV_OP_RMW:
      case PV_OP_CMPXCHG: add_access(l, f, i, 0, e->type, true, set); break;
      case PV_OP_COPY:
        add_access(l, f, i, 0, 0, true, set);
        add_access(l, f, i, 1, 0, false, set);
        break;
      case PV_OP_FILL: add_access(l, f, i, 0, 0, true, set); break;
      case PV_OP_PRIM: add_prim(l, f, i, set); break;
      default: break;
      }
    }
  }
  free(set);
}

/* ---- cells ----------------------------------------------------------------------------------- */

static int by_place(const void *x, const void *y) {
  const struct seed *a = x, *b = y;
  if (a->place != b->place) return a->place < b->place ? -1 : 1;
  if (a->offset != b->offset) return a->offset < b->offset ? -1 : 1;
  unsigned m = pv_type_bytes(a->type), n = pv_type_bytes(b->type);
  if (m != n) return m < n ? -1 : 1;
  return a->type < b->type ? -1 : a->type > b->type;
}

static void add_cell(struct pv_layout *l, uint32_t place, uint64_t offset, pv_type type) {
  struct pv_place_cell c = {place, offset, type};
  pv_vec_push(&l->cells, c);
  l->places.at[place].n_cells++;
}

/* Cells for [from, to), for which there is no suggestion, or none that fits. */
static void add_unnamed(struct pv_layout *l, uint32_t place, uint64_t from, uint64_t to,
                        uint64_t most) {
  while (from < to) {
    uint64_t bytes = most;
    while (from % bytes || bytes > to - from) bytes /= 2;
    add_cell(l, place, from, PV_INT(8 * (unsigned)bytes));
    from += bytes;
  }
}

/* The suggestions from `first` on that overlap each other, directly or not: [*from, *to). */
static uint32_t cluster(const struct pv_layout *l, uint32_t first, uint32_t last, uint64_t *from,
                        uint64_t *to, bool *equal) {
  const struct seed *s = l->seeds.at;
  uint32_t i = first;
  *from = s[first].offset;
  *to = *from + pv_type_bytes(s[first].type);
  *equal = true;
  for (; i < last && s[i].offset < *to; i++) {
    uint64_t end = s[i].offset + pv_type_bytes(s[i].type);
    *equal &= s[i].offset == *from && (i == first || end == *to);
    if (end > *to) *to = end;
  }
  return i;
}

/* Divides what overlapping suggestions cover at all of their ends. */
static void add_parts(struct pv_layout *l, uint32_t place, uint32_t first, uint32_t last,
                      uint64_t from, uint64_t to) {
  while (from < to) {
    uint64_t next = to;
    for (uint32_t i = first; i < last; i++) {
      uint64_t begin = l->seeds.at[i].offset, end = begin + pv_type_bytes(l->seeds.at[i].type);
      if (begin > from && begin < next) next = begin;
      if (end > from && end < next) next = end;
    }
    uint64_t bytes = next - from;
    bool plain = bytes <= WORD && !(bytes & (bytes - 1));
    add_unnamed(l, place, from, next, plain && from % bytes == 0 ? bytes : 1);
    from = next;
  }
}

static void divide(struct pv_layout *l, uint32_t place, uint32_t first, uint32_t last) {
  struct pv_place *p = &l->places.at[place];
  uint64_t at = 0, from, to;
  uint32_t before = l->cells.n;
  p->first_cell = before;
  for (uint32_t i = first; i < last;) {
    bool equal;
    uint32_t next = cluster(l, i, last, &from, &to, &equal);
    if (to > p->size) p->cut = false;
    add_unnamed(l, place, at, from, WORD);
    if (equal)
      add_cell(l, place, from, l->seeds.at[i].type);
    else
      add_parts(l, place, i, next, from, to);
    at = to;
    i = next;
  }
  if (p->size > MOST_CELLS * WORD && p->size > at) p->cut = false;
  if (p->cut) add_unnamed(l, place, at, p->size, WORD);
  if (p->n_cells > MOST_CELLS) p->cut = false;
  if (p->cut) return;
  l->cells.n = before;
  p->n_cells = 0;
}

/* Makes cells from the suggestions. */
static void make_cells(struct pv_layout *l) {
  if (l->seeds.n) qsort(l->seeds.at, l->seeds.n, sizeof *l->seeds.at, by_place);
  for (uint32_t place = 0, i = 0; place < l->places.n; place++) {
    uint32_t last = i;
    while (last < l->seeds.n && l->seeds.at[last].place == place) last++;
    if (l->places.at[place].cut) divide(l, place, i, last);
    i = last;
  }
}

bool pv_layout_find(const struct pv_layout *l, uint32_t place, uint64_t offset, unsigned bytes,
                    uint32_t *cell) {
  const struct pv_place *p = &l->places.at[place];
  for (uint32_t i = 0; i < p->n_cells; i++) {
    const struct pv_place_cell *c = &l->cells.at[p->first_cell + i];
    if (c->offset != offset || pv_type_bytes(c->type) != bytes) continue;
    *cell = p->first_cell + i;
    return true;
  }
  return false;
}

/* The number of places in the object where the access may begin. An access that is aligned hits a
 * cell of its width exactly, if all cells have that width. */
static uint64_t count_choices(const struct pv_layout *l, const struct access *a,
                              const struct pv_place *p) {
  unsigned bytes = pv_type_bytes(a->type);
  bool uniform = true;
  uint32_t spots;
  if (pv_reach_spots(&a->reach, (uint32_t)(p - l->places.at), &spots)) return spots;
  for (uint32_t j = 0; j < p->n_cells; j++)
    uniform &= pv_type_bytes(l->cells.at[p->first_cell + j].type) == bytes;
  return uniform ? p->n_cells : p->size < bytes ? 0 : p->size - bytes + 1;
}

static bool is_constant(const struct pv_layout *l, const struct access *a, uint64_t *offset) {
  uint32_t place;
  const struct pv_edge *e = &l->program->functions.at[a->function].edges.at[a->edge];
  return pv_layout_constant(l, a->function, operand_of(l, e, a->operand), &place, offset);
}

/* Must the places of the access be undivided? Yes if one of them is, or if there would be too many
 * choices. */
static bool wants_class(const struct pv_layout *l, const struct access *a) {
  uint64_t offset, choices = 0;
  bool whole = false;
  for (uint32_t i = 0; i < a->reach.places.n; i++) {
    const struct pv_place *p = &l->places.at[a->reach.places.at[i]];
    whole |= !p->cut;
    if (!pv_layout_on_heap(p) && !is_table(l, p)) choices += count_choices(l, a, p);
  }
  if (is_constant(l, a, &offset)) return whole && a->reach.places.n > 1;
  return whole || choices > l->choices;
}

static void make_classes(struct pv_layout *l) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < l->accesses.n; i++) {
      struct access *a = &l->accesses.at[i];
      if (!a->type || !wants_class(l, a)) continue;
      for (uint32_t j = 0; j < a->reach.places.n; j++) {
        struct pv_place *p = &l->places.at[a->reach.places.at[j]];
        changed |= p->cut;
        p->cut = false;
        if (find(l, a->reach.places.at[0]) != find(l, a->reach.places.at[j])) {
          join(l, a->reach.places.at[0], a->reach.places.at[j]);
          changed = true;
        }
      }
    }
  }
  uint32_t *number = pv_alloc((l->places.n ? l->places.n : 1) * sizeof *number);
  for (uint32_t i = 0; i < l->places.n; i++) {
    if (l->places.at[i].cut) continue;
    uint32_t root = find(l, i);
    if (!number[root]) {
      pv_vec_push(&l->class_types, (struct types){0});
      number[root] = l->class_types.n;
    }
    l->places.at[i].class = number[root] - 1;
  }
  free(number);
}

static void add_class_type(struct pv_layout *l, uint32_t class, pv_type type) {
  struct types *t = &l->class_types.at[class];
  uint32_t i = t->at.n;
  for (uint32_t j = 0; j < t->at.n; j++)
    if (t->at.at[j] == type) return;
  pv_vec_push(&t->at, type);
  for (; i && t->at.at[i - 1] > type; i--) t->at.at[i] = t->at.at[i - 1];
  t->at.at[i] = type;
}

static bool class_on_heap(const struct pv_layout *l, uint32_t class) {
  for (uint32_t i = 0; i < l->places.n; i++)
    if (!l->places.at[i].cut && l->places.at[i].class == class &&
        pv_layout_on_heap(&l->places.at[i]))
      return true;
  return false;
}

/* Is one array not enough, or are its elements wider than what is aligned? */
static bool is_ragged(const struct pv_layout *l, const struct access *a, uint32_t class) {
  const struct pv_edge *e = &l->program->functions.at[a->function].edges.at[a->edge];
  const struct types *t = &l->class_types.at[class];
  unsigned width = t->at.n ? pv_type_bytes(t->at.at[0]) : 1;
  return t->at.n != 1 || e->align < width;
}

/* Where accesses of several types, or parts of blocks, overlap, an array of bytes is exact. Without
 * `objects` it costs more than it gains, unless blocks are copied or filled: these need it, on the
 * heap in any case, since nothing is known of the addresses there. */
static void make_bytes(struct pv_layout *l) {
  bool *ragged = pv_alloc((l->class_types.n + 1) * sizeof *ragged);
  for (uint32_t i = 0; i < l->accesses.n; i++) {
    const struct access *a = &l->accesses.at[i];
    if (!a->reach.in_class || (a->type && !l->objects)) continue;
    for (uint32_t j = 0; j < a->reach.places.n; j++) {
      const struct pv_place *p = &l->places.at[a->reach.places.at[j]];
      if (p->cut || ragged[p->class]) continue;
      ragged[p->class] = is_ragged(l, a, p->class) || (!l->objects && class_on_heap(l, p->class));
    }
  }
  for (uint32_t i = 0; i < l->class_types.n; i++) {
    if (!ragged[i]) continue;
    l->class_types.at[i].at.n = 0;
    pv_vec_push(&l->class_types.at[i].at, PV_INT(8));
  }
  free(ragged);
}

static bool may_begin(const struct pv_reach *r, const struct pv_place_cell *c) {
  uint32_t n;
  const struct pv_spot *spots = pv_reach_spots(r, c->place, &n);
  bool here = !spots;
  for (uint32_t i = 0; i < n; i++) here |= spots[i].offset == c->offset;
  return here;
}

static void finish_access(struct pv_layout *l, struct access *a) {
  for (uint32_t i = 0; i < a->reach.places.n; i++) {
    const struct pv_place *p = &l->places.at[a->reach.places.at[i]];
    if (!p->cut) {
      a->reach.in_class = true;
      a->reach.class = p->class;
      if (a->type) add_class_type(l, p->class, a->type);
      continue;
    }
    if (!a->type) continue;
    uint64_t offset;
    bool constant = is_constant(l, a, &offset);
    for (uint32_t j = 0; j < p->n_cells; j++) {
      const struct pv_place_cell *c = &l->cells.at[p->first_cell + j];
      bool here = constant ? c->offset == offset : may_begin(&a->reach, c);
      if (pv_type_bytes(c->type) == pv_type_bytes(a->type) && here)
        pv_vec_push(&a->reach.cells, p->first_cell + j);
    }
  }
}

/* ---- the module as a whole ------------------------------------------------------------------- */

static struct pv_layout *make(const struct pv_program *p, const struct pv_points_to *pt,
                              uint32_t choices, bool objects, const bool *arrays) {
  struct pv_layout *l = pv_alloc(sizeof *l);
  l->program = p;
  l->pt = pt;
  l->choices = choices;
  l->objects = objects;
  l->arrays = arrays;
  l->offsets = pv_offsets_new(p, pt);
  make_places(l);
  seed_types(l);
  collect_accesses(l);
  if (objects) seed_heap(l);
  make_cells(l);
  make_classes(l);
  for (uint32_t i = 0; i < l->accesses.n; i++) finish_access(l, &l->accesses.at[i]);
  make_bytes(l);
  l->arrays = NULL;
  pv_layout_mark_outlived(l);
  pv_offsets_free(l->offsets);
  l->offsets = NULL;
  return l;
}

struct pv_layout *pv_layout_new(const struct pv_program *p, const struct pv_points_to *pt,
                                uint32_t choices) {
  return make(p, pt, choices, false, NULL);
}

struct pv_layout *pv_layout_new_objects(const struct pv_program *p, const struct pv_points_to *pt,
                                        uint32_t choices, const bool *arrays) {
  return make(p, pt, choices, true, arrays);
}

bool pv_layout_has_objects(const struct pv_layout *l) {
  return l->objects;
}

void pv_layout_free(struct pv_layout *l) {
  if (!l) return;
  for (uint32_t i = 0; i < l->accesses.n; i++) {
    pv_vec_free(&l->accesses.at[i].reach.cells);
    pv_vec_free(&l->accesses.at[i].reach.places);
    pv_vec_free(&l->accesses.at[i].reach.spots);
  }
  for (uint32_t i = 0; i < l->class_types.n; i++) pv_vec_free(&l->class_types.at[i].at);
  pv_vec_free(&l->class_types);
  pv_vec_free(&l->accesses);
  pv_vec_free(&l->places);
  pv_vec_free(&l->cells);
  pv_vec_free(&l->of_object);
  pv_vec_free(&l->parent);
  pv_vec_free(&l->seeds);
  pv_map_free(&l->index);
  pv_map_free(&l->by_edge);
  free(l);
}

uint32_t pv_layout_places(const struct pv_layout *l) {
  return l->places.n;
}
const struct pv_place *pv_layout_place(const struct pv_layout *l, uint32_t place) {
  return &l->places.at[place];
}
const struct pv_place_cell *pv_layout_cell(const struct pv_layout *l, uint32_t cell) {
  return &l->cells.at[cell];
}
uint32_t pv_layout_classes(const struct pv_layout *l) {
  return l->class_types.n;
}
const pv_type *pv_layout_class_types(const struct pv_layout *l, uint32_t class, uint32_t *n) {
  *n = l->class_types.at[class].at.n;
  return l->class_types.at[class].at.at;
}
uint32_t pv_layout_global(const struct pv_layout *l, uint32_t global) {
  return place_of(l, PV_PLACE_GLOBAL, 0, global);
}
uint32_t pv_layout_slot(const struct pv_layout *l, uint32_t function, uint32_t slot) {
  return place_of(l, PV_PLACE_SLOT, function, slot);
}
uint32_t pv_layout_site(const struct pv_layout *l, uint32_t function, uint32_t edge) {
  uint32_t place = place_of(l, PV_PLACE_HEAP, function, edge);
  return place != UINT32_MAX ? place : place_of(l, PV_PLACE_ALLOCA, function, edge);
}

const struct pv_reach *pv_layout_reach(struct pv_layout *l, uint32_t function, uint32_t edge,
                                       unsigned operand) {
  struct access_key key = {function, edge, operand};
  const uint32_t *at = pv_map_get(&l->by_edge, &key, sizeof key);
  return at ? &l->accesses.at[*at].reach : NULL;
}
