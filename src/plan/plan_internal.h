/* plan_internal.h -- shared by the files of the plan.
 *
 * plan.c     one engine, and the rules that every result keeps
 * auto.c     several engines in turn
 * combine.c  what their results say together */
#ifndef PV_PLAN_INTERNAL_H
#define PV_PLAN_INTERNAL_H

#include "plan/plan.h"

/* ---- plan.c ---------------------------------------------------------------------------------- */
const struct pv_engine *pv_plan_engine(const char *name); /* NULL: there is none */
/* The task as engines get it: with the ways to replay errors. */
struct pv_task pv_plan_task(const struct pv_task *task);
/* Makes a result keep the rules. proven: properties that another engine proved. */
void pv_plan_guard(const struct pv_task *task, const struct pv_engine *engine, pv_properties proven,
                   struct pv_result *r);
/* Adds the notes that every result has. */
void pv_plan_add_notes(const struct pv_task *task, const struct pv_engine *engine,
                       struct pv_result *result);

/* ---- auto.c ---------------------------------------------------------------------------------- */
enum pv_status pv_plan_auto(const struct pv_task *task, struct pv_result *result,
                            const char **engine);

/* ---- combine.c ------------------------------------------------------------------------------- */
/* What came of an engine, as it returned it. */
struct pv_finding {
  const struct pv_engine *engine; /* NULL: nothing came of it */
  struct pv_result result;
  pv_properties proves; /* pv_finding_proves */
  bool told;            /* the engine was told to end, and might have gone on */
};
/* The properties asked for that the result, as the engine returned it, proves without a proviso. */
pv_properties pv_finding_proves(const struct pv_task *task, const struct pv_result *r);
/* Moves what all say together to *result; *engine: whose result it mainly is. At least one has an
 * engine. */
void pv_findings_combine(const struct pv_task *task, struct pv_finding *f, uint32_t n,
                         struct pv_result *result, const char **engine);

#endif
