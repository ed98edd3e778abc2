/* offsets.h -- where in an object a pointer may point: the constant offsets of points-to targets.
 * An inclusion-based, field-sensitive and flow-insensitive analysis on top of points_to.h, which
 * gives the objects, the contexts and the calls.
 *
 * References: Pearce, Kelly, Hankin, "Efficient Field-Sensitive Pointer Analysis of C", TOPLAS
 * 2007. Deviations: fields are byte offsets, so nothing depends on types; a pointer that may have
 * too many offsets in an object may point anywhere in it.
 *
 * A *target* is an object and an offset, exact or up to multiples of a stride: an index into an
 * array of structures. Adding a constant shifts it; adding a multiple of a number leaves the offset
 * modulo that number. The content of an object is divided by offset and stride of what was stored.
 * Parts of a stored address, and results of other arithmetic, lie anywhere in its objects.
 *
 * Calls of virtual functions of C++: where the function comes from a table that the object of the
 * first argument points to, it gets only objects whose table has it. */
#ifndef PV_OFFSETS_H
#define PV_OFFSETS_H

#include "analysis/points_to.h"

struct pv_offsets;

struct pv_target {
  uint32_t object;
  /* 0: exactly at `offset`; else at `offset`, below the stride, plus a multiple of it. So a stride
   * of 1 is anywhere in the object. */
  uint32_t stride;
  int64_t offset;
};
typedef PV_VEC(struct pv_target) pv_targets; /* sorted by object */

/* Borrows both. Never fails: if it takes too many steps, nothing is known. */
struct pv_offsets *pv_offsets_new(const struct pv_program *p, const struct pv_points_to *pt);
void pv_offsets_free(struct pv_offsets *o); /* NULL is fine */

/* The targets that the value of `address`, evaluated in the function in any context, may have.
 * Appends to `out`. Returns false if nothing is known about it: then the objects are those of
 * pv_points_to_address, and the offsets may be any. An object that pv_points_to_address has and
 * `out` has not is no target. The program must not have changed. */
bool pv_offsets_of(struct pv_offsets *o, uint32_t function, pv_expr address, pv_targets *out);

/* Are all pointers known that are used anywhere? If so, the following say what pointers in memory
 * refer to; if not, see points_to.h. */
bool pv_offsets_complete(const struct pv_offsets *o);
/* Appends the targets that the value of an expression may have. An arbitrary number has none. */
void pv_offsets_held(struct pv_offsets *o, uint32_t function, pv_expr value, pv_targets *out);
/* Appends the targets of all pointers that are stored in the object. */
void pv_offsets_contents(const struct pv_offsets *o, uint32_t object, pv_targets *out);
/* May another thread than the one it was made by (or whose copy it is) reach the object? */
bool pv_offsets_escapes(struct pv_offsets *o, uint32_t object);

#endif
