/* interpolate.h -- sequence interpolants. For formulas T_1 .. T_n whose conjunction is
 * unsatisfiable, they are formulas I_1 .. I_(n-1) such that
 *   - T_1 implies I_1;
 *   - I_k and T_(k+1) together imply I_(k+1);
 *   - I_(n-1) and T_n together are unsatisfiable;
 *   - every constant of I_k occurs both in T_1 .. T_k and in T_(k+1) .. T_n.
 *
 * First an unsatisfiable core of the conjuncts is computed. It is not minimised, because that would
 * take most of the time. Then several methods are tried in order:
 *   FARKAS  for conjunctive linear paths: an exact linear program finds the multipliers of Farkas'
 *           lemma. One certificate serves all cuts, so the sequence is inductive by construction.
 *           A few disequalities and disjunctions are split into cases.
 *   SPACER  a chain of constrained Horn clauses, with the query at the last cut (Hoder, Bjorner,
 *           SAT 2012; Komuravelli, Gurfinkel, Chaki, CAV 2014).
 *   WP      weakest preconditions, computed backwards over the core with definitions substituted
 *           and restricted to live constants (Nutz, Dietsch, Mohamed, Podelski, "Newton", ESEC/FSE
 *           2015). Inputs are removed by instantiation, else by quantifier elimination.
 *
 * Every sequence is validated with n queries before it is returned. If it does not hold, its method
 * has failed. */
#ifndef PV_SMT_INTERPOLATE_H
#define PV_SMT_INTERPOLATE_H

#include "smt/smt.h"

enum pv_itp_method { PV_ITP_FARKAS, PV_ITP_SPACER, PV_ITP_WP, PV_ITP_METHODS };
extern const char *const pv_itp_method_names[PV_ITP_METHODS];

struct pv_itp_options {
  /* A set of bits, one for each enum pv_itp_method. The methods are tried in the order of the enum;
   * with bit-vectors WP comes before SPACER. */
  uint32_t methods;
  /* Spacer is not asked about arrays: Z3 4.8.12 may end the process there. */
  bool no_array_spacer;
};
struct pv_itp_result {
  enum pv_itp_method method; /* the one that succeeded */
  uint32_t tried, invalid;   /* numbers of methods that ran, and of invalid sequences */
};
/* UNSAT: `out` has n - 1 interpolants. SAT: the conjunction is satisfiable, no interpolants.
 * UNKNOWN: satisfiability was not decided (result->tried = 0), or every method failed. */
enum pv_smt_answer pv_smt_interpolate(struct pv_smt *s, uint32_t n, const pv_term *formulas,
                                      const struct pv_itp_options *options, pv_term *out,
                                      struct pv_itp_result *result);

/* The index at which the shortest unsatisfiable suffix of the sequence begins; 0 if no proper
 * suffix is known to be unsatisfiable. Interpolants of the suffix, with `true` before it, mention
 * only what the last iterations of a loop depend on, not all iterations before them. */
uint32_t pv_smt_unsatisfiable_end(struct pv_smt *s, uint32_t n, const pv_term *formulas);

#endif
