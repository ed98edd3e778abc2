/* solver.c -- stacks of assertions, cores, models.
 *
 * Z3's solver is created at the first query, of a kind that suits the assertions. If a later term
 * needs another theory, a new one is created with the same stack. Its queries are bounded by Z3's
 * own step counter and by the watchdog of smt.c. */
#include "smt/cnf.h"
#include "smt/smt_internal.h"

enum engine { ENGINE_NONE, ENGINE_LINEAR, ENGINE_BITS, ENGINE_GENERAL };

struct pv_solver {
  struct pv_smt *smt;
  Z3_solver z3;
  enum engine engine;
  uint8_t has; /* union over all assertions since the solver was created */
  pv_terms asserted;
  PV_VEC(uint32_t) levels;    /* number of assertions at each push */
  uint32_t told, told_levels; /* how much of both Z3's solver has received */
  pv_terms core;
  struct pv_cnf *cnf; /* of questions that CaDiCaL decides */
  bool by_bits;       /* so did it the last one */
  bool one_shot;      /* for a single question */
};

struct pv_model {
  struct pv_smt *smt;
  Z3_model z3;
  struct pv_blast *blast; /* of CaDiCaL; `z3` is made when a term needs it. NULL: of Z3 */
};

/* ---- Z3's solver ----------------------------------------------------------------------------- */
static enum engine engine_for(uint8_t has) {
  if (has == PV_HAS_INT) return ENGINE_LINEAR;
  if (has == PV_HAS_BV) return ENGINE_BITS;
  return has ? ENGINE_GENERAL : ENGINE_NONE;
}

/* Z3 would install its own handler for SIGINT. */
void pv_smt_leave_signals(struct pv_smt *s, Z3_solver z3) {
  Z3_params p = Z3_mk_params(s->z3);
  Z3_params_inc_ref(s->z3, p);
  Z3_params_set_bool(s->z3, p, Z3_mk_string_symbol(s->z3, "ctrl_c"), false);
  Z3_solver_set_params(s->z3, z3, p);
  Z3_params_dec_ref(s->z3, p);
}

static void forget_z3(struct pv_solver *v) {
  if (v->z3) Z3_solver_dec_ref(v->smt->z3, v->z3);
  v->z3 = NULL;
  v->told = v->told_levels = 0;
}

static bool make_z3(struct pv_solver *v, enum engine engine) {
  struct pv_smt *s = v->smt;
  forget_z3(v);
  v->engine = engine;
  if (v->one_shot)
    v->z3 = Z3_mk_solver(s->z3);
  else if (engine == ENGINE_LINEAR)
    v->z3 = Z3_mk_solver_for_logic(s->z3, Z3_mk_string_symbol(s->z3, "QF_LIA"));
  else if (engine == ENGINE_BITS)
    v->z3 = Z3_mk_solver_for_logic(s->z3, Z3_mk_string_symbol(s->z3, "QF_BV"));
  else
    v->z3 = Z3_mk_simple_solver(s->z3);
  if (!v->z3) return false;
  Z3_solver_inc_ref(s->z3, v->z3);
  pv_smt_leave_signals(s, v->z3);
  return Z3_get_error_code(s->z3) == Z3_OK;
}

/* Passes the changes of the stack to Z3's solver. So pushes and pops without a query cost
 * nothing. */
static bool tell(struct pv_solver *v) {
  struct pv_smt *s = v->smt;
  for (uint32_t i = v->told; i < v->asserted.n; i++) v->has |= pv_smt_has(s, v->asserted.at[i]);
  enum engine wanted = engine_for(v->has);
  bool fits = v->engine == wanted || v->engine == ENGINE_GENERAL || wanted == ENGINE_NONE;
  if ((!v->z3 || !fits) && !make_z3(v, wanted)) return false;
  for (;;) {
    uint32_t end = v->told_levels < v->levels.n ? v->levels.at[v->told_levels] : v->asserted.n;
    for (; v->told < end; v->told++) {
      Z3_solver_assert(s->z3, v->z3, pv_ast(v->asserted.at[v->told]));
      if (Z3_get_error_code(s->z3) != Z3_OK) return false;
    }
    if (v->told_levels == v->levels.n) return true;
    Z3_solver_push(s->z3, v->z3);
    if (Z3_get_error_code(s->z3) != Z3_OK) return false;
    v->told_levels++;
  }
}

/* ---- the stack ------------------------------------------------------------------------------- */
struct pv_solver *pv_solver_new(struct pv_smt *s) {
  struct pv_solver *v = pv_alloc(sizeof *v);
  v->smt = s;
  return v;
}

struct pv_solver *pv_solver_new_one_shot(struct pv_smt *s) {
  struct pv_solver *v = pv_solver_new(s);
  v->one_shot = true;
  return v;
}

void pv_solver_free(struct pv_solver *v) {
  if (!v || pv_smt_ends(v->smt)) return;
  forget_z3(v);
  pv_cnf_free(v->cnf);
  pv_vec_free(&v->asserted);
  pv_vec_free(&v->levels);
  pv_vec_free(&v->core);
  free(v);
}

void pv_solver_push(struct pv_solver *v) {
  pv_vec_push(&v->levels, v->asserted.n);
}

void pv_solver_pop(struct pv_solver *v, uint32_t levels) {
  PV_REQUIRE(levels <= v->levels.n, "more levels than there are");
  if (!levels) return;
  v->levels.n -= levels;
  v->asserted.n = v->levels.at[v->levels.n];
  if (v->told_levels > v->levels.n) {
    Z3_solver_pop(v->smt->z3, v->z3, v->told_levels - v->levels.n);
    v->told_levels = v->levels.n;
  }
  if (v->told > v->asserted.n) v->told = v->asserted.n;
}

void pv_solver_assert(struct pv_solver *v, pv_term t) {
  pv_vec_push(&v->asserted, t);
}

/* Handles a missing answer: a limit, or a failure, which breaks the context. Z3's solver is
 * discarded, because its state is not known. */
static enum pv_smt_answer give_up(struct pv_solver *v) {
  struct pv_smt *s = v->smt;
  Z3_error_code e = Z3_get_error_code(s->z3);
  const char *why = v->z3 && e == Z3_OK ? Z3_solver_get_reason_unknown(s->z3, v->z3) : NULL;
  bool failed = s->broken || (e != Z3_OK && !pv_smt_only_limit(s, Z3_get_error_msg(s->z3, e)));
  if (failed && !s->broken) pv_smt_failed(s);
  enum pv_smt_reason broken_by = s->reason;
  pv_smt_end(s, Z3_L_UNDEF, why);
  if (failed) s->reason = broken_by;
  forget_z3(v);
  return PV_SMT_UNKNOWN;
}

static void take_core(struct pv_solver *v) {
  struct pv_smt *s = v->smt;
  Z3_ast_vector core = Z3_solver_get_unsat_core(s->z3, v->z3);
  if (!core || pv_smt_failed(s)) return;
  Z3_ast_vector_inc_ref(s->z3, core);
  s->stats.cores++;
  for (unsigned i = 0; i < Z3_ast_vector_size(s->z3, core); i++)
    pv_vec_push(&v->core, pv_smt_keep(s, Z3_ast_vector_get(s->z3, core, i)));
  Z3_ast_vector_dec_ref(s->z3, core);
}

/* Is the question one for CaDiCaL? */
static bool is_for_bits(const struct pv_solver *v) {
  struct pv_smt *s = v->smt;
  uint8_t has = 0;
  if (s->bit_solver == PV_BITS_Z3) return false;
  for (uint32_t i = 0; i < v->asserted.n; i++) has |= pv_smt_has(s, v->asserted.at[i]);
  return pv_blast_suits(has);
}

static enum pv_smt_answer decide(struct pv_solver *v, uint32_t n, const pv_term *assumptions) {
  struct pv_smt *s = v->smt;
  v->core.n = 0;
  v->by_bits = false;
  if (!pv_smt_begin(s)) return PV_SMT_UNKNOWN;
  if (is_for_bits(v)) {
    const char *why;
    bool refused;
    Z3_lbool r = pv_cnf_decide(&v->cnf, s, v->asserted.n, v->asserted.at, n, assumptions, &v->core,
                               &why, &refused);
    v->by_bits = !refused;
    if (!refused) return pv_smt_end(s, r, why);
  }
  if (!tell(v)) return give_up(v);
  Z3_lbool r = n ? Z3_solver_check_assumptions(s->z3, v->z3, n, pv_asts(assumptions))
                 : Z3_solver_check(s->z3, v->z3);
  if (r == Z3_L_UNDEF) return give_up(v);
  enum pv_smt_answer answer = pv_smt_end(s, r, NULL);
  if (r == Z3_L_FALSE && n) take_core(v);
  return s->broken ? PV_SMT_UNKNOWN : answer;
}

enum pv_smt_answer pv_solver_check(struct pv_solver *v, uint32_t n, const pv_term *assumptions) {
  struct pv_smt *s = v->smt;
  if (!s->record) return decide(v, n, assumptions);
  double began = pv_cpu_clock();
  enum pv_smt_answer answer = decide(v, n, assumptions);
  pv_smt_write_question(s, v->asserted.n, v->asserted.at, n, assumptions, answer,
                        pv_cpu_clock() - began);
  return answer;
}

void pv_solver_core(struct pv_solver *v, pv_terms *out) {
  for (uint32_t i = 0; i < v->core.n; i++) pv_vec_push(out, v->core.at[i]);
}

struct pv_solver *pv_smt_scratch(struct pv_smt *s, uint8_t has) {
  struct pv_solver **v = &s->scratch[engine_for(has)];
  if (!*v) *v = pv_solver_new(s);
  return *v;
}

/* The solver for a single query, with the formulas. */
static struct pv_solver *ask(struct pv_smt *s, uint32_t n, const pv_term *formulas) {
  uint8_t has = 0;
  for (uint32_t i = 0; i < n; i++) has |= pv_smt_has(s, formulas[i]);
  struct pv_solver *v = pv_smt_scratch(s, has);
  pv_solver_push(v);
  for (uint32_t i = 0; i < n; i++) pv_solver_assert(v, formulas[i]);
  return v;
}

struct pv_solver *pv_smt_take_solver(struct pv_smt *s, uint32_t n, const pv_term *formulas) {
  struct pv_solver *v = ask(s, n, formulas);
  if (is_for_bits(v)) return v;
  pv_solver_pop(v, 1);
  v = pv_solver_new(s);
  for (uint32_t i = 0; i < n; i++) pv_solver_assert(v, formulas[i]);
  return v;
}

void pv_smt_give_back(struct pv_smt *s, struct pv_solver *v) {
  bool is_shared = false;
  for (unsigned i = 0; i < sizeof s->scratch / sizeof *s->scratch; i++)
    is_shared |= s->scratch[i] == v;
  if (is_shared)
    pv_solver_pop(v, 1);
  else
    pv_solver_free(v);
}

enum pv_smt_answer pv_smt_check(struct pv_smt *s, uint32_t n, const pv_term *formulas) {
  struct pv_solver *v = ask(s, n, formulas);
  enum pv_smt_answer r = pv_solver_check(v, 0, NULL);
  pv_solver_pop(v, 1);
  return r;
}

enum pv_smt_answer pv_smt_check_which(struct pv_smt *s, pv_term formula, uint32_t n,
                                      const pv_term *others, uint32_t *which) {
  struct pv_solver *v = ask(s, 1, &formula);
  enum pv_smt_answer r = pv_solver_check(v, 0, NULL);
  *which = n;
  if (r == PV_SMT_SAT) {
    struct pv_model *m = pv_solver_model(v);
    for (uint32_t i = n; i-- > 0;)
      if (pv_model_holds(m, others[i])) *which = i;
    pv_model_free(m);
  }
  pv_solver_pop(v, 1);
  return r;
}

/* ---- models ---------------------------------------------------------------------------------- */
struct pv_model *pv_solver_model(struct pv_solver *v) {
  struct pv_smt *s = v->smt;
  struct pv_model *m = pv_alloc(sizeof *m);
  m->smt = s;
  s->stats.models++;
  if (v->by_bits) {
    m->blast = pv_cnf_blast(v->cnf);
    return m;
  }
  if (v->z3) m->z3 = Z3_solver_get_model(s->z3, v->z3);
  if (m->z3) Z3_model_inc_ref(s->z3, m->z3);
  pv_smt_failed(s);
  return m;
}

void pv_model_free(struct pv_model *m) {
  if (!m) return;
  if (m->z3) Z3_model_dec_ref(m->smt->z3, m->z3);
  free(m);
}

/* The caller releases the value. */
static Z3_ast eval(struct pv_model *m, pv_term t) {
  Z3_ast v = NULL;
  if (!m->z3 || !Z3_model_eval(m->smt->z3, m->z3, pv_ast(t), true, &v) || !v) return NULL;
  Z3_inc_ref(m->smt->z3, v);
  return v;
}

bool pv_model_value(struct pv_model *m, pv_term t, uint64_t *lo, uint64_t *hi) {
  if (m->blast && pv_blast_value(m->blast, t, lo, hi)) return true;
  if (m->blast && !m->z3) m->z3 = pv_blast_model(m->blast);
  Z3_ast v = eval(m, t);
  if (!v) return false;
  bool r = pv_smt_numeral(m->smt, v, pv_smt_sort(m->smt, t), lo, hi);
  Z3_dec_ref(m->smt->z3, v);
  return r;
}

bool pv_model_holds(struct pv_model *m, pv_term formula) {
  uint64_t lo, hi;
  return pv_model_value(m, formula, &lo, &hi) && lo;
}
