/* robustness.h -- is the program robust against weak memory orders?
 *
 * The machine executes atomic operations as if they were sequentially consistent. A program is
 * robust if the memory orders that it states allow no other executions. This is decided on the
 * sequentially consistent executions alone: the first event that makes an execution inconsistent
 * with sequential consistency follows a consistent one, and it reads, or is overtaken by, a write
 * that C11 does not hide from it.
 *
 * An access e of a thread is examined against each conflicting access a of another thread that
 * precedes it. With hb, the happens-before relation of C11, and po, rf, mo, fr as usual:
 *
 *   data race   one of the two is not atomic, and a does not happen before e;
 *   stale       a is a write, (po u rf u mo u fr)+ leads from a to what precedes e in its thread,
 *               and nothing forbids that e comes before a in modification order, or reads a value
 *               older than a's;
 *   early       a is a read, e a write, (po u rf)+ leads from a to what precedes e in its thread,
 * and nothing forbids that a reads from e (load buffering).
 *
 * The last two are forbidden if hb leads from a to what precedes e, perhaps by way of accesses to
 * the same location (coherence), or if both are seq_cst and a path of seq_cst accesses leads from a
 * to e. If none of the three occurs in any execution, the program is robust.
 *
 * Reference: Margalit, Lahav, "Verifying observational robustness against a C11-style memory
 * model", POPL 2021. Deviations: vector clocks on the executions of a stateless search instead of
 * instrumented states; a seq_cst fence only acquires and releases; locations, not values, count;
 * the search for reads that are early, since C11, unlike RC11, allows load buffering. Each
 * deviation can only make a robust program look as if it were not, provided that no value comes out
 * of thin air. docs/dpor.md has the argument. */
#ifndef PV_DPOR_ROBUSTNESS_H
#define PV_DPOR_ROBUSTNESS_H

#include "dpor/trace.h"

/* What leads to an event, the event itself included. */
struct pv_event_order {
  struct pv_clock hb;     /* by happens-before */
  struct pv_clock porf;   /* by po and rf */
  struct pv_clock strong; /* by po, primitives, and conflicts between seq_cst accesses */
  struct pv_clock heads;  /* of a write: what happens before an acquire load that reads from it */
  struct pv_clock read;   /* by a fence that acquires: what the thread's atomic reads have read */
  struct pv_clock fenced; /* what happens before the thread's last fence that releases */
};
struct pv_robustness {
  PV_VEC(struct pv_event_order) at; /* by event; those that were examined */
  const struct pv_pending *earlier; /* the other access, if a data race was found; borrowed */
};

/* Examines the events of the execution that were not examined yet. All visible operations must be
 * events of their own, and the machine must have option `robustness`. Returns the operation that
 * shows that the program may not be robust, borrowed from the trace; NULL: there is none. */
const struct pv_pending *pv_robustness_examine(struct pv_robustness *r, const struct pv_trace *t);
/* Only the first n events are left. */
static inline void pv_robustness_undo(struct pv_robustness *r, uint32_t n) {
  if (r->at.n > n) r->at.n = n;
}
void pv_robustness_free(struct pv_robustness *r);

#endif
