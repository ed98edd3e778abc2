/* ranking.h -- proves that sequential programs end, by ranking functions for their loops.
 *
 * A loop ends if a tuple of functions of its variables falls lexicographically in every round. The
 * functions are linear: a variable, as a signed or an unsigned number, or its negation; the
 * difference of the two sides of a comparison in the loop; sums and differences of two variables
 * that change. They are chosen one after the other: a function that never grows removes the rounds
 * in which it falls (Bradley, Manna, Sipma, "Linear ranking with reachability", CAV 2005; Alias,
 * Darte, Feautrier, Gonnord, "Multi-dimensional rankings, program termination, and complexity
 * bounds of flowchart programs", SAS 2010). Deviations: the functions are tried instead of solved
 * for. All questions are about bit-vectors, so wrap-around is respected. The functions are computed
 * without overflow; over finitely many values they need no lower bound.
 *
 * A round is encoded as one formula. Variables that an inner loop sets are arbitrary behind it, but
 * what never grows in its rounds is not greater than before it. What calls return is arbitrary.
 * Globals and stack objects that are accessed only as a whole and by name are variables. At heads
 * of loops, variables lie within their intervals (analysis/intervals.h).
 *
 * Loops of models end (analysis/termination.h). Programs with threads, recursion, operations that
 * may wait, or with anything that is not modelled, are not proved. */
#ifndef PV_RANKING_H
#define PV_RANKING_H

#include "engine.h"

struct pv_endless { /* the head of a loop without an exit */
  uint32_t function;
  pv_loc head;
};
struct pv_ranking {
  /* Every execution ends, if the provisos of the result hold and no loop in `endless` is reached.
   */
  bool ends;
  PV_VEC(struct pv_endless) endless;
  uint32_t loops;          /* loops of the program's own that can be reached */
  uint32_t lexicographic;  /* of them: those that need several functions */
  struct pv_str functions; /* "prog.c:12: n - i; prog.c:13: j": for people */
  char *why;               /* why there is no proof; owned */
};

/* Tries to prove that the task's program ends; the caller clears *out. Adds provisos for operations
 * that may be undefined. Takes at most 20 s, and a third of the time that is left. */
void pv_ranking_prove(const struct pv_task *task, struct pv_result *result, struct pv_ranking *out);
/* Turns the program into one that calls reach_error at the heads of the loops in `endless`, and
 * nowhere else: it is safe if none of them is reached. */
void pv_ranking_target(struct pv_program *p, const struct pv_ranking *r);
void pv_ranking_clear(struct pv_ranking *r);

#endif
