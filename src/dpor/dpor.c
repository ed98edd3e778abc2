/* dpor.c -- the engine for stateless search. */
#include "dpor/search.h"

#include <string.h>

#include "vm/unfold.h"

/* Properties that can be checked on the orders of events. The engine does not visit every state,
 * nor every final state. */
enum {
  NOT_CHECKED = PV_PROP_BIT(PV_PROP_INVARIANT) | PV_PROP_BIT(PV_PROP_VALID_MEMTRACK) |
                PV_PROP_BIT(PV_PROP_VALID_MEMCLEANUP) | PV_PROP_BIT(PV_PROP_MUTUAL_EXCLUSION)
};

static pv_properties memory_safety(void) {
  return PV_PROP_BIT(PV_PROP_VALID_DEREF) | PV_PROP_BIT(PV_PROP_VALID_FREE);
}

static void conclude(const struct pv_task *task, struct pv_result *r) {
  bool awaited = r->stats.blocked; /* executions that end while some thread waits for something */
  r->checked = task->properties & ~NOT_CHECKED;
  if (r->violations.n)
    r->verdict = PV_FALSE;
  else if (!r->condition.provisos.n)
    r->verdict = PV_TRUE;
  else if (r->stats.executions || awaited)
    r->verdict = PV_CONDITIONAL;
  else {
    r->verdict = PV_UNKNOWN;
    r->reason = pv_strdup("the search ended before the first execution did");
  }
}

/* Switches reductions off for a bound on preemptions. To move other threads' steps before or after
 * the steps of a combined event may need a further preemption; no preemption is counted if a thread
 * waits at an irrelevant operation. So with a bound every step is an event of its own. */
static void reduce_less(struct pv_options *o) {
  o->dependence = PV_DEPENDENCE_CONFLICT;
  o->peek = o->prune = 0;
}

/* A given frontier can be explored only if every visible operation matters and is an event of its
 * own: races with events of the prefix are not reversed, so an abstraction could not be refuted. */
static bool is_given_prefixes(const struct pv_task *task) {
  const struct pv_str any = {0};
  struct pv_bytes own;
  bool inputs;
  return task->given && !pv_condition_find_state(task->given, "dpor", &any, &own) &&
         pv_condition_beside_inputs(task->given, PV_OPEN_FRONTIER, &inputs);
}

/* Were all executions with as many preemptions as the task allows examined? */
static bool is_given_bound(const struct pv_task *task) {
  const struct pv_open_part *part =
      task->given ? pv_condition_only(task->given, PV_OPEN_BOUND) : NULL;
  return part && part->bound == PV_BOUND_PREEMPTIONS && !part->function &&
         task->options->preemptions != PV_ANY_PREEMPTIONS &&
         (uint64_t)task->options->preemptions <= part->number;
}

/* What the given condition leaves open exceeds the bound of the task: nothing is left to do. */
static void pass_on(const struct pv_task *task, struct pv_result *r) {
  pv_condition_append(&r->condition, task->given);
  r->checked = task->properties & ~NOT_CHECKED;
  r->verdict = PV_CONDITIONAL;
}

/* A given automaton is turned into the prefixes that it leaves open. *out: the given condition with
 * these. false: there is no automaton, or it is of no use. */
static bool unfold(const struct pv_task *task, struct pv_condition *out) {
  bool inputs;
  const struct pv_open_part *part =
      task->given ? pv_condition_beside_inputs(task->given, PV_OPEN_AUTOMATON, &inputs) : NULL;
  struct pv_open_part frontier = {0};
  if (!part || task->options->atomic != PV_ATOMIC_VISIBLE) return false;
  if (!pv_automaton_unfold(task, part, &frontier)) return false;
  pv_condition_copy(out, task->given);
  struct pv_open_part *copy = &out->parts.at[part - task->given->parts.at];
  pv_open_part_clear(copy);
  *copy = frontier;
  return true;
}

static bool takes(const struct pv_task *task) {
  struct pv_condition unfolded = {0};
  bool state = unfold(task, &unfolded);
  pv_condition_clear(&unfolded);
  for (uint32_t i = 0; i < task->given->states.n; i++)
    state |= !strcmp(task->given->states.at[i].engine, "dpor");
  return state || is_given_prefixes(task) || is_given_bound(task);
}

/* Searches with these options. Returns false if the budget ended the search. */
static bool search(const struct pv_task *task, const struct pv_options *options, uint64_t budget,
                   struct pv_result *result) {
  struct pv_task mine = *task;
  mine.options = options;
  struct pv_vm *vm = pv_vm_new(&mine, pv_sched_of(task->program->sched), &result->condition);
  struct pv_coverage_recorder *coverage =
      task->wants_coverage ? pv_coverage_new(task->program, vm) : NULL;
  if (options->exec && !coverage && !task->listeners) pv_vm_allow_native(vm);
  pv_vm_fresh(vm);
  pv_vm_start(vm);
  enum pv_dependence_kind kind = (enum pv_dependence_kind)options->dependence;
  struct pv_predicate *predicate = NULL;
  if (kind != PV_DEPENDENCE_CONFLICT)
    predicate = pv_predicate_new(&mine, kind == PV_DEPENDENCE_AUTO);
  result->checked = mine.properties & ~NOT_CHECKED; /* interim results tell it, too */
  bool is_over = pv_dpor_search(&mine, vm, pv_sched_of(task->program->sched), predicate, coverage,
                                budget, result);
  if (coverage && !result->violations.n) pv_coverage_find(coverage, &result->coverage);
  pv_coverage_free(coverage);
  if (predicate && kind == PV_DEPENDENCE_PREDICATE && !(mine.properties & memory_safety()))
    pv_condition_add(&result->condition, PV_PROVISO_ENGINE, NULL, 0,
                     "nothing that the properties do not depend on does something undefined to "
                     "memory (valid-deref and valid-free were not asked for)");
  pv_predicate_free(predicate);
  result->stats.instructions = pv_vm_instructions(vm);
  result->stats.choices = pv_vm_inputs(vm);
  pv_vm_free(vm);
  return is_over;
}

/* Does it hold without an assumption that another search may not need, or is there an error? */
static bool is_plain(const struct pv_result *r) {
  bool plain = true;
  for (uint32_t i = 0; i < r->condition.provisos.n; i++)
    plain &= r->condition.provisos.at[i].part != 0;
  return plain || r->violations.n;
}

/* Searches for so many transitions. A limit on states counts for each search by itself. Returns
 * false, and has changed nothing, if the search did not end, or if it searched only what follows
 * prefixes and met something that it does not cover. */
static bool try_search(const struct pv_task *task, const struct pv_condition *given,
                       const struct pv_options *options, uint64_t budget,
                       struct pv_result *result) {
  uint64_t most = task->limits->states;
  struct pv_task mine = *task;
  mine.given = given;
  mine.checkpoint = NULL;
  mine.sharing = NULL;
  mine.wants_parts = mine.wants_state = false;
  struct pv_result tried = {0};
  bool ended = search(&mine, options, most && most < budget ? most : budget, &tried) &&
               task->limits->hit == PV_LIMIT_NONE && (!given || is_plain(&tried));
  if (ended) {
    pv_condition_append(&result->condition, &tried.condition);
    pv_condition_clear(&tried.condition);
    tried.condition = result->condition;
    *result = tried;
  } else {
    pv_result_clear(&tried);
  }
  return ended;
}

/* The reductions that given prefixes forbid may save more than the prefixes do, or less. So both
 * are tried in turns: what follows the prefixes, and the whole search with all reductions. */
static bool try_both(const struct pv_task *task, const struct pv_options *options,
                     struct pv_result *result) {
  static const uint64_t budgets[][2] = {{64, 64}, {1000, 20000}}; /* transitions */
  struct pv_options less = *options;
  bool ended = false;
  reduce_less(&less);
  for (size_t i = 0; i < sizeof budgets / sizeof *budgets && !ended; i++)
    ended = try_search(task, task->given, &less, budgets[i][0], result) ||
            try_search(task, NULL, options, budgets[i][1], result);
  return ended;
}

static enum pv_status run(const struct pv_task *task, struct pv_result *result) {
  struct pv_condition unfolded = {0};
  struct pv_task mine = *task;
  struct pv_options options = *task->options; /* the texts are borrowed */
  double cpu = pv_cpu_clock();
  mine.properties &= ~NOT_CHECKED;
  if (task->options->atomic != PV_ATOMIC_VISIBLE) {
    result->reason = pv_strdup("engine `dpor` supports only --atomic visible");
    return PV_OK;
  }
  if (is_given_bound(task)) {
    pass_on(task, result);
    return PV_OK;
  }
  bool is_bounded = options.preemptions != PV_ANY_PREEMPTIONS || task->program->has_jumps;
  if (unfold(task, &unfolded)) mine.given = &unfolded;
  bool is_given = is_given_prefixes(&mine);
  bool reduces = options.dependence != PV_DEPENDENCE_CONFLICT || options.peek || options.prune;
  if (is_bounded || !is_given || !reduces || !try_both(&mine, &options, result)) {
    if (is_bounded || is_given) reduce_less(&options);
    search(&mine, &options, UINT64_MAX, result);
  }
  conclude(task, result);
  if (task->options->minimise && result->violations.n) task->minimise(task, result);
  pv_condition_clear(&unfolded);
  result->stats.seconds = pv_limits_elapsed(task->limits);
  result->stats.cpu_seconds = pv_cpu_clock() - cpu;
  result->stats.peak_memory = task->limits->peak;
  return PV_OK;
}

const struct pv_engine pv_engine_dpor = {
    .name = "dpor",
    .help = "stateless search: one execution for each class of equivalent ones",
    .run = run,
    .takes = takes,
    .unchecked = NOT_CHECKED};
