#include "proviso_internal.h"

#include "analysis/call_graph.h"
#include "analysis/float_ranges.h"
#include "analysis/input_classes.h"
#include "analysis/points_to.h"
#include "analysis/signals.h"
#include "analysis/slice.h"
#include "analysis/specialise.h"
#include "condition/exclude.h"
#include "frontend/compiled.h"
#include "frontend/frontend.h"
#include "ir/exclusion.h"
#include "ltl/spec.h"
#include "observer/assumed.h"
#include "observer/observer.h"
#include "plan/assumed.h"
#include "plan/attempt.h"
#include "plan/confirm.h"
#include "plan/plan.h"
#include "plan/states.h"
#include "project/reach.h"
#include "monitor/observe.h"
#include "native/replay.h"
#include "report/distances.h"
#include "report/record.h"
#include "sched/sched.h"
#include "witness/weave.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

const char *proviso_version(void) {
  return PROVISO_VERSION;
}

int proviso_api_version(void) {
  return PROVISO_API_VERSION;
}

proviso *proviso_new(void) {
  proviso *p = pv_alloc(sizeof *p);
  pv_options_init(&p->options);
  p->command = "check";
  return p;
}

/* Frees the result and everything that was returned from it. */
static void forget_result(proviso *p) {
  pv_result_clear(&p->result);
  for (uint32_t i = 0; i < p->sentences.n; i++) free(p->sentences.at[i]);
  p->sentences.n = 0;
  p->checked = false;
  p->engine = NULL;
  pv_str_clear(&p->text);
  pv_str_clear(&p->json);
  pv_str_clear(&p->harness);
  pv_str_clear(&p->line);
}

static void forget_program(proviso *p) {
  forget_result(p);
  if (p->program) pv_program_free(p->program);
  p->program = NULL;
}

void proviso_free(proviso *p) {
  if (!p) return;
  pv_listeners_end(&p->listeners);
  pv_listeners_free(&p->listeners);
  forget_program(p);
  if (p->given.engine) pv_condition_file_clear(&p->given);
  pv_options_free(&p->options);
  pv_vec_free(&p->sentences);
  pv_vec_free(&p->samples);
  free(p->increments);
  free(p->given_increments);
  pv_str_free(&p->error);
  pv_str_free(&p->text);
  pv_str_free(&p->json);
  pv_str_free(&p->harness);
  pv_str_free(&p->ir);
  pv_str_free(&p->distances);
  pv_str_free(&p->line);
  free(p);
}

const char *proviso_error(const proviso *p) {
  return pv_str_cstr(&p->error);
}

proviso_status pv_handle_outcome(proviso *p, enum pv_status status) {
  if (status == PV_OK) return PROVISO_OK;
  if (!p->error.n) pv_str_add(&p->error, "internal error");
  return status == PV_E_INPUT ? PROVISO_BAD_INPUT : PROVISO_INTERNAL;
}

/* ---- configuration --------------------------------------------------------------------------- */
proviso_status proviso_set(proviso *p, const char *name, const char *value) {
  pv_str_clear(&p->error);
  forget_program(p);
  return pv_handle_outcome(p, pv_options_set(&p->options, name, value, &p->error));
}

proviso_status proviso_add_file(proviso *p, const char *path) {
  pv_str_clear(&p->error);
  forget_program(p);
  pv_options_add_file(&p->options, path);
  return PROVISO_OK;
}

proviso_status proviso_add_clang_argument(proviso *p, const char *argument) {
  pv_str_clear(&p->error);
  forget_program(p);
  pv_vec_push(&p->options.clang_args, pv_strdup(argument));
  return PROVISO_OK;
}

proviso_status proviso_listen(proviso *p, const proviso_listener *listener) {
  pv_listeners_add(&p->listeners, listener);
  return PROVISO_OK;
}

/* ---- running --------------------------------------------------------------------------------- */
static void say(const proviso *p, const char *what) {
  if (p->log) p->log(what);
}

/* Reads the automaton that is the given condition. The numbers in open parts are those of the
 * program without it, so none can be written. */
static enum pv_status read_assumed(const proviso *p, pv_automata *out, struct pv_str *err) {
  const char *path = pv_vec_last(&p->options.given);
  uint32_t before = out->n;
  if (p->options.proviso.n) {
    pv_str_addf(err, "%s: option `--proviso` cannot be used with an automaton as `--given`", path);
    return PV_E_INPUT;
  }
  PV_TRY(pv_automata_read(path, out, err));
  for (uint32_t i = before; i < out->n; i++) pv_automaton_assume(out->at[i]);
  return PV_OK;
}

/* Weaves the observer automata into the program. */
static enum pv_status observe(proviso *p) {
  pv_automata automata = {0};
  enum pv_status status = PV_OK;
  for (uint32_t i = 0; i < p->options.observer.n && status == PV_OK; i++)
    status = pv_automata_read(p->options.observer.at[i], &automata, &p->error);
  if (status == PV_OK && pv_handle_has_automaton(p)) status = read_assumed(p, &automata, &p->error);
  for (uint32_t i = 0; automata.n && i < p->options.files.n && status == PV_OK; i++)
    status = pv_observer_input(p->options.files.at[i], &p->error);
  if (status == PV_OK && automata.n) status = pv_observer_weave(p->program, &automata, &p->error);
  pv_automata_free(&automata);
  return status;
}

/* Leaves out what the user does not want to be examined. */
static enum pv_status exclude(proviso *p) {
  const char *start = p->options.entry.n ? pv_vec_last(&p->options.entry) : "main";
  for (uint32_t i = 0; i < p->options.exclude.n; i++)
    PV_TRY(pv_exclude(p->program, p->options.exclude.at[i], start, &p->error));
  return PV_OK;
}

/* Makes threads park at the places that formulas name. */
static enum pv_status mark_places(proviso *p) {
  struct pv_ltl_spec spec;
  struct pv_map marked = {0};
  enum pv_status status = pv_ltl_spec_read(&p->options, &spec, &p->error);
  for (uint32_t i = 0; i < spec.proposition.n && status == PV_OK; i++) {
    const struct pv_proposition *x = &spec.proposition.at[i];
    struct pv_exclusion place;
    bool is_new;
    if (x->kind != PV_IS_PLACE) continue;
    pv_map_put_str(&marked, x->text, 0, &is_new);
    if (!is_new) continue;
    if (pv_exclusion_find_one(p->program, x->text, &place)) {
      pv_exclusion_mark_found(p->program, &place);
    } else {
      pv_str_addf(&p->error, "`%s` is neither a function nor a label", x->text);
      status = PV_E_INPUT;
    }
    pv_exclusion_clear(&place);
  }
  pv_map_free(&marked);
  pv_ltl_spec_clear(&spec);
  return status;
}

static void specialise(struct pv_program *p) {
  struct pv_specialised done = pv_specialise(p);
  char *note = pv_format("specialised: %u edges are gone; constants decide %u branches and replace "
                         "%u loads",
                         done.edges, done.branches, done.loads);
  pv_vec_push(&p->notes, pv_program_string(p, note));
  free(note);
}

static enum pv_status load(proviso *p) {
  if (p->program) return PV_OK;
  struct pv_texts notes = {0};
  say(p, "reading the program");
  PV_TRY(pv_options_check(&p->options, &p->error));
  PV_TRY(pv_project_expand(&p->options, &notes, &p->error));
  enum pv_status status = pv_load_cached(&p->options, NULL, p->compiled, &p->program, &p->error);
  for (uint32_t i = 0; i < notes.n; i++) {
    if (status == PV_OK)
      pv_vec_push(&p->program->notes, pv_program_string(p->program, notes.at[i]));
    free(notes.at[i]);
  }
  pv_vec_free(&notes);
  if (status != PV_OK) return status;
  status = observe(p);
  if (status == PV_OK && p->witness)
    status = pv_witness_weave(p->program, p->witness, p->weaving, &p->error);
  if (status == PV_OK) status = exclude(p);
  if (status == PV_OK && p->options.mutex_region.n)
    status = pv_exclusion_mark(p->program, &p->options.mutex_region, &p->error);
  if (status == PV_OK && (p->options.properties & PV_PROP_TEMPORAL)) status = mark_places(p);
  if (status == PV_OK) {
    if (p->program->start == PV_NO_FUNC) return PV_OK; /* a library, to be printed */
    pv_signals_weave(p->program, (int)p->options.max_signals);
    pv_input_order_decide(p->program);
    if (p->options.specialise) specialise(p->program);
    pv_float_ranges_mark(p->program);
    p->program->reads_addresses = pv_points_to_reads_addresses(p->program);
    pv_points_to_mark_orders(p->program);
    return PV_OK;
  }
  pv_program_free(p->program);
  p->program = NULL;
  return status;
}

proviso_status proviso_load(proviso *p) {
  pv_str_clear(&p->error);
  return pv_handle_outcome(p, load(p));
}

/* The program could not be analysed, for a reason that is not the user's mistake: there is a result
 * nevertheless. */
static void end_before_begin(proviso *p, enum pv_status status) {
  bool interrupted = pv_limits_interrupted();
  p->result.reason = interrupted  ? pv_strdup("interrupted while the program was read")
                     : p->error.n ? pv_strdup(pv_str_cstr(&p->error))
                                  : pv_strdup("the program could not be read");
  pv_condition_add(&p->result.condition,
                   interrupted                  ? PV_PROVISO_INTERRUPT
                   : status == PV_E_UNSUPPORTED ? PV_PROVISO_UNSUPPORTED
                                                : PV_PROVISO_TIME,
                   NULL, 0, "the whole program has no error");
  pv_str_clear(&p->error);
}

/* Keeps how far the run is; if there are many samples, every other one goes. */
static void take_sample(proviso *p, const struct pv_stats *stats) {
  enum { MOST = 512 };
  double now = pv_limits_elapsed(&p->options.limits);
  double last = p->samples.n ? pv_vec_last(&p->samples).seconds : 0;
  uint64_t memory = stats->peak_memory ? stats->peak_memory : pv_resident_memory();
  bool rises = stats->bound && (!p->samples.n || pv_vec_last(&p->samples).bound != stats->bound);
  if (!rises && (now - last < 0.02 || now - last < now / MOST)) return;
  if (p->samples.n == MOST) {
    for (uint32_t i = 0; i < MOST / 2; i++) p->samples.at[i] = p->samples.at[2 * i + 1];
    p->samples.n = MOST / 2;
  }
  pv_vec_push(&p->samples,
              ((struct pv_sample){now, stats->states, stats->depth, memory, stats->bound}));
}

static void tell_progress(void *user, const struct pv_stats *stats) {
  proviso *p = user;
  p->now = *stats;
  if (!p->now.engine && p->options.engine != PV_ENGINE_AUTO)
    p->now.engine = pv_options_choice_name("engine", p->options.engine);
  if (p->options.report.n) take_sample(p, stats);
  pv_tell(&p->listeners, &(proviso_event){.kind = PROVISO_EVENT_PROGRESS,
                                          .states = stats->states,
                                          .depth = stats->depth});
}

/* Does somebody listen to more than progress and errors? */
static bool is_heard(const proviso *p) {
  return p->listeners.kinds &
         ~(PROVISO_EVENT_BIT(PROVISO_EVENT_PROGRESS) | PROVISO_EVENT_BIT(PROVISO_EVENT_ERROR));
}

/* Engines that do not tell errors themselves: they are told at the end. */
static void tell_errors(const proviso *p) {
  bool told = is_heard(p) && !pv_plan_is_abstract(p->engine);
  if (told || !pv_listens(&p->listeners, PROVISO_EVENT_ERROR)) return;
  for (uint32_t i = 0; i < p->result.violations.n; i++) {
    const struct pv_violation *v = &p->result.violations.at[i];
    pv_tell(&p->listeners, &(proviso_event){.kind = PROVISO_EVENT_ERROR,
                                            .file = v->file,
                                            .function = v->function,
                                            .line = v->line,
                                            .property = pv_property_table[v->property].name,
                                            .text = v->message});
  }
}

static struct pv_task task_of(proviso *p) {
  bool written = p->options.proviso.n > 0;
  return (struct pv_task){.given = pv_handle_given(p),
                          .wants_parts = written,
                          .wants_state = written,
                          .wants_interim = written,
                          .wants_coverage = p->options.coverage.n > 0,
                          .checkpoint = written ? pv_handle_checkpoint : NULL,
                          .checkpoint_user = p,
                          .increments = p->increments,
                          .given_increments = p->given_increments,
                          .sharing = pv_handle_sharing(p),
                          .pause = p->most_interim ? -1 : 0,
                          .program = p->program,
                          .options = &p->options,
                          .limits = &p->options.limits,
                          .properties = p->options.properties,
                          .listeners = is_heard(p) ? &p->listeners : NULL,
                          .progress = pv_listens(&p->listeners, PROVISO_EVENT_PROGRESS) ||
                                              p->options.report.n
                                          ? tell_progress
                                          : NULL,
                          .progress_user = p};
}

static void measure(proviso *p, double cpu_before) {
  struct rusage usage;
  struct pv_stats *s = &p->result.stats;
  s->seconds = pv_limits_elapsed(&p->options.limits);
  s->cpu_seconds = pv_cpu_clock() - cpu_before + p->options.limits.children;
  if (getrusage(RUSAGE_SELF, &usage) == 0) s->peak_memory = (uint64_t)usage.ru_maxrss * 1024;
  if (p->options.limits.peak > s->peak_memory) s->peak_memory = p->options.limits.peak;
}

/* Observes one execution, and sets the task's focus to what it warns of. */
static void focus_on(proviso *p, struct pv_task *task, struct pv_focus *focus) {
  struct pv_observation seen = {0};
  struct pv_task own = *task;
  own.listeners = NULL;
  say(p, "observing an execution");
  pv_observe(&own, false, &seen);
  pv_focus_of(&seen, focus);
  if (seen.warnings.list.n)
    task->focus = focus;
  else
    pv_vec_push(&p->result.notes, pv_strdup("all threads move: an execution gave no warnings"));
  pv_observation_clear(&seen);
}

/* ---- attempts -------------------------------------------------------------------------------- */
/* Reads the program anew, after an attempt that changed it. */
static enum pv_status read_anew(struct pv_attempt *a) {
  proviso *p = a->user;
  forget_program(p);
  enum pv_status status = load(p);
  a->program = p->program;
  a->task = task_of(p);
  return status;
}

static void say_of_attempt(void *user, const char *what) {
  say(user, what);
}

/* Tries what may decide without a search of the whole program; false: nothing did. */
static bool attempt(proviso *p, enum pv_status *status) {
  struct pv_attempt a = {.task = task_of(p),
                         .program = p->program,
                         .validates = p->witness != NULL,
                         .result = &p->result,
                         .engine = &p->engine,
                         .read_anew = read_anew,
                         .say = say_of_attempt,
                         .user = p};
  return pv_attempt_termination(&a, status) || pv_attempt_absence(&a, status) ||
         pv_attempt_slice(&a, status);
}

/* ---- checking -------------------------------------------------------------------------------- */
/* `pause` without a handler ends by the environment, if at all (models/signal.c): the model cuts
 * such a path off, which is no proof that it ends. */
static void doubt_waits(proviso *p) {
  static const char *const waits[] = {"pause", "sigsuspend"};
  if (p->result.verdict != PV_TRUE) return;
  if (!(p->options.properties & PV_PROP_BIT(PV_PROP_TERMINATION))) return;
  struct pv_points_to *pt = pv_points_to_new(p->program, NULL);
  struct pv_call_graph *calls = pv_call_graph_new(p->program, pt);
  for (uint32_t f = 0; f < p->program->functions.n; f++)
    for (int i = 0; i < 2; i++)
      if (p->program->functions.at[f].is_model && pv_call_graph_runs(calls, f) &&
          !strcmp(p->program->functions.at[f].name, waits[i])) {
        pv_condition_add(&p->result.condition, PV_PROVISO_ENGINE, NULL, 0,
                         "a signal comes whenever `%s` waits for one", waits[i]);
        p->result.verdict = PV_CONDITIONAL;
      }
  pv_call_graph_free(calls);
  pv_points_to_free(pt);
}

static proviso_status check(proviso *p) {
  pv_str_clear(&p->error);
  forget_result(p);
  p->command = "check";
  double cpu = pv_cpu_clock();
  pv_limits_start(&p->options.limits);
  enum pv_status status = load(p);
  if (status == PV_OK && pv_handle_read_given(p) != PV_OK) return pv_handle_outcome(p, PV_E_INPUT);
  pv_handle_find_increments(p);
  if (status == PV_OK) {
    struct pv_task task = task_of(p);
    bool chosen = p->options.engine != PV_ENGINE_AUTO || p->options.plan.n;
    if (task.listeners && !chosen) p->options.engine = PV_ENGINE_EXPLICIT;
    status = pv_plan_check(&task, &p->error);
    if (status != PV_OK) return pv_handle_outcome(p, status);
    if (!attempt(p, &status)) {
      struct pv_focus focus = {0};
      task = task_of(p);
      if (p->options.window == PV_WINDOW_AUTO) focus_on(p, &task, &focus);
      say(p, "searching");
      status = pv_plan_run(&task, &p->result, &p->engine);
      pv_focus_clear(&focus);
      p->result.assumed = pv_assumed(p->program, &p->options);
    }
    if (status == PV_OK) doubt_waits(p);
    if (!p->result.tried.n && p->engine && strcmp(p->engine, "none") != 0)
      pv_result_add_tried(&p->result, p->engine, &p->result, false);
    for (uint32_t i = 0; i < p->samples.n; i++) pv_vec_push(&p->result.samples, p->samples.at[i]);
    pv_vec_free(&p->samples);
    tell_errors(p);
    if (status != PV_OK)
      pv_str_addf(&p->error, "internal error in the %s engine", p->engine ? p->engine : "chosen");
  } else if (status == PV_E_LIMIT || status == PV_E_UNSUPPORTED || pv_limits_interrupted()) {
    end_before_begin(p, status);
    status = PV_OK;
  }
  measure(p, cpu);
  pv_limits_clear_interrupt();
  if (status != PV_OK) return pv_handle_outcome(p, status);
  p->checked = true;
  return PROVISO_OK;
}

proviso_status proviso_check(proviso *p) {
  if (p->compiled) return check(p);
  p->compiled = pv_compiled_new(); /* an attempt may read the program anew */
  proviso_status status = check(p);
  pv_compiled_free(p->compiled);
  p->compiled = NULL;
  return status;
}

bool proviso_states(proviso *p, struct pv_state_graph *out) {
  const struct pv_stats *s = &p->result.stats;
  bool is_small =
      s->states < 100 * PV_STATE_GRAPH_MOST && s->executions < 100 * PV_STATE_GRAPH_MOST;
  if (!p->program || !p->checked || strcmp(p->command, "check") != 0 || !is_small) return false;
  struct pv_task task = task_of(p);
  return pv_plan_states(&task, out);
}

proviso_status proviso_replay(proviso *p, const struct pv_record *record, uint32_t violation) {
  pv_str_clear(&p->error);
  forget_result(p);
  p->command = "replay";
  const struct pv_violation *wanted = &record->violations.at[violation];
  struct pv_violation got = {0};
  pv_limits_start(&p->options.limits);
  enum pv_status status = load(p);
  if (status != PV_OK) return pv_handle_outcome(p, status);
  struct pv_task task = task_of(p);
  say(p, "replaying");
  struct pv_error_key key = {.property = wanted->property,
                             .message = wanted->message ? wanted->message : ""};
  status = pv_plan_replay(&task, &wanted->path, &key, &got);
  if (status == PV_E_INTERNAL) return pv_handle_outcome(p, status);
  p->checked = true;
  p->result.checked = p->options.properties;
  if (status == PV_OK && got.replayed && got.property == wanted->property) {
    p->result.verdict = PV_FALSE;
    pv_vec_push(&p->result.violations, got);
    return PROVISO_OK;
  }
  pv_violation_clear(&got);
  p->result.reason = pv_format("the recorded path does not end in a violation of %s any more",
                               pv_property_table[wanted->property].name);
  return PROVISO_OK;
}

proviso_status proviso_replay_native(proviso *p, const struct pv_native_asked *asked,
                                     struct pv_native_outcome *out) {
  pv_str_clear(&p->error);
  struct pv_task task = task_of(p);
  return pv_handle_outcome(p, pv_native_replay(&task, &p->result, asked, out, &p->error));
}

void proviso_interrupt(void) {
  pv_limits_interrupt();
}

/* ---- printing the program -------------------------------------------------------------------- */
static bool slice_has(const void *set, uint32_t function, uint32_t edge) {
  return pv_slice_has(set, function, edge);
}

static uint32_t count_edges(const struct pv_program *p) {
  uint32_t n = 0;
  for (uint32_t f = 0; f < p->functions.n; f++) n += p->functions.at[f].edges.n;
  return n;
}

/* The ir with the slice for the properties of option `mark-slice`; threads may interfere. */
static void print_slice(proviso *p, pv_properties properties) {
  struct pv_dependence_options options = {.between_threads = true};
  struct pv_points_to *pt = pv_points_to_new(p->program, NULL);
  struct pv_dependence *graph = pv_dependence_new(p->program, pt, &options);
  struct pv_slice *slice = pv_slice_new(graph);
  pv_properties whole = pv_slice_add_essential(slice, pt, properties);
  pv_str_addf(&p->ir, "slice: %u of %u edges", slice->n, count_edges(p->program));
  if (whole) {
    pv_str_add(&p->ir, ", since nothing is left out for ");
    pv_properties_print(whole, &p->ir);
  }
  pv_str_add(&p->ir, "\n\n");
  pv_program_print_marked(p->program, (struct pv_ir_marks){slice_has, slice}, &p->ir);
  pv_slice_free(slice);
  pv_dependence_free(graph);
  pv_points_to_free(pt);
}

static const char *print_marked(proviso *p, const char *format) {
  pv_properties properties = 0;
  if (strcmp(format, "text") != 0) {
    pv_str_add(&p->error, "option `--mark-slice` needs `--format text`");
    return NULL;
  }
  for (uint32_t i = 0; i < p->options.mark_slice.n; i++)
    if (pv_properties_parse(p->options.mark_slice.at[i], &properties, &p->error) != PV_OK)
      return NULL;
  pv_str_clear(&p->ir);
  print_slice(p, properties);
  return pv_str_cstr(&p->ir);
}

const char *proviso_print_ir(proviso *p, const char *format) {
  static const struct {
    const char *name;
    enum pv_ir_format format;
  } formats[] = {{"text", PV_IR_TEXT}, {"dot", PV_IR_DOT}, {"c", PV_IR_C}};
  if (proviso_load(p) != PROVISO_OK) return NULL;
  if (p->options.mark_slice.n) return print_marked(p, format);
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    if (strcmp(formats[i].name, format) != 0) continue;
    pv_str_clear(&p->ir);
    pv_program_print(p->program, formats[i].format, &p->ir);
    return pv_str_cstr(&p->ir);
  }
  pv_str_addf(&p->error, "unknown format `%s`: text, dot or c", format);
  return NULL;
}

/* What ends an execution that is observed. Races do not, and neither do indeterminate values: races
 * and deadlocks may follow. */
enum { OBSERVED = PV_PROP_BIT(PV_PROP_UNREACH_CALL) | PV_PROP_BIT(PV_PROP_VALID_DEREF) };

/* Executions that end at an assumption do not count, up to a number. With `confirm` there are more
 * until one warns, if they are short. */
static bool observes_on(const proviso *p, const struct pv_observation *o, long all, long counted) {
  enum { PER_RUN = 4, MORE = 20, SHORT = 100000 /* steps of all */ };
  if (!all || (counted < p->options.runs && all / PER_RUN < p->options.runs)) return true;
  return p->options.confirm && !p->options.native && !o->warnings.list.n && o->steps < SHORT &&
         counted < MORE && all / PER_RUN < MORE;
}

bool proviso_observe(proviso *p, struct pv_observation *out) {
  pv_limits_start(&p->options.limits);
  if (proviso_load(p) != PROVISO_OK) return false;
  say(p, "observing an execution");
  struct pv_task task = task_of(p);
  struct pv_options options = p->options; /* the texts are borrowed */
  task.options = &options;
  task.properties = OBSERVED;
  for (long i = 0, counted = 0; observes_on(p, out, i, counted); i++) {
    options.seed = i == 1 && !p->options.seed ? 0 : p->options.seed + i;
    counted += pv_observe(&task, i % 2, out);
  }
  return true;
}

proviso_status proviso_observe_native(proviso *p, const struct pv_observation *seen,
                                      struct pv_observation *traced,
                                      struct pv_native_outcome *out) {
  struct pv_task task = task_of(p);
  return pv_handle_outcome(p, pv_plan_observe_natively(&task, seen, traced, out, &p->error));
}

proviso_status proviso_confirm(proviso *p, const struct pv_observation *o,
                               struct pv_verdict_on_warning **out) {
  pv_verdicts_on_warnings verdicts = {0};
  double cpu = pv_cpu_clock();
  forget_result(p);
  p->options.properties = PV_PROP_BIT(PV_PROP_NO_DATA_RACE) | PV_PROP_BIT(PV_PROP_NO_DEADLOCK);
  struct pv_task task = task_of(p);
  task.listeners = NULL;
  say(p, "looking for what it warns of");
  enum pv_status status = pv_plan_confirm(&task, o, &verdicts, &p->result);
  p->engine = "observe";
  p->result.assumed = pv_assumed(p->program, &p->options);
  measure(p, cpu);
  p->checked = true;
  *out = verdicts.at;
  return pv_handle_outcome(p, status);
}

const char *proviso_distances(proviso *p, struct pv_str *json) {
  struct pv_distance_table table;
  struct pv_limits *limits = &p->options.limits;
  pv_limits_start(limits);
  if (proviso_load(p) != PROVISO_OK) return NULL;
  say(p, "measuring distances");
  if (pv_distance_table_make(p->program, &p->options, limits, &table, &p->error) != PV_OK)
    return NULL;
  const struct pv_distance_report report = {p->program, &p->options, &table};
  pv_str_clear(&p->distances);
  pv_report_distances(&report, &p->distances);
  if (json) pv_report_distances_json(&report, json);
  pv_distance_table_clear(&table);
  return pv_str_cstr(&p->distances);
}
