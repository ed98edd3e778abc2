/* explicit.c -- the explicit-state engine: the machine, a store, a search. */
#include <stdlib.h>

#include "engine.h"
#include "explore/minimise.h"
#include "explore/search.h"

/* Nothing is worth stating if a limit ended the search within its first transition. */
static void conclude(const struct pv_task *task, struct pv_result *r) {
  bool limited = task->limits->hit != PV_LIMIT_NONE;
  r->checked = task->properties;
  if (r->violations.n)
    r->verdict = PV_FALSE;
  else if (!r->condition.provisos.n)
    r->verdict = PV_TRUE;
  else if (!limited || r->stats.transitions > 1)
    r->verdict = PV_CONDITIONAL;
  else {
    r->verdict = PV_UNKNOWN;
    r->reason = pv_strdup("the search ended before it could verify anything");
  }
}

static void note_folded(const struct pv_task *task, struct pv_result *r) {
  if (!(task->properties & PV_PROP_BIT(PV_PROP_NO_OVERFLOW))) return;
  for (uint32_t i = 0; i < task->program->folded_overflows.n; i++)
    pv_condition_add(&r->condition, PV_PROVISO_UNSUPPORTED, NULL, 0,
                     "the constant expression at %s, which overflows, is not evaluated",
                     task->program->folded_overflows.at[i]);
}

/* Persistent sets leave states out: not for properties of states that are looked at as a whole.
 * Sleep sets leave out transitions only, all states are there; but under a depth limit a path that
 * was left out may be the shorter one. Sleep sets also need to know all that a transition will do,
 * of which the threads' pending operations tell only the first, under --atomic statement. */
static void choose_reduction(struct pv_search *s) {
  enum { NONE, SLEEP, PERSISTENT, BOTH };
  const struct pv_task *task = s->task;
  pv_properties whole = PV_PROP_BIT(PV_PROP_INVARIANT) | PV_PROP_BIT(PV_PROP_VALID_MEMTRACK) |
                        PV_PROP_BIT(PV_PROP_VALID_MEMCLEANUP);
  int por = task->options->por;
  bool whole_statements = task->options->atomic == PV_ATOMIC_STATEMENT;
  s->sleep = (por == SLEEP || por == BOTH) && !task->limits->depth && !whole_statements;
  if ((por == PERSISTENT || por == BOTH) && !(task->properties & whole))
    s->reduce = pv_reduce_new(task->program, s->sched);
}

static void note_native(const struct pv_vm *vm, struct pv_result *r) {
  const char *why = pv_vm_native_failure(vm);
  if (why)
    pv_vec_push(&r->notes,
                pv_format("transitions were interpreted, not compiled to machine code: %s", why));
}

static enum pv_status run(const struct pv_task *task, struct pv_result *result) {
  struct pv_search s = {.task = task, .result = result, .sched = &pv_sched_pthread};
  double cpu = pv_cpu_clock();
  s.vm = pv_vm_new(task, s.sched, &result->condition);
  pv_space_init(&s.space, s.vm);
  s.cache = pv_moves_cache_new(&s.space);
  choose_reduction(&s);
  if (task->options->exec) pv_vm_allow_native(s.vm);
  pv_vm_start(s.vm);
  if (task->options->search)
    pv_search_bfs(&s);
  else
    pv_search_dfs(&s);
  if (task->limits->hit != PV_LIMIT_NONE) pv_search_limit(&s, 0); /* hit by the last transition */
  note_folded(task, result);
  note_native(s.vm, result);
  conclude(task, result);
  pv_reduce_free(s.reduce);
  pv_masks_free(&s.left_out);
  pv_moves_cache_free(s.cache);
  pv_space_free(&s.space);
  pv_vm_free(s.vm);
  pv_vec_free(&s.path);
  pv_map_free(&s.reported);
  if (task->options->minimise) pv_minimise(task, result); /* has the memory for itself */
  result->stats.seconds = pv_limits_elapsed(task->limits);
  result->stats.cpu_seconds = pv_cpu_clock() - cpu;
  result->stats.peak_memory = task->limits->peak;
  return PV_OK;
}

const struct pv_engine pv_engine_explicit = {
    "explicit", "stateful search over all interleavings and inputs, states stored exactly", run};
