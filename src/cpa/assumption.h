/* assumption.h -- conditions in and out of the symbolic engines.
 *
 * Out: the assumption automaton of a reached set. Its states are sets of nodes of the abstract
 * reachability graph, its letters the edges of the program. It is `open` where a node is still
 * waiting, an event was given up or a move was left out (monitor.h), and `verified` where no such
 * node can be reached any more. Of a graph that begins with the prefixes of a given frontier: the
 * frontier without the prefixes behind which no such node can be reached.
 *
 * In: an analysis that runs beside the others and follows a given automaton. It has no successor
 * once the automaton comes to `verified`. A given frontier becomes such an automaton over branches
 * (vm/branches.h); with threads, the graph begins with the prefixes (vm/prefixes.h). If values of
 * inputs are open besides, the automaton is followed beyond `verified`, where only executions with
 * a new value count (given_inputs.h).
 *
 * Reference: Beyer, Henzinger, Keremoglu, Wendler, "Conditional model checking", FSE 2012, sections
 * 3 and 4 (assumption storage and assumption guiding). Deviations. The automaton comes from the
 * graph itself, so no analysis stores assumptions. Nodes that one edge leads to are taken together,
 * so that the automaton is deterministic. A large automaton is folded: its states are program
 * points, and a point is open if one of its nodes is. With threads, an edge that the graph does not
 * have leads to `open`: reduction may have left it out in favour of an equivalent execution. Of a
 * graph in which a cooperative scheduler is executed, only closed nodes without sleeping threads
 * count as verified (assumption_scheduled.c). */
#ifndef PV_ASSUMPTION_H
#define PV_ASSUMPTION_H

#include "cpa/cegar.h"

/* Describes what the reached set of the run leaves open, for all provisos of its result that are
 * not assumptions. Does nothing unless the task wants parts. */
void pv_assumption_leave_open(const struct pv_cegar *run);

/* From now on the run tells interim results, if its task wants them. The caller zero-initialises
 * *out, which must outlive the graph. */
struct pv_assumption_interim {
  const struct pv_cegar *run;
  struct pv_checkpoint_timer timer;
};
void pv_assumption_interim(const struct pv_cegar *run, struct pv_assumption_interim *out);

struct pv_assumption_guide;
/* The given automaton of the task as an analysis; NULL: it has none. To be made before the first
 * symbolic step: it may restrict these, until it is freed. */
struct pv_assumption_guide *pv_assumption_guide_new(const struct pv_analysis_context *g);
/* Makes the graph begin with the given frontier of the task, if it has one and the program has
 * threads. Call it before the first run; the engine frees *out after the graph. */
void pv_assumption_begin(const struct pv_analysis_context *g, struct pv_cpa *cpa,
                         struct pv_prefixes *out);
/* Has it one, a frontier, a condition about inputs (given_inputs.h), or without threads both of
 * these? (pv_engine.takes) */
bool pv_assumption_takes(const struct pv_task *task);
/* Has the task an automaton that is worth following for an engine that merges paths? At different
 * states of it they are not merged, so a large one would cost more than it saves. */
bool pv_assumption_guide_is_worthwhile(const struct pv_task *task);
/* true: graphs that begin from now on follow no automaton; nothing is left out of them. They may
 * begin anywhere in the program. NULL is fine. */
void pv_assumption_guide_rest(struct pv_assumption_guide *guide, bool rests);
void pv_assumption_guide_free(struct pv_assumption_guide *guide); /* NULL is fine */
const struct pv_analysis *pv_assumption_guide_analysis(struct pv_assumption_guide *guide);

#endif
