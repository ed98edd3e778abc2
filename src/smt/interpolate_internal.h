/* interpolate_internal.h -- shared by the methods of interpolation.
 *
 * A method gets a path, which is a sequence of nonempty blocks of conjuncts. All conjuncts belong
 * to an unsatisfiable core. The method computes one term for each cut; cut c lies after block c. */
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
/* Appends the constants that occur on both sides of the cut. */
void pv_itp_shared(const struct pv_itp_path *p, uint32_t cut, pv_terms *out);
/* Appends the conjuncts of a formula. */
void pv_itp_conjuncts(struct pv_smt *s, pv_term t, pv_terms *out);

/* Is this a sequence of interpolants? Checks, with I_0 = true and I_n = false, that I_k and block k
 * imply I_(k+1), and which constants occur. *wrong becomes true if it certainly is none. */
bool pv_itp_holds(struct pv_itp_path *p, const pv_term *itp, bool *wrong);

/* The methods. Each returns false if it fails; `out` is then invalid. */
bool pv_itp_farkas(struct pv_itp_path *p, pv_term *out);
bool pv_itp_spacer(struct pv_itp_path *p, pv_term *out);
bool pv_itp_wp(struct pv_itp_path *p, pv_term *out);

/* ---- linear programs (farkas_lp.c) ----------------------------------------------------------- */
struct pv_row { /* the sum of a[v] * variable v, plus k, is <= 0, or = 0 */
  pv_i128 *a, k;
  bool equality;
  uint32_t block;
};
/* Finds a certificate of infeasibility: multipliers, nonnegative for inequalities, for which the
 * sum of the rows has no variables and reads k <= 0 with k > 0. They are integers without a common
 * divisor. Returns false if there are none or they are too large. */
bool pv_lp_certificate(struct pv_smt *s, uint32_t variables, uint32_t n, const struct pv_row *rows,
                       pv_i128 *multiplier);
bool pv_i128_mul_add(pv_i128 *sum, pv_i128 a, pv_i128 b); /* false: overflow */

#endif
