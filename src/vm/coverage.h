/* coverage.h -- which edges of the program the complete executions pass that a search has examined.
 *
 * The search tells every transition that it executes. A path of such transitions from the initial
 * state to an end of the program is an execution that was examined step by step, whatever the
 * search left open elsewhere. So an edge is verified if it is on such a path. Reductions leave out
 * equivalent executions, so they can only make the set smaller.
 *
 * This is an under-approximation: an edge that is not on such a path may be verified nevertheless,
 * for instance in a loop that never ends. */
#ifndef PV_COVERAGE_H
#define PV_COVERAGE_H

#include "base/events.h"
#include "result/result.h"
#include "vm/vm.h"

struct pv_coverage_recorder;
/* Records what the machine executes from now on. Machine code and caches of transitions must be
 * off. */
struct pv_coverage_recorder *pv_coverage_new(const struct pv_program *p, struct pv_vm *vm);
void pv_coverage_free(struct pv_coverage_recorder *c); /* NULL is fine */
/* Tells it the events of a search with states: STEP, STATE and END call the three functions below.
 */
proviso_listener pv_coverage_listener(struct pv_coverage_recorder *c);
/* A transition begins: forgets what the machine executed since the last one. */
void pv_coverage_begin(struct pv_coverage_recorder *c);
/* The transition led from one state to another. */
void pv_coverage_arrive(struct pv_coverage_recorder *c, uint32_t from, uint32_t to);
/* The transition did not lead to a state. Only normal ends and aborts complete an execution. */
void pv_coverage_end(struct pv_coverage_recorder *c, uint32_t from, enum pv_outcome outcome);

/* A search without states tells the events of the current execution instead, as a stack. Event 0 is
 * what was executed before the first one. pv_coverage_begin comes before each. */
void pv_coverage_push(struct pv_coverage_recorder *c, enum pv_outcome outcome);
void pv_coverage_pop(struct pv_coverage_recorder *c);
/* Does the latest event complete the execution? Only normal ends and aborts do. */
bool pv_coverage_is_complete(const struct pv_coverage_recorder *c);
/* The edges of the event with this number are on a complete execution. Returns false if that was
 * told before. */
bool pv_coverage_mark(struct pv_coverage_recorder *c, uint32_t event);

/* Fills the edges of *out, which the caller zero-initialises. */
void pv_coverage_find(const struct pv_coverage_recorder *c, struct pv_coverage *out);

#endif
