/* slice.h -- backward slices: the statements that can influence given statements. Slices grow
 * incrementally.
 *
 * Reference: Horwitz, Reps, Binkley, "Interprocedural slicing using dependence graphs", TOPLAS
 * 12(1), 1990: backward reachability in the dependence graph (dependence.h), in two phases, so that
 * a callee that was entered through a call is left through the same call. Deviation: both phases
 * run in one walk with a mark per node. So statements can be added at any time, and each node is
 * visited at most twice in total. A dependence through memory of other threads, or through a wide
 * group, starts anew in any calling context.
 *
 * Guarantee. Take a run of the program, and a second program that differs in what statements
 * outside of the slice compute, store and pass on (and perhaps in how control continues from
 * there). Run it with the same inputs at statements of the slice and, with threads, with the
 * statements of the slice of different threads in the same order. Then each thread executes the
 * same added statements, in the same order and with the same values, up to addresses and thread
 * numbers, as long as both runs continue. Neither run stops before such a statement because of
 * something outside: what may wait, loop for ever or end the thread before it is in the slice. The
 * same holds for statements that matter in every calling context (pv_slice_matters_always). Other
 * statements of the slice matter only in some contexts; in the remaining ones nothing is
 * guaranteed.
 *
 * Assumptions. Statements outside of the slice do nothing undefined in either program: no access
 * outside of objects, no division by zero, no failing CHECK. A client that slices for such errors
 * adds them (pv_slice_add_essential). Absence of data races is not assumed. The end of the program
 * by one thread (exit, abort, a false assumption, an error) cuts off the other threads as well, and
 * so does a limit. Without `between_threads` a slice contains only dependences within a thread; the
 * client then adds statements of other threads as it meets them (Kusano and Wang, algorithm 3).
 * With `ends`, loops and waits are assumed to terminate. Loops that certainly terminate
 * (termination.h) also do in the second program, unless the graph was made with all_loops. The
 * assumptions of points_to.h apply. */
#ifndef PV_SLICE_H
#define PV_SLICE_H

#include "analysis/dependence.h"
#include "analysis/intervals.h"
#include "property/property.h"

struct pv_slice { /* read-only for clients */
  const struct pv_dependence *graph;
  uint64_t *edges;          /* bits by edges_at[function] + edge */
  const uint32_t *edges_at; /* by function; borrowed from the graph */
  uint32_t n;               /* number of edges in the slice */
  uint8_t *marks;           /* by node: see slice.c */
  PV_VEC(uint32_t) todo;
};

/* An empty slice. The graph is borrowed; several slices may share it. */
struct pv_slice *pv_slice_new(const struct pv_dependence *graph);
void pv_slice_free(struct pv_slice *s); /* NULL is fine */

/* Does the statement matter in every calling context? True for added statements, and for statements
 * that influence them without descending into a call. */
bool pv_slice_matters_always(const struct pv_slice *s, uint32_t function, uint32_t edge);

/* Adds the statement of the edge (for a branch all its edges, for a call its arguments, for a
 * return its value) and everything that may influence it. If the function never runs, adds only the
 * statement. O(additions). */
void pv_slice_add(struct pv_slice *s, uint32_t function, uint32_t edge);
void pv_slice_add_all(struct pv_slice *s); /* every edge */

/* Adds what may influence whether the statement is executed and, for a memory access or a
 * primitive, its address; not the value that it reads or writes. The statement itself is not added.
 */
void pv_slice_add_place(struct pv_slice *s, uint32_t function, uint32_t edge);

/* Adds what calls of the slice pass to inputs of callees that matter in another context. Afterwards
 * every statement of the slice has, wherever it is executed, the values that it has in the program:
 * the slice can be executed. Reference: Binkley, "Precise executable interprocedural slices", ACM
 * LOPLAS 2(1-4), 1993. */
void pv_slice_complete(struct pv_slice *s);

static inline bool pv_slice_has(const struct pv_slice *s, uint32_t function, uint32_t edge) {
  uint32_t at = s->edges_at[function] + edge;
  return s->edges[at / 64] >> at % 64 & 1;
}
/* For a CALL, a RETURN, or a PRIM that creates a thread: does the i-th argument matter? false if
 * the edge is not in the slice. */
bool pv_slice_has_argument(const struct pv_slice *s, uint32_t function, uint32_t edge, uint32_t i);

/* Appends the essential statements of the properties, that is, those that can violate them:
 *  - unreach-call, observer: ERROR edges of these kinds, and edges where automata cut a path;
 *  - no-deadlock: all primitives except those on the thread itself, and ends of the program;
 *  - no-data-race: accesses to memory that other threads can reach, beginnings and ends of the life
 *    of such memory, all primitives, atomic sections;
 *  - no-overflow, valid-deref, valid-free: operations that may be undefined in that way.
 * Returns the properties for which slicing is not worthwhile; nothing is appended for them. These
 * are def-behavior, because nearly every access may read an unset value, and leaks and invariants,
 * because they are about whole states. With `intervals` (or NULL), accesses that certainly stay
 * inside of a global or stack slot are not essential for valid-deref. */
struct pv_statement {
  uint32_t function, edge;
};
typedef PV_VEC(struct pv_statement) pv_statements;
pv_properties pv_essential(const struct pv_program *p, const struct pv_points_to *pt,
                           const struct pv_intervals *intervals, pv_properties properties,
                           pv_statements *out);
/* Appends the operations that may be undefined such that the machine ends the path there: accesses
 * that may miss their object, divisions by what may be 0, shifts, failing checks, ends of objects.
 */
void pv_undefined(const struct pv_program *p, const struct pv_points_to *pt,
                  const struct pv_intervals *intervals, pv_statements *out);
/* Adds the essential statements. If slicing is not worthwhile for a property (see above; returned),
 * adds every edge. */
pv_properties pv_slice_add_essential(struct pv_slice *s, const struct pv_points_to *pt,
                                     pv_properties properties);

/* Prints the program's own functions (all: and models), with a mark before each edge of the slice.
 */
void pv_slice_print(const struct pv_slice *s, bool all, struct pv_str *out);

#endif
