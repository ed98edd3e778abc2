/* witness.h -- turns a model of a path formula into a concrete run. The inputs are taken from the
 * model. All other values follow from them, so evaluation finds the path through the graph. Then
 * the VM runs the program with these inputs. */
#ifndef PV_CPA_WITNESS_H
#define PV_CPA_WITNESS_H

#include "cpa/context.h"
#include "cpa/predicate.h"

/* A path to an event: its blocks, as in pv_sym_path with the event's condition as `last`, and where
 * in the graph each block ends. */
struct pv_witness_path {
  const struct pv_cpa *cpa;
  uint32_t node;                      /* the event happens in a move from this node */
  uint32_t part;                      /* the number of the predicate analysis in the composition */
  uint32_t n;                         /* blocks */
  const struct pv_sym *const *blocks; /* the last one is unused */
  const struct pv_pred *const *ends;  /* n - 1 of them: the states at the ends of the blocks */
};
/* Runs the program with the inputs of a model of the path formula. Returns true if the run shows
 * the violation, or another one that was asked for; it is added to the result. Otherwise *why,
 * unless NULL, becomes a sentence that the caller frees. */
bool pv_witness(struct pv_analysis_context *g, struct pv_result *result,
                const struct pv_witness_path *path, const struct pv_sym_formula *formula,
                const struct pv_sym_event *event, char **why);

/* The same for a path that is given by its moves. The last one is that of the event. */
bool pv_witness_moves(struct pv_analysis_context *g, struct pv_result *result, uint32_t n,
                      const struct pv_move *moves, const struct pv_sym_event *event);

#endif
