/* engine.c -- engine `esst`: explicit scheduler, symbolic threads (Cimatti, Narasamdya, Roveri,
 * LMCS 2012), for programs with cooperative threads; preemptive ones yield at visible operations,
 * and are as if they were cooperative. The scheduler is executed, so its state is a
 * part of the location; the data of all threads are one region of values and predicates. Rules and
 * their soundness: docs/esst.md.
 *
 * Framework: the reached-set algorithm, refinement and counterexamples are those of cpa/. A node is
 * (locations of all threads, scheduler state, region). Deviation: one region over the variables of
 * all threads instead of one for each thread and a global one. Rule E2 is a part of the move of the
 * call after which no thread runs, so a connector is no edge of its own. */
#include "cpa/assumption.h"
#include "cpa/engine_predicate.h"
#include "engine.h"
#include "esst/arguments.h"
#include "esst/instants.h"
#include "esst/reduction.h"

struct esst {
  struct pv_analysis_context *context;
  struct pv_esst_arguments arguments;
  struct pv_reduction *reduction; /* or NULL */
  bool is_closed;                 /* no other analysis decides what is examined */
  bool is_last;                   /* no other order is examined after it */
  bool knows_instants;            /* all cycles of the graph were looked at */
  bool forgets_clock;             /* calls that read the time have any result */
  const uint32_t *rank;           /* of the threads where the scheduler chooses; NULL: none */
  uint64_t *abstractions;         /* computed or found again, also in earlier parts of the run */
};

/* Handles of events and threads are values that must not be lost. Their parameter in the model of
 * the library has as many as there are in the program: at most 64 events, which are numbered by a
 * counter; a computed value counts eight times. */
enum { HANDLES = 640 };
enum { POR_NONE, POR_SLEEP, POR_PERSISTENT, POR_BOTH }; /* values of option `por` */

/* Reduction is for choices anew each time: with an order that stays, blocks that commute now may be
 * parts of threads that do not. Sleep sets must not meet analyses that see the order of steps. */
static bool reduces(const struct pv_task *task, const struct pv_composite_parts *parts) {
  const struct pv_options *o = task->options;
  if (task->properties & PV_PROP_BIT(PV_PROP_NO_ENDLESS_INSTANT)) return false; /* instants.h */
  return o->por != POR_NONE && o->order == PV_ORDER_ANY && parts->is_closed;
}

static const struct pv_analysis *prepare(void *user, const struct pv_composite_parts *parts) {
  struct esst *e = user;
  const struct pv_task *task = parts->context->task;
  int por = task->options->por;
  e->context = parts->context;
  e->is_closed = parts->is_closed;
  e->arguments =
      (struct pv_esst_arguments){parts->context, parts->predicates, parts->part, 0, NULL};
  if (reduces(task, parts))
    e->arguments.reduction = e->reduction =
        pv_reduction_new(parts, por != POR_PERSISTENT, por != POR_SLEEP);
  struct pv_argument_source source = pv_esst_argument_source(&e->arguments);
  pv_control_execute_scheduler(parts->context->control, pv_sched_of(task->program->sched),
                               (enum pv_sched_order)task->options->order, &source);
  if (e->forgets_clock) pv_control_forget_clock(parts->context->control);
  if (e->rank) pv_control_guide_scheduler(parts->context->control, e->rank);
  return e->reduction ? pv_reduction_analysis(e->reduction) : NULL;
}

/* Beside observers and limits of parts, and under a given condition, the graph does not have all
 * cycles. Nor does a graph that is not complete: then a condition must not say that the property
 * holds for a part of it. In these cases it is not checked. */
static void examine(void *user, const struct pv_cpa *cpa, struct pv_result *result) {
  struct esst *e = user;
  const struct pv_task *task = e->context->task;
  bool is_guided = task->given && pv_assumption_takes(task);
  if (!(task->properties & PV_PROP_BIT(PV_PROP_NO_ENDLESS_INSTANT))) return;
  if (!e->is_closed || is_guided) return;
  pv_instants_decide(task, cpa, e->context->control, e->is_last, result);
  e->knows_instants = true;
}

static void finish(void *user, struct pv_result *result) {
  struct esst *e = user;
  uint32_t states = pv_control_scheduler_states(e->context->control);
  const struct pv_predicates_stats *p = pv_predicates_stats(e->arguments.predicates);
  *e->abstractions += p->abstractions + p->cached;
  if (states)
    pv_vec_push(&result->notes,
                pv_format("%u states of the scheduler were met, and %llu ends of blocks", states,
                          (unsigned long long)*e->abstractions));
  if (e->reduction) {
    result->stats.reduced = pv_reduction_stats(e->reduction)->reduced;
    result->stats.slept = pv_reduction_stats(e->reduction)->slept;
    uint64_t images = pv_reduction_stats(e->reduction)->images;
    if (images)
      pv_vec_push(&result->notes,
                  pv_format("%llu choices were left out, because a thread that is alike was chosen",
                            (unsigned long long)images));
  }
  if (e->knows_instants) result->checked |= PV_PROP_BIT(PV_PROP_NO_ENDLESS_INSTANT);
  pv_reduction_free(e->reduction);
  e->reduction = NULL;
}

static enum pv_status explore_once(const struct pv_task *task, int order, const uint32_t *rank,
                                   bool forgets_clock, uint64_t *abstractions,
                                   struct pv_result *result) {
  struct pv_options options = *task->options;
  struct pv_task part = *task;
  struct esst e = {.rank = rank, .abstractions = abstractions, .forgets_clock = forgets_clock};
  struct pv_composite_setup setup = {&e, prepare, examine, finish, HANDLES};
  e.is_last = !rank && !forgets_clock && order == task->options->order;
  options.order = order;
  part.options = &options;
  /* What one of several orders leaves open says nothing about the others. */
  if (rank) part.wants_parts = part.wants_interim = false;
  return pv_composite_run(&part, result, &setup);
}

/* Takes over the effort of an earlier part of the run. */
static void add_effort(struct pv_result *result, const struct pv_result *earlier) {
  result->stats.states += earlier->stats.states;
  result->stats.refinements += earlier->stats.refinements;
  result->stats.reduced += earlier->stats.reduced;
  result->stats.slept += earlier->stats.slept;
  if (result->stats.predicates < earlier->stats.predicates)
    result->stats.predicates = earlier->stats.predicates;
}

static void replace(struct pv_result *result, struct pv_result *by) {
  add_effort(by, result);
  pv_result_clear(result);
  *result = *by;
  *by = (struct pv_result){0};
}

/* Does the program read a clock of the scheduler? Then its states are without end, unless the clock
 * is forgotten. */
static bool reads_clock(const struct pv_program *p) {
  const struct pv_sched *sched = pv_sched_of(p->sched);
  bool reads = false;
  for (uint32_t i = 0; sched->reads_clock && i < p->prims.n; i++)
    reads |= sched->reads_clock(p->prims.at[i].prim);
  return reads;
}

/* First with any time, and only if that does not suffice, with the exact one. A condition that the
 * first part left is kept if the second one has no verdict. */
static enum pv_status explore(const struct pv_task *task, int order, const uint32_t *rank,
                              uint64_t *abstractions, struct pv_result *result) {
  struct pv_result next = {0};
  bool forgets = reads_clock(task->program);
  PV_TRY(explore_once(task, order, rank, forgets, abstractions, result));
  bool decided = result->violations.n > 0 || result->verdict == PV_TRUE;
  if (!forgets || decided || task->limits->hit != PV_LIMIT_NONE) return PV_OK;
  PV_TRY(explore_once(task, order, rank, false, abstractions, &next));
  decided = next.violations.n > 0 || next.verdict == PV_TRUE;
  if (decided || result->verdict != PV_CONDITIONAL) {
    replace(result, &next);
  } else {
    add_effort(result, &next);
    pv_result_clear(&next);
  }
  return PV_OK;
}

/* ---- orders that stay --------------------------------------------------------------------------
 * Every run under an order that stays is a run with choices anew each time. So these are examined
 * first, with reduction. If they have an error, the order in which the threads of that run began is
 * tried, and then every order. */

/* Ranks the threads in the order in which they ran first; or, later ones first, in that in which
 * they ran last. Those that never ran come last. */
static void rank_threads(const struct pv_error_path *path, bool backwards,
                         uint32_t rank[PV_MAX_THREADS]) {
  uint32_t n = 0;
  for (uint32_t t = 0; t < PV_MAX_THREADS; t++) rank[t] = PV_MAX_THREADS + t;
  for (uint32_t i = 0; i < path->choices.n; i++) {
    uint32_t t = path->choices.at[backwards ? path->choices.n - 1 - i : i].thread;
    if (t < PV_MAX_THREADS && rank[t] >= PV_MAX_THREADS) rank[t] = n++;
  }
}

static enum pv_status explore_orders(const struct pv_task *task, struct pv_result *result) {
  struct pv_result next = {0};
  struct pv_error_path path = {0}; /* borrowed from the first result */
  uint32_t rank[2][PV_MAX_THREADS];
  uint64_t abstractions = 0;
  PV_TRY(explore(task, PV_ORDER_ANY, NULL, &abstractions, result));
  bool found = result->violations.n > 0;
  if (!found && (result->verdict == PV_TRUE || task->limits->hit != PV_LIMIT_NONE)) return PV_OK;
  if (found) path = result->violations.at[0].path;
  for (int i = 0; i < 2; i++) rank_threads(&path, i, rank[i]);
  for (int i = 0; found && i < 2; i++) {
    PV_TRY(explore(task, PV_ORDER_ALL, rank[i], &abstractions, &next));
    found = !next.violations.n;
    replace(result, &next);
    if (!found) return PV_OK;
  }
  PV_TRY(explore(task, PV_ORDER_ALL, NULL, &abstractions, &next));
  replace(result, &next);
  return PV_OK;
}

static enum pv_status run(const struct pv_task *task, struct pv_result *result) {
  const struct pv_options *o = task->options;
  /* What is verified of every order that stays says nothing about choices anew each time. */
  bool is_preemptive = pv_sched_of(task->program->sched)->preemptive;
  bool anew = !is_preemptive && o->por != POR_NONE && !(task->given && pv_assumption_takes(task));
  if (o->order == PV_ORDER_ALL && anew) return explore_orders(task, result);
  uint64_t abstractions = 0;
  if (is_preemptive) return explore_once(task, PV_ORDER_ANY, NULL, false, &abstractions, result);
  return explore(task, o->order, NULL, &abstractions, result);
}

const struct pv_engine pv_engine_esst = {
    .name = "esst",
    .isolated = true,
    .one_error = true,
    .cooperative = true,
    .instants = true,
    .help = "explicit scheduler, symbolic threads: for cooperative threads, and small "
            "programs with POSIX threads",
    .run = run,
    .takes = pv_assumption_takes};
