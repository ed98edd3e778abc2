/* dependence.h -- the system dependence graph of a program: what each statement needs, directly, so
 * that a run comes there and it does what it does. For slices (analysis/slice.h).
 *
 * References: Ferrante, Ottenstein, Warren, TOPLAS 9(3), 1987 (program dependence graph); Horwitz,
 * Reps, Binkley, "Interprocedural slicing using dependence graphs", TOPLAS 12(1), 1990; Reps,
 * Horwitz, Sagiv, Rosay, "Speeding up slicing", FSE 1994 (summary arcs). For searches that are
 * guided by assertions: Kusano, Wang, "Assertion guided abstraction", ASE 2014, section 4.1.
 *
 * A *statement* is what the edges out of one location do: one operation, or a branch. Its nodes
 * depend on
 *  - control: the locations that decide whether it is reached (control_dependence.h,
 *    termination.h), be it that they branch or that a run may stay there. What comes after a call
 *    that may not return depends on whether it does: on a node of the callee's of its own, by which
 *    the callee's decisions come in but not its results;
 *  - variables: the settings that may reach it (reaching.h);
 *  - memory: likewise, by groups of objects (accesses.h), flow-sensitive within one thread, calls
 *    included: what a function reads and writes with all that it calls is handed to and from it
 *    like parameters and results.
 * Functions of models are like others. Calls through pointers to the same several functions share a
 * node that stands for a function calling one of them. The parameters of a thread's bottom function
 * depend on the arguments of the primitive that creates it, its beginning on the primitive.
 *
 * Size: linear in the program in practice. What can be larger has a bound, and beyond it a coarser
 * answer for that part: control dependence (all branches of the function), settings (all of the
 * function), memory: the summary arcs at calls are at most `effort` an edge of the program. Groups
 * of memory that calls hand on most often are taken out until that holds; such a *wide* group has
 * one node for the whole program (between the kinds of threads that may meet, see below), on which
 * every read depends, and it on every write.
 *
 * Deviations from the references: Horwitz, Reps and Binkley have memory as variables without
 * pointers; summary arcs are found function by function, 64 results at a time, callees first and
 * until nothing changes among functions that call each other, which are the same arcs. */
#ifndef PV_DEPENDENCE_H
#define PV_DEPENDENCE_H

#include "analysis/points_to.h"

#define PV_NO_EFFORT UINT32_MAX
struct pv_dependence_options {
  /* Classic control dependence: what may go on for ever or wait is taken to go on some time (what
   * may end the run or the thread is not). False: termination-sensitive. */
  bool ends;
  /* Termination-sensitive even for loops that end for certain: for whoever changes what is outside
   * of a slice in such a way that they might not any more. */
  bool all_loops;
  /* A read depends on writes of other threads, too: of every access in any function that may reach
   * the same memory while both threads are there. That holds for synchronisation objects, for joins
   * and ends of threads, for ends of atomic sections. False: only what one thread does itself. */
  bool between_threads;
  uint32_t effort; /* 0: 64; PV_NO_EFFORT: none, all memory is wide */
};

struct pv_dependence;

/* Both are borrowed; the points-to sets are needed only meanwhile. options: NULL for zeros. */
struct pv_dependence *pv_dependence_new(const struct pv_program *p, const struct pv_points_to *pt,
                                        const struct pv_dependence_options *options);
void pv_dependence_free(struct pv_dependence *d); /* NULL is fine */
const struct pv_program *pv_dependence_program(const struct pv_dependence *d);

struct pv_dependence_stats {
  uint64_t bytes;                          /* of tables, approximately */
  uint32_t statements, nodes, arcs, sites; /* sites: calls, by node called */
  uint64_t summary_arcs;                   /* of functions: a result needs a parameter */
  uint32_t groups, wide;                   /* of memory */
  uint32_t coarse;                         /* functions with coarse control dependence */
};
struct pv_dependence_stats pv_dependence_stats(const struct pv_dependence *d);

/* Every statement of the program's own functions (all: of models, too) with what it depends on
 * directly, pseudo-nodes followed through, one a line. */
void pv_dependence_print(const struct pv_dependence *d, bool all, struct pv_str *out);

#endif
