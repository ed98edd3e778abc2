/* outline.h -- what the functions of a program are, statement by statement, so that an earlier
 * version of a function can be compared with the present one.
 *
 * An outline is the control-flow graph of a function: for each edge its ends, a hash of what it
 * does in which variables and stack slots do not count, and these in the order of their occurrence.
 * Names instead of numbers stand for functions, globals and primitives, and no place in the source
 * counts. Only functions of the program itself have one. */
#ifndef PV_OUTLINE_H
#define PV_OUTLINE_H

#include "base/bytes.h"
#include "ir/ir.h"

/* Appends the outlines of all functions of p. */
void pv_outlines_put(const struct pv_program *p, struct pv_str *out);

struct pv_outline_edge {
  uint32_t from, to;
  uint64_t hash;  /* 0: it is like no other edge */
  uint32_t at, n; /* its variables (even numbers) and slots (odd ones): an interval of `names` */
};
struct pv_outline {
  uint64_t name, head;          /* hashes of the name, and of parameters, results and the like */
  uint32_t function;            /* its number in the program; UINT32_MAX: unknown */
  uint32_t entry, locs, params; /* params: so many variables come first */
  PV_VEC(uint64_t) slots;       /* by slot: a hash of its size and the like */
  PV_VEC(struct pv_outline_edge) edges;
  PV_VEC(uint64_t) names;
};
typedef PV_VEC(struct pv_outline) pv_outlines;

/* Reads untrusted bytes that pv_outlines_put made. false: they are damaged. */
bool pv_outlines_read(const void *bytes, size_t n, pv_outlines *out);
void pv_outlines_free(pv_outlines *o);

/* Compares two versions of a function along paths from their entries. same[i], for each edge of
 * `now`: an execution that takes only such edges in `now` takes the same ones in `was`, with
 * variables and slots renamed. false: nothing is the same, because the heads differ. */
bool pv_outline_compare(const struct pv_outline *was, const struct pv_outline *now, uint8_t *same);

#endif
