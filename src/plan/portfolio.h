/* portfolio.h -- the configurations that engine `auto` runs in turn.
 *
 * A portfolio with time slices: Huberman, Lukose, Hogg, Science 275, 1997. Which configurations
 * there are depends on the threads of the program; auto.c decides how their shares of the time
 * change while they run. */
#ifndef PV_PORTFOLIO_H
#define PV_PORTFOLIO_H

#include "engine.h"

/* Variants of an engine. */
enum {
  PV_BREADTH_FIRST = 1,   /* finds errors in programs with infinitely many states */
  PV_BIT_VECTORS = 2,     /* integers as bit-vectors */
  PV_DIRECTED = 4,        /* directed search: states near to an error first */
  PV_UNLESS_COMPLETE = 8, /* only while no search of all schedules has ended */
  PV_FOR_INPUTS = 16,     /* only if all that was left out are values of inputs */
  PV_UNBOUNDED = 32       /* without a limit on time: continues after all others have given up */
};

/* An engine in a variant, and its share of the time. Times are CPU seconds. */
struct pv_configuration {
  const char *engine; /* NULL: the end of a portfolio */
  unsigned variant;
  double weight;      /* its share of the time, relative to the others */
  double first_slice; /* each engine begins with a short slice; 0: this one has none */
  double delay;       /* without one: seconds by unit of weight of the others before it starts */
  uint64_t states;    /* a bound on the states in the first slice, so that short runs can be
                         reproduced; 0: none */
  double extension;   /* by this the first slice is longer if the search may come to an end */
  uint64_t extended_states; /* the bound on states then; 0: the same */
};
enum { PV_MOST_CONFIGURATIONS = 12 };

/* The configurations for the task's program and options, in the order of their first slices. Lives
 * for ever. */
const struct pv_configuration *pv_portfolio_for(const struct pv_task *task);

/* The options of a configuration: those that the user asked for, and its variant. Strings are
 * shared with `asked`. */
struct pv_options pv_configuration_options(const struct pv_configuration *c,
                                           const struct pv_options *asked);

#endif
