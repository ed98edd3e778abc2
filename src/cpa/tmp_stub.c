#include "smt/abstract.h"
#include "smt/interpolate.h"
#include <stdlib.h>
#include <string.h>
enum pv_smt_answer pv_smt_abstract(struct pv_smt *s, pv_term formula, uint32_t n,
                                   const pv_term *predicates,
                                   const struct pv_abstraction_options *options, pv_cube cube,
                                   void *user, bool *exact) {
  (void)options;
  struct pv_solver *solver = pv_solver_new(s);
  pv_solver_assert(solver, formula);
  int8_t *literals = calloc(n + 1, 1);
  enum pv_smt_answer a;
  bool any = false;
  while ((a = pv_solver_check(solver, 0, NULL)) == PV_SMT_SAT) {
    struct pv_model *m = pv_solver_model(solver);
    pv_term block = pv_smt_bool(s, false);
    any = true;
    for (uint32_t i = 0; i < n; i++) {
      literals[i] = pv_model_holds(m, predicates[i]) ? 1 : -1;
      block = pv_smt_mk2(s, PV_SMT_OR, block, literals[i] > 0 ? pv_smt_mk1(s, PV_SMT_NOT, predicates[i]) : predicates[i]);
    }
    pv_model_free(m);
    cube(user, literals);
    if (!n) break;
    pv_solver_assert(solver, block);
  }
  if (a == PV_SMT_UNKNOWN) { memset(literals, 0, n); cube(user, literals); }
  free(literals);
  pv_solver_free(solver);
  *exact = true;
  return a == PV_SMT_UNKNOWN ? a : any ? PV_SMT_SAT : PV_SMT_UNSAT;
}
enum pv_smt_answer pv_smt_interpolate(struct pv_smt *s, uint32_t n, const pv_term *formulas,
                                      const struct pv_itp_options *options, pv_term *out,
                                      struct pv_itp_result *result) {
  (void)s;(void)n;(void)formulas;(void)options;(void)out;(void)result;
  return PV_SMT_UNKNOWN;
}
