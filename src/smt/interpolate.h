/* interpolate.h -- sequence interpolants: for formulas T_1 .. T_n whose conjunction is
 * unsatisfiable, I_1 .. I_(n-1) such that T_1 implies I_1, I_k and T_(k+1) imply I_(k+1), I_(n-1)
 * and T_n exclude each other, and I_k has only constants that occur both in T_1..T_k and in
 * T_(k+1)..T_n.
 *
 * A cascade: a core of the conjuncts is found first (not minimised: that costs most), then
 *   FARKAS  conjunctive linear paths: multipliers of Farkas' lemma by an exact linear program, one
 *           certificate for all cuts (so that the sequence is inductive by construction); few
 *           disequalities and disjunctions by cases;
 *   SPACER  a chain of constrained Horn clauses, asked for at the level of the last cut (Hoder,
 *           Bjorner, SAT 2012; Komuravelli, Gurfinkel, Chaki, CAV 2014);
 *   WP      weakest preconditions backwards over the core, definitions substituted (Nutz, Dietsch,
 *           Mohamed, Podelski, "Newton", ESEC/FSE 2015, with live constants only); inputs by
 *           instances, else by quantifier elimination.
 * Every sequence is validated by n queries before it is given back; one that does not hold is taken
 * for a failure of its method. */
#ifndef PV_SMT_INTERPOLATE_H
#define PV_SMT_INTERPOLATE_H

#include "smt/smt.h"

enum pv_itp_method { PV_ITP_FARKAS, PV_ITP_SPACER, PV_ITP_WP, PV_ITP_METHODS };
extern const char *const pv_itp_method_names[PV_ITP_METHODS];

struct pv_itp_options {
  /* A set: bit per enum pv_itp_method, tried in that order; with bit-vectors WP before SPACER. */
  uint32_t methods;
};
struct pv_itp_result {
  enum pv_itp_method method; /* the one that did it */
  uint32_t tried, invalid;   /* methods that ran; sequences that did not hold */
};
/* UNSAT: `out` has n - 1 interpolants. SAT: the conjunction is satisfiable, no interpolants.
 * UNKNOWN: satisfiability was not decided (result->tried = 0), or every method failed. */
enum pv_smt_answer pv_smt_interpolate(struct pv_smt *s, uint32_t n, const pv_term *formulas,
                                      const struct pv_itp_options *options, pv_term *out,
                                      struct pv_itp_result *result);

/* Where the shortest end of the sequence begins that is unsatisfiable by itself; 0 if none is known
 * but the whole. Interpolants of the end, with `true` before it, speak of what hangs on the last
 * rounds of a loop only, not of all rounds before them. */
uint32_t pv_smt_unsatisfiable_end(struct pv_smt *s, uint32_t n, const pv_term *formulas);

#endif
