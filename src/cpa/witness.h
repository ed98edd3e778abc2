/* witness.h -- from a satisfiable path formula to a concrete run: the inputs are read off the
 * model, every other value follows from them, so that the path through the graph is found by
 * evaluation; then the machine runs the program with these inputs. */
#ifndef PV_WITNESS_H
#define PV_WITNESS_H

#include "cpa/context.h"
#include "cpa/predicate.h"

/* A path to an event: the blocks passed (as in pv_sym_path, whose `last` is the event's condition),
 * and how to tell in the graph that a block ends. */
struct pv_witness_path {
  const struct pv_cpa *cpa;
  uint32_t node;                      /* at which the event happens, by a move from there */
  uint32_t part;                      /* of the composition that is the predicate analysis */
  uint32_t n;                         /* blocks */
  const struct pv_sym *const *blocks; /* the last one is not looked at */
  const struct pv_pred *const *ends;  /* n - 1: the states at which the blocks end */
};
/* Runs the program along a model of the path formula. True: it showed the event's violation (or
 * another asked one on the way), which is added to the result. False: it did not; *why (may be
 * NULL) is told in a sentence. The caller frees *why. */
bool pv_witness(struct pv_analysis_context *g, struct pv_result *result,
                const struct pv_witness_path *path, const struct pv_sym_formula *formula,
                const struct pv_sym_event *event, char **why);

/* The same for a path that is given by its moves, the last one that of the event. */
bool pv_witness_moves(struct pv_analysis_context *g, struct pv_result *result, uint32_t n,
                      const struct pv_move *moves, const struct pv_sym_event *event);

#endif
