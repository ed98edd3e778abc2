/* budget.h -- a bound on the work of making formulas and automata, since both can grow
 * exponentially. Work is counted in steps, so the same formula always has the same outcome; limits
 * of the run (time, memory, signals) are looked at, too. Once the budget is exceeded it stays
 * `over`: the functions of this room return soon, and what they return has no meaning. Whoever
 * asked for the work looks at `over` when it is done, and begins anew for the next piece of work.
 */
#ifndef PV_LTL_BUDGET_H
#define PV_LTL_BUDGET_H

#include "base/limits.h"

#define PV_LTL_STEPS (UINT64_C(1) << 32) /* of one piece of work: some seconds */
enum {
  PV_LTL_ENTRY = 512, /* steps that an entry of a table costs: all together have less than 1 GB */
  PV_LTL_CUBE = 8192  /* a cube that is printed */
};
struct pv_ltl_budget {
  uint64_t spent;           /* steps of this piece of work */
  uint64_t most;            /* 0: PV_LTL_STEPS */
  struct pv_limits *limits; /* borrowed; NULL: none */
  bool over;
};

/* Counts steps. Returns true if the work is to end. */
static inline bool pv_ltl_spend(struct pv_ltl_budget *b, uint64_t steps) {
  if (b->over) return true;
  b->spent += steps;
  if (b->spent > (b->most ? b->most : PV_LTL_STEPS)) b->over = true;
  if (b->limits && pv_limits_check(b->limits, 0) != PV_LIMIT_NONE) b->over = true;
  return b->over;
}

/* The next piece of work begins. */
static inline void pv_ltl_begin(struct pv_ltl_budget *b) {
  b->spent = 0;
  b->over = false;
}

#endif
