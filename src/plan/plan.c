#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/error_calls.h"
#include "plan/isolate.h"
#include "plan/plan_internal.h"
#include "sched/sched.h"

const struct pv_engine *pv_plan_engine(const char *name) {
  for (const struct pv_engine *const *e = pv_engines; *e; e++)
    if (!strcmp((*e)->name, name)) return *e;
  return NULL;
}

static void drop_unreplayed(const struct pv_task *task, struct pv_result *r) {
  enum pv_limit hit = task->limits->hit;
  uint32_t kept = 0, n = r->violations.n;
  for (uint32_t i = 0; i < n; i++) {
    struct pv_violation *v = &r->violations.at[i];
    if (v->replayed) {
      r->violations.at[kept++] = *v;
      continue;
    }
    pv_condition_add(&r->condition, PV_PROVISO_ENGINE, v->file, v->line,
                     "the error \"%s\", whose path could not be replayed%s%s%s, does not exist",
                     v->message ? v->message : pv_property_table[v->property].name,
                     hit ? " (limit: " : "", hit ? pv_limit_name(hit) : "", hit ? ")" : "");
    pv_violation_clear(v);
  }
  r->violations.n = kept;
}

/* ---- what no engine can answer --------------------------------------------------------------- */
/* Adds a proviso for expressions that the compiler evaluated before any engine saw them. */
static void note_folded(const struct pv_task *task, struct pv_result *r) {
  if (!(task->properties & PV_PROP_BIT(PV_PROP_NO_OVERFLOW))) return;
  for (uint32_t i = 0; i < task->program->folded_overflows.n; i++)
    pv_condition_add(&r->condition, PV_PROVISO_UNSUPPORTED, NULL, 0,
                     "the constant expression at %s, which overflows, is not evaluated",
                     task->program->folded_overflows.at[i]);
}

static void note_unended(const struct pv_task *task, struct pv_result *r) {
  const pv_properties about = PV_PROP_BIT(PV_PROP_VALID_DEREF) | PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR);
  for (uint32_t i = 0; i < task->program->unended.n && (task->properties & about); i++)
    pv_condition_add(&r->condition, PV_PROVISO_UNSUPPORTED, NULL, 0, "%s" PV_UNENDED,
                     task->program->unended.at[i]);
}

static void note_undefined(const struct pv_task *task, struct pv_result *r) {
  for (uint32_t i = 0; i < task->program->undefined.n; i++)
    pv_condition_add(&r->condition, PV_PROVISO_UNMODELLED, NULL, 0,
                     "`%s`, which has no definition, returns and changes nothing, and a pointer "
                     "that it returns is the address of the one object of all such functions with "
                     "structures that begin alike",
                     task->program->undefined.at[i]);
  if (task->program->undefined.n && r->violations.n)
    pv_vec_push(&r->notes,
                pv_format("the errors are errors only if `%s`%s, which %s no definition, may "
                          "return so (--undefined-functions stop ends paths at such calls)",
                          task->program->undefined.at[0],
                          task->program->undefined.n > 1 ? " and others" : "",
                          task->program->undefined.n > 1 ? "have" : "has"));
}

void pv_plan_note_open(const struct pv_task *task, struct pv_result *r) {
  note_folded(task, r);
  note_unended(task, r);
  note_undefined(task, r);
  if (r->verdict == PV_TRUE && r->condition.provisos.n) r->verdict = PV_CONDITIONAL;
}

/* ---- one engine ------------------------------------------------------------------------------ */
static void note_unproven(const struct pv_task *task, const struct pv_engine *engine,
                          struct pv_result *r) {
  bool proven = r->verdict == PV_TRUE || r->verdict == PV_CONDITIONAL;
  bool partial = task->given && pv_condition_openness(task->given) == PV_OPEN_PARTS;
  if (!task->options->check_proof || !proven || r->proof.state != PV_PROOF_NONE) return;
  pv_vec_push(&r->notes,
              pv_format("engine `%s` gave no proof that could be checked%s", engine->name,
                        partial ? ", because a part of it is what the given condition "
                                  "says"
                                : ""));
}

void pv_plan_guard(const struct pv_task *task, const struct pv_engine *engine, pv_properties proven,
                   struct pv_result *r) {
  pv_properties instants = engine->instants ? PV_PROP_BIT(PV_PROP_NO_ENDLESS_INSTANT) : 0;
  if (!engine->temporal) r->checked &= ~(PV_PROP_TEMPORAL & ~instants);
  pv_properties missing = task->properties & ~r->checked & ~proven;
  drop_unreplayed(task, r);
  if (r->verdict != PV_FALSE) pv_condition_leave_unchecked(&r->condition, missing);
  if (r->violations.n && engine->one_error && task->options->keep_going)
    pv_condition_add(&r->condition, PV_PROVISO_ENGINE, NULL, 0,
                     "the first error is the only one: engine `%s` ends with it", engine->name);
  if (r->violations.n)
    r->verdict = PV_FALSE;
  else if (r->verdict == PV_FALSE)
    r->verdict = PV_UNKNOWN;
  else if (r->verdict == PV_TRUE && r->condition.provisos.n)
    r->verdict = PV_CONDITIONAL;
}

struct pv_task pv_plan_task(const struct pv_task *task) {
  struct pv_task with_replay = *task;
  with_replay.replay = pv_plan_replay_inputs;
  with_replay.replay_choices = pv_plan_replay_choices;
  with_replay.minimise = pv_plan_minimise;
  with_replay.search = pv_plan_engine("explicit")->run;
  return with_replay;
}

/* If an engine can use nothing of the given condition, its run is correct but no gain. */
static void note_unused(const struct pv_task *task, const struct pv_engine *engine,
                        struct pv_result *r) {
  if (!task->given || pv_condition_openness(task->given) != PV_OPEN_PARTS) return;
  if (engine->takes && engine->takes(task)) return;
  pv_vec_push(&r->notes, pv_format("engine `%s` cannot use what the given condition says is "
                                   "covered, and looked at all executions",
                                   engine->name));
}

static void add_program_notes(const struct pv_task *task, struct pv_result *r) {
  for (uint32_t i = 0; i < task->program->notes.n; i++)
    pv_vec_push(&r->notes, pv_strdup(task->program->notes.at[i]));
}

void pv_plan_add_notes(const struct pv_task *task, const struct pv_engine *engine,
                       struct pv_result *result) {
  note_unproven(task, engine, result);
  note_unused(task, engine, result);
  add_program_notes(task, result);
}

/* The properties about which the condition says something: not everything is open. */
static pv_properties told_properties(const struct pv_condition *c, pv_properties set) {
  pv_properties told = 0;
  for (unsigned i = 0; i < PV_PROP_COUNT; i++)
    if ((set & PV_PROP_BIT(i)) && pv_condition_openness_of(c, PV_PROP_BIT(i)) != PV_OPEN_EVERYTHING)
      told |= PV_PROP_BIT(i);
  return told;
}

/* A result without a verdict becomes a condition. If it names nothing open, everything is open.
 * described: what the provisos leave open is all that is open, if they leave anything open. */
static void settle_unknown(struct pv_result *r, bool described) {
  if (r->verdict != PV_UNKNOWN) return;
  if (!described || pv_condition_openness(&r->condition) == PV_OPEN_NOTHING)
    pv_condition_add(&r->condition, PV_PROVISO_ENGINE, NULL, 0, "no error exists: %s",
                     r->reason ? r->reason : "the search came to no verdict");
  r->verdict = PV_CONDITIONAL;
  if (r->reason) pv_vec_push(&r->notes, r->reason);
  r->reason = NULL;
}

void pv_plan_sequence(const struct pv_task *task, struct pv_result *r) {
  if (!task->given || r->verdict == PV_FALSE) return;
  pv_properties told = told_properties(task->given, task->properties);
  if (!told) return;
  settle_unknown(r, told == task->properties);
  pv_condition_sequence(task->given, &r->condition, task->properties, r->checked);
  r->checked |= told;
  bool whole = !(task->properties & ~r->checked) && !r->condition.provisos.n;
  r->verdict = whole ? PV_TRUE : PV_CONDITIONAL;
}

/* ---- properties that are left ---------------------------------------------------------------- */
/* Does the condition have a state from which the engine may continue? It is of use only to a search
 * for the same properties. */
static bool may_continue(const struct pv_condition *given, const char *engine) {
  for (uint32_t i = 0; i < given->states.n; i++)
    if (!strcmp(engine, "auto") || !strcmp(engine, given->states.at[i].engine)) return true;
  return false;
}

void pv_plan_narrow(const struct pv_task *task, const char *engine, struct pv_narrowed *n) {
  *n = (struct pv_narrowed){.task = *task};
  if (!task->given || may_continue(task->given, engine)) return;
  pv_properties open = pv_condition_open_properties(task->given, task->properties);
  if (!open || open == task->properties) return;
  n->is_narrower = true;
  pv_condition_append(&n->given, task->given);
  pv_condition_restrict(&n->given, open);
  n->task.properties = open;
  n->task.given = &n->given;
}

void pv_plan_widen(const struct pv_task *task, struct pv_narrowed *n, struct pv_result *r) {
  if (!n->is_narrower) return;
  pv_properties left = n->task.properties, closed = task->properties & ~left;
  struct pv_condition all = {0};
  settle_unknown(r, false);
  for (uint32_t i = 0; i < r->condition.provisos.n; i++)
    pv_condition_append_for(&all, &r->condition, i, left, task->properties);
  for (uint32_t i = 0; i < task->given->provisos.n; i++)
    pv_condition_append_for(&all, task->given, i, closed, task->properties);
  pv_condition_move_states(&all, &r->condition);
  pv_condition_clear(&r->condition);
  r->condition = all;
  r->checked |= closed;
  if (r->verdict == PV_TRUE && all.provisos.n) r->verdict = PV_CONDITIONAL;
  pv_condition_clear(&n->given);
}

/* Is the engine given a state that it wrote? The state is complex and comes from outside: whoever
 * changes a file can repair its hash. */
static bool takes_state(const struct pv_task *task, const struct pv_engine *engine) {
  for (uint32_t i = 0; task->given && i < task->given->states.n; i++)
    if (!strcmp(task->given->states.at[i].engine, engine->name)) return true;
  return false;
}

bool pv_plan_can_run(const struct pv_task *task, const struct pv_engine *engine) {
  return engine->cooperative || pv_sched_of(task->program->sched)->preemptive;
}

static enum pv_status refuse(const struct pv_task *task, const struct pv_engine *engine,
                             struct pv_result *r) {
  r->verdict = PV_UNKNOWN;
  r->reason = pv_format("engine `%s` cannot analyse the cooperative threads of scheduler `%s`",
                        engine->name, task->program->sched->name);
  return PV_OK;
}

bool pv_plan_is_abstract(const char *engine) {
  const struct pv_engine *e = engine ? pv_plan_engine(engine) : NULL;
  return e && e->isolated;
}

static enum pv_status run_or_refuse(const struct pv_task *task, const struct pv_engine *engine,
                                    struct pv_result *result) {
  if (!pv_plan_can_run(task, engine)) return refuse(task, engine, result);
  /* Listeners are told in this process. */
  bool isolated = !task->listeners && (engine->isolated || takes_state(task, engine));
  return isolated ? pv_isolate(engine, task, result) : engine->run(task, result);
}

struct pv_options pv_plan_exact_search(const struct pv_task *task, enum pv_search_kind order) {
  struct pv_options options = *task->options;
  options.engine = PV_ENGINE_EXPLICIT;
  options.search = order;
  options.store = PV_STORE_EXACT;
  options.symmetry = PV_SYMMETRY_NONE;
  options.threads = 1;
  options.keep_going = true;
  return options;
}

enum pv_status pv_plan_run_engine(const struct pv_task *task, const struct pv_engine *engine,
                                  struct pv_result *result) {
  struct pv_narrowed n;
  pv_plan_narrow(task, engine->name, &n);
  struct pv_task own = pv_plan_task(&n.task);
  enum pv_status status = run_or_refuse(&own, engine, result);
  if (status == PV_OK) {
    pv_plan_guard(&own, engine, 0, result);
    pv_plan_sequence(&own, result);
  }
  pv_plan_widen(task, &n, result);
  if (status == PV_OK) pv_plan_add_notes(task, engine, result);
  return status;
}

enum pv_status pv_plan_check(const struct pv_task *task, struct pv_str *message) {
  for (const struct pv_engine *const *e = pv_engines; *e; e++)
    if ((*e)->check) PV_TRY((*e)->check(task, message));
  return pv_plan_check_steps(task, message);
}

/* Nothing is open: the given condition is the result. */
static void take_given(const struct pv_task *task, struct pv_result *r) {
  r->checked = task->properties;
  for (uint32_t i = 0; i < task->given->provisos.n; i++)
    pv_condition_append_for(&r->condition, task->given, i, task->properties, task->properties);
  r->verdict = r->condition.provisos.n ? PV_CONDITIONAL : PV_TRUE;
  add_program_notes(task, r);
}

/* Is unreach-call the only property, and no error of it in the program? Then no engine is needed,
 * unless what it does is wanted as well. */
static bool has_no_error(const struct pv_task *task) {
  const struct pv_options *o = task->options;
  bool only_the_verdict =
      !task->given && !task->wants_coverage && (!o->check_proof || o->witness.n);
  return only_the_verdict && task->properties == PV_PROP_BIT(PV_PROP_UNREACH_CALL) &&
         !pv_may_call_error(task->program);
}

static void take_for_granted(const struct pv_task *task, struct pv_result *r) {
  r->checked = task->properties;
  r->verdict = PV_TRUE;
  pv_vec_push(&r->notes, pv_strdup("nothing was searched: no function that can run has an error "
                                   "call, an assertion or a label ERROR"));
  add_program_notes(task, r);
}

enum pv_status pv_plan_run(const struct pv_task *task, struct pv_result *result,
                           const char **engine) {
  const char *name = pv_options_choice_name("engine", task->options->engine);
  if (task->given && pv_condition_openness(task->given) == PV_OPEN_NOTHING) {
    take_given(task, result);
    *engine = "none";
  } else if (task->options->plan.n) {
    PV_TRY(pv_plan_steps(task, result, engine));
  } else if (!strcmp(name, "auto") && has_no_error(task)) {
    take_for_granted(task, result);
    *engine = "none";
  } else if (!strcmp(name, "auto") && !(task->properties & PV_PROP_TEMPORAL)) {
    struct pv_narrowed n;
    pv_plan_narrow(task, "auto", &n);
    enum pv_status status = pv_plan_auto(&n.task, result, engine);
    pv_plan_widen(task, &n, result);
    PV_TRY(status);
  } else {
    bool temporal = !strcmp(name, "auto"); /* explicit checks all temporal properties */
    const struct pv_engine *chosen = pv_plan_engine(temporal ? "explicit" : name);
    PV_REQUIRE(chosen, "an engine of the options table is not registered");
    *engine = chosen->name;
    PV_TRY(pv_plan_run_engine(task, chosen, result));
  }
  pv_plan_recheck(task, result);
  pv_plan_note_open(task, result);
  return PV_OK;
}
