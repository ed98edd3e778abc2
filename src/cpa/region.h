/* region.h -- Boolean combinations of predicates as reduced ordered binary decision diagrams. Equal
 * regions have equal numbers, and implication is cheap.
 *
 * Reference: Bryant, IEEE Transactions on Computers C-35(8), 1986. Variables are predicates, in the
 * order of their numbers; nodes are never freed before the manager is. */
#ifndef PV_REGION_H
#define PV_REGION_H

#include "base/base.h"

typedef uint32_t pv_region;
enum { PV_REGION_FALSE = 0, PV_REGION_TRUE = 1 };

struct pv_regions;
struct pv_regions *pv_regions_new(void);
void pv_regions_free(struct pv_regions *r);

pv_region pv_region_literal(struct pv_regions *r, uint32_t predicate, bool positive);
/* The conjunction of these n predicates: those with a literal > 0, and the negations of those with
 * one < 0. They are different, in any order. */
pv_region pv_region_cube(struct pv_regions *r, uint32_t n, const uint32_t *predicates,
                         const int8_t *literals);
pv_region pv_region_and(struct pv_regions *r, pv_region a, pv_region b);
pv_region pv_region_or(struct pv_regions *r, pv_region a, pv_region b);
pv_region pv_region_not(struct pv_regions *r, pv_region a);
bool pv_region_implies(struct pv_regions *r, pv_region a, pv_region b);
/* The two sides of a region that is neither true nor false: if `predicate` then high else low. */
struct pv_region_node {
  uint32_t predicate;
  pv_region low, high;
};
struct pv_region_node pv_region_top(const struct pv_regions *r, pv_region a);
/* The number of disjoint cubes that make up the region: the paths of its diagram to `true`. */
uint64_t pv_region_cubes(const struct pv_regions *r, pv_region a);
uint32_t pv_regions_nodes(const struct pv_regions *r);

#endif
