#include "smt/abstract.h"
#include "smt/interpolate.h"
enum pv_smt_answer pv_smt_abstract(struct pv_smt *s, pv_term formula, uint32_t n,
                                   const pv_term *predicates,
                                   const struct pv_abstraction_options *options, pv_cube cube,
                                   void *user, bool *exact) {
  (void)s;(void)formula;(void)n;(void)predicates;(void)options;(void)cube;(void)user;(void)exact;
  return PV_SMT_UNKNOWN;
}
enum pv_smt_answer pv_smt_interpolate(struct pv_smt *s, uint32_t n, const pv_term *formulas,
                                      const struct pv_itp_options *options, pv_term *out,
                                      struct pv_itp_result *result) {
  (void)s;(void)n;(void)formulas;(void)options;(void)out;(void)result;
  return PV_SMT_UNKNOWN;
}
