#include "smt/cnf.h"

#include "smt/equations.h"

enum {
  STEPS_OF_A_CONFLICT = 50, /* Z3's, roughly: makes its limit one of conflicts */
  BALLAST = 1000 /* variables that a question does not depend on and that do not matter */
};

struct pv_cnf {
  struct pv_smt *s;
  struct pv_blast *blast;
  PV_VEC(int) literals;
};

static bool is_over(void *user) {
  struct pv_smt *s = user;
  return s->watch.started &&
         __atomic_load_n(&s->watch.fired, __ATOMIC_RELAXED) != (unsigned)PV_SMT_FINE;
}

void pv_cnf_free(struct pv_cnf *c) {
  if (!c) return;
  pv_blast_free(c->blast);
  pv_vec_free(&c->literals);
  free(c);
}

struct pv_blast *pv_cnf_blast(struct pv_cnf *c) {
  return c->blast;
}

/* Appends literals that are equivalent to the formula: those of its conjuncts, flattened. Returns
 * false if it cannot be blasted, or not in time. */
static bool take(struct pv_cnf *c, pv_term t) {
  struct pv_smt *s = c->s;
  if (pv_is_app(s, pv_ast(t), Z3_OP_AND)) {
    for (uint32_t i = 0; i < pv_arity(s, pv_ast(t)); i++)
      if (!take(c, pv_of(pv_arg_at(s, pv_ast(t), i)))) return false;
    return true;
  }
  int literal = pv_blast_literal(c->blast, t);
  if (literal && literal != PV_SAT_TRUE) pv_vec_push(&c->literals, literal);
  return literal != 0;
}

static bool take_all(struct pv_cnf *c, uint32_t n, const pv_term *asserted, uint32_t assumed,
                     const pv_term *assumptions) {
  if (!c->blast) c->blast = pv_blast_new(c->s, is_over, c->s);
  c->literals.n = 0;
  bool fine = true;
  for (uint32_t i = 0; i < n && fine; i++) fine = take(c, asserted[i]);
  for (uint32_t i = 0; i < assumed && fine; i++) fine = take(c, assumptions[i]);
  return fine;
}

/* Appends literals for what follows from the asserted equations. *possible: nothing is false. */
static bool take_consequences(struct pv_cnf *c, uint32_t n, const pv_term *asserted,
                              bool *possible) {
  pv_terms consequences = {0};
  bool fine = true;
  *possible = pv_smt_use_equations(c->s, n, asserted, &consequences);
  for (uint32_t i = 0; i < consequences.n && *possible && fine; i++)
    fine = take(c, consequences.at[i]);
  pv_vec_free(&consequences);
  return fine;
}

/* Would most of what the SAT solver knows be irrelevant to the question? It would have to find
 * values for that, too. */
static bool has_ballast(struct pv_cnf *c) {
  uint32_t known;
  uint32_t relevant =
      pv_sat_relevant(pv_blast_sat(c->blast), c->literals.n, c->literals.at, &known);
  return known > BALLAST + 2 * relevant;
}

Z3_lbool pv_cnf_decide(struct pv_cnf **cnf, struct pv_smt *s, uint32_t n, const pv_term *asserted,
                       uint32_t assumed, const pv_term *assumptions, pv_terms *core,
                       const char **why, bool *refused) {
  if (!*cnf) *cnf = pv_alloc(sizeof **cnf);
  struct pv_cnf *c = *cnf;
  c->s = s;
  *refused = false;
  bool possible = true;
  bool fine = take_all(c, n, asserted, assumed, assumptions);
  if (fine && has_ballast(c)) {
    pv_blast_free(c->blast);
    c->blast = NULL;
    fine = take_all(c, n, asserted, assumed, assumptions);
  }
  if (fine) fine = take_consequences(c, n, asserted, &possible);
  if (!possible) return Z3_L_FALSE;
  if (!fine) {
    *refused = !is_over(s);
    *why = "timeout";
    return Z3_L_UNDEF;
  }
  struct pv_sat *sat = pv_blast_sat(c->blast);
  s->watch.in_sat = true;
  uint64_t conflicts = s->limits.steps / STEPS_OF_A_CONFLICT;
  if (s->limits.steps && !conflicts) conflicts = 1;
  enum pv_sat_answer answer =
      pv_sat_solve(sat, c->literals.n, c->literals.at,
                   conflicts < UINT32_MAX ? (uint32_t)conflicts : UINT32_MAX);
  *why = "resource limits reached";
  if (answer == PV_SAT_NO)
    for (uint32_t i = 0; i < assumed; i++) {
      int literal = pv_blast_literal(c->blast, assumptions[i]);
      if (literal == PV_SAT_FALSE || (literal != PV_SAT_TRUE && pv_sat_failed(sat, literal)))
        pv_vec_push(core, assumptions[i]);
    }
  return answer == PV_SAT_YES ? Z3_L_TRUE : answer == PV_SAT_NO ? Z3_L_FALSE : Z3_L_UNDEF;
}
