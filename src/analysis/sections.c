#include "analysis/sections.h"

#include <stdlib.h>
#include <string.h>

#include "sched/sched.h"

/* By function: may it execute a primitive that blocks? A call through a pointer may. */
static uint8_t *find_waiting(const struct pv_program *p) {
  uint8_t *waits = pv_alloc(p->functions.n + 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t f = 0; f < p->functions.n; f++)
      for (uint32_t i = 0; i < p->functions.at[f].edges.n && !waits[f]; i++) {
        const struct pv_edge *e = &p->functions.at[f].edges.at[i];
        bool prim = e->op == PV_OP_PRIM && p->prims.at[e->aux].prim->may_block;
        bool call = e->op == PV_OP_CALL && (e->callee == PV_NO_FUNC || waits[e->callee]);
        waits[f] = prim || call;
        changed |= waits[f];
      }
  }
  return waits;
}

/* Follows a section of the function from the location to its end. If it contains another section or
 * does not end in the function, it is assumed to wait. */
static bool section_waits(const struct pv_program *p, const struct pv_function *f, pv_loc from,
                          const uint8_t *waits, uint8_t *seen) {
  PV_VEC(pv_loc) todo = {0};
  bool found = false;
  memset(seen, 0, f->locs.n);
  pv_vec_push(&todo, from);
  seen[from] = 1;
  while (todo.n && !found) {
    const struct pv_location *at = &f->locs.at[pv_vec_pop(&todo)];
    for (uint32_t i = at->first_out; i < at->first_out + at->n_out; i++) {
      const struct pv_edge *e = &f->edges.at[i];
      found |= e->op == PV_OP_PRIM && p->prims.at[e->aux].prim->may_block;
      found |= e->op == PV_OP_CALL && (e->callee == PV_NO_FUNC || waits[e->callee]);
      found |= e->op == PV_OP_ATOMIC_BEGIN || e->op == PV_OP_RETURN;
      if (e->op == PV_OP_ATOMIC_END || seen[e->to]) continue;
      seen[e->to] = 1;
      pv_vec_push(&todo, e->to);
    }
  }
  pv_vec_free(&todo);
  return found;
}

bool pv_sections_wait(const struct pv_program *p) {
  uint8_t *waits = find_waiting(p);
  bool found = false;
  for (uint32_t i = 0; i < p->functions.n; i++) {
    const struct pv_function *f = &p->functions.at[i];
    uint8_t *seen = pv_alloc(f->locs.n + 1);
    for (uint32_t k = 0; k < f->edges.n && !found; k++)
      if (f->edges.at[k].op == PV_OP_ATOMIC_BEGIN)
        found = section_waits(p, f, f->edges.at[k].to, waits, seen);
    free(seen);
  }
  free(waits);
  return found;
}
