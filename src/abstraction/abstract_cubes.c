/* abstract_cubes.c -- which predicates imply a goal, and which its negation. */
#include "abstraction/abstract_internal.h"

#include <stdlib.h>
#include <string.h>

static bool shares(struct abstractor *x, pv_term a, pv_terms *with) {
  pv_terms own = {0};
  bool any = false;
  pv_smt_constants(x->smt, a, &own);
  for (uint32_t i = 0; i < own.n; i++)
    for (uint32_t k = 0; k < with->n; k++) any |= own.at[i] == with->at[k];
  pv_vec_free(&own);
  return any;
}

/* The constants that the goal depends on, through facts that are equations. */
static void cone(struct abstractor *x, pv_term goal, pv_term facts, pv_terms *out) {
  pv_terms atoms = {0};
  pv_smt_constants(x->smt, goal, out);
  pv_smt_atoms(x->smt, facts, &atoms);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < atoms.n; i++) {
      struct pv_smt_shape shape;
      if (!pv_smt_shape(x->smt, atoms.at[i], &shape) || shape.kind != PV_SHAPE_OP ||
          shape.op != PV_SMT_EQ || !shares(x, atoms.at[i], out))
        continue;
      pv_terms own = {0};
      pv_smt_constants(x->smt, atoms.at[i], &own);
      for (uint32_t k = 0; k < own.n; k++) {
        bool known = false;
        for (uint32_t m = 0; m < out->n; m++) known |= out->at[m] == own.at[k];
        if (!known) pv_vec_push(out, own.at[k]);
        more |= !known;
      }
      pv_vec_free(&own);
    }
  }
  pv_vec_free(&atoms);
}

bool pv_abs_choose_candidates(struct abstractor *x, pv_term goal, pv_term facts, pv_loc at,
                              bool with_copies, struct decision *d) {
  pv_terms near = {0};
  cone(x, goal, facts, &near);
  for (uint32_t i = 0; i < x->predicates.n && d->n < CANDIDATES; i++)
    if (shares(x, x->predicates.at[i].term, &near))
      d->at[d->n++] = (struct candidate){x->predicates.at[i].term, i, PV_NO_VAR, false};
  uint32_t before = d->n;
  for (uint32_t i = 0; i < x->copies.n && d->n < CANDIDATES && with_copies; i++) {
    const struct copy *c = &x->copies.at[i];
    if (!shares(x, c->term, &near) || !pv_abs_dominates(x, c->def, at)) continue;
    if (c->others && pv_abs_may_change(x, c->def, at, c->others)) continue;
    d->at[d->n++] = (struct candidate){c->term, c->predicate, c->holder, false};
  }
  pv_vec_free(&near);
  return d->n > before;
}

static bool is_unsat(struct abstractor *x, struct pv_solver *s) {
  x->out->queries++;
  return pv_solver_check(s, 0, NULL) == PV_SMT_UNSAT;
}

static bool contains(const int8_t *larger, const int8_t *smaller, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (smaller[i] && smaller[i] != larger[i]) return false;
  return true;
}

static void try_cube(struct cover *c, cube q) {
  for (uint32_t i = 0; i < c->cubes.n; i++)
    if (contains(q, c->cubes.at[i], c->d->n)) return;
  for (uint32_t i = 0; i < c->dead.n; i++)
    if (contains(q, c->dead.at[i], c->d->n)) return;
  for (int which = 0; which < 2; which++) {
    struct pv_solver *s = which ? c->facts : c->goal;
    pv_solver_push(s);
    for (uint32_t i = 0; i < c->d->n; i++)
      if (q[i]) pv_solver_assert(s, q[i] > 0 ? c->d->at[i].term : not(c->x, c->d->at[i].term));
    bool unsat = is_unsat(c->x, s);
    pv_solver_pop(s, 1);
    if (!which && !unsat) return;
    if (!which) continue;
    uint32_t size = unsat ? c->dead.n : c->cubes.n;
    if (unsat) {
      pv_vec_reserve(&c->dead, size + 1);
      memcpy(c->dead.at[c->dead.n++], q, sizeof(cube));
    } else {
      pv_vec_reserve(&c->cubes, size + 1);
      memcpy(c->cubes.at[c->cubes.n++], q, sizeof(cube));
    }
  }
}

static void try_cubes(struct cover *c, cube q, uint32_t from, uint32_t literals) {
  if (!literals) {
    try_cube(c, q);
    return;
  }
  for (uint32_t i = from; i + literals <= c->d->n; i++)
    for (int sign = 1; sign >= -1; sign -= 2) {
      q[i] = (int8_t)sign;
      try_cubes(c, q, i + 1, literals - 1);
      q[i] = 0;
    }
}

void pv_abs_drop_unused(struct decision *d, const struct cover *yes, const struct cover *no) {
  for (uint32_t k = 0; k < d->n; k++) {
    for (uint32_t i = 0; i < yes->cubes.n; i++) d->at[k].used |= yes->cubes.at[i][k] != 0;
    for (uint32_t i = 0; i < no->cubes.n && !d->complete; i++)
      d->at[k].used |= no->cubes.at[i][k] != 0;
  }
}

static pv_expr literal(struct abstractor *x, const struct candidate *c, bool holds) {
  pv_expr v = pv_mk_var(x->p, PV_INT(8), c->var), zero = pv_mk_const(x->p, PV_INT(8), 0);
  return pv_mk_binary(x->p, holds ? PV_X_NE : PV_X_EQ, 0, PV_INT(1), v, zero);
}

/* The cubes that imply the goal. *always: it is true whatever the predicates are. */
static void find_cubes(struct abstractor *x, const struct decision *d, pv_term goal, pv_term facts,
                       struct cover *c) {
  c->x = x;
  c->d = d;
  c->facts = pv_solver_new(x->smt);
  c->goal = pv_solver_new(x->smt);
  pv_solver_assert(c->facts, facts);
  pv_solver_assert(c->goal, facts);
  pv_solver_assert(c->goal, not(x, goal));
  cube q = {0};
  for (uint32_t n = 0; n <= LITERALS && n <= d->n; n++) try_cubes(c, q, 0, n);
  pv_solver_free(c->facts);
  pv_solver_free(c->goal);
}

pv_expr pv_abs_disjunction(struct abstractor *x, const struct decision *d, const struct cover *c) {
  pv_expr any = 0;
  for (uint32_t i = 0; i < c->cubes.n; i++) {
    pv_expr all = 0;
    for (uint32_t k = 0; k < d->n; k++) {
      if (!c->cubes.at[i][k]) continue;
      pv_expr l = literal(x, &d->at[k], c->cubes.at[i][k] > 0);
      all = all ? pv_mk_binary(x->p, PV_X_AND, 0, PV_INT(1), all, l) : l;
    }
    if (!all) return pv_mk_const(x->p, PV_INT(1), 1);
    any = any ? pv_mk_binary(x->p, PV_X_OR, 0, PV_INT(1), any, all) : all;
  }
  return any;
}

bool pv_abs_is_true(const struct pv_program *p, pv_expr e) {
  return e && pv_node(p, e)->op == PV_X_CONST && pv_node(p, e)->lo;
}

/* The cubes as a formula. */
static pv_term cover_term(struct abstractor *x, const struct decision *d, const struct cover *c) {
  pv_term any = pv_smt_bool(x->smt, false);
  for (uint32_t i = 0; i < c->cubes.n; i++) {
    pv_term all = pv_smt_bool(x->smt, true);
    for (uint32_t k = 0; k < d->n; k++) {
      pv_term t = d->at[k].term;
      if (c->cubes.at[i][k]) all = mk2(x, PV_SMT_AND, all, c->cubes.at[i][k] > 0 ? t : not(x, t));
    }
    any = mk2(x, PV_SMT_OR, any, all);
  }
  return any;
}

void pv_abs_find_covers(struct abstractor *x, struct decision *d, pv_term goal, pv_term facts,
                        struct cover *yes, struct cover *no) {
  find_cubes(x, d, goal, facts, yes);
  find_cubes(x, d, not(x, goal), facts, no);
  pv_term left[] = {facts, not(x, cover_term(x, d, yes)), not(x, cover_term(x, d, no))};
  x->out->queries++;
  d->complete = pv_smt_check(x->smt, 3, left) == PV_SMT_UNSAT;
}
