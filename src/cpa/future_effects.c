#include "cpa/future_effects.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/effects.h"
#include "analysis/sections.h"
#include "sched/sched.h"

struct pv_future_effects {
  const struct pv_program *program;
  const struct pv_points_to *pt;
  uint32_t objects, n; /* n: size of a table */
  bool sections_wait;
  uint16_t *edge; /* scratch for one table */
  uint64_t *set;  /* scratch for one set of objects */
  uint32_t *callees;
  uint32_t thread_main; /* PV_NO_FUNC: none */
  uint16_t **total;     /* by function: the effects of the whole function, with its callees */
  uint16_t ***from;     /* by function and location; computed when needed */
};

/* ---- edges ----------------------------------------------------------------------------------- */

static void add(struct pv_future_effects *a, uint16_t *table, uint32_t object, unsigned effects) {
  if (pv_points_to_escapes(a->pt, object)) table[object] |= (uint16_t)effects;
}

static void add_address(struct pv_future_effects *a, uint16_t *table, uint32_t function,
                        pv_expr address, unsigned effects) {
  memset(a->set, 0, pv_points_to_words(a->pt) * sizeof *a->set);
  pv_points_to_address(a->pt, function, address, a->set);
  for (uint32_t o = 0; o < a->objects; o++)
    if (a->set[o / 64] >> o % 64 & 1) add(a, table, o, effects);
}

static void add_slot(struct pv_future_effects *a, uint16_t *table, uint32_t function,
                     uint32_t slot) {
  uint32_t n;
  const uint32_t *objects = pv_points_to_slot(a->pt, function, slot, &n);
  for (uint32_t i = 0; i < n; i++) add(a, table, objects[i], PV_EFF_WRITE);
}

/* All objects of a frame begin or end. */
static void add_frame(struct pv_future_effects *a, uint16_t *table, uint32_t function) {
  const struct pv_function *f = &a->program->functions.at[function];
  for (uint32_t i = 0; i < f->slots.n; i++) add_slot(a, table, function, i);
  for (uint32_t i = 0; i < f->edges.n; i++) {
    uint32_t n;
    const uint32_t *objects = pv_points_to_alloca(a->pt, function, i, &n);
    for (uint32_t k = 0; k < n; k++) add(a, table, objects[k], PV_EFF_WRITE);
  }
}

static uint32_t callees_of(struct pv_future_effects *a, uint32_t function, uint32_t edge) {
  const struct pv_edge *e = &a->program->functions.at[function].edges.at[edge];
  if (e->callee == PV_NO_FUNC) return pv_points_to_callees(a->pt, function, edge, a->callees);
  a->callees[0] = e->callee;
  return 1;
}

static void add_prim(struct pv_future_effects *a, uint16_t *table, uint32_t function,
                     const struct pv_edge *e) {
  const struct pv_prim *prim = a->program->prims.at[e->aux].prim;
  bool on_threads;
  unsigned effects = pv_prim_effects(prim->name, &on_threads);
  if (effects & PV_EFF_UNLOCK && a->sections_wait) effects |= PV_EFF_SYNC;
  if (on_threads) table[a->objects] |= (uint16_t)effects;
  if (prim->class == PV_PRIM_OBJECT) {
    add_address(a, table, function, pv_arg(a->program, e->args, 0), effects);
    if (prim->two_objects) add_address(a, table, function, pv_arg(a->program, e->args, 1), effects);
  } else if (prim->class == PV_PRIM_THREAD) { /* writes thread numbers and results */
    for (uint32_t i = 0; i < e->args.n && i < 2; i++)
      add_address(a, table, function, pv_arg(a->program, e->args, i), PV_EFF_WRITE);
  }
}

static void add_edge(struct pv_future_effects *a, uint16_t *table, uint32_t function,
                     uint32_t edge) {
  const struct pv_edge *e = &a->program->functions.at[function].edges.at[edge];
  uint32_t n;
  switch (e->op) {
  case PV_OP_LOAD: add_address(a, table, function, e->e[0], PV_EFF_READ); break;
  case PV_OP_STORE: /* a store of some bits reads the others */
    add_address(a, table, function, e->e[0], PV_EFF_WRITE | (e->e[2] ? PV_EFF_READ : 0));
    break;
  case PV_OP_FILL: add_address(a, table, function, e->e[0], PV_EFF_WRITE); break;
  case PV_OP_COPY:
    add_address(a, table, function, e->e[0], PV_EFF_WRITE);
    add_address(a, table, function, e->e[1], PV_EFF_READ);
    break;
  case PV_OP_RMW:
    add_address(a, table, function, e->e[0],
                pv_only_adds(e) ? PV_EFF_ADD : PV_EFF_READ | PV_EFF_WRITE);
    break;
  case PV_OP_CMPXCHG: add_address(a, table, function, e->e[0], PV_EFF_READ | PV_EFF_WRITE); break;
  case PV_OP_FREE:
    add_address(a, table, function, e->e[0], PV_EFF_WRITE);
    table[a->objects + 1] |= PV_EFF_WRITE;
    break;
  case PV_OP_ALLOC: table[a->objects + 1] |= PV_EFF_WRITE; break;
  case PV_OP_LIVE:
  case PV_OP_DEAD: add_slot(a, table, function, e->aux); break;
  case PV_OP_RETURN: add_frame(a, table, function); break;
  case PV_OP_CALL:
    n = callees_of(a, function, edge);
    for (uint32_t i = 0; i < n; i++) add_frame(a, table, a->callees[i]);
    break;
  case PV_OP_PRIM: add_prim(a, table, function, e); break;
  default: break;
  }
}

pv_effect_table pv_future_effects_of_edge(struct pv_future_effects *a, uint32_t function,
                                          uint32_t edge) {
  memset(a->edge, 0, a->n * sizeof *a->edge);
  add_edge(a, a->edge, function, edge);
  return a->edge;
}

bool pv_future_effects_always_continues(const struct pv_future_effects *a, uint32_t function,
                                        uint32_t edge) {
  const struct pv_edge *e = &a->program->functions.at[function].edges.at[edge];
  if (e->op == PV_OP_STOP || e->op == PV_OP_ATOMIC_BEGIN || e->op == PV_OP_ASSUME) return false;
  if (e->op != PV_OP_PRIM) return true;
  const struct pv_prim *prim = a->program->prims.at[e->aux].prim;
  return !prim->may_block && prim->role != PV_ROLE_EXITS;
}

/* ---- points ---------------------------------------------------------------------------------- */

static bool unite(const struct pv_future_effects *a, uint16_t *table, const uint16_t *with) {
  bool changed = false;
  for (uint32_t i = 0; with && i < a->n; i++) {
    changed |= with[i] & ~table[i];
    table[i] |= with[i];
  }
  return changed;
}

/* Adds the effects of the edge's callees and of new threads. */
static bool unite_called(struct pv_future_effects *a, uint16_t *table, uint32_t function,
                         uint32_t edge) {
  const struct pv_edge *e = &a->program->functions.at[function].edges.at[edge];
  bool changed = false;
  if (e->op == PV_OP_CALL) {
    uint32_t n = callees_of(a, function, edge);
    for (uint32_t i = 0; i < n; i++) changed |= unite(a, table, a->total[a->callees[i]]);
  }
  if (e->op == PV_OP_PRIM && a->thread_main != PV_NO_FUNC &&
      a->program->prims.at[e->aux].prim->role == PV_ROLE_CREATES)
    changed |= unite(a, table, a->total[a->thread_main]);
  return changed;
}

static void find_totals(struct pv_future_effects *a) {
  const struct pv_program *p = a->program;
  for (uint32_t f = 0; f < p->functions.n; f++) {
    a->total[f] = pv_alloc(a->n * sizeof **a->total);
    const uint32_t *instances;
    if (!pv_points_to_instances(a->pt, f, &instances)) continue;
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++) add_edge(a, a->total[f], f, i);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t f = 0; f < p->functions.n; f++)
      for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
        changed |= unite_called(a, a->total[f], f, i);
  }
}

pv_effect_table pv_future_effects_from(struct pv_future_effects *a, uint32_t function, pv_loc loc) {
  const struct pv_function *f = &a->program->functions.at[function];
  if (!a->from[function]) a->from[function] = pv_alloc((f->locs.n + 1) * sizeof **a->from);
  uint16_t **table = &a->from[function][loc];
  if (*table) return *table;
  *table = pv_alloc(a->n * sizeof **table);
  bool *seen = pv_alloc((f->locs.n + 1) * sizeof *seen);
  PV_VEC(pv_loc) stack = {0};
  pv_vec_push(&stack, loc);
  seen[loc] = true;
  while (stack.n) {
    const struct pv_location *l = &f->locs.at[pv_vec_pop(&stack)];
    for (uint32_t i = l->first_out; i < l->first_out + l->n_out; i++) {
      pv_loc to = f->edges.at[i].to;
      add_edge(a, *table, function, i);
      unite_called(a, *table, function, i);
      if (!seen[to]) pv_vec_push(&stack, to);
      seen[to] = true;
    }
  }
  pv_vec_free(&stack);
  free(seen);
  return *table;
}

bool pv_future_effects_conflict(const struct pv_future_effects *a, pv_effect_table now,
                                pv_effect_table later) {
  for (uint32_t i = 0; i < a->n; i++)
    if (now[i] && later[i] & pv_effects_conflicting(now[i])) return true;
  return false;
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

struct pv_future_effects *pv_future_effects_new(const struct pv_program *p,
                                                const struct pv_points_to *pt) {
  struct pv_future_effects *a = pv_alloc(sizeof *a);
  uint32_t functions = p->functions.n ? p->functions.n : 1;
  a->program = p;
  a->pt = pt;
  a->objects = pv_points_to_objects(pt);
  a->n = a->objects + 2;
  a->sections_wait = pv_sections_wait(p);
  a->edge = pv_alloc(a->n * sizeof *a->edge);
  a->set = pv_alloc((pv_points_to_words(pt) + 1) * sizeof *a->set);
  a->callees = pv_alloc(functions * sizeof *a->callees);
  a->total = pv_alloc(functions * sizeof *a->total);
  a->from = pv_alloc(functions * sizeof *a->from);
  a->thread_main = PV_NO_FUNC;
  for (uint32_t f = 0; f < p->functions.n; f++)
    if (!strcmp(p->functions.at[f].name, "__proviso_thread_main")) a->thread_main = f;
  find_totals(a);
  return a;
}

uint32_t pv_future_effects_size(const struct pv_future_effects *a) {
  return a->n;
}

void pv_future_effects_free(struct pv_future_effects *a) {
  if (!a) return;
  for (uint32_t f = 0; f < a->program->functions.n; f++) {
    for (uint32_t l = 0; a->from[f] && l < a->program->functions.at[f].locs.n; l++)
      free(a->from[f][l]);
    free(a->from[f]);
    free(a->total[f]);
  }
  free(a->from);
  free(a->total);
  free(a->callees);
  free(a->edge);
  free(a->set);
  free(a);
}
