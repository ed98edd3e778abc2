#include "cpa/visible.h"

#include <stdlib.h>
#include <string.h>

#include "sched/sched.h"

struct pv_visible {
  const struct pv_program *program;
  const struct pv_points_to *pt;
  uint64_t *written; /* objects that are written to, begin late or end early */
  uint64_t *set;     /* scratch for one set */
  uint32_t *callees;
  /* By function, computed when needed: is an edge visible; do threads switch at a location? */
  struct marks {
    bool *edges, *locs;
  } * marks;
};

/* ---- edges ----------------------------------------------------------------------------------- */

static void collect(struct pv_visible *v, uint32_t function, pv_expr address) {
  memset(v->set, 0, pv_points_to_words(v->pt) * sizeof *v->set);
  pv_points_to_address(v->pt, function, address, v->set);
}

static bool is_shared(struct pv_visible *v, uint32_t function, pv_expr address, bool write) {
  collect(v, function, address);
  for (uint32_t o = 0; o < pv_points_to_objects(v->pt); o++)
    if (v->set[o / 64] >> o % 64 & 1 && pv_points_to_escapes(v->pt, o) &&
        (write || v->written[o / 64] >> o % 64 & 1))
      return true;
  return false;
}

static bool slot_is_shared(const struct pv_visible *v, uint32_t function, uint32_t slot) {
  uint32_t n;
  const uint32_t *objects = pv_points_to_slot(v->pt, function, slot, &n);
  for (uint32_t i = 0; i < n; i++)
    if (pv_points_to_escapes(v->pt, objects[i])) return true;
  return false;
}

/* Handles the objects of the frame that others may reach: all of them end with it, and those
 * without a LIVE edge begin with it. */
static bool frame_is_shared(const struct pv_visible *v, uint32_t function, bool begins) {
  const struct pv_function *f = &v->program->functions.at[function];
  for (uint32_t i = 0; i < f->slots.n; i++)
    if (!(begins && f->slots.at[i].scoped) && slot_is_shared(v, function, i)) return true;
  for (uint32_t i = 0; !begins && i < f->edges.n; i++) {
    uint32_t n;
    const uint32_t *objects = pv_points_to_alloca(v->pt, function, i, &n);
    for (uint32_t k = 0; k < n; k++)
      if (pv_points_to_escapes(v->pt, objects[k])) return true;
  }
  return false;
}

static bool call_is_visible(struct pv_visible *v, uint32_t function, uint32_t edge) {
  const struct pv_edge *e = &v->program->functions.at[function].edges.at[edge];
  if (e->callee != PV_NO_FUNC) return frame_is_shared(v, e->callee, true);
  uint32_t n = pv_points_to_callees(v->pt, function, edge, v->callees);
  for (uint32_t i = 0; i < n; i++)
    if (frame_is_shared(v, v->callees[i], true)) return true;
  return false;
}

static bool find_edge(struct pv_visible *v, uint32_t function, uint32_t edge) {
  const struct pv_edge *e = &v->program->functions.at[function].edges.at[edge];
  switch (e->op) {
  case PV_OP_LOAD: return is_shared(v, function, e->e[0], false);
  case PV_OP_STORE:
  case PV_OP_RMW:
  case PV_OP_CMPXCHG:
  case PV_OP_FILL: return is_shared(v, function, e->e[0], true);
  case PV_OP_COPY:
    return is_shared(v, function, e->e[0], true) || is_shared(v, function, e->e[1], false);
  case PV_OP_LIVE:
  case PV_OP_DEAD: return slot_is_shared(v, function, e->aux);
  case PV_OP_RETURN: return frame_is_shared(v, function, false);
  case PV_OP_CALL: return call_is_visible(v, function, edge);
  case PV_OP_PRIM: return v->program->prims.at[e->aux].prim->class != PV_PRIM_LOCAL;
  case PV_OP_ALLOC:
  case PV_OP_FREE:
  case PV_OP_ATOMIC_BEGIN:
  case PV_OP_SETJMP:
  case PV_OP_LONGJMP:
  case PV_OP_STOP: return true;
  default: return false;
  }
}

/* ---- locations ------------------------------------------------------------------------------- */

/* Can the location be reached from itself by invisible edges? */
static bool is_on_local_cycle(const struct pv_function *f, const bool *edges, pv_loc head) {
  bool *seen = pv_alloc((f->locs.n + 1) * sizeof *seen), found = false;
  PV_VEC(pv_loc) stack = {0};
  pv_vec_push(&stack, head);
  while (stack.n && !found) {
    const struct pv_location *l = &f->locs.at[pv_vec_pop(&stack)];
    for (uint32_t i = l->first_out; i < l->first_out + l->n_out; i++) {
      if (edges[i]) continue;
      pv_loc to = f->edges.at[i].to;
      found |= to == head;
      if (!seen[to]) pv_vec_push(&stack, to);
      seen[to] = true;
    }
  }
  pv_vec_free(&stack);
  free(seen);
  return found;
}

static const struct marks *marks_of(struct pv_visible *v, uint32_t function) {
  const struct pv_function *f = &v->program->functions.at[function];
  struct marks *m = &v->marks[function];
  if (m->edges) return m;
  m->edges = pv_alloc((f->edges.n + 1) * sizeof *m->edges);
  m->locs = pv_alloc((f->locs.n + 1) * sizeof *m->locs);
  for (uint32_t i = 0; i < f->edges.n; i++) {
    m->edges[i] = find_edge(v, function, i);
    m->locs[f->edges.at[i].from] |= m->edges[i];
  }
  for (pv_loc l = 0; l < f->locs.n; l++)
    if (f->locs.at[l].loop_head && !m->locs[l]) m->locs[l] = is_on_local_cycle(f, m->edges, l);
  return m;
}

bool pv_visible_edge(struct pv_visible *v, uint32_t function, uint32_t edge) {
  return marks_of(v, function)->edges[edge];
}
bool pv_visible_switch(struct pv_visible *v, uint32_t function, pv_loc loc) {
  return marks_of(v, function)->locs[loc];
}

/* ---- the module as a whole ------------------------------------------------------------------- */

static void add_written(struct pv_visible *v, uint32_t function, pv_expr address) {
  collect(v, function, address);
  for (uint32_t w = 0; w < pv_points_to_words(v->pt); w++) v->written[w] |= v->set[w];
}

/* Adds the objects to which an edge writes. */
static void add_edge(struct pv_visible *v, uint32_t function, const struct pv_edge *e) {
  switch (e->op) {
  case PV_OP_STORE:
  case PV_OP_RMW:
  case PV_OP_CMPXCHG:
  case PV_OP_FILL:
  case PV_OP_COPY: add_written(v, function, e->e[0]); break;
  case PV_OP_PRIM: /* thread numbers and results, and all other objects pointed to */
    for (uint32_t i = 0; i < e->args.n; i++)
      add_written(v, function, pv_arg(v->program, e->args, i));
    break;
  default: break;
  }
}

struct pv_visible *pv_visible_new(const struct pv_program *p, const struct pv_points_to *pt) {
  struct pv_visible *v = pv_alloc(sizeof *v);
  uint32_t n = p->functions.n ? p->functions.n : 1, words = pv_points_to_words(pt) + 1;
  v->program = p;
  v->pt = pt;
  v->written = pv_alloc(words * sizeof *v->written);
  v->set = pv_alloc(words * sizeof *v->set);
  v->callees = pv_alloc(n * sizeof *v->callees);
  v->marks = pv_alloc(n * sizeof *v->marks);
  for (uint32_t o = 0; o < pv_points_to_objects(pt); o++)
    if (pv_points_to_object(pt, o)->kind != PV_PT_GLOBAL)
      v->written[o / 64] |= UINT64_C(1) << o % 64;
  for (uint32_t f = 0; f < p->functions.n; f++) {
    const uint32_t *instances;
    if (!pv_points_to_instances(pt, f, &instances)) continue;
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
      add_edge(v, f, &p->functions.at[f].edges.at[i]);
  }
  return v;
}

void pv_visible_free(struct pv_visible *v) {
  if (!v) return;
  for (uint32_t f = 0; f < v->program->functions.n; f++) {
    free(v->marks[f].edges);
    free(v->marks[f].locs);
  }
  free(v->marks);
  free(v->callees);
  free(v->written);
  free(v->set);
  free(v);
}
