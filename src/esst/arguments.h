/* arguments.h -- the values that arguments of primitives can have in an abstract state. The paper
 * (Cimatti, Narasamdya, Roveri, LMCS 2012, section 4.2) restricts arguments to constants, and names
 * the enumeration of values as future work. */
#ifndef PV_ESST_ARGUMENTS_H
#define PV_ESST_ARGUMENTS_H

#include "cpa/context.h"
#include "cpa/predicate.h"

struct pv_esst_arguments {
  struct pv_analysis_context *context;
  struct pv_predicates *predicates;
  uint32_t part;       /* of the predicates in composite states */
  uint64_t enumerated; /* values that the solver found; others are constant in their states */
  struct pv_reduction *reduction; /* or NULL */
};
/* The source of values for the scheduler (cpa/control.h). Borrows *a. */
struct pv_argument_source pv_esst_argument_source(struct pv_esst_arguments *a);

#endif
