/* predicate.h -- predicate dependence: which operations can influence the properties?
 *
 * Only operations in the slice of the essential statements (analysis/slice.h) are visible. Each
 * thread executes all other operations as if they accessed its own memory only.
 *
 * Reference: Kusano, Wang, "Assertion guided abstraction: a cooperative optimization for dynamic
 * partial order reduction", ASE 2014, sections 3 and 4.
 *
 * The slice assumes that loops and waits terminate. The search checks this assumption in the
 * executions it explores. Where the assumption fails, the search enlarges the slice and restarts:
 *  - a thread had to wait at a primitive outside of the slice, and later reached an operation of
 *    the slice;
 *  - a thread still waits at such a primitive when the execution is complete or abandoned, or when
 *    the thread is to move first in another execution, and it can still reach such an operation;
 *  - a thread stays in a loop for long: then what decides whether it leaves the loop becomes part
 *    of the slice, and, if that is part of it already, everything that the loop may observe;
 *  - an operation outside has several alternatives, or begins an atomic section;
 *  - a thread's path ends outside under a proviso, before such an operation;
 *  - the order of operations may decide the number of a new thread;
 *  - addresses of freed objects are reused: then everything that drops pointers.
 * docs/dpor.md proves that no error is lost.
 *
 * Deviations. The paper computes the slice without aliasing between threads and enlarges it when an
 * execution shows that two statements access the same location (its algorithm 3). That loses errors
 * behind branches that no explored execution takes; docs/dpor.md has a program. Here the slice is
 * closed under points-to sets from the start. An operation outside of the slice must not have
 * undefined effects on memory, since these could change everything. So such operations are
 * essential as well, or a proviso states the assumption. */
#ifndef PV_DPOR_PREDICATE_H
#define PV_DPOR_PREDICATE_H

#include "analysis/slice.h"
#include "vm/vm.h"

struct pv_enlargement {
  struct pv_statement statement;
  bool place; /* what decides whether it is executed, and not the statement itself */
};
struct pv_predicate {
  const struct pv_program *program;
  struct pv_points_to *pt;
  struct pv_dependence *graph;
  struct pv_slice *slice;
  pv_statements shared; /* accesses to memory that other threads may reach */
  pv_statements needed; /* to be added at the next enlargement */
  /* Long loops: the places of threads in them; and what the loops may observe, to be added if the
   * places alone do not enlarge the slice. */
  pv_statements places, otherwise;
  PV_VEC(struct pv_enlargement) log; /* what was added beyond the essential statements, in order */
  struct pv_map decided;             /* places whose loop exits are in the slice */
  bool has_threads;                  /* pv_predicate_need_threads */
  bool has_pointers;                 /* pv_predicate_lacks_pointers is false */
  uint8_t *calls;      /* by function: may something in it or its callees matter? or NULL */
  struct pv_map ahead; /* by function and location: may something after it matter? */
  struct pv_map read;  /* by function and variable: pv_predicate_reads */
  struct pv_map shows; /* by function and edge: may the statement violate a property? */
};

/* Computes the slice for the task's properties. defined: operations that may be undefined are
 * essential. Returns NULL if every visible operation matters. The program is borrowed. */
struct pv_predicate *pv_predicate_new(const struct pv_task *task, bool defined);
void pv_predicate_free(struct pv_predicate *p); /* NULL is fine */
/* Does the order of this operation matter? With p = NULL, always. */
bool pv_predicate_matters(const struct pv_predicate *p, const struct pv_pending *what);
/* Requests that the next enlargement adds the operation. */
void pv_predicate_need(struct pv_predicate *p, const struct pv_pending *what);
/* May the variable influence the slice? It cannot if no statement of the slice assigns it.
 * Parameters and results of calls always may. */
bool pv_predicate_reads(struct pv_predicate *p, uint32_t function, uint32_t var);
/* Can the thread still reach an operation that matters? */
bool pv_predicate_is_ahead(struct pv_predicate *p, const struct pv_vm *vm, unsigned thread);
/* The thread is in a long loop. Requests what decides whether it leaves the loop or, if that is in
 * the slice already, everything that the loop may observe. */
void pv_predicate_need_loop(struct pv_predicate *p, const struct pv_vm *vm, unsigned thread);
/* The thread's path ended here. If it could have reached an operation that matters, requests the
 * statement that ended it. */
void pv_predicate_need_end(struct pv_predicate *p, const struct pv_vm *vm, unsigned thread);
/* May the order of operations decide the number of a new thread? It may if a thread is detached, or
 * if another thread than main creates or joins threads. */
bool pv_predicate_may_renumber(const struct pv_predicate *p);
/* Requests everything that creates, joins, detaches or ends threads. */
void pv_predicate_need_threads(struct pv_predicate *p);
/* May an operation outside of the slice move or drop a pointer that others can reach? Such
 * operations matter where an address is reused only if no pointer to it is left. */
bool pv_predicate_lacks_pointers(struct pv_predicate *p);
/* Requests all of these. */
void pv_predicate_need_pointers(struct pv_predicate *p);
/* Was anything requested that is not in the slice? */
static inline bool pv_predicate_is_too_small(const struct pv_predicate *p) {
  return p->needed.n || p->places.n || p->otherwise.n;
}
/* Adds what was requested. From now on the machine stops only at operations that matter. */
void pv_predicate_enlarge(struct pv_predicate *p, struct pv_vm *vm);

/* What the enlargements added, as bytes; and the same for the slice of another run of the program,
 * which was not enlarged. false: the bytes are wrong. */
void pv_predicate_write(const struct pv_predicate *p, struct pv_str *out);
bool pv_predicate_read(struct pv_predicate *p, struct pv_vm *vm, struct pv_bytes *in);

#endif
