/* spec.h -- what the options say about whole executions: formulas, and what their propositions
 * mean. A proposition that --ap does not define is the C expression with its name. `end` holds in
 * the state in which the program has ended, unless --ap defines it. */
#ifndef PV_LTL_SPEC_H
#define PV_LTL_SPEC_H

#include "base/options.h"
#include "ltl/formula.h"

enum { PV_MOST_PROPOSITIONS = 64 };
enum pv_proposition_kind {
  PV_IS_EXPRESSION, /* a C expression over globals */
  PV_IS_END,        /* the program has ended */
  PV_IS_STUCK,      /* no thread can move, or the program has ended */
  PV_IS_INSIDE,     /* an instant goes on (`inside` of sched/sched.h) */
  PV_IS_PLACE       /* a thread is in a function or at a label (ir/exclusion.h) */
};
#define PV_ANY_THREAD UINT32_MAX
struct pv_proposition {
  enum pv_proposition_kind kind;
  char *text;      /* the expression, or the name of the place; owned */
  uint32_t thread; /* PV_IS_PLACE; or PV_ANY_THREAD */
};
struct pv_claim {
  enum pv_property property;
  char *text; /* as the user wrote it; owned */
  pv_formula formula;
  bool fair; /* only fair executions have to satisfy it */
};
/* Threads with higher numbers are not looked at for starvation. */
enum { PV_STARVING_THREADS = 8 };
struct pv_ltl_spec {
  struct pv_ltl ltl;                         /* its propositions' names */
  PV_VEC(struct pv_proposition) proposition; /* by their numbers */
  PV_VEC(struct pv_claim) claim;
};
/* Reads the formulas of the properties that the options ask for. PV_E_INPUT: *err says what is
 * wrong with them. The caller clears *out in any case. */
enum pv_status pv_ltl_spec_read(const struct pv_options *o, struct pv_ltl_spec *out,
                                struct pv_str *err);
void pv_ltl_spec_clear(struct pv_ltl_spec *s);

#endif
