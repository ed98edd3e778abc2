/* layout_outlived.c -- which objects of the stack a pointer may outlive: those to which memory,
 * results, variables of their own function or other threads may hold pointers. */
#include "cpa/layout_internal.h"

#include <stdlib.h>
#include <string.h>

/* only: objects of this function, or UINT32_MAX: of any. `function`: its own objects are outlived.
 */
static void mark(struct pv_layout *l, const uint64_t *set, uint32_t only, bool outlived,
                 uint32_t function) {
  for (uint32_t o = 0; o < l->of_object.n; o++) {
    if (!(set[o / 64] >> o % 64 & 1) || l->of_object.at[o] == UINT32_MAX) continue;
    struct pv_place *p = &l->places.at[l->of_object.at[o]];
    if (p->kind != PV_PLACE_SLOT && p->kind != PV_PLACE_ALLOCA) continue;
    if (only != UINT32_MAX && p->function != only) continue;
    p->kept = true;
    p->outlived |= outlived || (function != UINT32_MAX && p->function == function);
  }
}

/* May a call lead from function a to b? A depth-first search over the call graph. */
static bool calls(const struct pv_layout *l, uint32_t a, uint32_t b) {
  const struct pv_program *p = l->program;
  bool *seen = pv_alloc((p->functions.n + 1) * sizeof *seen), found = false;
  uint32_t *callees = pv_alloc((p->functions.n + 1) * sizeof *callees);
  PV_VEC(uint32_t) stack = {0};
  pv_vec_push(&stack, a);
  while (stack.n && !found) {
    uint32_t f = pv_vec_pop(&stack);
    if (seen[f]) continue;
    seen[f] = true;
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++) {
      const struct pv_edge *e = &p->functions.at[f].edges.at[i];
      if (e->op != PV_OP_CALL) continue;
      uint32_t n = 1;
      callees[0] = e->callee;
      if (e->callee == PV_NO_FUNC) n = pv_points_to_callees(l->pt, f, i, callees);
      for (uint32_t k = 0; k < n; k++) {
        found |= callees[k] == b;
        pv_vec_push(&stack, callees[k]);
      }
    }
  }
  pv_vec_free(&stack);
  free(callees);
  free(seen);
  return found;
}

/* The objects that pointers in the object may refer to. */
static void contents_of(struct pv_layout *l, uint32_t object, uint64_t *set) {
  pv_targets held = {0};
  if (!pv_offsets_complete(l->offsets)) {
    pv_points_to_contents(l->pt, object, set);
    return;
  }
  pv_offsets_contents(l->offsets, object, &held);
  for (uint32_t i = 0; i < held.n; i++)
    set[held.at[i].object / 64] |= UINT64_C(1) << held.at[i].object % 64;
  pv_vec_free(&held);
}

/* The objects that the value of a variable or a result may refer to. */
static void value_of(struct pv_layout *l, uint32_t function, pv_expr value, uint64_t *set) {
  pv_targets held = {0};
  if (!pv_offsets_complete(l->offsets)) {
    pv_points_to_address(l->pt, function, value, set);
    return;
  }
  pv_offsets_held(l->offsets, function, value, &held);
  for (uint32_t i = 0; i < held.n; i++)
    set[held.at[i].object / 64] |= UINT64_C(1) << held.at[i].object % 64;
  pv_vec_free(&held);
}

/* Marks the contents of objects that outlive a function: always of globals and the heap, and of
 * stack objects for the functions that their owner calls. */
static void mark_contents(struct pv_layout *l, uint64_t *set) {
  for (uint32_t o = 0; o < l->of_object.n; o++) {
    uint32_t holder = l->of_object.at[o];
    if (holder == UINT32_MAX) continue;
    memset(set, 0, pv_points_to_words(l->pt) * sizeof *set);
    contents_of(l, o, set);
    const struct pv_place *h = &l->places.at[holder];
    bool stack = h->kind == PV_PLACE_SLOT || h->kind == PV_PLACE_ALLOCA;
    mark(l, set, UINT32_MAX, !stack, UINT32_MAX);
    for (uint32_t x = 0; stack && x < l->of_object.n; x++) {
      if (!(set[x / 64] >> x % 64 & 1) || l->of_object.at[x] == UINT32_MAX) continue;
      struct pv_place *p = &l->places.at[l->of_object.at[x]];
      if ((p->kind == PV_PLACE_SLOT || p->kind == PV_PLACE_ALLOCA) && !p->outlived &&
          calls(l, h->function, p->function))
        p->outlived = true;
    }
  }
}

/* Marks the values of results, and of variables of the object's own function: others end before the
 * object begins anew. */
static void mark_values(struct pv_layout *l, uint64_t *set) {
  const struct pv_program *p = l->program;
  for (uint32_t f = 0; f < p->functions.n; f++) {
    const uint32_t *instances;
    if (!pv_points_to_instances(l->pt, f, &instances)) continue;
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++) {
      const struct pv_edge *e = &p->functions.at[f].edges.at[i];
      if (e->op != PV_OP_RETURN && e->op != PV_OP_ASSIGN) continue;
      uint32_t n = e->op == PV_OP_RETURN ? e->args.n : 1;
      for (uint32_t k = 0; k < n; k++) {
        pv_expr value = e->op == PV_OP_RETURN ? pv_arg(p, e->args, k) : e->e[0];
        memset(set, 0, pv_points_to_words(l->pt) * sizeof *set);
        value_of(l, f, value, set);
        if (e->op == PV_OP_RETURN)
          mark(l, set, UINT32_MAX, false, f);
        else
          mark(l, set, f, false, UINT32_MAX);
      }
    }
  }
}

/* Marks objects that other threads may reach: these may hold pointers to them in any function. */
static void mark_escaping(struct pv_layout *l) {
  bool complete = pv_offsets_complete(l->offsets);
  for (uint32_t o = 0; l->program->prims.n && o < l->of_object.n; o++) {
    bool escapes = pv_points_to_escapes(l->pt, o);
    if (complete && escapes) escapes = pv_offsets_escapes(l->offsets, o);
    if (l->of_object.at[o] == UINT32_MAX || !escapes) continue;
    struct pv_place *p = &l->places.at[l->of_object.at[o]];
    if (p->kind == PV_PLACE_SLOT || p->kind == PV_PLACE_ALLOCA) p->kept = p->outlived = true;
  }
}

void pv_layout_mark_outlived(struct pv_layout *l) {
  uint64_t *set = pv_alloc((pv_points_to_words(l->pt) + 1) * sizeof *set);
  mark_contents(l, set);
  mark_values(l, set);
  mark_escaping(l);
  free(set);
}
