/* affine.h -- the affine hull of a set of points: all linear equalities with integer coefficients
 * that the points satisfy.
 *
 * Reference: Karr, Acta Informatica 6, 1976; points are added one by one as in Reps, Sagiv, Yorsh,
 * VMCAI 2004. */
#ifndef PV_AFFINE_H
#define PV_AFFINE_H

#include "base/base.h"
#include "base/wide.h"

enum { PV_AFFINE_MOST = 16 }; /* dimensions */

struct pv_affine { /* {.n = dimensions} is the empty set; nothing to free */
  uint32_t n, rank;
  bool any;  /* it is not empty */
  bool full; /* it is the whole space; also after an overflow */
  pv_i128 point[PV_AFFINE_MOST];
  pv_i128 rows[PV_AFFINE_MOST][PV_AFFINE_MOST]; /* directions, in reduced echelon form */
  uint32_t pivot[PV_AFFINE_MOST];               /* of each row */
};

/* Returns whether the space has grown. */
bool pv_affine_add(struct pv_affine *a, const pv_i128 *point);
/* Writes the equalities coefficients[i] . x = constants[i] and returns their number, at most n. The
 * empty set has none. Equalities whose numbers do not fit are left out. */
uint32_t pv_affine_equalities(const struct pv_affine *a,
                              int64_t coefficients[PV_AFFINE_MOST][PV_AFFINE_MOST],
                              int64_t constants[PV_AFFINE_MOST]);

#endif
