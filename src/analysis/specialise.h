/* specialise.h -- partial evaluation: constants are propagated, and branches that they decide are
 * removed.
 *
 * Constants are numbers and addresses of globals and functions. They come from assignments, from
 * arguments that are the same in every call, and from globals that nothing writes, such as the
 * program's arguments if --args gives them. A branch that a constant decides leads nowhere else, so
 * what is behind it does not count (Wegman, Zadeck, "Constant propagation with conditional
 * branches", TOPLAS 13(2), 1991). Deviations: results of calls are not followed; a function whose
 * table would be too large is left alone.
 *
 * Every execution of the program is one of the specialised program, and the other way round, up to
 * an access that misses its object. */
#ifndef PV_SPECIALISE_H
#define PV_SPECIALISE_H

#include "ir/ir.h"

/* What was done, over all functions of the program's own and of models. */
struct pv_specialised {
  uint32_t branches, loads, edges; /* decided; replaced by constants; edges that are gone */
};

/* Numbers of edges and locations change; those of functions, globals and variables do not. */
struct pv_specialised pv_specialise(struct pv_program *p);

#endif
