#include "cpa/unset.h"

#include <stdlib.h>
#include <string.h>

struct pv_unset {
  const struct pv_program *program;
  const struct pv_points_to *pt;
  struct pv_layout *layout;
  bool **vars; /* by function and variable */
  bool *places, *classes;
  bool changed;
};

bool pv_unset_variable(const struct pv_unset *u, uint32_t function, uint32_t var) {
  return u->vars[function][var];
}

bool pv_unset_place(const struct pv_unset *u, uint32_t place) {
  return u->places[place];
}

bool pv_unset_class(const struct pv_unset *u, uint32_t class) {
  return u->classes[class];
}

bool pv_unset_expression(const struct pv_unset *u, uint32_t function, pv_expr e) {
  while (e) {
    const struct pv_expr_node *n = pv_node(u->program, e);
    if (n->op == PV_X_VAR) return u->vars[function][n->lo];
    if (pv_expr_ops[n->op].arity == 0) return false;
    if (n->b && pv_unset_expression(u, function, n->b)) return true;
    if (n->c && pv_unset_expression(u, function, n->c)) return true;
    e = n->a;
  }
  return false;
}

/* ---- slots that are set before they are used ---------------------------------------------------
 */

static bool mentions(const struct pv_program *p, pv_expr e, uint32_t slot) {
  while (e) {
    const struct pv_expr_node *n = pv_node(p, e);
    if (n->op == PV_X_SLOT) return n->lo == slot;
    if (pv_expr_ops[n->op].arity == 0) return false;
    if ((n->b && mentions(p, n->b, slot)) || (n->c && mentions(p, n->c, slot))) return true;
    e = n->a;
  }
  return false;
}

static bool uses(const struct pv_program *p, const struct pv_edge *e, uint32_t slot) {
  bool any = false;
  for (int i = 0; i < 3; i++) any |= mentions(p, e->e[i], slot);
  for (uint32_t i = 0; i < e->args.n; i++) any |= mentions(p, pv_arg(p, e->args, i), slot);
  return any;
}

/* Does the edge set all bytes of the slot, to values that are set? */
static bool sets_all(const struct pv_unset *u, uint32_t function, const struct pv_edge *e,
                     uint32_t slot) {
  const struct pv_program *p = u->program;
  uint64_t size = p->functions.at[function].slots.at[slot].size, n;
  const struct pv_expr_node *to = e->e[0] ? pv_node(p, e->e[0]) : NULL;
  if (!to || to->op != PV_X_SLOT || to->lo != slot) return false;
  if (e->op == PV_OP_STORE) {
    n = pv_type_bytes(e->type);
    if (e->e[2] || pv_unset_expression(u, function, e->e[1]) || mentions(p, e->e[1], slot))
      return false;
  } else if (e->op == PV_OP_FILL || e->op == PV_OP_COPY) {
    const struct pv_expr_node *bytes = pv_node(p, e->e[2]);
    if (bytes->op != PV_X_CONST) return false;
    n = bytes->lo;
    if (e->op == PV_OP_COPY && pv_node(p, e->e[1])->op != PV_X_GLOBAL) return false;
    if (e->op == PV_OP_COPY && !p->globals.at[pv_node(p, e->e[1])->lo].is_const) return false;
    if (e->op == PV_OP_FILL && pv_unset_expression(u, function, e->e[1])) return false;
  } else {
    return false;
  }
  return n >= size;
}

/* May the slot be used before it is completely set? Forward over the function: at which locations
 * may it be not yet set? */
static bool used_early(const struct pv_unset *u, uint32_t function, uint32_t slot) {
  const struct pv_program *p = u->program;
  const struct pv_function *f = &p->functions.at[function];
  bool *early = pv_alloc((f->locs.n + 1) * sizeof *early), found = p->has_jumps;
  PV_VEC(pv_loc) stack = {0};
  early[f->entry] = true;
  pv_vec_push(&stack, f->entry);
  for (uint32_t i = 0; i < f->edges.n; i++) { /* each life begins unset */
    const struct pv_edge *e = &f->edges.at[i];
    if (e->op != PV_OP_LIVE || e->aux != slot || early[e->to]) continue;
    early[e->to] = true;
    pv_vec_push(&stack, e->to);
  }
  while (stack.n && !found) {
    pv_loc at = pv_vec_pop(&stack);
    const struct pv_location *loc = &f->locs.at[at];
    for (uint32_t k = 0; k < loc->n_out && !found; k++) {
      const struct pv_edge *e = &f->edges.at[loc->first_out + k];
      if (sets_all(u, function, e, slot)) continue;
      found |= uses(p, e, slot);
      if (early[e->to]) continue;
      early[e->to] = true;
      pv_vec_push(&stack, e->to);
    }
  }
  pv_vec_free(&stack);
  free(early);
  return found;
}

/* ---- passing on ------------------------------------------------------------------------------ */

static void mark(struct pv_unset *u, bool *flag) {
  u->changed |= !*flag;
  *flag = true;
}

static void mark_var(struct pv_unset *u, uint32_t function, uint32_t var) {
  if (var != PV_NO_VAR) mark(u, &u->vars[function][var]);
}

static const struct pv_reach *reach(struct pv_unset *u, uint32_t function, uint32_t edge,
                                    unsigned operand) {
  return pv_layout_reach(u->layout, function, edge, operand);
}

static bool any_place(const struct pv_unset *u, const struct pv_reach *r) {
  for (uint32_t i = 0; r && i < r->places.n; i++)
    if (u->places[r->places.at[i]]) return true;
  return false;
}

static void mark_places(struct pv_unset *u, const struct pv_reach *r) {
  for (uint32_t i = 0; r && i < r->places.n; i++) mark(u, &u->places[r->places.at[i]]);
}

static void pass_call(struct pv_unset *u, uint32_t function, uint32_t edge, const struct pv_edge *e,
                      uint32_t callee) {
  const struct pv_program *p = u->program;
  const struct pv_function *f = &p->functions.at[callee];
  for (uint32_t i = 0; i < e->args.n && i < f->n_params; i++)
    if (pv_unset_expression(u, function, pv_arg(p, e->args, i))) mark_var(u, callee, i);
  (void)edge;
  for (uint32_t k = 0; k < f->edges.n; k++) {
    const struct pv_edge *back = &f->edges.at[k];
    for (uint32_t i = 0; back->op == PV_OP_RETURN && i < e->dsts.n && i < back->args.n; i++)
      if (pv_unset_expression(u, callee, pv_arg(p, back->args, i)))
        mark_var(u, function, pv_arg(p, e->dsts, i));
  }
}

static void pass(struct pv_unset *u, uint32_t function, uint32_t edge, uint32_t *callees) {
  const struct pv_program *p = u->program;
  const struct pv_edge *e = &p->functions.at[function].edges.at[edge];
  switch (e->op) {
  case PV_OP_INDET: mark_var(u, function, e->dst); break;
  case PV_OP_ASSIGN:
    if (pv_unset_expression(u, function, e->e[0])) mark_var(u, function, e->dst);
    break;
  case PV_OP_LOAD:
    if (any_place(u, reach(u, function, edge, 0))) mark_var(u, function, e->dst);
    break;
  case PV_OP_STORE:
    if (pv_unset_expression(u, function, e->e[1])) mark_places(u, reach(u, function, edge, 0));
    break;
  case PV_OP_COPY:
    if (any_place(u, reach(u, function, edge, 1))) mark_places(u, reach(u, function, edge, 0));
    break;
  case PV_OP_CALL: {
    uint32_t n = 1;
    callees[0] = e->callee;
    if (e->callee == PV_NO_FUNC) n = pv_points_to_callees(u->pt, function, edge, callees);
    for (uint32_t i = 0; i < n; i++) pass_call(u, function, edge, e, callees[i]);
    break;
  }
  default: break;
  }
}

struct pv_unset *pv_unset_new(const struct pv_program *p, const struct pv_points_to *pt,
                              struct pv_layout *layout) {
  struct pv_unset *u = pv_alloc(sizeof *u);
  u->program = p;
  u->pt = pt;
  u->layout = layout;
  u->places = pv_alloc((pv_layout_places(layout) + 1) * sizeof *u->places);
  u->vars = pv_alloc((p->functions.n + 1) * sizeof *u->vars);
  for (uint32_t f = 0; f < p->functions.n; f++)
    u->vars[f] = pv_alloc((p->functions.at[f].vars.n + 1) * sizeof **u->vars);
  uint32_t *callees = pv_alloc((p->functions.n + 1) * sizeof *callees);
  uint32_t *slots = pv_alloc((pv_layout_places(layout) + 1) * sizeof *slots), n = 0;
  for (uint32_t i = 0; i < pv_layout_places(layout); i++) {
    const struct pv_place *place = pv_layout_place(layout, i);
    u->places[i] = place->kind == PV_PLACE_HEAP || place->kind == PV_PLACE_ALLOCA;
    if (place->kind == PV_PLACE_SLOT) slots[n++] = i;
  }
  do {
    u->changed = false;
    for (uint32_t i = 0; i < n; i++) {
      const struct pv_place *place = pv_layout_place(layout, slots[i]);
      if (!u->places[slots[i]] && used_early(u, place->function, place->index))
        mark(u, &u->places[slots[i]]);
    }
    for (uint32_t f = 0; f < p->functions.n; f++) {
      const uint32_t *instances;
      if (!pv_points_to_instances(pt, f, &instances)) continue;
      for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++) pass(u, f, i, callees);
    }
  } while (u->changed);
  u->classes = pv_alloc((pv_layout_classes(layout) + 1) * sizeof *u->classes);
  for (uint32_t i = 0; i < pv_layout_places(layout); i++) {
    const struct pv_place *place = pv_layout_place(layout, i);
    if (!place->cut) u->classes[place->class] |= u->places[i];
  }
  free(callees);
  free(slots);
  return u;
}

void pv_unset_free(struct pv_unset *u) {
  if (!u) return;
  for (uint32_t f = 0; f < u->program->functions.n; f++) free(u->vars[f]);
  free(u->vars);
  free(u->places);
  free(u->classes);
  free(u);
}
