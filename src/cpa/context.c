#include "cpa/context.h"

#include "cpa/given_inputs.h"

#include <stdlib.h>
#include <string.h>

enum {
  CHOICES = 24,              /* cells among which one access may choose */
  MORE_CHOICES = 64,         /* with objects */
  COOPERATIVE_CHOICES = 256, /* where most addresses are known (cpa/value.h, the beginning) */
  QUERY_STEPS = 400 * 1000 * 1000,
  RECURSION = 4, /* nested instances of one function */
  PERSISTENT = 2 /* value of --por, like `both` */
};

static bool make(struct pv_analysis_context *g, const struct pv_task *task, bool objects,
                 const bool *arrays, struct pv_result *result) {
  const struct pv_program *p = task->program;
  *g = (struct pv_analysis_context){.task = task};
  /* No address comes back: where it might, there is a proviso (pv_sym_address_returns). */
  struct pv_points_to_options pointers = pv_points_to_defaults(p);
  pointers.reuse = false;
  g->pt = pv_points_to_new(p, &pointers);
  if (!pv_points_to_complete(g->pt)) {
    pv_condition_add(&result->condition, PV_PROVISO_ENGINE, NULL, 0,
                     "the program's pointers can be followed, which hit a limit");
    return false;
  }
  struct pv_smt_limits limits = {
      .steps = QUERY_STEPS, .ms = 60 * 1000, .memory = task->limits->memory};
  g->smt = pv_smt_new(limits, task->limits);
  pv_smt_use(g->smt, (enum pv_smt_bit_solver)task->options->bit_solver);
  if (task->options->dump_queries.n)
    pv_smt_record(g->smt, pv_vec_last(&task->options->dump_queries));
  uint32_t choices = pv_sched_of(p->sched)->preemptive ? CHOICES : COOPERATIVE_CHOICES;
  g->layout = objects ? pv_layout_new_objects(p, g->pt, MORE_CHOICES, arrays)
                      : pv_layout_new(p, g->pt, choices);
  g->control = pv_control_new(p, g->pt, RECURSION);
  g->untried = pv_given_inputs_new(task->given, p, g->pt, false);
  struct pv_symbolic_options options = {
      .encoding = task->options->integers == 1 ? PV_ENCODE_BITVECTOR : PV_ENCODE_LINEAR,
      .properties = task->properties,
      .malloc_may_fail = task->options->malloc_may_fail,
      .calls_may_fail = task->options->calls_may_fail,
      .follows_unset = task->options->indeterminate == PV_INDETERMINATE_USE,
      .untried = g->untried};
  g->symbolic = pv_symbolic_new(g->smt, p, g->pt, g->layout, g->control, &options);
  return true;
}

bool pv_context_new(struct pv_analysis_context *g, const struct pv_task *task,
                    struct pv_result *result) {
  return make(g, task, false, NULL, result);
}

bool pv_context_new_objects(struct pv_analysis_context *g, const struct pv_task *task,
                            const bool *arrays, struct pv_result *result) {
  return make(g, task, true, arrays, result);
}

void pv_context_free(struct pv_analysis_context *g) {
  pv_symbolic_free(g->symbolic);
  pv_control_free(g->control);
  pv_layout_free(g->layout);
  pv_smt_free(g->smt);
  pv_given_inputs_free(g->untried);
  pv_points_to_free(g->pt);
  pv_map_free(&g->given_up);
  pv_str_free(&g->not_shown);
  pv_map_free(&g->granted);
}

void pv_context_allow_threads(struct pv_analysis_context *g) {
  pv_control_allow_threads(g->control);
  if (!pv_sched_of(g->task->program->sched)->preemptive) return;
  if (g->task->options->por >= PERSISTENT) pv_control_reduce(g->control);
  bool deadlocks = g->task->properties & PV_PROP_BIT(PV_PROP_NO_DEADLOCK);
  if (deadlocks || g->task->properties & PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR))
    pv_control_follow_waits(g->control, deadlocks);
}

/* The properties that are checked. Leaks are not checked. If threads and locks are modelled, races
 * are not checked; there are none if the scheduler is executed, because it is cooperative. If they
 * are not modelled, their calls end paths with a proviso; so without a proviso there is neither a
 * race nor a deadlock. */
pv_properties pv_context_checked(const struct pv_analysis_context *g) {
  struct pv_symbolic_met met = pv_symbolic_met(g->symbolic);
  pv_properties set = PV_PROP_BIT(PV_PROP_UNREACH_CALL) | PV_PROP_BIT(PV_PROP_OBSERVER) |
                      PV_PROP_BIT(PV_PROP_NO_OVERFLOW) | PV_PROP_BIT(PV_PROP_NO_DATA_RACE) |
                      PV_PROP_BIT(PV_PROP_NO_DEADLOCK) | PV_PROP_BIT(PV_PROP_VALID_DEREF) |
                      PV_PROP_BIT(PV_PROP_VALID_FREE) | PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR);
  bool threads = met.scheduler && pv_control_has_threads(g->control);
  if (threads && (!pv_control_executes_scheduler(g->control) || pv_control_preempts(g->control)))
    set &= ~PV_PROP_BIT(PV_PROP_NO_DATA_RACE);
  if (!met.heap) set |= PV_PROP_BIT(PV_PROP_VALID_MEMTRACK) | PV_PROP_BIT(PV_PROP_VALID_MEMCLEANUP);
  return set;
}

struct pv_event_place pv_event_place(const struct pv_sym_event *e) {
  return (struct pv_event_place){e->frame, e->edge, pv_hash(e->message, strlen(e->message))};
}

bool pv_context_is_given_up(const struct pv_analysis_context *g, const struct pv_sym_event *event) {
  struct pv_event_place key = pv_event_place(event);
  return pv_map_get(&g->given_up, &key, sizeof key) != NULL;
}

static const struct pv_edge *edge_of(const struct pv_analysis_context *g,
                                     const struct pv_sym_event *e) {
  return &pv_control_function(g->control, e->frame)->edges.at[e->edge];
}

void pv_context_sentence(const struct pv_analysis_context *g, const struct pv_sym_event *event,
                         struct pv_str *out) {
  if (event->kind == PV_SYM_VIOLATION) {
    pv_str_add(out, "this does not happen at ");
    pv_control_place(g->control, event->frame, event->edge, out);
    pv_str_add(out, ": ");
  }
  pv_str_add(out, event->message);
}

static void give_up(struct pv_analysis_context *g, struct pv_result *result,
                    enum pv_proviso_kind kind, const struct pv_sym_event *event, const char *why) {
  struct pv_event_place key = pv_event_place(event);
  bool is_new;
  pv_map_put(&g->given_up, &key, sizeof key, 1, &is_new);
  if (!is_new) return;
  const struct pv_function *library;
  uint32_t span = pv_control_user_span(g->control, event->frame, event->edge, &library);
  struct pv_str sentence = {0};
  pv_context_sentence(g, event, &sentence);
  pv_map_put_str(&g->granted, pv_str_cstr(&sentence), 1, NULL);
  const struct pv_edge *e = edge_of(g, event);
  bool bound = event->kind == PV_SYM_CUT && e->op == PV_OP_STOP && e->aux == PV_STOP_BOUND;
  if (why && !bound) pv_str_addf(&sentence, " (%s)", why);
  if (bound)
    pv_condition_add(&result->condition, PV_PROVISO_BOUND, NULL, 0, "%s", pv_str_cstr(&sentence));
  else
    pv_condition_add(&result->condition, kind, pv_span_file(g->task->program, span),
                     pv_span_of(g->task->program, span)->line, "%s", pv_str_cstr(&sentence));
  pv_str_free(&sentence);
}

void pv_context_give_up(struct pv_analysis_context *g, struct pv_result *result,
                        const struct pv_sym_event *event, const char *why) {
  give_up(g, result, PV_PROVISO_ENGINE, event, why);
}

void pv_context_exclude(struct pv_analysis_context *g, struct pv_result *result,
                        const struct pv_sym_event *event, const char *why) {
  give_up(g, result, PV_PROVISO_EXCLUDED, event, why);
}

const char *pv_context_undecided(const struct pv_analysis_context *g, const char *otherwise) {
  static const char *const texts[] = {
      [PV_SMT_FINE] = "the solver did not decide it",
      [PV_SMT_STEPS] = "the solver did not decide it: time limit of a query",
      [PV_SMT_MEMORY] = "the solver did not decide it: memory limit",
      [PV_SMT_RUN] = "the solver did not decide it: limit of the run",
      [PV_SMT_INCOMPLETE] = "the solver did not decide it: incomplete theory",
      [PV_SMT_FAILURE] = "the solver failed"};
  return pv_smt_stats(g->smt)->unknown ? texts[pv_smt_reason(g->smt)] : otherwise;
}

const char *pv_context_not_shown(struct pv_analysis_context *g) {
  if (!g->not_shown.n) pv_str_add(&g->not_shown, "it could not be run");
  if (pv_symbolic_met(g->symbolic).imprecise)
    pv_str_add(&g->not_shown, "; values that are not linear are arbitrary here");
  return pv_str_cstr(&g->not_shown);
}

bool pv_context_lost(const struct pv_analysis_context *g) {
  return g->smt && pv_smt_broken(g->smt);
}

/* Weakens the verdict if terms could not be built: everything derived from them is uncertain. */
static void add_failure(struct pv_analysis_context *g, struct pv_result *result) {
  const char *words = pv_smt_error(g->smt);
  bool memory = pv_smt_reason(g->smt) == PV_SMT_MEMORY;
  pv_condition_add(&result->condition, memory ? PV_PROVISO_MEMORY : PV_PROVISO_CRASH, NULL, 0,
                   "no error lies in what was left when the solver %s%s%s",
                   memory ? "had no memory left" : "failed", *words ? ": " : "", words);
}

static void add_limit(struct pv_analysis_context *g, struct pv_result *result) {
  enum pv_limit hit = g->task->limits->hit;
  if (hit != PV_LIMIT_NONE)
    pv_condition_add(&result->condition, pv_proviso_of_limit(hit), NULL, 0,
                     "the part of the program that was not looked at has no error (limit: %s)",
                     pv_limit_name(hit));
}

void pv_context_note_undefined(const struct pv_task *task, struct pv_result *result) {
  for (uint32_t i = 0; i < task->program->globals.n; i++) {
    const struct pv_global *g = &task->program->globals.at[i];
    if (g->is_external && !g->is_model && g->size && strncmp(g->name, "_ZT", 3) != 0)
      pv_condition_add(&result->condition, PV_PROVISO_UNSUPPORTED, NULL, 0,
                       "the variable `%s`, which no file defines, is set by the program before it "
                       "is read",
                       g->name);
  }
}

uint64_t pv_context_wrapping(const struct pv_analysis_context *g) {
  uint32_t n = 0, function, edge;
  while (pv_symbolic_wrapped(g->symbolic, n, &function, &edge)) n++;
  return n;
}

void pv_context_finish(struct pv_analysis_context *g, struct pv_result *result, bool complete) {
  bool lost = pv_context_lost(g);
  complete = complete && !lost;
  result->checked = g->task->properties; /* nothing was started: the condition says why */
  if (g->symbolic) result->checked &= pv_context_checked(g);
  if (!complete) add_limit(g, result);
  if (lost) add_failure(g, result);
  if (!complete && !result->condition.provisos.n)
    pv_condition_add(&result->condition, PV_PROVISO_ENGINE, NULL, 0,
                     "the part of the program that was not looked at has no error");
  pv_context_note_undefined(g->task, result);
  if (g->symbolic) {
    result->stats.imprecise = pv_symbolic_met(g->symbolic).imprecise;
    result->stats.wrapping = pv_context_wrapping(g);
  }
  result->stats.seconds = pv_limits_elapsed(g->task->limits);
  result->stats.cpu_seconds = pv_cpu_clock();
  result->stats.peak_memory = g->task->limits->peak;
  if (result->violations.n)
    result->verdict = PV_FALSE;
  else if (result->condition.provisos.n)
    result->verdict = complete ? PV_CONDITIONAL : PV_UNKNOWN;
  else
    result->verdict = PV_TRUE;
  if (result->verdict == PV_UNKNOWN && !result->reason)
    result->reason = pv_strdup("the analysis did not come to an end");
}
