/* wp.c -- interpolants as weakest preconditions of false, computed backwards. Constants that must
 * not occur at a cut are eliminated: by their definition (x = t) if there is one, conditions by
 * case distinction, the others by quantifier elimination for linear integers. */
#include "smt/interpolate_internal.h"

struct wp {
  struct pv_itp_path *p;
  struct pv_smt *s;
  struct pv_map index; /* constant -> its first occurrence */
};

static const struct pv_occurrence *occurrence(struct wp *w, pv_term constant) {
  const uint32_t *i = pv_map_get(&w->index, &constant, sizeof constant);
  return i ? &w->p->constants.at[*i] : NULL;
}

/* Does the constant occur first in this block? Then it must be eliminated at the cut before it. */
static bool goes(struct wp *w, pv_term constant, uint32_t block) {
  const struct pv_occurrence *o = occurrence(w, constant);
  return o && o->first >= block;
}

static bool contains(struct wp *w, pv_term t, pv_term constant) {
  pv_terms all = {0};
  bool r = false;
  pv_smt_constants(w->s, t, &all);
  for (uint32_t i = 0; i < all.n && !r; i++) r = all.at[i] == constant;
  pv_vec_free(&all);
  return r;
}

/* Does the conjunct define a constant that must be eliminated? */
static bool definition(struct wp *w, pv_term t, uint32_t block, pv_term *constant, pv_term *value) {
  struct pv_smt *s = w->s;
  if (pv_is_constant(s, pv_ast(t)) && goes(w, t, block)) {
    *constant = t;
    *value = pv_smt_bool(s, true);
    return true;
  }
  if (pv_is_app(s, pv_ast(t), Z3_OP_NOT)) {
    *constant = pv_of(pv_arg_at(s, pv_ast(t), 0));
    *value = pv_smt_bool(s, false);
    return pv_is_constant(s, pv_ast(*constant)) && goes(w, *constant, block);
  }
  if (!pv_is_app(s, pv_ast(t), Z3_OP_EQ) && !pv_is_app(s, pv_ast(t), Z3_OP_IFF)) return false;
  for (uint32_t i = 0; i < 2; i++) {
    *constant = pv_of(pv_arg_at(s, pv_ast(t), i));
    *value = pv_of(pv_arg_at(s, pv_ast(t), 1 - i));
    if (pv_is_constant(s, pv_ast(*constant)) && goes(w, *constant, block) &&
        !contains(w, *value, *constant))
      return true;
  }
  return false;
}

/* Replaces the constants defined in `block` by their definitions, in the other conjuncts and
 * in *t. */
static void substitute_definitions(struct wp *w, uint32_t block, pv_terms *conjuncts, pv_term *t) {
  pv_term from, to;
  for (uint32_t i = 0; i < conjuncts->n;) {
    if (!definition(w, conjuncts->at[i], block, &from, &to)) {
      i++;
      continue;
    }
    conjuncts->at[i] = conjuncts->at[--conjuncts->n];
    for (uint32_t k = 0; k < conjuncts->n; k++)
      conjuncts->at[k] = pv_smt_substitute(w->s, conjuncts->at[k], 1, &from, &to);
    *t = pv_smt_substitute(w->s, *t, 1, &from, &to);
    i = 0; /* other conjuncts may have become definitions */
  }
}

/* t with the values of x in the model; NULL if one is not a number. */
static pv_term instance(struct pv_smt *s, struct pv_model *m, uint32_t n, const pv_term *x,
                        pv_term t) {
  pv_terms values = {0};
  pv_term r = NULL;
  for (uint32_t i = 0; i < n; i++) {
    uint64_t lo, hi;
    if (!pv_model_value(m, x[i], &lo, &hi)) break;
    pv_vec_push(&values, pv_smt_number(s, pv_smt_sort(s, x[i]), lo, hi));
  }
  if (values.n == n) r = pv_smt_simplify(s, pv_smt_substitute(s, t, n, x, values.at));
  pv_vec_free(&values);
  return r;
}

/* for all x: t, by instantiation; NULL if a few instances do not suffice. */
static pv_term instantiate(struct pv_smt *s, uint32_t n, const pv_term *x, pv_term t) {
  enum { MOST = 16 };
  pv_terms instances = {0}, indicators = {0}, core = {0};
  struct pv_solver *solver = pv_solver_new(s);
  pv_term r = NULL;
  pv_solver_assert(solver, pv_smt_mk1(s, PV_SMT_NOT, t));
  while (instances.n < MOST) {
    enum pv_smt_answer a = pv_solver_check(solver, indicators.n, indicators.at);
    if (a == PV_SMT_UNSAT) { /* the instances in the core suffice */
      pv_solver_core(solver, &core);
      uint32_t kept = 0;
      for (uint32_t i = 0; i < instances.n; i++)
        for (uint32_t k = 0; k < core.n; k++)
          if (core.at[k] == indicators.at[i]) {
            instances.at[kept++] = instances.at[i];
            break;
          }
      r = pv_smt_mk(s, PV_SMT_AND, kept, instances.at);
      break;
    }
    if (a != PV_SMT_SAT) break;
    struct pv_model *m = pv_solver_model(solver);
    pv_term f = instance(s, m, n, x, t);
    pv_model_free(m);
    if (!f) break;
    char name[32];
    snprintf(name, sizeof name, "instance!%u", instances.n);
    pv_term b = pv_smt_const(s, name, (struct pv_sort){.kind = PV_SORT_BOOL});
    pv_vec_push(&instances, f);
    pv_vec_push(&indicators, b);
    pv_solver_assert(solver, pv_smt_mk2(s, PV_SMT_IMPLIES, b, f));
  }
  pv_solver_free(solver);
  pv_vec_free(&instances);
  pv_vec_free(&indicators);
  pv_vec_free(&core);
  return r;
}

/* for all x: t, by Z3's quantifier elimination; NULL if it fails. */
static pv_term eliminate(struct pv_smt *s, uint32_t n, const pv_term *x, pv_term t) {
  Z3_context c = s->z3;
  pv_term r = NULL;
  pv_term all = pv_smt_keep(s, Z3_mk_forall_const(c, 0, n, (const Z3_app *)x, 0, NULL, pv_ast(t)));
  Z3_tactic tactic = Z3_mk_tactic(c, "qe");
  Z3_tactic_inc_ref(c, tactic);
  Z3_goal goal = Z3_mk_goal(c, false, false, false);
  Z3_goal_inc_ref(c, goal);
  Z3_goal_assert(c, goal, pv_ast(all));
  if (pv_smt_begin(s)) {
    Z3_apply_result result = Z3_tactic_apply(c, tactic, goal);
    bool fine = result && Z3_get_error_code(c) == Z3_OK;
    if (result) Z3_apply_result_inc_ref(c, result);
    pv_smt_end(s, fine ? Z3_L_TRUE : Z3_L_UNDEF, NULL);
    if (fine && Z3_apply_result_get_num_subgoals(c, result) == 1) {
      Z3_goal sub = Z3_apply_result_get_subgoal(c, result, 0);
      Z3_goal_inc_ref(c, sub);
      pv_terms parts = {0};
      for (unsigned i = 0; i < Z3_goal_size(c, sub); i++)
        pv_vec_push(&parts, pv_smt_keep(s, Z3_goal_formula(c, sub, i)));
      r = pv_smt_mk(s, PV_SMT_AND, parts.n, parts.at);
      pv_vec_free(&parts);
      Z3_goal_dec_ref(c, sub);
    }
    if (result) Z3_apply_result_dec_ref(c, result);
  }
  Z3_goal_dec_ref(c, goal);
  Z3_tactic_dec_ref(c, tactic);
  return r && !(pv_smt_has(s, r) & PV_HAS_QUANTIFIER) ? r : NULL;
}

/* for all constants to be eliminated: t. */
static pv_term bind(struct wp *w, uint32_t block, pv_term t) {
  struct pv_smt *s = w->s;
  pv_terms all = {0}, rest = {0};
  pv_smt_constants(s, t, &all);
  for (uint32_t i = 0; i < all.n && t; i++) {
    if (!goes(w, all.at[i], block)) continue;
    if (pv_smt_sort(s, all.at[i]).kind != PV_SORT_BOOL) {
      pv_vec_push(&rest, all.at[i]);
      continue;
    }
    pv_term yes = pv_smt_bool(s, true), no = pv_smt_bool(s, false);
    pv_term a = pv_smt_substitute(s, t, 1, &all.at[i], &yes);
    pv_term b = pv_smt_substitute(s, t, 1, &all.at[i], &no);
    t = pv_smt_simplify(s, pv_smt_mk2(s, PV_SMT_AND, a, b));
  }
  for (uint32_t i = 0; i < rest.n;) { /* some were eliminated with the conditions */
    if (contains(w, t, rest.at[i]))
      i++;
    else
      rest.at[i] = rest.at[--rest.n];
  }
  if (rest.n) {
    pv_term r = instantiate(s, rest.n, rest.at, t);
    if (!r && pv_smt_has(s, t) == PV_HAS_INT) r = eliminate(s, rest.n, rest.at, t);
    t = r;
  }
  pv_vec_free(&all);
  pv_vec_free(&rest);
  return t;
}

bool pv_itp_wp(struct pv_itp_path *p, pv_term *out) {
  struct pv_smt *s = p->s;
  struct wp w = {.p = p, .s = s};
  for (uint32_t i = 0; i < p->constants.n; i++)
    pv_map_put(&w.index, &p->constants.at[i].constant, sizeof(pv_term), i, NULL);
  pv_term t = pv_smt_bool(s, false);
  bool fine = true;
  for (uint32_t b = p->n; b-- > 1 && fine;) {
    pv_terms conjuncts = {0};
    for (uint32_t i = 0; i < p->block[b].n; i++) pv_vec_push(&conjuncts, p->block[b].at[i]);
    substitute_definitions(&w, b, &conjuncts, &t);
    pv_term all = pv_smt_mk(s, PV_SMT_AND, conjuncts.n, conjuncts.at);
    t = pv_smt_mk2(s, PV_SMT_IMPLIES, all, t);
    t = bind(&w, b, pv_smt_simplify(s, t));
    fine = t && !s->broken && !pv_smt_out(s);
    out[b - 1] = t;
    pv_vec_free(&conjuncts);
  }
  pv_map_free(&w.index);
  return fine;
}
