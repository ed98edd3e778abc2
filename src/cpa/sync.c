#include "cpa/sync.h"

#include <stdlib.h>
#include <string.h>

struct use { /* the use of an object by a PRIM edge */
  uint32_t function, edge;
  unsigned operand;
  enum pv_sync_type type;
  struct pv_sync_reach reach;
};
struct pv_sync {
  const struct pv_program *program;
  const struct pv_points_to *pt;
  const struct pv_layout *layout;
  PV_VEC(struct pv_sync_cell) cells;
  PV_VEC(struct use) uses;
  struct pv_map by_edge; /* struct use_key -> use */
  bool waits_differ;
};
struct use_key {
  uint32_t function, edge, operand;
};

static const struct {
  const char *name;
  unsigned objects;
  enum pv_sync_type types[2];
} ops[PV_SYNC_OTHER + 1] = {
#define X(N, O, A, B) {"__proviso_" #N, O, {PV_SYNC_##A, PV_SYNC_##B}},
    PV_SYNC_OPS(X)
#undef X
        {NULL, 0, {PV_SYNC_NONE, PV_SYNC_NONE}}};

enum pv_sync_op pv_sync_op(const struct pv_prim *prim) {
  enum pv_sync_op op = (enum pv_sync_op)0;
  while (op < PV_SYNC_OTHER && strcmp(ops[op].name, prim->name) != 0)
    op = (enum pv_sync_op)(op + 1);
  return op;
}

unsigned pv_sync_objects(enum pv_sync_op op) {
  return ops[op].objects;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* Are `bytes` of a global zero initially? For an object: all bytes that static initialisers set. */
static bool is_zero(const struct pv_global *g, uint64_t at, uint64_t bytes) {
  for (uint64_t i = at; g->init && i < g->size && i < at + bytes; i++)
    if (g->init[i]) return false;
  return true;
}

static uint32_t cell_at(struct pv_sync *s, uint32_t place, uint64_t offset,
                        enum pv_sync_type type) {
  const struct pv_place *p = pv_layout_place(s->layout, place);
  for (uint32_t i = 0; i < s->cells.n; i++) {
    struct pv_sync_cell *c = &s->cells.at[i];
    if (c->place != place || c->offset != offset) continue;
    c->mixed |= c->type != type;
    return i;
  }
  struct pv_sync_cell c = {.place = place, .offset = offset, .type = type};
  bool is_global = p->kind == PV_PLACE_GLOBAL;
  c.static_ = !is_global || is_zero(&s->program->globals.at[p->index], offset, 24);
  pv_vec_push(&s->cells, c);
  return s->cells.n - 1;
}

/* Finds the objects inside of a source type: at least all that could be one. */
static void find_in_type(struct pv_sync *s, uint32_t place, uint64_t offset, pv_srctype type,
                         struct use *u, uint32_t *left) {
  const struct pv_srctype_info *t = &s->program->srctypes.at[type];
  if (!*left) return;
  if (pv_srctype_is_opaque(t)) {
    uint32_t cell = cell_at(s, place, offset, u->type);
    --*left;
    pv_vec_push(&u->reach.cells, cell);
  } else if (t->kind == PV_S_STRUCT) {
    for (uint32_t i = 0; i < t->fields.n; i++)
      find_in_type(s, place, offset + t->fields.at[i].bit_offset / 8, t->fields.at[i].type, u,
                   left);
  } else if (t->kind == PV_S_ARRAY) {
    uint64_t size = s->program->srctypes.at[t->element].bits / 8;
    for (uint64_t i = 0; i < t->count && *left; i++)
      find_in_type(s, place, offset + i * size, t->element, u, left);
  }
}

/* Finds the objects that the pointer may refer to, in globals and stack slots. */
static void find_in_set(struct pv_sync *s, struct use *u, pv_expr address) {
  uint32_t words = pv_points_to_words(s->pt), left = 24;
  uint64_t *set = pv_alloc((words + 1) * sizeof *set);
  pv_points_to_address(s->pt, u->function, address, set);
  for (uint32_t o = 0; o < pv_points_to_objects(s->pt); o++) {
    const struct pv_pt_object *object = pv_points_to_object(s->pt, o);
    if (!(set[o / 64] >> o % 64 & 1)) continue;
    if (object->kind == PV_PT_GLOBAL)
      find_in_type(s, pv_layout_global(s->layout, object->index), 0,
                   s->program->globals.at[object->index].srctype, u, &left);
    else if (object->kind == PV_PT_SLOT)
      find_in_type(s, pv_layout_slot(s->layout, object->function, object->index), 0,
                   s->program->functions.at[object->function].slots.at[object->index].srctype, u,
                   &left);
  }
  free(set);
}

static void add_use(struct pv_sync *s, uint32_t function, uint32_t edge, unsigned operand,
                    enum pv_sync_type type) {
  const struct pv_edge *e = &s->program->functions.at[function].edges.at[edge];
  struct use u = {function, edge, operand, type, {0}};
  pv_expr address = pv_arg(s->program, e->args, operand);
  struct use_key key = {function, edge, operand};
  uint32_t place;
  uint64_t offset;
  u.reach.exact = pv_layout_constant(s->layout, function, address, &place, &offset);
  if (u.reach.exact)
    pv_vec_push(&u.reach.cells, cell_at(s, place, offset, type));
  else
    find_in_set(s, &u, address);
  pv_map_put(&s->by_edge, &key, sizeof key, s->uses.n, NULL);
  pv_vec_push(&s->uses, u);
}

/* ---- waits ----------------------------------------------------------------------------------- */

/* Do the cells belong to the same frame, or to none, so that instances are not mixed? */
static bool together(const struct pv_sync *s, uint32_t a, uint32_t b) {
  const struct pv_place *p = pv_layout_place(s->layout, s->cells.at[a].place);
  const struct pv_place *q = pv_layout_place(s->layout, s->cells.at[b].place);
  return p->kind == q->kind && (p->kind == PV_PLACE_GLOBAL || p->function == q->function);
}

static void compare_waits(struct pv_sync *s) {
  /* By cell of a condition variable: the mutex that is used with it. */
  PV_VEC(uint32_t) mutex = {0};
  for (uint32_t i = 0; i < s->cells.n; i++) pv_vec_push(&mutex, UINT32_MAX);
  for (uint32_t i = 0; i + 1 < s->uses.n; i++) {
    const struct use *c = &s->uses.at[i], *m = &s->uses.at[i + 1];
    if (m->operand != 1) continue; /* c is operand 0 of the same edge */
    bool plain =
        c->reach.exact && m->reach.exact && together(s, c->reach.cells.at[0], m->reach.cells.at[0]);
    uint32_t *known = plain ? &mutex.at[c->reach.cells.at[0]] : NULL;
    if (known && *known == UINT32_MAX) *known = m->reach.cells.at[0];
    s->waits_differ |= !known || *known != m->reach.cells.at[0];
  }
  pv_vec_free(&mutex);
}

static bool initialises(enum pv_sync_op op) {
  return op == PV_SYNC_mutex_init || op == PV_SYNC_spin_init || op == PV_SYNC_cond_init ||
         op == PV_SYNC_sem_init;
}

/* Semaphores and spin locks are initialised by calls only, so their state says whether they are. */
static void find_initialised(struct pv_sync *s) {
  for (uint32_t i = 0; i < s->uses.n; i++) {
    const struct use *u = &s->uses.at[i];
    const struct pv_edge *e = &s->program->functions.at[u->function].edges.at[u->edge];
    bool tells = u->type == PV_SYNC_MUTEX || u->type == PV_SYNC_COND;
    if (!tells || !initialises(pv_sync_op(s->program->prims.at[e->aux].prim))) continue;
    for (uint32_t k = 0; k < u->reach.cells.n; k++) s->cells.at[u->reach.cells.at[k]].called = true;
  }
}

/* ---- the module as a whole ------------------------------------------------------------------- */

struct pv_sync *pv_sync_new(const struct pv_program *p, const struct pv_points_to *pt,
                            const struct pv_layout *layout) {
  struct pv_sync *s = pv_alloc(sizeof *s);
  s->program = p;
  s->pt = pt;
  s->layout = layout;
  for (uint32_t f = 0; f < p->functions.n; f++) {
    const uint32_t *instances;
    if (!pv_points_to_instances(pt, f, &instances)) continue;
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++) {
      const struct pv_edge *e = &p->functions.at[f].edges.at[i];
      if (e->op != PV_OP_PRIM) continue;
      enum pv_sync_op op = pv_sync_op(p->prims.at[e->aux].prim);
      for (unsigned k = 0; k < ops[op].objects; k++) add_use(s, f, i, k, ops[op].types[k]);
    }
  }
  compare_waits(s);
  find_initialised(s);
  return s;
}

void pv_sync_free(struct pv_sync *s) {
  if (!s) return;
  for (uint32_t i = 0; i < s->uses.n; i++) pv_vec_free(&s->uses.at[i].reach.cells);
  pv_vec_free(&s->uses);
  pv_vec_free(&s->cells);
  pv_map_free(&s->by_edge);
  free(s);
}

uint32_t pv_sync_cells(const struct pv_sync *s) {
  return s->cells.n;
}
const struct pv_sync_cell *pv_sync_cell(const struct pv_sync *s, uint32_t cell) {
  return &s->cells.at[cell];
}
const struct pv_sync_reach *pv_sync_reach(const struct pv_sync *s, uint32_t function, uint32_t edge,
                                          unsigned operand) {
  struct use_key key = {function, edge, operand};
  const uint32_t *at = pv_map_get(&s->by_edge, &key, sizeof key);
  return at ? &s->uses.at[*at].reach : NULL;
}
bool pv_sync_waits_differ(const struct pv_sync *s) {
  return s->waits_differ;
}
