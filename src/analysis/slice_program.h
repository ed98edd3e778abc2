/* slice_program.h -- programs reduced to a slice: what is outside is removed.
 *
 * The six dependences of Hatcliff, Corbett, Dwyer, Sokolowski, Zheng, "A formal study of slicing
 * for multi-threaded programs with JVM concurrency primitives", SAS 1999: data, control, divergence
 * and interference are arcs of the dependence graph (dependence.h). Synchronisation and ready
 * dependence: every primitive that may affect another thread, and every atomic section, is kept.
 * That is coarser than they are, so locks around nothing stay.
 *
 * Guarantee. The reduced program has the same verdict for the properties, if nothing undefined
 * happens at what was removed; with `defined`, operations that may be undefined are kept, so this
 * holds by itself. Loops and waits that may not end are kept if something in the slice comes after
 * them. What ends under a proviso (STOP with a text) is kept.
 *
 * Deviation from slice.h: the slice is completed (pv_slice_complete), so that it can be executed.
 */
#ifndef PV_SLICE_PROGRAM_H
#define PV_SLICE_PROGRAM_H

#include "analysis/slice.h"

struct pv_slice_request {
  pv_properties properties;
  pv_statements statements; /* more of them; owned by the caller */
  bool defined;             /* keep what may be undefined */
  bool if_it_pays;          /* see pv_slice_program */
};

struct pv_slice_size {
  uint32_t edges, kept;         /* of the functions that may run: before and after */
  uint32_t own_edges, own_kept; /* without models */
  uint32_t functions, functions_kept;
  bool threads; /* the program has threads */
};

/* The properties for which programs can be reduced. */
pv_properties pv_slice_properties(void);

/* Removes what is not in the slice. Numbers of edges and locations change; those of functions,
 * globals and variables do not. Returns the properties for which nothing can be removed; then *p is
 * as before. *size: what was removed (NULL: not wanted). With `if_it_pays` nothing is removed from
 * programs with threads, small or very large ones, or if few edges are outside of the slice; all
 * properties are returned then. The bounds are measured (docs/slicing.md). */
pv_properties pv_slice_program(struct pv_program *p, const struct pv_slice_request *request,
                               struct pv_slice_size *size);

#endif
