/* symbolic_steering.c -- what decides between the alternatives of a scheduler call: the variables
 * and cells that receive numbers of threads, and with an executed scheduler those whose values
 * become arguments of its primitives. */
#include "cpa/symbolic_internal.h"

#include <stdlib.h>
#include <string.h>

struct steering_key {
  uint32_t kind, a, b; /* as of cells */
};

static bool is_steering(struct pv_symbolic *s, uint32_t kind, uint32_t a, uint32_t b) {
  struct steering_key key = {kind, a, b};
  return pv_map_get(&s->steering, &key, sizeof key) != NULL;
}

static void add_steering(struct pv_symbolic *s, uint32_t kind, uint32_t a, uint32_t b) {
  struct steering_key key = {kind, a, b};
  pv_map_put(&s->steering, &key, sizeof key, 1, NULL);
}

/* Does the edge store the value of a steering variable of the function? */
static bool stores_steering(struct pv_symbolic *s, uint32_t function, const struct pv_edge *e) {
  const struct pv_expr_node *value = pv_node(s->program, e->e[1]);
  return value->op == PV_X_VAR && is_steering(s, PV_CELL_VARIABLE, function, (uint32_t)value->lo);
}

/* Finds the variables and cells that receive the number of a new thread through edges of that kind:
 * creation, stores, loads. */
static void find_steering(struct pv_symbolic *s, enum pv_op by) {
  for (uint32_t f = 0; f < s->program->functions.n; f++) {
    const struct pv_function *function = &s->program->functions.at[f];
    for (uint32_t i = 0; i < function->edges.n; i++) {
      const struct pv_edge *e = &function->edges.at[i];
      if (e->op != by || (by == PV_OP_STORE && !stores_steering(s, f, e))) continue;
      if (by == PV_OP_PRIM && e->dst != PV_NO_VAR) add_steering(s, PV_CELL_VARIABLE, f, e->dst);
      const struct pv_reach *r = pv_layout_reach(s->layout, f, i, 0);
      for (uint32_t k = 0; r && k < r->cells.n; k++) {
        if (by != PV_OP_LOAD)
          add_steering(s, PV_CELL_MEMORY, r->cells.at[k], 0);
        else if (is_steering(s, PV_CELL_MEMORY, r->cells.at[k], 0))
          add_steering(s, PV_CELL_VARIABLE, f, e->dst);
      }
    }
  }
}

/* Adds the variables in the expression. Returns true if one is new. */
static bool variables_steer(struct pv_symbolic *s, uint32_t function, pv_expr e) {
  const struct pv_expr_node *n = pv_node(s->program, e);
  if (!e) return false;
  if (n->op == PV_X_VAR) {
    bool known = is_steering(s, PV_CELL_VARIABLE, function, (uint32_t)n->lo);
    add_steering(s, PV_CELL_VARIABLE, function, (uint32_t)n->lo);
    return !known;
  }
  bool any = n->a && variables_steer(s, function, n->a);
  any |= n->b && variables_steer(s, function, n->b);
  any |= n->c && variables_steer(s, function, n->c);
  return any;
}

static bool variable_steers(struct pv_symbolic *s, uint32_t function, uint32_t var) {
  return var != PV_NO_VAR && is_steering(s, PV_CELL_VARIABLE, function, var);
}

static bool load_steers(struct pv_symbolic *s, uint32_t f, uint32_t edge) {
  const struct pv_reach *r = pv_layout_reach(s->layout, f, edge, 0);
  bool any = false;
  for (uint32_t k = 0; r && k < r->cells.n; k++) {
    any |= !is_steering(s, PV_CELL_MEMORY, r->cells.at[k], 0);
    add_steering(s, PV_CELL_MEMORY, r->cells.at[k], 0);
  }
  return any;
}

static bool store_steers(struct pv_symbolic *s, uint32_t f, uint32_t edge) {
  const struct pv_reach *r = pv_layout_reach(s->layout, f, edge, 0);
  for (uint32_t k = 0; r && k < r->cells.n; k++)
    if (is_steering(s, PV_CELL_MEMORY, r->cells.at[k], 0)) return true;
  return false;
}

/* Adds what the parameters and results of the callee steer to its call. */
static bool call_steers(struct pv_symbolic *s, uint32_t f, const struct pv_edge *e) {
  bool any = false;
  if (e->callee == PV_NO_FUNC) return false;
  const struct pv_function *callee = &s->program->functions.at[e->callee];
  for (uint32_t i = 0; i < e->args.n && i < callee->n_params; i++)
    if (variable_steers(s, e->callee, i))
      any |= variables_steer(s, f, pv_arg(s->program, e->args, i));
  for (uint32_t i = 0; i < e->dsts.n; i++) {
    if (!variable_steers(s, f, pv_arg(s->program, e->dsts, i))) continue;
    for (uint32_t k = 0; k < callee->edges.n; k++)
      if (callee->edges.at[k].op == PV_OP_RETURN && i < callee->edges.at[k].args.n)
        any |= variables_steer(s, e->callee, pv_arg(s->program, callee->edges.at[k].args, i));
  }
  return any;
}

/* Finds, backwards, the variables and cells whose values become arguments of an executed scheduler.
 * It is a heuristic: what is missed is found by refinement. */
static bool find_sources(struct pv_symbolic *s) {
  bool any = false;
  for (uint32_t f = 0; f < s->program->functions.n; f++) {
    const struct pv_function *function = &s->program->functions.at[f];
    for (uint32_t i = 0; i < function->edges.n; i++) {
      const struct pv_edge *e = &function->edges.at[i];
      switch (e->op) {
      case PV_OP_PRIM:
        for (uint32_t k = 0; k < e->args.n; k++)
          any |= variables_steer(s, f, pv_arg(s->program, e->args, k));
        break;
      case PV_OP_ASSIGN:
        if (variable_steers(s, f, e->dst)) any |= variables_steer(s, f, e->e[0]);
        break;
      case PV_OP_LOAD:
        if (!variable_steers(s, f, e->dst)) break;
        any |= load_steers(s, f, i);
        any |= variables_steer(s, f, e->e[0]); /* which cell it is */
        break;
      case PV_OP_STORE:
        if (!store_steers(s, f, i)) break;
        any |= variables_steer(s, f, e->e[1]);
        any |= variables_steer(s, f, e->e[0]);
        break;
      case PV_OP_CALL: any |= call_steers(s, f, e); break;
      default: break;
      }
    }
  }
  return any;
}

static bool mentions(const struct pv_program *p, pv_expr e, uint32_t var) {
  const struct pv_expr_node *n = pv_node(p, e);
  if (!e) return false;
  if (n->op == PV_X_VAR) return n->lo == var;
  return (n->a && mentions(p, n->a, var)) || (n->b && mentions(p, n->b, var)) ||
         (n->c && mentions(p, n->c, var));
}

/* Pointers choose the objects that a thread works on. Most have few values: `this`, parameters. One
 * that is computed from itself goes through an array, and is left to refinement. */
static void add_pointers(struct pv_symbolic *s) {
  for (uint32_t f = 0; f < s->program->functions.n; f++) {
    const struct pv_function *function = &s->program->functions.at[f];
    bool *moves = pv_alloc((function->vars.n + 1) * sizeof *moves);
    for (uint32_t i = 0; i < function->edges.n; i++) {
      const struct pv_edge *e = &function->edges.at[i];
      if (e->op == PV_OP_ASSIGN && mentions(s->program, e->e[0], e->dst)) moves[e->dst] = true;
    }
    for (uint32_t v = 0; v < function->vars.n; v++)
      if (!moves[v] && pv_type_kind(function->vars.at[v].type) == PV_T_PTR)
        add_steering(s, PV_CELL_VARIABLE, f, v);
    free(moves);
  }
}

static void know_sources(struct pv_symbolic *s) {
  if (s->knows_steering || !pv_control_executes_scheduler(s->control)) return;
  while (find_sources(s)) {
  }
  add_pointers(s);
  s->knows_steering = true;
}

void pv_symbolic_steering_globals(struct pv_symbolic *s, pv_cells *out) {
  know_sources(s);
  if (!pv_control_executes_scheduler(s->control)) return;
  for (uint32_t i = 0; i < s->steering.n; i++) {
    struct steering_key key;
    memcpy(&key, s->steering.entry[i].key, sizeof key);
    if (key.kind != PV_CELL_MEMORY) continue;
    const struct pv_place_cell *c = pv_layout_cell(s->layout, key.a);
    if (pv_layout_place(s->layout, c->place)->kind == PV_PLACE_GLOBAL)
      pv_vec_push(out, pv_sym_cell(s, PV_CELL_MEMORY, key.a, 0, 0));
  }
}

bool pv_symbolic_steers(struct pv_symbolic *s, uint32_t cell) {
  const struct pv_cell *c = s->cells.at[cell];
  if (c->kind == PV_CELL_VARIABLE && s->program->functions.at[c->a].is_library) return true;
  know_sources(s);
  if (!s->knows_steering) {
    find_steering(s, PV_OP_PRIM);
    find_steering(s, PV_OP_STORE);
    find_steering(s, PV_OP_LOAD);
    s->knows_steering = true;
  }
  return is_steering(s, c->kind, c->a, c->b);
}
