#include "plan/confirm.h"

#include <stdlib.h>
#include <string.h>

#include "plan/plan_internal.h"

enum { GUIDED_STATES = 20000 }; /* of the directed search */

struct confirmation {
  const struct pv_task *task;
  const struct pv_observation *o;
  pv_verdicts_on_warnings *out;
  struct pv_result *result;
};

/* ---- does an error show a warning? ----------------------------------------------------------- */
static enum pv_property property_of(const struct pv_warning *w) {
  return w->kind >= PV_WARNING_LOCK_ORDER ? PV_PROP_NO_DEADLOCK : PV_PROP_NO_DATA_RACE;
}

/* The line of the other thread: at the end of the message. */
static uint32_t other_line(const struct pv_violation *v) {
  const char *colon = v->message ? strrchr(v->message, ':') : NULL;
  return colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
}

static bool names(const struct pv_violation *v, const char *object) {
  return object && v->message && strstr(v->message, object);
}

/* It is at the warning's places, or at one of them and about its variable. */
static bool is_race(const struct confirmation *c, uint32_t warning, const struct pv_violation *v) {
  const struct pv_warning *w = &c->o->warnings.list.at[warning];
  uint32_t one = c->o->lines.at[w->side[0].place], two = c->o->lines.at[w->side[1].place];
  uint32_t here = v->line, there = other_line(v);
  if ((here == one && there == two) || (here == two && there == one)) return true;
  bool touches = here == one || here == two || there == one || there == two;
  return touches && w->kind == PV_WARNING_LOCKSET && names(v, c->o->names.at[warning]);
}

/* One of its threads waits for one of its locks. */
static bool is_deadlock(const struct confirmation *c, uint32_t warning,
                        const struct pv_violation *v) {
  const struct pv_warning *w = &c->o->warnings.list.at[warning];
  for (uint32_t k = 0; k < w->n; k++) {
    const uint32_t *i = pv_map_get(&c->o->locks, &w->side[k].lock, sizeof w->side[k].lock);
    if (i && names(v, c->o->lock_names.at[*i])) return true;
  }
  return false;
}

static bool shows(const struct confirmation *c, uint32_t warning, const struct pv_violation *v) {
  const struct pv_warning *w = &c->o->warnings.list.at[warning];
  if (!v->replayed || v->property != property_of(w)) return false;
  if (w->kind == PV_WARNING_DEADLOCK) return true;
  return w->kind == PV_WARNING_LOCK_ORDER ? is_deadlock(c, warning, v) : is_race(c, warning, v);
}

/* Takes over the error if it shows a warning that is left. */
static void learn(struct confirmation *c, struct pv_violation *v, const char *by) {
  uint32_t number = c->result->violations.n;
  bool used = false;
  for (uint32_t i = 0; i < c->out->n; i++) {
    if (c->out->at[i].what != PV_LEFT_OPEN || !shows(c, i, v)) continue;
    c->out->at[i] = (struct pv_verdict_on_warning){PV_CONFIRMED, number, by};
    used = true;
  }
  if (used)
    pv_vec_push(&c->result->violations, *v);
  else
    pv_violation_clear(v);
}

static void learn_all(struct confirmation *c, struct pv_result *r, const char *by) {
  for (uint32_t i = 0; i < r->violations.n; i++) learn(c, &r->violations.at[i], by);
  r->violations.n = 0;
}

/* What the warnings that are left are about. */
static pv_properties left(const struct confirmation *c) {
  pv_properties set = 0;
  for (uint32_t i = 0; i < c->out->n; i++)
    if (c->out->at[i].what == PV_LEFT_OPEN)
      set |= PV_PROP_BIT(property_of(&c->o->warnings.list.at[i]));
  return set;
}

/* ---- the three steps ------------------------------------------------------------------------- */
static void replay_predictions(struct confirmation *c) {
  for (uint32_t i = 0; i < c->out->n; i++) {
    const struct pv_prediction *x = pv_observation_shows(c->o, i);
    if (!x || c->out->at[i].what != PV_LEFT_OPEN) continue;
    struct pv_task own = *c->task;
    struct pv_violation v = {0};
    own.properties = PV_PROP_BIT(property_of(&c->o->warnings.list.at[i]));
    pv_plan_replay_choices(&own, x->choices.at, x->choices.n, NULL, &v);
    learn(c, &v, "a predicted schedule");
  }
}

static enum pv_status search_guided(struct confirmation *c) {
  struct pv_options options = pv_plan_exact_search(c->task, PV_SEARCH_BEST);
  struct pv_limits limits = *c->task->limits;
  struct pv_focus focus = {0};
  struct pv_task own = *c->task;
  struct pv_result r = {0};
  if (!limits.states || limits.states > GUIDED_STATES) limits.states = GUIDED_STATES;
  if (limits.seconds > 0) limits.seconds -= (limits.seconds - pv_limits_elapsed(&limits)) * 3 / 4;
  pv_focus_of(c->o, &focus);
  own.options = &options;
  own.limits = &limits;
  own.properties = left(c);
  own.focus = &focus;
  own.wants_parts = own.wants_state = own.wants_interim = own.wants_coverage = false;
  own.checkpoint = NULL;
  own.sharing = NULL;
  own.given = NULL;
  enum pv_status status = pv_plan_run_engine(&own, pv_plan_engine("explicit"), &r);
  learn_all(c, &r, "a guided search");
  pv_result_clear(&r);
  pv_focus_clear(&focus);
  return status;
}

static enum pv_status search_all(struct confirmation *c) {
  struct pv_options options = *c->task->options;
  struct pv_task own = *c->task;
  struct pv_result r = {0};
  const char *engine;
  options.keep_going = true;
  options.properties = own.properties = left(c);
  own.options = &options;
  enum pv_status status = pv_plan_run(&own, &r, &engine);
  learn_all(c, &r, "a search");
  bool all = status == PV_OK && !r.condition.provisos.n && r.verdict != PV_UNKNOWN;
  for (uint32_t i = 0; i < c->out->n && all; i++)
    if (c->out->at[i].what == PV_LEFT_OPEN) c->out->at[i].what = PV_REFUTED;
  pv_condition_append(&c->result->condition, &r.condition);
  if (left(c) && !r.condition.provisos.n)
    pv_condition_add(&c->result->condition, PV_PROVISO_ENGINE, NULL, 0,
                     "no execution shows what is left: %s",
                     r.reason ? r.reason : "the search came to no verdict");
  c->result->stats = r.stats;
  pv_result_clear(&r);
  return status;
}

enum pv_status pv_plan_confirm(const struct pv_task *task, const struct pv_observation *o,
                               pv_verdicts_on_warnings *out, struct pv_result *result) {
  struct pv_task own = pv_plan_task(task);
  struct confirmation c = {&own, o, out, result};
  enum pv_status status = PV_OK;
  bool preemptive = pv_sched_of(task->program->sched)->preemptive;
  for (uint32_t i = 0; i < o->warnings.list.n; i++)
    pv_vec_push(out, ((struct pv_verdict_on_warning){PV_LEFT_OPEN, 0, NULL}));
  replay_predictions(&c);
  if (left(&c) && preemptive) status = search_guided(&c);
  if (left(&c) && status == PV_OK) status = search_all(&c);
  result->checked = task->properties;
  pv_plan_note_open(task, result);
  result->verdict = result->violations.n           ? PV_FALSE
                    : result->condition.provisos.n ? PV_CONDITIONAL
                                                   : PV_TRUE;
  return status;
}

enum pv_status pv_plan_observe_natively(const struct pv_task *task,
                                        const struct pv_observation *seen,
                                        struct pv_observation *traced,
                                        struct pv_native_outcome *out, struct pv_str *err) {
  const struct pv_native_asked asked = {.runs = 1, .traced = traced};
  struct pv_error_path path = {0};
  struct pv_violation v = {0};
  struct pv_result result = {0};
  struct pv_task own = *task;
  own.properties &= ~PV_PROP_BIT(PV_PROP_NO_DATA_RACE); /* the path goes on after one */
  own.listeners = NULL;
  bool known = pv_observation_path(&own, seen, &path);
  if (known) pv_plan_replay_choices(&own, path.choices.at, path.choices.n, NULL, &v);
  if (!known) pv_str_add(err, "the execution cannot be repeated");
  pv_vec_free(&path.choices);
  pv_vec_push(&result.violations, v);
  enum pv_status st = known ? pv_native_replay(&own, &result, &asked, out, err) : PV_E_INPUT;
  pv_result_clear(&result);
  return st;
}
