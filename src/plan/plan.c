#include "plan/plan.h"

#include <string.h>

#include "plan/isolate.h"

static const struct pv_engine *named(const char *name) {
  for (const struct pv_engine *const *e = pv_engines; *e; e++)
    if (!strcmp((*e)->name, name)) return *e;
  return NULL;
}

static const struct pv_engine *choose(const struct pv_task *task) {
  const char *name = pv_options_choice_name("engine", task->options->engine);
  return named(strcmp(name, "auto") ? name : "explicit");
}

static void drop_unreplayed(struct pv_result *r) {
  uint32_t kept = 0, n = r->violations.n;
  for (uint32_t i = 0; i < n; i++) {
    struct pv_violation *v = &r->violations.at[i];
    if (v->replayed) {
      r->violations.at[kept++] = *v;
      continue;
    }
    pv_condition_add(&r->condition, PV_PROVISO_ENGINE, v->file, v->line,
                     "the error \"%s\", whose path could not be replayed, does not exist",
                     v->message ? v->message : pv_property_table[v->property].name);
    pv_violation_clear(v);
  }
  r->violations.n = kept;
}

static void guard(const struct pv_task *task, struct pv_result *r) {
  pv_properties missing = task->properties & ~r->checked;
  drop_unreplayed(r);
  for (unsigned i = 0; i < PV_PROP_COUNT && r->verdict != PV_FALSE; i++)
    if (missing & PV_PROP_BIT(i))
      pv_condition_add(&r->condition, PV_PROVISO_ENGINE, NULL, 0,
                       "property %s holds, which this engine does not check",
                       pv_property_table[i].name);
  if (r->violations.n)
    r->verdict = PV_FALSE;
  else if (r->verdict == PV_FALSE)
    r->verdict = PV_UNKNOWN;
  else if (r->verdict == PV_TRUE && r->condition.provisos.n)
    r->verdict = PV_CONDITIONAL;
}

enum pv_status pv_plan_run(const struct pv_task *task, struct pv_result *result,
                           const char **engine) {
  const struct pv_engine *chosen = choose(task);
  PV_REQUIRE(chosen, "an engine of the options table is not registered");
  *engine = chosen->name;
  PV_TRY(chosen->isolated ? pv_isolate(chosen, task, result) : chosen->run(task, result));
  guard(task, result);
  return PV_OK;
}
