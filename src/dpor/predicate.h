/* predicate.h -- predicate dependence: of which operations the order can matter to the properties.
 *
 * Reference: Kusano, Wang, "Assertion guided abstraction: a cooperative optimization for dynamic
 * partial order reduction", ASE 2014, sections 3 and 4. Only what is in the slice of the essential
 * statements (analysis/slice.h) is visible; the rest is done by its thread as it comes to it, like
 * operations on its own memory.
 *
 * The slice takes loops and waiting to end. The search finds out whether they do, and where they do
 * not, it *enlarges* the slice and begins anew. It does so
 *  - when a thread that had to wait at a primitive outside comes to an operation of the slice
 * later,
 *  - when it waits there still as the execution is complete or given up, or while it is to be first
 *    in another one, and can come to such an operation,
 *  - when it goes round in a loop for long: by what decides whether it stays there, and, if that
 *    was in it, by all that it may find out there,
 *  - when there is something outside that has several alternatives, or an atomic section,
 *  - when a thread's path ends outside under a proviso, before such an operation,
 *  - when the order of what threads do may decide which number another one gets,
 *  - when addresses of freed objects come back: by what drops pointers.
 * docs/dpor.md has the proof that no error is lost.
 *
 * Deviations. The paper's slice is found without aliasing between threads, and grows as executions
 * show who meets whom (its algorithm 3). What no execution has shown may still be there, behind a
 * branch that the slice does not decide: docs/dpor.md has a program whose error is lost that way.
 * Here the slice is closed under points-to sets from the beginning. Operations outside of it may
 * not do anything undefined to memory (or else they could change everything): either they are
 * essential, too, or a proviso says so. */
#ifndef PV_DPOR_PREDICATE_H
#define PV_DPOR_PREDICATE_H

#include "analysis/slice.h"
#include "vm/vm.h"

struct pv_predicate {
  const struct pv_program *program;
  struct pv_points_to *pt;
  struct pv_dependence *graph;
  struct pv_slice *slice;
  pv_statements shared; /* accesses of memory that other threads may reach */
  pv_statements needed; /* what the slice is to be enlarged by */
  /* Long loops: where threads are in them; what else they may find out, for where that makes the
   * slice no larger. */
  pv_statements places, otherwise;
  struct pv_map decided; /* places that were added: whether a loop is left there is in the slice */
  bool has_threads;      /* pv_predicate_need_threads */
  bool has_pointers;     /* pv_predicate_lacks_pointers is false */
  uint8_t *calls;      /* by function: something in it, or in what it calls, can matter; or NULL */
  struct pv_map ahead; /* by function and location: so can something that comes after it */
  struct pv_map read;  /* by function and variable: pv_predicate_reads */
  struct pv_map shows; /* by function and edge: statements that show errors, or what is undefined */
};

/* The slice for the task's properties. defined: what may be undefined is essential. NULL:
 * everything matters. The program is borrowed. */
struct pv_predicate *pv_predicate_new(const struct pv_task *task, bool defined);
void pv_predicate_free(struct pv_predicate *p); /* NULL is fine */
/* Does the order of what the thread is parked at matter? NULL: of everything. */
bool pv_predicate_matters(const struct pv_predicate *p, const struct pv_pending *what);
/* The operation is needed: it will be in the slice from the next enlargement on. */
void pv_predicate_need(struct pv_predicate *p, const struct pv_pending *what);
/* May the variable decide what its thread does that matters? It does not if no statement of the
 * slice gives it a value; parameters and what calls give may. */
bool pv_predicate_reads(struct pv_predicate *p, uint32_t function, uint32_t var);
/* Can the thread, which waits there, still come to something that matters? */
bool pv_predicate_is_ahead(struct pv_predicate *p, const struct pv_vm *vm, unsigned thread);
/* The thread is in a long loop: so is what decides whether it stays there, or, if that is known
 * already, all that it may find out there. */
void pv_predicate_need_loop(struct pv_predicate *p, const struct pv_vm *vm, unsigned thread);
/* The thread's path ended where it is: if something that matters would have come, so is what ended
 * it. */
void pv_predicate_need_end(struct pv_predicate *p, const struct pv_vm *vm, unsigned thread);
/* Is there something by which the order of what threads do could decide the number that one gets:
 * a detached thread, or creation or join by another than main? */
bool pv_predicate_may_renumber(const struct pv_predicate *p);
/* So is all that creates, joins, detaches and ends threads. */
void pv_predicate_need_threads(struct pv_predicate *p);
/* Is something outside of it that may move or drop a pointer where others can reach it? Where an
 * address comes back if somebody still points there, they matter. */
bool pv_predicate_lacks_pointers(struct pv_predicate *p);
/* So is all of that. */
void pv_predicate_need_pointers(struct pv_predicate *p);
/* Is something needed that is not in it? */
static inline bool pv_predicate_is_too_small(const struct pv_predicate *p) {
  return p->needed.n || p->places.n || p->otherwise.n;
}
/* Makes the slice larger by what is needed; from now on the machine parks at what matters only. */
void pv_predicate_enlarge(struct pv_predicate *p, struct pv_vm *vm);

#endif
