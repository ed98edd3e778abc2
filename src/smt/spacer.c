/* spacer.c -- interpolants from Z3's solver for constrained Horn clauses (Spacer): a chain of
 * predicates over the constants that are shared at the cuts. The query is about the predicate of
 * the last cut; the interpolants are the facts that hold at every level. Inlining must be off,
 * because it removes the predicates. */
#include "smt/interpolate_internal.h"

struct chain {
  struct pv_itp_path *p;
  struct pv_smt *s;
  Z3_fixedpoint fixedpoint;
  Z3_func_decl *predicate; /* by cut; the query is about the last one */
  pv_terms *shared;
};

static void set_options(struct chain *c) {
  Z3_context z = c->s->z3;
  static const char *const off[] = {
      "xform.inline_eager", "xform.inline_linear",       "xform.slice",
      "xform.coi",          "xform.subsumption_checker", "ctrl_c"};
  Z3_params p = Z3_mk_params(z);
  Z3_params_inc_ref(z, p);
  Z3_params_set_symbol(z, p, Z3_mk_string_symbol(z, "engine"), Z3_mk_string_symbol(z, "spacer"));
  for (size_t i = 0; i < sizeof off / sizeof *off; i++)
    Z3_params_set_bool(z, p, Z3_mk_string_symbol(z, off[i]), false);
  /* Z3 4.8.12 crashes here where an element of an array is an index of another one. */
  if (c->p->has & PV_HAS_ARRAY)
    Z3_params_set_bool(z, p, Z3_mk_string_symbol(z, "spacer.eq_prop"), false);
  Z3_fixedpoint_set_params(z, c->fixedpoint, p);
  Z3_params_dec_ref(z, p);
}

static Z3_ast apply(struct chain *c, uint32_t cut) {
  return pv_ast(pv_smt_keep(
      c->s, Z3_mk_app(c->s->z3, c->predicate[cut], c->shared[cut].n, pv_asts(c->shared[cut].at))));
}

static void declare(struct chain *c, uint32_t cut) {
  Z3_context z = c->s->z3;
  uint32_t n = c->shared[cut].n;
  Z3_sort *sorts = pv_alloc((n + 1) * sizeof *sorts);
  for (uint32_t i = 0; i < n; i++) sorts[i] = Z3_get_sort(z, pv_ast(c->shared[cut].at[i]));
  c->predicate[cut] = Z3_mk_fresh_func_decl(z, "cut", n, sorts, Z3_mk_bool_sort(z));
  Z3_inc_ref(z, Z3_func_decl_to_ast(z, c->predicate[cut]));
  Z3_fixedpoint_register_relation(z, c->fixedpoint, c->predicate[cut]);
  free(sorts);
}

/* Adds the rule: for all constants, the predicate before the block and the block imply the
 * predicate after it. */
static void add_rule(struct chain *c, uint32_t block) {
  struct pv_smt *s = c->s;
  pv_terms body = {0}, constants = {0};
  /* The arguments of predicates first: a predicate without any looks like a constant. */
  for (uint32_t i = 0; block && i < c->shared[block - 1].n; i++)
    pv_vec_push(&body, c->shared[block - 1].at[i]);
  for (uint32_t i = 0; i < c->shared[block].n; i++) pv_vec_push(&body, c->shared[block].at[i]);
  for (uint32_t i = 0; i < c->p->block[block].n; i++) pv_vec_push(&body, c->p->block[block].at[i]);
  pv_smt_all_constants(s, body.n, body.at, &constants);
  body.n = 0;
  if (block) pv_vec_push(&body, pv_of(apply(c, block - 1)));
  for (uint32_t i = 0; i < c->p->block[block].n; i++) pv_vec_push(&body, c->p->block[block].at[i]);
  pv_term whole = pv_smt_mk(s, PV_SMT_AND, body.n, body.at), head = pv_of(apply(c, block));
  pv_term rule = pv_smt_keep(s, Z3_mk_implies(s->z3, pv_ast(whole), pv_ast(head)));
  if (constants.n)
    rule = pv_smt_keep(s, Z3_mk_forall_const(s->z3, 0, constants.n, (const Z3_app *)constants.at, 0,
                                             NULL, pv_ast(rule)));
  Z3_fixedpoint_add_rule(s->z3, c->fixedpoint, pv_ast(rule), NULL);
  pv_vec_free(&body);
  pv_vec_free(&constants);
}

/* Reads the facts that hold at every level. */
static bool read_cover(struct chain *c, pv_term *out) {
  struct pv_smt *s = c->s;
  for (uint32_t cut = 0; cut + 1 < c->p->n; cut++) {
    Z3_ast cover = Z3_fixedpoint_get_cover_delta(s->z3, c->fixedpoint, -1, c->predicate[cut]);
    if (!cover || Z3_get_error_code(s->z3) != Z3_OK) return false;
    pv_term t = pv_smt_keep(s, cover);
    const pv_terms *shared = &c->shared[cut];
    if (shared->n)
      t = pv_smt_keep(s, Z3_substitute_vars(s->z3, pv_ast(t), shared->n, pv_asts(shared->at)));
    out[cut] = pv_smt_simplify(s, t);
  }
  return !s->broken;
}

/* Reads `predicate(variables) = formula`, under `forall` if there are variables; the last of these
 * has number 0. */
static void read_definition(struct chain *c, Z3_ast a, pv_term *out) {
  struct pv_smt *s = c->s;
  if (Z3_get_ast_kind(s->z3, a) == Z3_QUANTIFIER_AST) a = Z3_get_quantifier_body(s->z3, a);
  if (!pv_is_app(s, a, Z3_OP_EQ) && !pv_is_app(s, a, Z3_OP_IFF)) return;
  Z3_ast left = pv_arg_at(s, a, 0), right = pv_arg_at(s, a, 1);
  if (!pv_is_app(s, left, Z3_OP_UNINTERPRETED)) return;
  for (uint32_t cut = 0; cut + 1 < c->p->n; cut++) {
    uint32_t n = c->shared[cut].n;
    if (Z3_get_app_decl(s->z3, Z3_to_app(s->z3, left)) != c->predicate[cut]) continue;
    pv_terms values = {0};
    for (uint32_t i = 0; i < n; i++) pv_vec_push(&values, pv_of(s->yes));
    bool fine = true;
    for (uint32_t i = 0; i < n && fine; i++) {
      Z3_ast x = pv_arg_at(s, left, i);
      fine = Z3_get_ast_kind(s->z3, x) == Z3_VAR_AST && Z3_get_index_value(s->z3, x) < n;
      if (fine) values.at[Z3_get_index_value(s->z3, x)] = c->shared[cut].at[i];
    }
    pv_term t = pv_of(right);
    if (fine && n) t = pv_smt_keep(s, Z3_substitute_vars(s->z3, right, n, pv_asts(values.at)));
    if (fine) out[cut] = pv_smt_simplify(s, t);
    pv_vec_free(&values);
  }
}

/* Reads the whole answer, also for predicates that were removed before the search. */
static bool read_answer(struct chain *c, pv_term *out) {
  struct pv_smt *s = c->s;
  for (uint32_t cut = 0; cut + 1 < c->p->n; cut++) out[cut] = pv_smt_bool(s, true);
  Z3_ast answer = Z3_fixedpoint_get_answer(s->z3, c->fixedpoint);
  if (!answer || Z3_get_error_code(s->z3) != Z3_OK) return false;
  answer = pv_ast(pv_smt_keep(s, answer));
  if (!pv_is_app(s, answer, Z3_OP_AND)) read_definition(c, answer, out);
  for (uint32_t i = 0; pv_is_app(s, answer, Z3_OP_AND) && i < pv_arity(s, answer); i++)
    read_definition(c, pv_arg_at(s, answer, i), out);
  return !s->broken;
}

static bool solve(struct chain *c, pv_term *out) {
  struct pv_smt *s = c->s;
  uint32_t n = c->p->n;
  bool wrong;
  for (uint32_t b = 0; b < n; b++) declare(c, b);
  for (uint32_t b = 0; b < n; b++) add_rule(c, b);
  if (Z3_get_error_code(s->z3) != Z3_OK || !pv_smt_begin(s)) return false;
  Z3_lbool r = Z3_fixedpoint_query_from_lvl(s->z3, c->fixedpoint, apply(c, n - 1), n);
  pv_smt_end(s, r, NULL);
  if (r != Z3_L_FALSE) return false;
  if (read_cover(c, out) && pv_itp_holds(c->p, out, &wrong)) return true;
  return read_answer(c, out);
}

bool pv_itp_spacer(struct pv_itp_path *p, pv_term *out) {
  struct pv_smt *s = p->s;
  struct chain c = {.p = p, .s = s};
  if (p->has & (PV_HAS_FLOAT | PV_HAS_OTHER | PV_HAS_QUANTIFIER)) return false;
  c.predicate = pv_alloc(p->n * sizeof *c.predicate);
  c.shared = pv_alloc(p->n * sizeof *c.shared);
  for (uint32_t cut = 0; cut + 1 < p->n; cut++) pv_itp_shared(p, cut, &c.shared[cut]);
  c.fixedpoint = Z3_mk_fixedpoint(s->z3);
  Z3_fixedpoint_inc_ref(s->z3, c.fixedpoint);
  set_options(&c);
  bool fine = solve(&c, out);
  Z3_fixedpoint_dec_ref(s->z3, c.fixedpoint);
  for (uint32_t cut = 0; cut < p->n; cut++) {
    if (c.predicate[cut]) Z3_dec_ref(s->z3, Z3_func_decl_to_ast(s->z3, c.predicate[cut]));
    pv_vec_free(&c.shared[cut]);
  }
  free(c.predicate);
  free(c.shared);
  return fine;
}
