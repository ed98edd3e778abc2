#include "plan/portfolio.h"

#include "sched/sched.h"
#include "vm/vm.h"

/* Sequential programs: small ones are explored completely, shallow errors occur after a few
 * iterations of each loop, and most proofs are cheap. */
static const struct pv_configuration sequential[PV_MOST_CONFIGURATIONS] = {
    {.engine = "explicit", .weight = 1, .first_slice = 0.12, .states = 50000, .extension = 0.28},
    {.engine = "bmc", .weight = 0.7, .first_slice = 0.08},
    {.engine = "kinduction", .weight = 0.6, .first_slice = 0.1},
    {.engine = "value", .weight = 1.4, .first_slice = 0.12, .extension = 0.23},
    {.engine = "composite", .weight = 3.7, .first_slice = 0.33},
    {.engine = "predicate", .weight = 0.5, .delay = 0.3},
    {.engine = "bmc", .variant = PV_BIT_VECTORS, .weight = 0.7, .first_slice = 0.12},
    {.engine = "kinduction", .variant = PV_BIT_VECTORS, .weight = 0.3, .delay = 0.4},
    {.engine = "composite", .variant = PV_BIT_VECTORS, .weight = 0.3, .delay = 0.5},
    {.engine = "explicit",
     .variant = PV_BREADTH_FIRST | PV_UNBOUNDED,
     .weight = 0.4,
     .delay = 0.3}};

/* Programs with threads: if there are too many states, errors may be near (directed search), or few
 * orders of events may be relevant (dpor). Otherwise all states must be explored. Engines that
 * represent all inputs symbolically come last: esst needs far fewer abstract states, and composite
 * follows locks on the stack. */
static const struct pv_configuration threads[PV_MOST_CONFIGURATIONS] = {
    {.engine = "explicit",
     .variant = PV_UNBOUNDED,
     .weight = 1,
     .first_slice = 0.4,
     .states = 100000,
     .extension = 0.2,
     .extended_states = 400000},
    {.engine = "explicit",
     .variant = PV_DIRECTED | PV_UNLESS_COMPLETE,
     .weight = 0.15,
     .first_slice = 0.05},
    {.engine = "dpor", .variant = PV_UNLESS_COMPLETE, .weight = 1, .first_slice = 0.15},
    {.engine = "esst", .variant = PV_FOR_INPUTS, .weight = 1, .first_slice = 0.2},
    {.engine = "composite", .variant = PV_FOR_INPUTS, .weight = 0.5, .first_slice = 0.1}};

/* The same if the user selects the search, or asks for more than the first path found. */
static const struct pv_configuration as_asked[PV_MOST_CONFIGURATIONS] = {
    {.engine = "explicit", .variant = PV_UNBOUNDED, .weight = 1, .first_slice = 60},
    {.engine = "esst", .variant = PV_FOR_INPUTS, .weight = 1, .first_slice = 1},
    {.engine = "composite", .variant = PV_FOR_INPUTS, .weight = 0.5, .first_slice = 0.5}};

/* Cooperative threads. */
static const struct pv_configuration cooperative[PV_MOST_CONFIGURATIONS] = {
    {.engine = "explicit",
     .variant = PV_UNBOUNDED,
     .weight = 1,
     .first_slice = 0.5,
     .states = 100000},
    {.engine = "esst", .weight = 1, .first_slice = 0.3}};

/* Does the program call the scheduler? Programs with threads start with the explicit engine. */
static bool has_threads(const struct pv_program *p) {
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
      if (p->functions.at[f].edges.at[i].op == PV_OP_PRIM) return true;
  return false;
}

static bool searches_by_default(const struct pv_options *o) {
  return o->search == PV_SEARCH_DFS && o->store == PV_STORE_EXACT &&
         o->symmetry == PV_SYMMETRY_NONE && o->atomic == PV_ATOMIC_VISIBLE && o->threads == 1;
}

const struct pv_configuration *pv_portfolio_for(const struct pv_task *task) {
  const struct pv_options *o = task->options;
  if (!pv_sched_of(task->program->sched)->preemptive) return cooperative;
  if (!has_threads(task->program)) return sequential;
  return searches_by_default(o) && !o->keep_going && !o->minimise ? threads : as_asked;
}

struct pv_options pv_configuration_options(const struct pv_configuration *c,
                                           const struct pv_options *asked) {
  struct pv_options own = *asked;
  if (c->variant & PV_BIT_VECTORS) own.integers = 1;
  bool depth_only = own.store != PV_STORE_EXACT || own.symmetry != PV_SYMMETRY_NONE;
  if ((c->variant & PV_BREADTH_FIRST) && !depth_only) own.search = PV_SEARCH_BFS;
  if (c->variant & PV_DIRECTED) own.search = PV_SEARCH_BEST;
  return own;
}
