/* slice.h -- the statements that can influence others: backward slices of a program, which grow as
 * statements are added.
 *
 * Reference: Horwitz, Reps, Binkley, "Interprocedural slicing using dependence graphs", TOPLAS
 * 12(1), 1990: backwards through the dependence graph (dependence.h), in two phases, so that what
 * is entered through a call is left through the same call. Deviation: both phases in one walk, with
 * a mark a node for each; so a slice can be added to at any time, and the whole takes no more than
 * two visits a node. What comes through memory of other threads or through a wide group of memory
 * begins in any call again.
 *
 * What is promised. Take a run of the program, and another program that differs from it in what
 * statements outside of a slice compute, store and hand over (and so perhaps in how it goes on from
 * there), run with the same inputs at the statements of the slice, and, if there are threads, with
 * the statements of the slice of different threads in the same order. Then each thread does the
 * same *added* statements, in the same order and with the same values, up to addresses and numbers
 * of threads, for as long as both go on. Neither run stops short of one because of something
 * outside: what may wait, go round for ever or end the thread before it is in the slice. The same
 * holds for the statements that matter in whatever call they are done (pv_slice_matters_always).
 * Others matter in some calls of their function and not in others; in these nothing is said of
 * them.
 *
 * What is assumed. Statements outside of S do nothing undefined in either program: no access
 * outside of objects, no division by zero, no failing CHECK; whoever slices for such errors adds
 * them (see pv_slice_add_essential). That no two accesses race is *not* assumed. The end of the
 * program by one thread (exit, abort, a false assumption, an error) cuts short the others, too; so
 * does whatever limit. With `between_threads` off a slice has only what one thread does itself;
 * then whoever uses it adds statements of other threads as it meets them (Kusano and Wang,
 * algorithm 3). With `ends` on, loops and waiting are taken to end. Loops that end for certain
 * (termination.h) still do in the other program, unless the graph was made for all loops. What
 * points_to.h assumes. */
#ifndef PV_SLICE_H
#define PV_SLICE_H

#include "analysis/dependence.h"
#include "analysis/intervals.h"
#include "property/property.h"

struct pv_slice { /* read only, but for the functions below */
  const struct pv_dependence *graph;
  uint64_t *edges;          /* bits by edges_at[function] + edge */
  const uint32_t *edges_at; /* by function; borrowed from the graph */
  uint32_t n;               /* edges in it: it grew if that did */
  uint8_t *marks;           /* by node: see slice.c */
  PV_VEC(uint32_t) todo;
};

/* Empty. The graph is borrowed; several slices may stand on one. */
struct pv_slice *pv_slice_new(const struct pv_dependence *graph);
void pv_slice_free(struct pv_slice *s); /* NULL is fine */

/* Does the statement matter in every call of its function? True of those added, and of those that
 * lead up to them without going down into a call. */
bool pv_slice_matters_always(const struct pv_slice *s, uint32_t function, uint32_t edge);

/* Adds the statement that the edge belongs to (with a branch all of its edges, with a call what it
 * hands over, with a return what it gives) and all that it may be influenced by. O(what is new). Of
 * a function that never runs just the statement. */
void pv_slice_add(struct pv_slice *s, uint32_t function, uint32_t edge);
void pv_slice_add_all(struct pv_slice *s); /* every edge */

/* The same of what may influence whether the statement is done and, if it is a single operation on
 * memory or a primitive, on which memory; not what it reads there or writes. It is not in the slice
 * for that. */
void pv_slice_add_place(struct pv_slice *s, uint32_t function, uint32_t edge);

static inline bool pv_slice_has(const struct pv_slice *s, uint32_t function, uint32_t edge) {
  uint32_t at = s->edges_at[function] + edge;
  return s->edges[at / 64] >> at % 64 & 1;
}
/* Of a CALL, a RETURN, or a PRIM that creates a thread: does the i-th argument matter? False if the
 * edge is not in the slice. */
bool pv_slice_has_argument(const struct pv_slice *s, uint32_t function, uint32_t edge, uint32_t i);

/* The *essential statements* of the properties, those that show their violation, are appended to
 * `out`, by function and edge:
 *  - unreach-call, observer: ERROR edges of these kinds, and where automata cut a path;
 *  - no-deadlock: primitives but those on the thread itself, and ends of the program;
 *  - no-data-race: accesses to memory that other threads can reach, where such memory begins and
 *    ends, all primitives, atomic sections;
 *  - no-overflow, valid-deref, valid-free: operations that may be undefined in that way.
 * Returns the properties that it is not worthwhile to slice for (def-behavior: nearly every access
 * may read what is not set; leaks and invariants, which are about whole states); nothing is
 * appended for them. `intervals`, if not NULL, tell of accesses of globals and stack slots that
 * they stay inside: these are none of valid-deref's. */
struct pv_statement {
  uint32_t function, edge;
};
typedef PV_VEC(struct pv_statement) pv_statements;
pv_properties pv_essential(const struct pv_program *p, const struct pv_points_to *pt,
                           const struct pv_intervals *intervals, pv_properties properties,
                           pv_statements *out);
/* Adds them. If it is not worthwhile, which is returned likewise, every edge is in the slice now.
 */
pv_properties pv_slice_add_essential(struct pv_slice *s, const struct pv_points_to *pt,
                                     pv_properties properties);

/* The program's own functions (all: models, too) with a mark before each edge of the slice. */
void pv_slice_print(const struct pv_slice *s, bool all, struct pv_str *out);

#endif
