/* explicit.c -- the explicit-state engine: connects the VM, the store and a search. */
#include <stdlib.h>

#include "engine.h"
#include "analysis/sections.h"
#include "explore/guide.h"
#include "explore/live.h"
#include "explore/live_graph.h"
#include "explore/minimise.h"
#include "explore/search.h"
#include "explore/symmetry.h"

/* Sets the verdict. No statement about coverage is made if a limit ended the search within its
 * first transition. */
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

/* The size of the table for bitstate hashing. The table does not grow, and its size decides which
 * states are lost. So it depends only on the memory limit: half of what exceeds 100 MB, which the
 * process needs at the start with clang and LLVM. The other half is for the path and the
 * components. Without a requested limit it is at most 256 MiB. */
static uint64_t filter_bytes(const struct pv_limits *l) {
  const uint64_t start = 100000000, modest = (uint64_t)256 << 20;
  uint64_t bytes = l->memory / 4;
  if (l->memory > start && (l->memory - start) / 2 > bytes) bytes = (l->memory - start) / 2;
  return !l->memory || (!l->memory_asked && bytes > modest) ? modest : bytes;
}

static void choose_store(struct pv_search *s) {
  const struct pv_task *task = s->task;
  switch ((enum pv_store_kind)task->options->store) {
  case PV_STORE_EXACT: break;
  case PV_STORE_COMPACT64: pv_space_may_lose(&s->space, pv_visited_compact(64)); break;
  case PV_STORE_COMPACT128: pv_space_may_lose(&s->space, pv_visited_compact(128)); break;
  case PV_STORE_BITSTATE:
    pv_space_may_lose(&s->space,
                      pv_visited_bits(filter_bytes(task->limits), (unsigned)task->options->hashes));
    break;
  }
}

/* Does partial-order reduction keep the temporal properties? */
static bool keeps_claims(const struct pv_task *task) {
  struct pv_ltl_spec spec;
  struct pv_str ignored = {0}; /* it was read before */
  bool keeps =
      pv_ltl_spec_read(task->options, &spec, &ignored) == PV_OK && pv_live_may_reduce(task, &spec);
  pv_ltl_spec_clear(&spec);
  pv_str_free(&ignored);
  return keeps;
}

/* Decides which reductions are used. Persistent sets leave out states, so they do not work for
 * properties of whole states. Sleep sets leave out only transitions. But under a depth limit the
 * path that was left out may be the shorter one. They are stored by state, which a lossy store
 * cannot do. They also need all operations of a transition; under --atomic statement the pending
 * operations are only the first ones. */
static void choose_reduction(struct pv_search *s) {
  enum { NONE, SLEEP, PERSISTENT, BOTH };
  const struct pv_task *task = s->task;
  enum pv_search_kind search = (enum pv_search_kind)task->options->search;
  pv_properties whole = PV_PROP_BIT(PV_PROP_INVARIANT) | PV_PROP_BIT(PV_PROP_VALID_MEMTRACK) |
                        PV_PROP_BIT(PV_PROP_VALID_MEMCLEANUP) |
                        PV_PROP_BIT(PV_PROP_MUTUAL_EXCLUSION);
  int por = task->options->por;
  bool whole_statements = task->options->atomic == PV_ATOMIC_STATEMENT;
  bool slept = search <= PV_SEARCH_BFS;                                  /* see best.c and */
  bool all_move = search == PV_SEARCH_ASTAR || search == PV_SEARCH_WALK; /* walk.c */
  if (!s->sched->preemptive) return; /* the scheduler leaves little choice */
  bool temporal = task->properties & PV_PROP_TEMPORAL;
  s->sleep = (por == SLEEP || por == BOTH) && !task->limits->depth && !s->space.visited &&
             !whole_statements && slept && !temporal;
  /* The frames do not tell everything that a thread may still do. */
  bool jumps = task->program->has_jumps;
  if ((por == PERSISTENT || por == BOTH) && !(task->properties & whole) && !jumps &&
      !pv_sections_wait(task->program) && !all_move && (!temporal || keeps_claims(task)))
    s->reduce = pv_reduce_new(task->program, s->sched, &s->space);
  s->rest.on = por == BOTH;
  if (s->reduce) pv_space_order(&s->space, pv_reduce_places(s->reduce));
}

static void note_loss(const struct pv_search *s, struct pv_result *r) {
  if (!s->space.visited) return;
  struct pv_str text = {0};
  r->loss = pv_visited_loss(s->space.visited);
  pv_str_addf(&text, "%s, p <= ", pv_options_choice_name("store", s->task->options->store));
  pv_probability_up(r->loss.bound, &text);
  if (r->loss.expected >= 0.1) pv_str_addf(&text, "; expected: %.2g", r->loss.expected);
  pv_condition_add(&r->condition, PV_PROVISO_LOSSY, NULL, 0, "no state was lost by the store (%s)",
                   pv_str_cstr(&text));
  pv_str_free(&text);
}

static void note_symmetry(const struct pv_search *s, struct pv_result *r) {
  const char *obstacle = s->space.symmetry ? pv_symmetry_obstacle(s->space.symmetry) : NULL;
  if (obstacle)
    pv_vec_push(
        &r->notes,
        pv_format("threads were not treated as interchangeable, because the program %s", obstacle));
}

/* What the options ask for and cooperative threads do not have. */
static void note_cooperation(const struct pv_search *s, struct pv_result *r) {
  if (s->sched->preemptive) return;
  if (s->task->options->symmetry)
    pv_vec_push(&r->notes, pv_strdup("threads were not treated as interchangeable, because they "
                                     "are cooperative"));
  if (s->task->options->minimise)
    pv_vec_push(&r->notes, pv_strdup("error paths were not shortened, because threads are "
                                     "cooperative"));
}

/* What the focus left out. A thread with a number that the observed execution did not have is left
 * out, too. */
static void note_focus(const struct pv_search *s, struct pv_result *r) {
  struct pv_str threads = {0};
  if (!s->outside) return;
  PV_FOR_THREADS(t, s->task->focus->threads)
  pv_str_addf(&threads, "%s%u", threads.n ? ", " : "", t);
  pv_condition_add(&r->condition, PV_PROVISO_ENGINE, NULL, 0,
                   "no error needs a thread outside of the window, threads %s (--window)",
                   pv_str_cstr(&threads));
  pv_str_free(&threads);
}

static void note_native(const struct pv_vm *vm, struct pv_result *r) {
  const char *why = pv_vm_native_failure(vm);
  if (why)
    pv_vec_push(&r->notes,
                pv_format("transitions were interpreted, not compiled to machine code: %s", why));
}

/* Are the edges of transitions to be recorded? They are kept by state. Workers have no common
 * record. */
static bool covers_edges(const struct pv_task *task) {
  const struct pv_options *o = task->options;
  return task->wants_coverage && o->store == PV_STORE_EXACT && o->threads == 1 &&
         o->search != PV_SEARCH_WALK;
}

/* Tells those who listen to the task, and the coverage, what the search does. */
static void listen(struct pv_search *s) {
  const struct pv_listeners *asked = s->task->listeners;
  for (uint32_t i = 0; asked && i < asked->list.n; i++)
    pv_listeners_add(&s->listeners, &asked->list.at[i]);
  if (!s->coverage) return;
  proviso_listener coverage = pv_coverage_listener(s->coverage);
  pv_listeners_add(&s->listeners, &coverage);
}

static void set_up(struct pv_search *s, const struct pv_task *task, struct pv_result *result) {
  s->task = task;
  s->result = result;
  s->sched = pv_sched_of(task->program->sched);
  s->vm = pv_vm_new(task, s->sched, &result->condition);
  const struct pv_open_part *automaton = pv_search_automaton(task);
  bool covers = covers_edges(task), watches = covers || automaton || task->listeners;
  if (automaton) {
    pv_vm_follow(s->vm, automaton);
    pv_search_leave_inputs(s);
  }
  pv_space_init(&s->space, s->vm, task->options->exec && !watches);
  s->cache = pv_moves_cache_new(&s->space);
  s->lot = (uint64_t)task->options->seed;
  s->lots = task->options->seed != 0;
  choose_store(s);
  bool whole = task->properties & PV_PROP_TEMPORAL;
  if (task->options->symmetry && !task->program->has_jumps && s->sched->preemptive && !whole)
    pv_symmetry_new(task, s->sched, &s->space);
  choose_reduction(s);
  if (task->options->exec && !watches) pv_vm_allow_native(s->vm);
  if (covers) s->coverage = pv_coverage_new(task->program, s->vm);
  listen(s);
  pv_vm_start(s->vm);
  pv_search_prepare(s);
  if (s->registry) pv_vm_share(s->vm, s->registry);
}

static void tear_down(struct pv_search *s) {
  pv_search_close(s);
  pv_coverage_free(s->coverage);
  pv_listeners_free(&s->listeners);
  pv_reduce_free(s->reduce);
  pv_masks_free(&s->left_out);
  pv_moves_cache_free(s->cache);
  pv_symmetry_free(s->space.symmetry);
  pv_space_free(&s->space);
  pv_vm_free(s->vm);
  pv_registry_free(s->registry);
  pv_vec_free(&s->path);
  pv_vec_free(&s->visited);
  pv_map_free(&s->reported);
}

/* One of several workers that search in parallel, with its own limits and result. */
struct worker {
  struct pv_search search;
  struct pv_task task;
  struct pv_limits limits;
  struct pv_result result;
};

static struct pv_search *make_worker(void *user) {
  struct worker *w = pv_alloc(sizeof *w);
  w->task = *(const struct pv_task *)user;
  w->limits = *w->task.limits;
  w->limits.reserve = NULL;
  w->task.limits = &w->limits;
  w->task.progress = NULL;
  w->task.listeners = NULL;
  w->task.wants_parts = w->task.wants_state = false;
  w->task.given = NULL;
  set_up(&w->search, &w->task, &w->result);
  return &w->search;
}

static void end_worker(struct pv_search *s) {
  struct worker *w = (struct worker *)(void *)s; /* s is its first member */
  tear_down(s);
  pv_result_clear(&w->result);
  free(w);
}

static void search_guided(struct pv_search *s, struct pv_guide *shared) {
  enum pv_search_kind kind = (enum pv_search_kind)s->task->options->search;
  struct pv_guide *own = NULL;
  if (shared)
    pv_guide_follow(shared, &s->space, s->cache);
  else
    own = pv_guide_new(s->task, &s->space, s->cache, kind == PV_SEARCH_ASTAR, s->result);
  if (kind == PV_SEARCH_GREEDY)
    pv_search_greedy(s, shared ? shared : own);
  else
    pv_search_best(s, kind, shared ? shared : own);
  pv_guide_free(own);
}

static void search_in_order(struct pv_search *s, struct pv_guide *guide) {
  switch ((enum pv_search_kind)s->task->options->search) {
  case PV_SEARCH_DFS: pv_search_dfs(s); break;
  case PV_SEARCH_BFS: pv_search_bfs(s); break;
  case PV_SEARCH_WALK: pv_search_walk(s); break;
  case PV_SEARCH_BEST:
  case PV_SEARCH_ASTAR:
  case PV_SEARCH_BEAM:
  case PV_SEARCH_GREEDY: search_guided(s, guide); break;
  case PV_SEARCH_PORTFOLIO: PV_REQUIRE(false, "it has searches of its own");
  }
}

static void search(struct pv_search *s, struct pv_guide *guide) {
  const struct pv_task *task = s->task;
  task->limits->reserve = pv_search_reserve;
  task->limits->reserve_user = s;
  if (task->properties & PV_PROP_TEMPORAL)
    pv_search_live(s);
  else if (task->options->threads > 1)
    pv_search_parallel(s, (unsigned)task->options->threads, make_worker, end_worker,
                       (void *)(uintptr_t)task);
  else
    search_in_order(s, guide);
  /* A limit was hit by the last transition. */
  if (task->limits->hit != PV_LIMIT_NONE) pv_search_limit(s, 0);
  task->limits->reserve = NULL;
}

bool pv_search_run(const struct pv_task *task, const struct pv_search_turn *turn,
                   struct pv_result *result) {
  struct pv_search s = {0};
  set_up(&s, task, result);
  if (turn) {
    s.lot = turn->lot;
    s.lots = true;
    s.budget = turn->budget;
  }
  search(&s, turn ? turn->guide : NULL);
  note_loss(&s, result);
  note_native(s.vm, result);
  note_focus(&s, result);
  note_symmetry(&s, result);
  note_cooperation(&s, result);
  conclude(task, result);
  if (s.coverage && !result->coverage.edges.n && !result->violations.n)
    pv_coverage_find(s.coverage, &result->coverage);
  if (s.coverage && result->verdict == PV_TRUE) result->coverage.share = 1;
  tear_down(&s);
  return !s.spent;
}

/* Temporal properties have a search of their own, before that for the others. */
static void run_temporal(struct pv_task *task, struct pv_result *result) {
  struct pv_task own = *task;
  own.properties &= PV_PROP_TEMPORAL;
  /* What is in between in a statement is of interest, too. */
  struct pv_options options = *task->options; /* the texts are borrowed */
  if (options.atomic == PV_ATOMIC_STATEMENT) options.atomic = PV_ATOMIC_VISIBLE;
  own.options = &options;
  own.given = NULL;
  own.wants_parts = own.wants_state = false;
  if (own.properties) pv_search_run(&own, NULL, result);
  task->properties &= ~own.properties;
}

static enum pv_status run(const struct pv_task *asked, struct pv_result *result) {
  double cpu = pv_cpu_clock();
  struct pv_task others = *asked, *task = &others;
  run_temporal(task, result);
  bool ends = result->violations.n && !task->options->keep_going;
  if (!task->properties || ends)
    ;
  else if (task->options->search == PV_SEARCH_PORTFOLIO)
    pv_search_portfolio(task, result);
  else
    pv_search_run(task, NULL, result);
  bool minimises = task->options->minimise && pv_sched_of(task->program->sched)->preemptive;
  if (minimises && task->properties) pv_minimise(task, result); /* it uses the memory limit */
  result->checked = asked->properties;
  result->stats.seconds = pv_limits_elapsed(task->limits);
  result->stats.cpu_seconds = pv_cpu_clock() - cpu;
  result->stats.peak_memory = task->limits->peak;
  return PV_OK;
}

/* Other engines leave this property to a proviso. */
static enum pv_status check(const struct pv_task *task, struct pv_str *message) {
  bool asked = task->properties & PV_PROP_BIT(PV_PROP_NO_ENDLESS_INSTANT);
  const struct pv_sched *sched = pv_sched_of(task->program->sched);
  if (!asked || sched->inside) return PV_OK;
  pv_str_addf(message,
              "property `no-endless-instant` is about cooperative schedulers; `%s` has no instants",
              sched->name);
  return PV_E_INPUT;
}

const struct pv_engine pv_engine_explicit = {
    .name = "explicit",
    .help = "stateful search over all interleavings and inputs",
    .run = run,
    .check = check,
    .cooperative = true,
    .temporal = true,
    .takes = pv_search_takes};
