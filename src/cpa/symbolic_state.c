#include "cpa/symbolic_internal.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/liveness.h"

/* ---- cells ----------------------------------------------------------------------------------- */

static enum pv_cell_kind what_is_unset(enum pv_cell_kind kind) {
  return kind == PV_CELL_UNSET_VARIABLE ? PV_CELL_VARIABLE
         : kind == PV_CELL_UNSET_MEMORY ? PV_CELL_MEMORY
                                        : PV_CELL_ARRAY;
}

static void name_cell(const struct pv_symbolic *s, const struct pv_cell *c, struct pv_str *out) {
  const struct pv_program *p = s->program;
  switch (c->kind) {
  case PV_CELL_VARIABLE: {
    const struct pv_function *f = &p->functions.at[c->a];
    pv_str_addf(out, "%s::%s", f->name, f->vars.at[c->b].name);
    break;
  }
  case PV_CELL_MEMORY: {
    const struct pv_place_cell *pc = pv_layout_cell(s->layout, c->a);
    const struct pv_place *pl = pv_layout_place(s->layout, pc->place);
    if (pl->kind == PV_PLACE_GLOBAL)
      pv_str_add(out, p->globals.at[pl->index].name);
    else if (pl->kind != PV_PLACE_SLOT)
      pv_str_addf(out, "heap%u", pc->place);
    else
      pv_str_addf(out, "%s::%s", p->functions.at[pl->function].name,
                  p->functions.at[pl->function].slots.at[pl->index].name);
    if (pl->n_cells > 1) pv_str_addf(out, "@%llu", (unsigned long long)pc->offset);
    break;
  }
  case PV_CELL_ARRAY: pv_str_addf(out, "memory%u:%x", c->a, c->b); break;
  case PV_CELL_ALIVE:
    pv_str_addf(out, c->b == 2 ? "began%u" : c->b ? "ended%u" : "alive%u", c->a);
    break;
  case PV_CELL_EXTENT: pv_str_addf(out, "extent%u", c->a); break;
  case PV_CELL_TOP: pv_str_add(out, "top"); break;
  case PV_CELL_SYNC: pv_str_addf(out, "lock%u", c->a); break;
  case PV_CELL_RESULT: pv_str_addf(out, "result%u", c->a); break;
  case PV_CELL_COUNT: pv_str_addf(out, "objects%u", c->a); break;
  case PV_CELL_SIZE: pv_str_addf(out, "size%u", c->a); break;
  case PV_CELL_MOST: pv_str_addf(out, "most%u", c->a); break;
  case PV_CELL_UNSET_VARIABLE:
  case PV_CELL_UNSET_MEMORY:
  case PV_CELL_UNSET_ARRAY: {
    struct pv_cell of = *c;
    of.kind = what_is_unset(c->kind);
    pv_str_add(out, "unset:");
    name_cell(s, &of, out);
    return;
  }
  case PV_CELL_FREED: pv_str_add(out, "freed"); break;
  case PV_CELL_NEW_INPUT: pv_str_add(out, "untried"); break;
  }
  if (c->instance % PV_INSTANCES) pv_str_addf(out, "#%u", c->instance % PV_INSTANCES);
  if (c->instance / PV_INSTANCES) pv_str_addf(out, "@%u", c->instance / PV_INSTANCES);
}

static struct pv_sort array_sort(const struct pv_symbolic *s, struct pv_sort element) {
  struct pv_sort index = pv_encode_sort(&s->encoder, PV_TYPE(PV_T_PTR, s->program->pointer_bits));
  return (struct pv_sort){PV_SORT_ARRAY, 0, index.kind, element.kind, index.bits, element.bits};
}

static void describe_cell(struct pv_symbolic *s, struct pv_cell *c) {
  pv_type pointer = PV_TYPE(PV_T_PTR, s->program->pointer_bits);
  switch (c->kind) {
  case PV_CELL_VARIABLE: {
    const struct pv_function *f = &s->program->functions.at[c->a];
    c->type = f->vars.at[c->b].type;
    c->sort = pv_encode_sort(&s->encoder, c->type);
    c->is_signed = pv_encode_is_signed(&s->encoder, f, c->b);
    break;
  }
  case PV_CELL_MEMORY:
    c->type = pv_layout_cell(s->layout, c->a)->type;
    c->sort = pv_encode_sort(&s->encoder, c->type);
    c->is_signed = pv_encode_cell_is_signed(c->type);
    break;
  case PV_CELL_ARRAY:
    c->type = c->b;
    c->sort = array_sort(s, pv_encode_sort(&s->encoder, c->b));
    c->is_signed = pv_encode_cell_is_signed(c->b);
    break;
  case PV_CELL_FREED:
  case PV_CELL_NEW_INPUT:
  case PV_CELL_ALIVE: c->sort = (struct pv_sort){.kind = PV_SORT_BOOL}; break;
  case PV_CELL_EXTENT: c->sort = array_sort(s, pv_encode_sort(&s->encoder, pointer)); break;
  case PV_CELL_TOP:
  case PV_CELL_COUNT:
  case PV_CELL_SIZE:
  case PV_CELL_MOST:
  case PV_CELL_RESULT:
    c->type = pointer;
    c->sort = pv_encode_sort(&s->encoder, pointer);
    break;
  case PV_CELL_SYNC:
    c->type = PV_INT(32);
    c->sort = pv_encode_sort(&s->encoder, c->type);
    c->is_signed = pv_encode_cell_is_signed(c->type);
    break;
  case PV_CELL_UNSET_VARIABLE:
    c->sort = pv_sym_unset_sort(s, s->program->functions.at[c->a].vars.at[c->b].type);
    break;
  case PV_CELL_UNSET_MEMORY:
    c->sort = pv_sym_unset_sort(s, pv_layout_cell(s->layout, c->a)->type);
    break;
  case PV_CELL_UNSET_ARRAY: c->sort = array_sort(s, pv_sym_unset_sort(s, c->b)); break;
  }
}

struct cell_key {
  uint32_t kind, a, b, instance;
};

uint32_t pv_sym_cell(struct pv_symbolic *s, enum pv_cell_kind kind, uint32_t a, uint32_t b,
                     uint32_t instance) {
  struct cell_key key = {kind, a, b, instance};
  bool is_new;
  uint32_t at = *pv_map_put(&s->cell_index, &key, sizeof key, s->cells.n, &is_new);
  if (!is_new) return at;
  struct pv_cell *c = pv_pool_alloc(&s->pool, sizeof *c);
  struct pv_str name = {0};
  *c = (struct pv_cell){.kind = kind, .a = a, .b = b, .instance = instance};
  describe_cell(s, c);
  name_cell(s, c, &name);
  /* Names may be equal (statics of several files); the number makes them distinct. */
  pv_str_addf(&name, "$%u", at);
  c->entry = pv_smt_const(s->smt, pv_str_cstr(&name), c->sort);
  pv_str_free(&name);
  pv_map_put(&s->constant_index, &c->entry, sizeof c->entry, at, NULL);
  pv_vec_push(&s->cells, c);
  return at;
}

uint32_t pv_sym_variable(struct pv_symbolic *s, uint32_t frame, uint32_t var) {
  const struct pv_frame *f = pv_control_frame(s->control, frame);
  return pv_sym_cell(s, PV_CELL_VARIABLE, f->function, var, f->instance);
}

uint32_t pv_symbolic_cells(const struct pv_symbolic *s) {
  return s->cells.n;
}
const struct pv_cell *pv_symbolic_cell(const struct pv_symbolic *s, uint32_t cell) {
  return s->cells.at[cell];
}
uint32_t pv_symbolic_cell_of(const struct pv_symbolic *s, pv_term constant) {
  const uint32_t *at = pv_map_get(&s->constant_index, &constant, sizeof constant);
  return at ? *at : UINT32_MAX;
}
uint32_t pv_symbolic_cell_like(struct pv_symbolic *s, const struct pv_cell *like) {
  return pv_sym_cell(s, like->kind, like->a, like->b, like->instance);
}
uint32_t pv_symbolic_known_cell(const struct pv_symbolic *s, const struct pv_cell *like) {
  const struct cell_key key = {like->kind, like->a, like->b, like->instance};
  const uint32_t *at = pv_map_get(&s->cell_index, &key, sizeof key);
  return at ? *at : UINT32_MAX;
}
void pv_symbolic_cell_print(const struct pv_symbolic *s, uint32_t cell, struct pv_str *out) {
  name_cell(s, s->cells.at[cell], out);
}

/* Is the cell never written in the program? Then it always has its initial value. */
static bool is_constant(const struct pv_symbolic *s, uint32_t cell) {
  const struct pv_cell *c = s->cells.at[cell];
  if (c->kind != PV_CELL_MEMORY) return false;
  const struct pv_place *p = pv_layout_place(s->layout, pv_layout_cell(s->layout, c->a)->place);
  return p->kind == PV_PLACE_GLOBAL && !p->stored;
}

static pv_term value_of(struct pv_symbolic *s, const struct pv_sym *state, uint32_t cell) {
  pv_term t = pv_values_get(state->values, cell);
  if (!t && (state->start || is_constant(s, cell))) t = pv_sym_initial(s, cell);
  return t ? t : s->cells.at[cell]->entry;
}
pv_term pv_sym_get(struct pv_symbolic *s, uint32_t cell) {
  pv_vec_push(&s->reads, cell);
  return value_of(s, &s->w, cell);
}
void pv_sym_set(struct pv_symbolic *s, uint32_t cell, pv_term value) {
  if (!s->w.start && value == s->cells.at[cell]->entry) value = NULL;
  s->w.values = pv_values_set(&s->pool, s->w.values, cell, value);
}
void pv_sym_forget(struct pv_symbolic *s, enum pv_cell_kind kind, uint32_t a, uint32_t b,
                   uint32_t instance) {
  struct cell_key key = {kind, a, b, instance};
  const uint32_t *cell = pv_map_get(&s->cell_index, &key, sizeof key);
  if (cell) s->w.values = pv_values_set(&s->pool, s->w.values, *cell, NULL);
}
pv_term pv_symbolic_value(struct pv_symbolic *s, const struct pv_sym *state, uint32_t cell) {
  return value_of(s, state, cell);
}

/* ---- path conditions ------------------------------------------------------------------------- */

static pv_term condition_of(struct pv_symbolic *s, const struct pv_sym_cond *c) {
  return c ? c->all : pv_smt_bool(s->smt, true);
}
pv_term pv_symbolic_condition(struct pv_symbolic *s, const struct pv_sym *state) {
  return condition_of(s, state->path);
}

static const struct pv_sym_cond *extend(struct pv_symbolic *s, const struct pv_sym_cond *path,
                                        pv_term literal) {
  if (pv_smt_is_true(s->smt, literal)) return path;
  struct pv_sym_cond *c = pv_pool_alloc(&s->pool, sizeof *c);
  c->parent = path;
  c->literal = literal;
  c->all = pv_sym_and(s, condition_of(s, path), literal);
  c->depth = path ? path->depth + 1 : 1;
  return c;
}
void pv_sym_assume(struct pv_symbolic *s, pv_term literal) {
  s->w.path = extend(s, s->w.path, literal);
}

/* ---- states ---------------------------------------------------------------------------------- */

const struct pv_sym *pv_sym_keep(struct pv_symbolic *s, const struct pv_sym *state) {
  struct pv_sym *kept = pv_pool_alloc(&s->pool, sizeof *kept);
  *kept = *state;
  return kept;
}

const struct pv_sym *pv_symbolic_entry(struct pv_symbolic *s) {
  return s->entry;
}
const struct pv_sym *pv_symbolic_start(struct pv_symbolic *s) {
  return s->begin;
}

/* ---- variants -----------------------------------------------------------------------------------
 * States may know a thousand cells, and most moves change one. So they share what is equal, and are
 * found again by a hash that does not depend on the order of cells. */
static void mix_cell(void *user, uint32_t cell, const void *value) {
  uint64_t *sum = user;
  uint64_t x = pv_hash_word((uint64_t)(uintptr_t)value ^ pv_hash_word(cell + UINT64_C(1)));
  sum[0] += x;
  sum[1] ^= pv_hash_word(x + UINT64_C(0x9e3779b97f4a7c15));
}

static void note_cell(void *user, uint32_t cell, const void *value) {
  (void)cell;
  (void)value;
  *(bool *)user = true;
}

static void note_difference(void *user, uint32_t cell, const void *x, const void *y) {
  (void)cell;
  (void)x;
  (void)y;
  *(bool *)user = true;
}

const struct pv_sym *pv_symbolic_variant(struct pv_symbolic *s, const struct pv_sym *base,
                                         uint32_t n, const uint32_t *cells, const pv_term *values) {
  struct pv_sym state = {.values = base->values};
  for (uint32_t i = 0; i < n; i++)
    state.values = pv_values_set(&s->pool, state.values, cells[i], values[i]);
  uint64_t key[3] = {0, 0, 0};
  pv_values_each(state.values, mix_cell, key);
  for (;; key[2]++) { /* states with equal hashes have numbers */
    bool is_new, differs = false;
    uint32_t at = *pv_map_put(&s->variants, key, sizeof key, s->kept.n, &is_new);
    if (is_new) break;
    const struct pv_sym *other = s->kept.at[at];
    pv_values_compare(state.values, other->values, note_difference, &differs);
    if (!differs) return other;
  }
  bool any = false;
  pv_values_each(state.values, note_cell, &any);
  pv_vec_push(&s->kept, any ? pv_sym_keep(s, &state) : s->entry);
  return pv_vec_last(&s->kept);
}

const struct pv_sym *pv_symbolic_state(struct pv_symbolic *s, bool start, uint32_t n,
                                       const uint32_t *cells, const pv_term *values) {
  if (!start) return pv_symbolic_variant(s, s->entry, n, cells, values);
  size_t bytes = n * (sizeof *cells + sizeof *values);
  char *key = pv_alloc(bytes + 1);
  key[bytes++] = start;
  if (n) {
    memcpy(key, values, n * sizeof *values);
    memcpy(key + n * sizeof *values, cells, n * sizeof *cells);
  }
  bool is_new;
  uint32_t at = *pv_map_put(&s->states, key, bytes, s->kept.n, &is_new);
  free(key);
  if (!is_new) return s->kept.at[at];
  struct pv_sym state = {.start = start};
  for (uint32_t i = 0; i < n; i++)
    state.values = pv_values_set(&s->pool, state.values, cells[i], values[i]);
  const struct pv_sym *kept = n ? pv_sym_keep(s, &state) : start ? s->begin : s->entry;
  pv_vec_push(&s->kept, kept);
  return kept;
}

const struct pv_sym *pv_symbolic_assuming(struct pv_symbolic *s, const struct pv_sym *state,
                                          pv_term condition) {
  if (pv_smt_is_true(s->smt, condition)) return state;
  struct pv_sym next = *state;
  next.path = extend(s, next.path, condition);
  return pv_sym_keep(s, &next);
}

bool pv_symbolic_is_from_start(const struct pv_sym *state) {
  return state->start;
}

static void push_cell(void *user, uint32_t cell, const void *value) {
  pv_cells *out = user;
  (void)value;
  pv_vec_push(out, cell);
}

bool pv_symbolic_has_changed(const struct pv_sym *state, uint32_t cell) {
  return pv_values_get(state->values, cell) != NULL;
}

static void push_difference(void *user, uint32_t cell, const void *x, const void *y) {
  (void)x;
  (void)y;
  push_cell(user, cell, NULL);
}
void pv_symbolic_differences(const struct pv_sym *a, const struct pv_sym *b, pv_cells *out) {
  pv_values_compare(a->values, b->values, push_difference, out);
}
void pv_symbolic_each(const struct pv_sym *state,
                      void (*each)(void *user, uint32_t cell, const void *value), void *user) {
  pv_values_each(state->values, each, user);
}
void pv_symbolic_changed(const struct pv_sym *state, pv_cells *out) {
  pv_values_each(state->values, push_cell, out);
}

/* ---- merging --------------------------------------------------------------------------------- */

/* The conjunction of the literals of `path` above `end`, first literal first; *first is that
 * literal. */
static pv_term above(struct pv_symbolic *s, const struct pv_sym_cond *path,
                     const struct pv_sym_cond *end, pv_term *first) {
  pv_term all = pv_smt_bool(s->smt, true);
  *first = all;
  for (; path != end; path = path->parent) {
    all = pv_sym_and(s, path->literal, all);
    *first = path->literal;
  }
  return all;
}

static const struct pv_sym_cond *common(const struct pv_sym_cond *a, const struct pv_sym_cond *b) {
  while (a != b) {
    uint32_t x = a ? a->depth : 0, y = b ? b->depth : 0;
    if (x >= y) a = a->parent;
    if (y >= x) b = b->parent;
  }
  return a;
}

pv_term pv_symbolic_added(struct pv_symbolic *s, const struct pv_sym *from,
                          const struct pv_sym *to) {
  pv_term first;
  return above(s, to->path, common(from->path, to->path), &first);
}

struct merge {
  struct pv_symbolic *s;
  const struct pv_sym *a, *b;
  pv_term guard; /* holds on a's paths, not on b's */
  struct pv_sym out;
  struct pv_point at;
};

bool pv_symbolic_is_dead(struct pv_symbolic *s, uint32_t cell, struct pv_point at) {
  const struct pv_cell *c = s->cells.at[cell];
  if (c->kind != PV_CELL_VARIABLE && c->kind != PV_CELL_UNSET_VARIABLE) return false;
  /* The frame of the variable. Lower frames wait at their calls. */
  uint32_t top;
  pv_loc loc;
  uint32_t frame = pv_control_find(s->control, at, c->a, c->instance, &top, &loc);
  if (frame == PV_NO_FRAME) return true;
  if (frame != top) {
    uint32_t above_it = top;
    while (pv_control_frame(s->control, above_it)->parent != frame)
      above_it = pv_control_frame(s->control, above_it)->parent;
    const struct pv_frame *f = pv_control_frame(s->control, above_it);
    const struct pv_edge *call = &pv_control_function(s->control, frame)->edges.at[f->call];
    for (uint32_t i = 0; i < call->dsts.n; i++)
      if (pv_arg(s->program, call->dsts, i) == c->b) return true;
    loc = call->to;
  }
  struct live *l = &s->live[c->a];
  if (!l->sets) l->sets = pv_liveness(s->program, &s->program->functions.at[c->a], &l->words);
  return !pv_is_live(l->sets, l->words, loc, c->b);
}

bool pv_symbolic_speaks_of_dead(struct pv_symbolic *s, pv_term formula, struct pv_point at) {
  pv_terms constants = {0};
  bool any = false;
  pv_smt_constants(s->smt, formula, &constants);
  for (uint32_t i = 0; i < constants.n && !any; i++) {
    uint32_t cell = pv_symbolic_cell_of(s, constants.at[i]);
    any = cell != UINT32_MAX && pv_symbolic_is_dead(s, cell, at);
  }
  pv_vec_free(&constants);
  return any;
}

/* Of two numbers. */
static pv_term larger(struct pv_symbolic *s, pv_term x, pv_term y) {
  struct pv_smt_shape a, b;
  if (!pv_smt_shape(s->smt, x, &a)) return y;
  if (!pv_smt_shape(s->smt, y, &b)) return x;
  return a.lo > b.lo ? x : y;
}

static void merge_cell(void *user, uint32_t cell, const void *x, const void *y) {
  struct merge *m = user;
  (void)x;
  (void)y;
  pv_term value = NULL; /* dead: its value does not matter; the entry's is used */
  enum pv_cell_kind kind = m->s->cells.at[cell]->kind;
  if (kind == PV_CELL_COUNT || kind == PV_CELL_MOST)
    value = larger(m->s, value_of(m->s, m->a, cell), value_of(m->s, m->b, cell));
  else if (!pv_symbolic_is_dead(m->s, cell, m->at))
    value = pv_sym_ite(m->s, m->guard, value_of(m->s, m->a, cell), value_of(m->s, m->b, cell));
  m->out.values = pv_values_set(&m->s->pool, m->out.values, cell, value);
}

const struct pv_sym *pv_symbolic_merge(struct pv_symbolic *s, const struct pv_sym *a,
                                       const struct pv_sym *b, struct pv_point at) {
  struct {
    const struct pv_sym *a, *b;
    struct pv_point at;
    uint32_t zero; /* without padding, because it is a key */
  } key = {a, b, at, 0};
  if (a == b) return a;
  const uint32_t *known = pv_map_get(&s->merges, &key, sizeof key);
  if (known) return s->kept.at[*known];
  const struct pv_sym_cond *base = common(a->path, b->path);
  pv_term first_a, first_b;
  pv_term only_a = above(s, a->path, base, &first_a), only_b = above(s, b->path, base, &first_b);
  /* Paths that part at a branch are distinguished by its condition. */
  struct merge m = {s, a, b, pv_sym_not(s, first_a) == first_b ? first_a : only_a, *a, at};
  m.out.path = extend(s, base, pv_sym_or(s, only_a, only_b));
  pv_values_compare(a->values, b->values, merge_cell, &m);
  const struct pv_sym *merged = pv_sym_keep(s, &m.out);
  pv_map_put(&s->merges, &key, sizeof key, s->kept.n, NULL);
  pv_vec_push(&s->kept, merged);
  return merged;
}

struct numbers {
  struct pv_smt *smt;
  bool differ;
};

static void compare_numbers(void *user, uint32_t cell, const void *x, const void *y) {
  struct numbers *n = user;
  (void)cell;
  n->differ |= x && y && pv_smt_is_number(n->smt, x) && pv_smt_is_number(n->smt, y);
}

bool pv_symbolic_differ(struct pv_symbolic *s, const struct pv_sym *a, const struct pv_sym *b) {
  struct numbers n = {s->smt, false};
  pv_values_compare(a->values, b->values, compare_numbers, &n);
  return n.differ;
}
