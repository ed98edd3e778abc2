/* engine_predicate.c -- engine `predicate`: predicate abstraction with refinement. A candidate
 * error is traced back along the ends of blocks. If the path formula is unsatisfiable, interpolants
 * give predicates for the points on the path. The graph is removed from the first point with a new
 * predicate on.
 *
 * Engine `composite` combines it with explicit values: blocks start with the known values, and
 * paths that values alone can exclude are refined there first. So predicates are used only for
 * relations between cells. */
#include "cpa/assumption.h"
#include "cpa/auxiliary.h"
#include "cpa/cegar.h"
#include "cpa/engine_predicate.h"
#include "cpa/monitor.h"
#include "cpa/observer.h"
#include "cpa/predicate.h"
#include "cpa/proof.h"
#include "cpa/value.h"
#include "cpa/predicate_file.h"
#include "cpa/witness.h"

#include <stdlib.h>

/* CUBES: a bound on the cubes of an abstraction. VALUES: a bound on the different values of a cell
 * before it is left to predicates. */
enum { CUBES = 2000, VALUES = 100 };
/* If only candidates for invariants are wanted: bounds on refinements, and on questions. */
enum { FOR_CANDIDATES = 40, QUESTIONS = 2000 };

struct engine {
  struct pv_analysis_context context;
  struct pv_predicates *predicates;
  /* The position of the predicates in the composition; values are part 0. */
  uint32_t part;
  struct pv_value_analysis *values;  /* or NULL */
  struct pv_observers *observers;    /* or NULL; the part after the predicates */
  struct pv_assumption_guide *guide; /* or NULL; the part after it */
  struct pv_monitor *monitor;        /* or NULL; the last part */
  struct pv_prefixes prefixes;       /* of a given frontier, or empty */
  struct pv_assumption_interim interim;
  struct pv_cegar cegar;
  uint32_t most; /* a bound on refinements; 0: none */
  pv_initial_predicates initial;
  const struct pv_composite_setup *setup; /* or NULL */
};

static const struct pv_pred *pred_at(const struct engine *e, uint32_t node) {
  return pv_cpa_node(e->cegar.cpa, node)->state.part[e->part];
}

static enum pv_smt_answer check(void *user, const struct pv_candidate_error *s) {
  struct engine *e = user;
  return pv_predicates_check(e->predicates, pred_at(e, s->node), s->event->when);
}

/* ---- paths -------------------------------------------------------------------------------------
 */

struct path {
  /* The abstraction states, from the start of the program on. */
  PV_VEC(const struct pv_pred *) states;
  /* The blocks between them, and the states in which they start; the last one ends in the event. */
  PV_VEC(const struct pv_sym *) blocks, starts;
  struct pv_sym_formula formula;
};

static void find_path(struct engine *e, const struct pv_candidate_error *s, struct path *out) {
  *out = (struct path){0};
  for (const struct pv_pred *a = pred_at(e, s->node)->start; a; a = a->before)
    pv_vec_push(&out->states, a);
  for (uint32_t i = 0, j = out->states.n - 1; i < j; i++, j--) {
    const struct pv_pred *t = out->states.at[i];
    out->states.at[i] = out->states.at[j];
    out->states.at[j] = t;
  }
  for (uint32_t i = 1; i < out->states.n; i++) pv_vec_push(&out->blocks, out->states.at[i]->end);
  pv_vec_push(&out->blocks, NULL);
  for (uint32_t i = 0; i < out->states.n; i++) pv_vec_push(&out->starts, out->states.at[i]->sym);
  struct pv_sym_path path = {out->blocks.n, out->blocks.at, s->event->when, out->starts.at};
  pv_symbolic_path(e->context.symbolic, &path, &out->formula);
}

static void path_free(struct path *p) {
  pv_vec_free(&p->states);
  pv_vec_free(&p->blocks);
  pv_vec_free(&p->starts);
  pv_sym_formula_free(&p->formula);
}

/* The node of an abstraction state on the path to `node`. */
static uint32_t node_of(const struct engine *e, uint32_t node, const struct pv_pred *state) {
  while (node != PV_NO_NODE) {
    const struct pv_node *n = pv_cpa_node(e->cegar.cpa, node);
    if (n->state.part[e->part] == state) return node;
    node = n->parents.n ? n->parents.at[0].node : PV_NO_NODE;
  }
  return PV_NO_NODE;
}

/* Reports an error of a program with threads. There, states are not merged, so the path is a
 * sequence of moves. */
static bool report_moves(struct engine *e, const struct pv_candidate_error *s) {
  pv_moves moves = {0};
  pv_cells nodes = {0};
  pv_cegar_path(&e->cegar, s, &moves, &nodes);
  bool shown = pv_witness_moves(&e->context, e->cegar.result, moves.n, moves.at, s->event);
  pv_vec_free(&moves);
  pv_vec_free(&nodes);
  return shown;
}

/* Adds the violation if the VM reproduces it. */
static bool report(struct engine *e, const struct pv_candidate_error *s, const struct path *path) {
  if (s->event->kind != PV_SYM_VIOLATION) return false;
  if (pv_control_has_threads(e->context.control)) return report_moves(e, s);
  struct pv_witness_path w = {.cpa = e->cegar.cpa,
                              .node = s->node,
                              .part = e->part,
                              .n = path->blocks.n,
                              .blocks = path->blocks.at,
                              .ends = path->states.at + 1};
  return pv_witness(&e->context, e->cegar.result, &w, &path->formula, s->event, NULL);
}

/* ---- refinement
 * ---------------------------------------------------------------------------------- */

/* With threads that meet in the same functions, what one needs another one sets. */
static enum pv_predicate_scope scope_of(const struct engine *e, const struct pv_options *o) {
  enum pv_predicate_scope asked = (enum pv_predicate_scope)o->predicate_scope;
  if (e->setup) return asked == PV_SCOPE_THREAD ? asked : PV_SCOPE_GLOBAL;
  return asked == PV_SCOPE_THREAD ? PV_SCOPE_LOCATION : asked;
}

/* The first cut of the path where a predicate is new or would help; 0: there is none. everywhere:
 * the predicates are used at all points. */
static uint32_t learn_at(struct engine *e, const struct path *path, const pv_term *interpolants,
                         bool everywhere) {
  uint32_t first = 0, outdated = 0;
  for (uint32_t k = 1; k < path->formula.parts.n; k++) {
    const struct pv_pred *at = path->states.at[k];
    pv_term t = pv_symbolic_at_cut(e->context.symbolic, &path->formula, k, interpolants[k - 1]);
    if (everywhere)
      pv_predicates_add_everywhere(e->predicates, at->at, t);
    else
      pv_predicates_add(e->predicates, at->at, t);
    if (!outdated && pv_predicates_outdated(e->predicates, at)) outdated = k;
    if (e->setup && pv_predicates_lacks(e->predicates, at, t) && !first) first = k;
  }
  if (!first) first = outdated;
  for (uint32_t k = 1; e->setup && k < first; k++)
    if (pv_predicates_would_gain(e->predicates, path->states.at[k])) first = k;
  return first;
}

/* The paper's rules for the place of a predicate may come to no end: if a path comes back, its
 * predicates are used everywhere. */
static enum pv_refinement learn(struct engine *e, const struct pv_candidate_error *s,
                                const struct path *path, const pv_term *interpolants) {
  uint32_t first = learn_at(e, path, interpolants, false);
  if (!first && scope_of(e, e->context.task->options) == PV_SCOPE_THREAD)
    first = learn_at(e, path, interpolants, true);
  uint32_t node = first ? node_of(e, s->node, path->states.at[first]) : PV_NO_NODE;
  if (node == PV_NO_NODE) return PV_STUCK;
  pv_cpa_remove(e->cegar.cpa, node);
  return PV_REFINED;
}

static bool refine_values(struct engine *e, const struct pv_candidate_error *s) {
  pv_moves moves = {0};
  pv_cells nodes = {0};
  pv_cegar_path(&e->cegar, s, &moves, &nodes);
  uint32_t first = nodes.n;
  if (pv_value_refine(e->values, moves.n, moves.at, s->event))
    first = pv_value_outdated(e->values, e->cegar.cpa, 0, &moves, &nodes);
  bool refined = first < nodes.n;
  if (refined) pv_cpa_remove(e->cegar.cpa, nodes.at[first]);
  pv_vec_free(&moves);
  pv_vec_free(&nodes);
  return refined;
}

/* Computes interpolants of the path's blocks from `from` on. If a method gives no new predicate,
 * the next method is tried. */
static enum pv_refinement interpolate(struct engine *e, const struct pv_candidate_error *s,
                                      const struct path *path, uint32_t from) {
  uint32_t n = path->formula.parts.n;
  pv_term *interpolants = pv_alloc((n + 1) * sizeof *interpolants);
  enum pv_refinement outcome = PV_STUCK;
  for (uint32_t k = 0; k < from; k++) interpolants[k] = pv_smt_bool(e->context.smt, true);
  for (unsigned m = 0; m < PV_ITP_METHODS && outcome == PV_STUCK; m++) {
    struct pv_itp_options options = {.methods = 1u << m, .no_array_spacer = e->setup};
    struct pv_itp_result how = {0};
    enum pv_smt_answer a =
        pv_smt_interpolate(e->context.smt, n - from, path->formula.parts.at + from, &options,
                           interpolants + from, &how);
    if (a == PV_SMT_SAT)
      outcome = report(e, s, path) ? PV_REPORTED : PV_POSSIBLE;
    else if (a == PV_SMT_UNSAT)
      outcome = learn(e, s, path, interpolants);
  }
  free(interpolants);
  return outcome;
}

static enum pv_refinement refine(void *user, const struct pv_candidate_error *s) {
  struct engine *e = user;
  /* If the numbers of such a cell stay in the path, interpolants contain single values. */
  if (e->values && pv_value_gave_up(e->values)) {
    pv_cegar_restart(&e->cegar);
    return PV_RESTARTED;
  }
  if (e->values && refine_values(e, s)) return PV_REFINED;
  struct path path;
  find_path(e, s, &path);
  const struct pv_sym_formula *f = &path.formula;
  if (!pv_monitor_admits_formula(e->monitor, f->parts.n, f->parts.at)) {
    path_free(&path);
    return PV_STUCK;
  }
  uint32_t from = pv_smt_unsatisfiable_end(e->context.smt, f->parts.n, f->parts.at);
  enum pv_refinement outcome = from ? interpolate(e, s, &path, from) : PV_STUCK;
  if (outcome == PV_STUCK) outcome = interpolate(e, s, &path, 0);
  path_free(&path);
  return outcome;
}

/* Builds the proof from the states reached at the ends of blocks. */
static struct pv_proof *prove(const struct engine *e) {
  struct pv_proof *proof = pv_proof_new(&e->context);
  for (uint32_t i = 0; proof && i < pv_cpa_nodes(e->cegar.cpa); i++) {
    const struct pv_node *n = pv_cpa_node(e->cegar.cpa, i);
    const struct pv_pred *s = pred_at(e, i);
    if (n->removed || n->covered_by != PV_NO_NODE || !pv_pred_is_abstraction(s) || !s->before)
      continue;
    pv_term region = pv_predicates_term(e->predicates, s->region);
    if (e->observers)
      region = pv_observers_term(e->observers, &e->context, n->state.part[e->part + 1], region);
    pv_proof_add(proof, &e->context, n->state.at, e->values ? s->sym : NULL, region);
  }
  return proof;
}

/* ---- the user's predicates
 * ------------------------------------------------------------------------------------- */

static enum pv_status read_file(const struct pv_task *task, uint32_t i,
                                struct pv_predicate_file **out, struct pv_str *message) {
  return pv_predicate_file_read(task->options->predicates.at[i], task->program,
                                task->options->integers == 0, out, message);
}

static enum pv_status look_at_files(const struct pv_task *task, struct pv_str *message) {
  for (uint32_t i = 0; i < task->options->predicates.n; i++) {
    struct pv_predicate_file *file;
    PV_TRY(read_file(task, i, &file, message));
    pv_predicate_file_free(file);
  }
  return PV_OK;
}

/* Reads the user's predicates. They only help the proof, so a predicate that cannot be used is
 * noted and no error. */
static void read_predicates(struct engine *e, const struct pv_task *task,
                            struct pv_result *result) {
  for (uint32_t i = 0; i < task->options->predicates.n; i++) {
    struct pv_predicate_file *file;
    struct pv_str unused = {0};
    if (read_file(task, i, &file, &unused) == PV_OK)
      pv_predicate_file_terms(file, e->context.symbolic, e->context.smt, &e->initial, &unused);
    if (unused.n)
      pv_vec_push(&result->notes, pv_format("not all predicates of %s are used: %s",
                                            task->options->predicates.at[i], pv_str_cstr(&unused)));
    pv_predicate_file_free(file);
    pv_str_free(&unused);
  }
}

/* ---- the engines
 * ---------------------------------------------------------------------------------- */

static const struct pv_sym *values_of(const struct pv_composite *all) {
  return pv_value_symbolic(all->part[0]);
}

/* Inside a block. */
static bool is_passing(void *user, const struct pv_composite *s) {
  const struct engine *e = user;
  return !pv_pred_is_abstraction(s->part[e->part]);
}

/* Explores in the engine's context, within the limits of its task. Returns true if the exploration
 * is complete. */
static bool explore(struct engine *e, struct pv_result *result, bool with_values) {
  const struct pv_task *task = e->context.task;
  struct pv_predicate_options options = {.blocks = (enum pv_blocks)task->options->blocks,
                                         .scope = scope_of(e, task->options),
                                         .cartesian = task->options->abstraction == 1,
                                         .cubes = CUBES,
                                         .unrolls = e->setup,
                                         .initial = &e->initial};
  read_predicates(e, task, result);
  e->predicates =
      pv_predicates_new(e->context.symbolic, e->context.smt, e->context.control, &options);
  e->observers = pv_observers_new(task->program, e->context.control);
  const struct pv_analysis *parts[PV_CPA_PARTS];
  if (with_values) {
    e->values = pv_value_new(e->context.symbolic, e->context.smt, e->context.control);
    pv_value_assist(e->values, VALUES, e->setup ? e->setup->handles : 0);
    if (e->setup) pv_value_share(e->values);
    if (e->setup) pv_value_begin(e->values);
    pv_predicates_enter(e->predicates, values_of);
    parts[e->part++] = pv_value_analysis(e->values);
  }
  parts[e->part] = pv_predicates_analysis(e->predicates);
  uint32_t n_parts = e->part + 1;
  if (e->observers) parts[n_parts++] = pv_observers_analysis(e->observers);
  e->guide = pv_assumption_guide_new(&e->context);
  if (e->guide) parts[n_parts++] = pv_assumption_guide_analysis(e->guide);
  if (e->setup) {
    struct pv_composite_parts all = {.context = &e->context,
                                     .predicates = e->predicates,
                                     .at = parts,
                                     .n = n_parts,
                                     .part = e->part,
                                     .is_closed = !e->observers && !e->monitor};
    const struct pv_analysis *more = e->setup->prepare(e->setup->user, &all);
    if (more) parts[n_parts++] = more;
  }
  if (e->monitor) parts[n_parts++] = pv_monitor_analysis(e->monitor);
  e->cegar = (struct pv_cegar){.context = &e->context,
                               .result = result,
                               .user = e,
                               .check = check,
                               .refine = refine,
                               .most = e->most,
                               .wraps_early = e->setup};
  e->cegar.cpa = pv_cpa_new(e->context.control, parts, n_parts, task->limits);
  pv_cpa_set_listeners(e->cegar.cpa, task->listeners);
  if (e->setup && !e->observers && !e->monitor) {
    pv_cpa_pass_by(e->cegar.cpa, is_passing, e);
    pv_cpa_renew(e->cegar.cpa);
  }
  pv_monitor_watch(e->monitor, e->cegar.cpa, n_parts, parts, n_parts - 1);
  if (!e->setup) pv_assumption_begin(&e->context, e->cegar.cpa, &e->prefixes);
  if (!e->most) pv_assumption_interim(&e->cegar, &e->interim);
  return pv_cegar_run(&e->cegar);
}

/* Frees everything except the context. */
static void end(struct engine *e) {
  pv_cpa_free(e->cegar.cpa);
  pv_prefixes_free(&e->prefixes);
  pv_predicates_free(e->predicates);
  pv_value_free(e->values);
  pv_observers_free(e->observers);
  pv_assumption_guide_free(e->guide);
  pv_monitor_free(e->monitor);
  pv_cegar_free(&e->cegar);
  pv_vec_free(&e->initial);
}

static enum pv_status run(const struct pv_task *task, struct pv_result *result, bool with_values,
                          const struct pv_composite_setup *setup) {
  struct engine e = {.setup = setup};
  struct pv_proof *proof = NULL;
  bool complete = false, left_out = false;
  if (pv_context_new(&e.context, task, result)) {
    pv_context_allow_threads(&e.context);
    e.monitor = pv_monitor_new(&e.context);
    complete = explore(&e, result, with_values);
    left_out = pv_monitor_report(e.monitor, result);
    if (complete && setup && !result->violations.n)
      setup->examine(setup->user, e.cegar.cpa, result);
    result->stats.states = pv_cpa_stats(e.cegar.cpa)->expanded;
    result->stats.refinements = e.cegar.refinements;
    result->stats.predicates = pv_predicates_stats(e.predicates)->predicates;
    if (complete && !left_out && !e.guide && !pv_cpa_prefixes(e.cegar.cpa)) proof = prove(&e);
  }
  pv_context_finish(&e.context, result, complete);
  pv_assumption_leave_open(&e.cegar);
  if (setup) setup->finish(setup->user, result);
  /* At a limit there is little time, and it takes seconds to give back large graphs. */
  bool hurries = task->process_ends && task->limits->hit != PV_LIMIT_NONE;
  if (!hurries) {
    end(&e);
    pv_context_free(&e.context);
  }
  pv_proof_finish(proof, task, result);
  return PV_OK;
}

/* ---- candidates for invariants ------------------------------------------------------------------
 */

static void propose(pv_candidates *out, uint32_t point, pv_term formula) {
  struct pv_candidate c = {point, formula};
  pv_vec_push(out, c);
}

/* Collects the predicates at a cut point, positive and negated, and the values of cells in the
 * states there. */
static void collect(struct engine *e, uint32_t point, struct pv_point at, pv_candidates *out) {
  struct pv_smt *smt = e->context.smt;
  pv_terms predicates = {0};
  struct pv_map seen = {0};
  pv_predicates_at(e->predicates, at, &predicates);
  for (uint32_t i = 0; i < predicates.n; i++) {
    propose(out, point, predicates.at[i]);
    propose(out, point, pv_smt_mk1(smt, PV_SMT_NOT, predicates.at[i]));
  }
  for (uint32_t i = 0; i < pv_cpa_nodes(e->cegar.cpa) && seen.n < VALUES; i++) {
    const struct pv_node *n = pv_cpa_node(e->cegar.cpa, i);
    pv_cells cells = {0};
    if (n->removed || !pv_point_eq(n->state.at, at)) continue;
    const struct pv_sym *values = pv_value_symbolic(n->state.part[0]);
    pv_symbolic_changed(values, &cells);
    for (uint32_t k = 0; k < cells.n; k++) {
      bool is_new;
      pv_term entry = pv_symbolic_cell(e->context.symbolic, cells.at[k])->entry;
      pv_term value = pv_symbolic_value(e->context.symbolic, values, cells.at[k]);
      pv_term equal = pv_smt_mk2(smt, PV_SMT_EQ, entry, value);
      pv_map_put(&seen, &equal, sizeof equal, 0, &is_new);
      if (is_new) propose(out, point, equal);
    }
    pv_vec_free(&cells);
  }
  pv_map_free(&seen);
  pv_vec_free(&predicates);
}

void pv_abstraction_candidates(struct pv_analysis_context *g, const struct pv_segments *s,
                               double seconds, pv_candidates *out) {
  struct pv_limits limits = *g->task->limits;
  struct pv_task task = *g->task;
  struct pv_result unused = {0};
  struct engine e = {.context = *g, .most = FOR_CANDIDATES};
  limits.seconds = seconds;
  limits.questions = QUESTIONS;
  pv_limits_start(&limits);
  task.limits = &limits;
  e.context.task = &task;
  e.context.given_up = e.context.granted = (struct pv_map){0};
  e.context.not_shown = (struct pv_str){0};
  e.context.monitor = NULL;
  struct pv_limits *whole = pv_smt_within(g->smt, &limits);
  explore(&e, &unused, true);
  pv_smt_within(g->smt, whole);
  for (uint32_t i = 0; i < s->points.n && !pv_context_lost(g); i++)
    collect(&e, i, s->points.at[i], out);
  end(&e);
  pv_map_free(&e.context.given_up);
  pv_map_free(&e.context.granted);
  pv_str_free(&e.context.not_shown);
  pv_result_clear(&unused);
}

static enum pv_status run_predicate(const struct pv_task *task, struct pv_result *result) {
  return run(task, result, false, NULL);
}
static enum pv_status run_composite(const struct pv_task *task, struct pv_result *result) {
  return run(task, result, true, NULL);
}

enum pv_status pv_composite_run(const struct pv_task *task, struct pv_result *result,
                                const struct pv_composite_setup *setup) {
  return run(task, result, true, setup);
}

const struct pv_engine pv_engine_predicate = {.name = "predicate",
                                              .isolated = true,
                                              .one_error = true,
                                              .help = "predicate abstraction with refinement",
                                              .run = run_predicate,
                                              .takes = pv_assumption_takes,
                                              .check = look_at_files};
const struct pv_engine pv_engine_composite = {.name = "composite",
                                              .isolated = true,
                                              .one_error = true,
                                              .help = "explicit values combined with predicates",
                                              .run = run_composite,
                                              .takes = pv_assumption_takes,
                                              .check = look_at_files};
