/* plan_internal.h -- declarations that the files of the plan share.
 *
 *    plan.c         runs one engine and enforces the rules for results
 *    portfolio.c    the engines of `auto` and their shares of the time
 *    auto.c         runs them in turn
 *    steps.c        option `plan`: engines one after the other
 *    combine.c      combines their results
 *    recheck.c      removes provisos by a further search */
#ifndef PV_PLAN_INTERNAL_H
#define PV_PLAN_INTERNAL_H

#include "plan/plan.h"

/* ---- plan.c ---------------------------------------------------------------------------------- */
const struct pv_engine *pv_plan_engine(const char *name); /* NULL: no engine has this name */
/* Can the engine analyse the program's threads? */
bool pv_plan_can_run(const struct pv_task *task, const struct pv_engine *engine);
/* The task as engines get it: with the functions that replay errors. */
struct pv_task pv_plan_task(const struct pv_task *task);
/* Weakens a result that breaks the rules of pv_plan_run. proven: properties that another engine
 * proved. */
void pv_plan_guard(const struct pv_task *task, const struct pv_engine *engine, pv_properties proven,
                   struct pv_result *r);

/* A task for what is still open: the properties for which the given condition leaves nothing open
 * are not checked again. */
struct pv_narrowed {
  struct pv_task task;
  struct pv_condition given; /* about the properties that are left */
  bool is_narrower;
};
/* *n is fixed in memory afterwards: the task refers to it. engine: the name of the engine that will
 * run, or "auto". An engine that could continue from a state of its own keeps all properties. */
void pv_plan_narrow(const struct pv_task *task, const char *engine, struct pv_narrowed *n);
/* Adds to a result of the narrowed task what the given condition says about the other properties;
 * frees the narrowed one. */
void pv_plan_widen(const struct pv_task *task, struct pv_narrowed *n, struct pv_result *r);
/* Adds provisos for what the program itself leaves open; other engines cannot remove them. */
void pv_plan_note_open(const struct pv_task *task, struct pv_result *r);
/* Adds the notes that every result carries. */
void pv_plan_add_notes(const struct pv_task *task, const struct pv_engine *engine,
                       struct pv_result *result);

/* Runs one engine, with isolation if it needs that, and enforces the rules for results. */
enum pv_status pv_plan_run_engine(const struct pv_task *task, const struct pv_engine *engine,
                                  struct pv_result *result);

/* The task's options, changed for a search of engine `explicit` in one thread that keeps every
 * state and goes on after errors, in this order (a value of option `search`). The texts are
 * borrowed. */
struct pv_options pv_plan_exact_search(const struct pv_task *task, enum pv_search_kind order);

/* ---- steps.c --------------------------------------------------------------------------------- */
/* Is option `plan` well-formed? PV_E_INPUT if not; *message then says why. */
enum pv_status pv_plan_check_steps(const struct pv_task *task, struct pv_str *message);
/* Runs the plan that the option describes. *engine: the last one that ran. */
enum pv_status pv_plan_steps(const struct pv_task *task, struct pv_result *result,
                             const char **engine);

/* ---- auto.c ---------------------------------------------------------------------------------- */
/* Runs the portfolio of the task, as pv_plan_run does for engine `auto`. */
enum pv_status pv_plan_auto(const struct pv_task *task, struct pv_result *result,
                            const char **engine);

/* ---- combine.c ------------------------------------------------------------------------------- */
/* The result of one engine, as it returned it. */
struct pv_finding {
  const struct pv_engine *engine; /* NULL: it has no result */
  struct pv_result result;
  pv_properties proves; /* pv_finding_proves */
  bool told;            /* the engine was asked to end, and could have continued */
};
/* The properties of the task that the result proves without a proviso. */
pv_properties pv_finding_proves(const struct pv_task *task, const struct pv_result *r);
/* Combines the findings into *result. *engine becomes the name of the engine that contributes most.
 * At least one finding must have an engine. Returns the number of the one that *result is. */
uint32_t pv_findings_combine(const struct pv_task *task, struct pv_finding *f, uint32_t n,
                             struct pv_result *result, const char **engine);

/* ---- recheck.c ------------------------------------------------------------------------------ */
/* Drops provisos of a conditional result that a further search shows to be unnecessary. If none is
 * left, the verdict becomes `true`. */
void pv_plan_recheck(const struct pv_task *task, struct pv_result *r);

#endif
