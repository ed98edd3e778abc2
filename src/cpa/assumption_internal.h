/* assumption_internal.h -- what the files that make assumption automata share.
 *
 *    assumption.c            of the graph of a sequential or preemptive program; conditions in
 *    assumption_scheduled.c  of a graph in which a cooperative scheduler is executed */
#ifndef PV_ASSUMPTION_INTERNAL_H
#define PV_ASSUMPTION_INTERNAL_H

#include "cpa/assumption.h"

struct pv_automaton_builder {
  const struct pv_analysis_context *g;
  const struct pv_cpa *cpa;
  struct pv_open_part *part;
  struct pv_map given_up; /* frame and edge of the events that were given up */
  struct pv_map later;    /* node, frame and edge of those that were not examined yet */
  /* By node: it waits, leads to a node that waits, or has an event that was given up. */
  uint8_t *open;
  struct pv_map sets; /* sorted nodes -> state */
  uint32_t most;      /* states, unless folded */
  bool overflows;     /* there are more sets than that */
  /* Folded: all nodes at one program point count as one, which the first of them stands for. Then
   * an engine that is guided is never at one point in several states of the automaton. By node: the
   * one that stands for it, and the next one at the same point; NULL: not folded. */
  uint32_t *fold, *next;
};

/* The node that stands for this one: it, or the one that covers it. */
uint32_t pv_assumption_node(const struct pv_cpa *cpa, uint32_t node);
/* Is the move given up, everywhere or at this node? Is any move of the node? */
bool pv_assumption_gives_up(const struct pv_automaton_builder *b, uint32_t node,
                            const struct pv_move *m);
bool pv_assumption_may_give_up(const struct pv_automaton_builder *b, uint32_t node);
/* The thread, function and edge of a move. */
struct pv_automaton_move pv_assumption_letter(const struct pv_automaton_builder *b,
                                              const struct pv_move *m);
static inline bool pv_same_letter(const struct pv_automaton_move *a,
                                  const struct pv_automaton_move *b) {
  return a->thread == b->thread && a->function == b->function && a->edge == b->edge;
}
/* Fills b->part; `open` is filled. Returns false if it would leave everything open. */
bool pv_assumption_build_scheduled(struct pv_automaton_builder *b);

#endif
