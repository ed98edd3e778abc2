/* offsets_internal.h -- declarations that only the files of the analysis of offsets share:
 *
 *    offsets_set.c    targets, and sets of them
 *    offsets_value.c  the targets of an expression's value
 *    offsets.c        accesses, calls, edges; the analysis as a whole, and queries */
#ifndef PV_OFFSETS_INTERNAL_H
#define PV_OFFSETS_INTERNAL_H

#include "analysis/definitions.h"
#include "analysis/offsets.h"

/* What an object holds at the places of a target. */
struct content {
  struct pv_target at;
  uint32_t node, next; /* next: the object's next content, + 1 */
};
struct link {
  uint32_t instance, next;
};
/* Lists of instances by key, without duplicates. */
struct links {
  uint32_t *first; /* by key: index + 1 */
  PV_VEC(struct link) all;
};

struct pv_offsets {
  const struct pv_program *p;
  const struct pv_points_to *pt;
  bool over; /* too many steps: nothing is known */
  uint64_t steps;
  uint32_t n_instances, pointer_bytes;
  PV_VEC(pv_targets) nodes; /* sets of targets */
  uint32_t *vars;           /* by instance: the node of its first variable; its results follow */
  PV_VEC(struct content) contents;
  uint32_t *content;             /* by object: the first content, + 1 */
  struct links readers, callers; /* of an object; of an instance */
  bool *dirty;                   /* by instance: something that it reads has changed */
  uint8_t **unknown;             /* by instance: of each edge, one bit for each operand */
  uint32_t thread_values;        /* a node: arguments and results of threads */
  bool *escapes;                 /* by object; NULL: not computed yet */
  uint32_t **definitions;        /* by function, made when they are needed */
  uint32_t at;                   /* the instance that is processed */
};

/* ---- offsets_set.c --------------------------------------------------------------------------- */
int64_t pv_target_modulo(int64_t n, uint32_t stride); /* from 0 on */
struct pv_target pv_target_at(uint32_t object, int64_t offset, uint32_t stride);
struct pv_target pv_target_any(uint32_t object); /* anywhere in the object */
struct pv_target pv_target_moved(struct pv_target t, int64_t by, uint32_t stride);
/* The index of the first target of the object, or of a larger one. */
uint32_t pv_targets_find(const pv_targets *s, uint32_t object);
bool pv_targets_add(pv_targets *s, struct pv_target t); /* true: the set grew */

/* ---- offsets_value.c ------------------------------------------------------------------------- */
struct pv_offset_shift {
  int64_t by;
  uint32_t stride; /* and a multiple of this */
};
static const struct pv_offset_shift pv_no_shift = {0, 0}, pv_any_shift = {0, 1};

/* Counts the effort. Returns false when the bound is hit. */
bool pv_offsets_step(struct pv_offsets *o);
void pv_offsets_put_all(struct pv_offsets *o, const pv_targets *from, struct pv_offset_shift shift,
                        pv_targets *out);
bool pv_offsets_constant(const struct pv_offsets *o, pv_expr e, int64_t *value);
/* Is there one definition of the variable, be it by the call? */
bool pv_offsets_is_fixed(struct pv_offsets *o, uint32_t function, uint32_t var);
/* The load of a word that alone sets the variable that the expression is, or NULL. */
const struct pv_edge *pv_offsets_load_of(struct pv_offsets *o, pv_expr e);
/* Adds the targets of the expression's value in the instance o->at, shifted. */
void pv_offsets_collect(struct pv_offsets *o, pv_expr e, struct pv_offset_shift shift,
                        pv_targets *out);
pv_targets pv_offsets_value(struct pv_offsets *o, pv_expr e);

#endif
