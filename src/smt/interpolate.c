/* interpolate.c -- the cascade: computes a core, then tries one method after the other until a
 * sequence is valid. */
#include "smt/interpolate_internal.h"

const char *const pv_itp_method_names[PV_ITP_METHODS] = {"farkas", "spacer", "wp"};

/* ---- the path -------------------------------------------------------------------------------- */
void pv_itp_conjuncts(struct pv_smt *s, pv_term t, pv_terms *out) {
  pv_terms todo = {0};
  pv_vec_push(&todo, t);
  while (todo.n) {
    pv_term x = pv_vec_pop(&todo);
    bool negative = pv_is_app(s, pv_ast(x), Z3_OP_NOT);
    pv_term in = negative ? pv_of(pv_arg_at(s, pv_ast(x), 0)) : x;
    uint32_t n = pv_arity(s, pv_ast(in));
    if (pv_smt_is_true(s, x)) continue;
    if (negative && pv_is_app(s, pv_ast(in), Z3_OP_IMPLIES)) {
      pv_vec_push(&todo, pv_smt_mk1(s, PV_SMT_NOT, pv_of(pv_arg_at(s, pv_ast(in), 1))));
      pv_vec_push(&todo, pv_of(pv_arg_at(s, pv_ast(in), 0)));
    } else if (!negative && pv_is_app(s, pv_ast(in), Z3_OP_DISTINCT) && n > 2) {
      for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++)
          pv_vec_push(&todo, pv_smt_mk2(s, PV_SMT_DISTINCT, pv_of(pv_arg_at(s, pv_ast(in), k)),
                                        pv_of(pv_arg_at(s, pv_ast(in), i))));
    } else if (pv_is_app(s, pv_ast(in), negative ? Z3_OP_OR : Z3_OP_AND)) {
      for (uint32_t i = n; i-- > 0;) {
        pv_term part = pv_of(pv_arg_at(s, pv_ast(in), i));
        pv_vec_push(&todo, negative ? pv_smt_mk1(s, PV_SMT_NOT, part) : part);
      }
    } else {
      pv_vec_push(out, x);
    }
  }
  pv_vec_free(&todo);
}

static void note_constants(struct pv_itp_path *p) {
  struct pv_map index = {0};
  pv_terms found = {0};
  for (uint32_t b = 0; b < p->n; b++)
    for (uint32_t i = 0; i < p->block[b].n; i++) {
      p->has |= pv_smt_has(p->s, p->block[b].at[i]);
      found.n = 0;
      pv_smt_constants(p->s, p->block[b].at[i], &found);
      for (uint32_t k = 0; k < found.n; k++) {
        bool is_new;
        uint32_t at =
            *pv_map_put(&index, &found.at[k], sizeof found.at[k], p->constants.n, &is_new);
        if (is_new) pv_vec_push(&p->constants, ((struct pv_occurrence){found.at[k], b, b}));
        p->constants.at[at].last = b;
      }
    }
  pv_vec_free(&found);
  pv_map_free(&index);
}

void pv_itp_shared(const struct pv_itp_path *p, uint32_t cut, pv_terms *out) {
  for (uint32_t i = 0; i < p->constants.n; i++)
    if (p->constants.at[i].first <= cut && p->constants.at[i].last > cut)
      pv_vec_push(out, p->constants.at[i].constant);
}

/* The conjuncts in a core, by formula. */
static enum pv_smt_answer find_core(struct pv_smt *s, uint32_t n, const pv_term *formulas,
                                    pv_terms *core) {
  pv_terms conjuncts = {0}, indicators = {0}, found = {0};
  PV_VEC(uint32_t) from = {0};
  struct pv_map in_core = {0};
  struct pv_solver *solver = pv_solver_new(s);
  for (uint32_t k = 0; k < n; k++) {
    pv_itp_conjuncts(s, formulas[k], &conjuncts);
    while (from.n < conjuncts.n) pv_vec_push(&from, k);
  }
  for (uint32_t i = 0; i < conjuncts.n; i++) {
    char name[32];
    snprintf(name, sizeof name, "conjunct!%u", i);
    pv_term b = pv_smt_const(s, name, (struct pv_sort){.kind = PV_SORT_BOOL});
    pv_vec_push(&indicators, b);
    pv_solver_assert(solver, pv_smt_mk2(s, PV_SMT_IMPLIES, b, conjuncts.at[i]));
  }
  enum pv_smt_answer r = pv_solver_check(solver, indicators.n, indicators.at);
  if (r == PV_SMT_UNSAT) {
    pv_solver_core(solver, &found);
    for (uint32_t i = 0; i < found.n; i++)
      pv_map_put(&in_core, &found.at[i], sizeof found.at[i], 1, NULL);
    for (uint32_t i = 0; i < conjuncts.n; i++)
      if (pv_map_get(&in_core, &indicators.at[i], sizeof indicators.at[i]))
        pv_vec_push(&core[from.at[i]], conjuncts.at[i]);
  }
  pv_solver_free(solver);
  pv_map_free(&in_core);
  pv_vec_free(&conjuncts);
  pv_vec_free(&indicators);
  pv_vec_free(&found);
  pv_vec_free(&from);
  return r;
}

/* ---- validation ------------------------------------------------------------------------------ */
static bool fits_vocabulary(struct pv_itp_path *p, uint32_t cut, pv_term t) {
  pv_terms shared = {0}, used = {0};
  bool fine = true;
  pv_itp_shared(p, cut, &shared);
  pv_smt_constants(p->s, t, &used);
  for (uint32_t i = 0; i < used.n && fine; i++) {
    fine = false;
    for (uint32_t k = 0; k < shared.n && !fine; k++) fine = shared.at[k] == used.at[i];
  }
  pv_vec_free(&shared);
  pv_vec_free(&used);
  return fine && !(pv_smt_has(p->s, t) & (PV_HAS_QUANTIFIER | PV_HAS_OTHER));
}

bool pv_itp_holds(struct pv_itp_path *p, const pv_term *itp, bool *wrong) {
  struct pv_smt *s = p->s;
  pv_terms parts = {0};
  bool fine = true;
  *wrong = false;
  for (uint32_t b = 0; b < p->n && fine; b++) {
    if (b + 1 < p->n && !fits_vocabulary(p, b, itp[b])) {
      *wrong = true;
      break;
    }
    parts.n = 0;
    if (b) pv_vec_push(&parts, itp[b - 1]);
    for (uint32_t i = 0; i < p->block[b].n; i++) pv_vec_push(&parts, p->block[b].at[i]);
    if (b + 1 < p->n) pv_vec_push(&parts, pv_smt_mk1(s, PV_SMT_NOT, itp[b]));
    enum pv_smt_answer r = pv_smt_check(s, parts.n, parts.at);
    fine = r == PV_SMT_UNSAT;
    *wrong = r == PV_SMT_SAT;
  }
  pv_vec_free(&parts);
  return fine && !*wrong;
}

/* ---- the cascade ----------------------------------------------------------------------------- */
static bool run(struct pv_itp_path *p, const struct pv_itp_options *options, pv_term *itp,
                struct pv_itp_result *result) {
  static bool (*const methods[PV_ITP_METHODS])(struct pv_itp_path *, pv_term *) = {
      [PV_ITP_FARKAS] = pv_itp_farkas, [PV_ITP_SPACER] = pv_itp_spacer, [PV_ITP_WP] = pv_itp_wp};
  /* With bit-vectors the Horn clauses are slow, and give predicates about single bits. */
  static const enum pv_itp_method order[2][PV_ITP_METHODS] = {
      {PV_ITP_FARKAS, PV_ITP_SPACER, PV_ITP_WP}, {PV_ITP_FARKAS, PV_ITP_WP, PV_ITP_SPACER}};
  for (int i = 0; i < PV_ITP_METHODS; i++) {
    enum pv_itp_method m = order[(p->has & PV_HAS_BV) != 0][i];
    if (!(options->methods >> m & 1)) continue;
    if (m == PV_ITP_FARKAS && (p->has & ~(PV_HAS_INT | PV_HAS_ARRAY | PV_HAS_NONLINEAR))) continue;
    if (m == PV_ITP_SPACER && options->no_array_spacer && (p->has & PV_HAS_ARRAY)) continue;
    result->method = m;
    result->tried++;
    bool wrong;
    if (methods[m](p, itp)) {
      if (pv_itp_holds(p, itp, &wrong)) return true;
      result->invalid += wrong;
    }
    if (pv_smt_out(p->s)) return false;
  }
  return false;
}

/* Tries ends of increasing length, because short ones are decided fast. */
uint32_t pv_smt_unsatisfiable_end(struct pv_smt *s, uint32_t n, const pv_term *formulas) {
  uint32_t good = 0, bad = n; /* unsatisfiable from `good` on; not known to be so from `bad` on */
  for (uint32_t length = 1; length < n; length *= 2) {
    if (pv_smt_check(s, length, formulas + n - length) == PV_SMT_UNSAT) {
      good = n - length;
      break;
    }
    bad = n - length;
  }
  while (good + 1 < bad) {
    uint32_t middle = good + (bad - good) / 2;
    if (pv_smt_check(s, n - middle, formulas + middle) == PV_SMT_UNSAT)
      good = middle;
    else
      bad = middle;
  }
  return good;
}

/* Cores of formulas with arrays are expensive, as Z3 does not simplify under assumptions. */
static bool is_satisfiable_with_arrays(struct pv_smt *s, uint32_t n, const pv_term *formulas) {
  uint8_t has = 0;
  for (uint32_t i = 0; i < n; i++) has |= pv_smt_has(s, formulas[i]);
  if (!(has & PV_HAS_ARRAY)) return false;
  struct pv_solver *v = pv_solver_new_one_shot(s);
  for (uint32_t i = 0; i < n; i++) pv_solver_assert(v, formulas[i]);
  enum pv_smt_answer r = pv_solver_check(v, 0, NULL);
  pv_solver_free(v);
  return r == PV_SMT_SAT;
}

enum pv_smt_answer pv_smt_interpolate(struct pv_smt *s, uint32_t n, const pv_term *formulas,
                                      const struct pv_itp_options *options, pv_term *out,
                                      struct pv_itp_result *result) {
  *result = (struct pv_itp_result){0};
  pv_terms *core = pv_alloc((n + 1) * sizeof *core);
  /* Its cores are smaller, and its models have simpler numbers: interpolants are better. */
  enum pv_smt_bit_solver before = s->bit_solver;
  s->bit_solver = PV_BITS_Z3;
  enum pv_smt_answer r =
      is_satisfiable_with_arrays(s, n, formulas) ? PV_SMT_SAT : find_core(s, n, formulas, core);
  if (r == PV_SMT_UNSAT) {
    /* Formulas without a conjunct in the core are omitted. */
    struct pv_itp_path p = {.s = s};
    PV_VEC(uint32_t) at = {0};
    p.block = pv_alloc((n + 1) * sizeof *p.block);
    for (uint32_t k = 0; k < n; k++) {
      if (!core[k].n) continue;
      p.block[p.n++] = core[k];
      pv_vec_push(&at, k);
    }
    note_constants(&p);
    s->stats.interpolations++;
    pv_term *itp = pv_alloc((p.n + 1) * sizeof *itp);
    result->method = PV_ITP_FARKAS;
    if (p.n == 0) /* the solver returned no core */
      r = PV_SMT_UNKNOWN;
    else if (p.n > 1 && !run(&p, options, itp, result))
      r = PV_SMT_UNKNOWN;
    for (uint32_t cut = 0, b = 0; r == PV_SMT_UNSAT && cut + 1 < n; cut++) {
      while (b < p.n && at.at[b] <= cut) b++; /* b blocks are before the cut */
      out[cut] = b == 0 ? pv_smt_bool(s, true) : b == p.n ? pv_smt_bool(s, false) : itp[b - 1];
    }
    free(itp);
    free(p.block);
    pv_vec_free(&p.constants);
    pv_vec_free(&at);
  }
  for (uint32_t k = 0; k < n; k++) pv_vec_free(&core[k]);
  free(core);
  s->bit_solver = before;
  return r;
}
