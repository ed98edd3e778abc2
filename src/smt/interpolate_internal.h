/* interpolate_internal.h -- what the methods of interpolation share.
 *
 * A method gets a path: blocks of conjuncts, none of them empty, all in a core, whose conjunction
 * is unsatisfiable. It fills in one term for each cut; cut c lies behind block c. */
#ifndef PV_SMT_INTERPOLATE_INTERNAL_H
#define PV_SMT_INTERPOLATE_INTERNAL_H

#include "smt/interpolate.h"
#include "smt/smt_internal.h"

struct pv_occurrence { /* of a constant in blocks */
  pv_term constant;
  uint32_t first, last;
};
struct pv_itp_path {
  struct pv_smt *s;
  uint32_t n; /* blocks */
  pv_terms *block;
  PV_VEC(struct pv_occurrence) constants;
  uint8_t has; /* PV_HAS_* of all conjuncts */
};
/* The constants on both sides of the cut; appended. */
void pv_itp_shared(const struct pv_itp_path *p, uint32_t cut, pv_terms *out);
/* Splits a formula into conjuncts; appended. */
void pv_itp_conjuncts(struct pv_smt *s, pv_term t, pv_terms *out);

/* Is it a sequence of interpolants: I_0 = true, I_k and block k imply I_(k+1), I_n = false, and the
 * vocabulary? *wrong: it certainly is none. */
bool pv_itp_holds(struct pv_itp_path *p, const pv_term *itp, bool *wrong);

/* Each: false if it fails; then `out` is not to be used. */
bool pv_itp_farkas(struct pv_itp_path *p, pv_term *out);
bool pv_itp_spacer(struct pv_itp_path *p, pv_term *out);
bool pv_itp_wp(struct pv_itp_path *p, pv_term *out);

/* ---- linear programs (farkas_lp.c) ----------------------------------------------------------- */
struct pv_row { /* sum of a[v] times variable v, + k <= 0, or = 0 */
  pv_i128 *a, k;
  bool equality;
  uint32_t block;
};
/* Multipliers, not negative for inequalities, under which the rows add up to k <= 0 with k > 0 and
 * no variables: integers without common divisor. false: there are none, or they are too large. */
bool pv_lp_certificate(struct pv_smt *s, uint32_t variables, uint32_t n, const struct pv_row *rows,
                       pv_i128 *multiplier);
bool pv_i128_mul_add(pv_i128 *sum, pv_i128 a, pv_i128 b); /* false: overflow */

#endif
