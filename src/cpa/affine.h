/* affine.h -- sets of points as the smallest affine space that holds them: the linear equalities
 * that all points satisfy, with whole numbers for coefficients.
 *
 * Reference: Karr, Acta Informatica 6, 1976; joined point by point as in Reps, Sagiv, Yorsh,
 * VMCAI 2004. */
#ifndef PV_AFFINE_H
#define PV_AFFINE_H

#include "base/base.h"
#include "base/wide.h"

enum { PV_AFFINE_MOST = 16 }; /* dimensions */

struct pv_affine { /* {.n = dimensions} is empty: no point; nothing to free */
  uint32_t n, rank;
  bool any;  /* it holds a point */
  bool full; /* it holds every point: also after numbers that grew too large */
  pv_i128 point[PV_AFFINE_MOST];
  pv_i128 rows[PV_AFFINE_MOST][PV_AFFINE_MOST]; /* directions, in reduced echelon form */
  uint32_t pivot[PV_AFFINE_MOST];               /* of each row */
};

/* True: it has become larger. */
bool pv_affine_add(struct pv_affine *a, const pv_i128 *point);
/* The equalities: coefficients[i] . x = constants[i]; how many (at most n). The empty space has
 * none. Those whose numbers do not fit are left out. */
uint32_t pv_affine_equalities(const struct pv_affine *a,
                              int64_t coefficients[PV_AFFINE_MOST][PV_AFFINE_MOST],
                              int64_t constants[PV_AFFINE_MOST]);

#endif
