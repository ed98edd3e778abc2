/* dependence.h -- the system dependence graph of a program: the direct dependences of each
 * statement. Slices (analysis/slice.h) are computed on it.
 *
 * References: Ferrante, Ottenstein, Warren, TOPLAS 9(3), 1987 (program dependence graph); Horwitz,
 * Reps, Binkley, "Interprocedural slicing using dependence graphs", TOPLAS 12(1), 1990; Reps,
 * Horwitz, Sagiv, Rosay, "Speeding up slicing", FSE 1994 (summary arcs). For searches that are
 * guided by assertions: Kusano, Wang, "Assertion guided abstraction", ASE 2014, section 4.1.
 *
 * A statement consists of the edges out of one location: one operation, or a branch. Its nodes
 * depend on
 *  - control: the locations that decide whether it is reached (control_dependence.h,
 *    termination.h), because they branch or because a run may stay there. A statement after a call
 *    that may not return depends on whether it returns. That is a separate node of the callee,
 *    which depends on the callee's decisions but not on its results;
 *  - variables: the definitions that may reach it (reaching.h);
 *  - memory: likewise, by groups of objects (accesses.h), flow-sensitively within one thread. Calls
 *    pass what a function and its callees read and write like parameters and results.
 * Functions of models are treated like all others. Indirect calls with the same set of several
 * callees share a node that represents a function that calls one of them. The parameters of a
 * thread's bottom function depend on the arguments of the primitive that creates the thread, and
 * its start depends on the primitive.
 *
 * Size: linear in the program in practice. Everything that can be larger has a bound, beyond which
 * the answer for that part is coarser: control dependence (all branches of the function),
 * definitions (all of the function), memory (at most `effort` summary arcs per edge of the
 * program). To meet the last bound, the groups of memory that calls pass most often become wide. A
 * wide group has one node for the whole program (per kinds of threads that may coexist, see below):
 * every read depends on it, and it depends on every write.
 *
 * Deviations from the references: Horwitz, Reps and Binkley treat memory as variables without
 * pointers. Summary arcs are computed function by function, 64 results at a time, callees first,
 * and to a fixed point among mutually recursive functions; the arcs are the same. */
#ifndef PV_DEPENDENCE_H
#define PV_DEPENDENCE_H

#include "analysis/points_to.h"

#define PV_NO_EFFORT UINT32_MAX
struct pv_dependence_options {
  /* Classic control dependence: loops and waits are assumed to end; ends of the run or the thread
   * still count. false: termination-sensitive. */
  bool ends;
  /* Termination-sensitive even for loops that certainly end. Needed if the code outside of a slice
   * is changed such that they might not end any more. */
  bool all_loops;
  /* A read also depends on writes of other threads: on every write to the same memory in a function
   * that may run in a coexisting thread. This includes synchronisation objects, joins and ends of
   * threads, and ends of atomic sections. false: only dependences within a thread. */
  bool between_threads;
  uint32_t effort; /* 0: the default, 64; PV_NO_EFFORT: all memory is wide */
};

struct pv_dependence;

/* Both are borrowed, the points-to sets only during the call. options: NULL for zeros. */
struct pv_dependence *pv_dependence_new(const struct pv_program *p, const struct pv_points_to *pt,
                                        const struct pv_dependence_options *options);
void pv_dependence_free(struct pv_dependence *d); /* NULL is fine */
const struct pv_program *pv_dependence_program(const struct pv_dependence *d);

struct pv_dependence_stats {
  uint64_t bytes;                          /* memory of the tables, approximately */
  uint32_t statements, nodes, arcs, sites; /* sites: calls, by node called */
  uint64_t summary_arcs;                   /* from results of functions to parameters */
  uint32_t groups, wide;                   /* of memory */
  uint32_t coarse;                         /* functions with coarse control dependence */
};
struct pv_dependence_stats pv_dependence_stats(const struct pv_dependence *d);

/* Prints each statement of the program's own functions (all: and of models) with its direct
 * dependences, one per line. Pseudo-nodes are resolved. */
void pv_dependence_print(const struct pv_dependence *d, bool all, struct pv_str *out);

#endif
