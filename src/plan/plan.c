#include "plan/plan.h"

#include <string.h>

#include "plan/isolate.h"
#include "vm/vm.h"

static const struct pv_engine *named(const char *name) {
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
/* What the compiler evaluated before any engine saw it. */
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
    pv_condition_add(&r->condition, PV_PROVISO_UNSUPPORTED, NULL, 0,
                     "%s is not used after the end of its block, nor read before it is set anew",
                     task->program->unended.at[i]);
}

/* Engines are not asked to look again for what the program itself leaves open. */
static void note_open(const struct pv_task *task, struct pv_result *r) {
  note_folded(task, r);
  note_unended(task, r);
  if (r->verdict == PV_TRUE && r->condition.provisos.n) r->verdict = PV_CONDITIONAL;
}

/* ---- one engine ------------------------------------------------------------------------------ */
static void note_unproven(const struct pv_task *task, const struct pv_engine *engine,
                          struct pv_result *r) {
  bool proven = r->verdict == PV_TRUE || r->verdict == PV_CONDITIONAL;
  if (task->options->check_proof && proven && r->proof.state == PV_PROOF_NONE)
    pv_vec_push(&r->notes,
                pv_format("engine `%s` gave no proof that could be checked", engine->name));
}

static void guard(const struct pv_task *task, const struct pv_engine *engine, struct pv_result *r) {
  pv_properties missing = task->properties & ~r->checked;
  drop_unreplayed(task, r);
  for (unsigned i = 0; i < PV_PROP_COUNT && r->verdict != PV_FALSE; i++)
    if (missing & PV_PROP_BIT(i))
      pv_condition_add(&r->condition, PV_PROVISO_ENGINE, NULL, 0,
                       "property %s holds, which this engine does not check",
                       pv_property_table[i].name);
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

static enum pv_status run_engine(const struct pv_task *task, const struct pv_engine *engine,
                                 struct pv_result *result) {
  struct pv_task with_replay = *task;
  with_replay.replay = pv_plan_replay_inputs;
  with_replay.replay_choices = pv_plan_replay_choices;
  with_replay.minimise = pv_plan_minimise;
  PV_TRY(engine->isolated ? pv_isolate(engine, &with_replay, result)
                          : engine->run(&with_replay, result));
  guard(task, engine, result);
  note_unproven(task, engine, result);
  for (uint32_t i = 0; i < task->program->notes.n; i++)
    pv_vec_push(&result->notes, pv_strdup(task->program->notes.at[i]));
  return PV_OK;
}

/* ---- auto ------------------------------------------------------------------------------------ */

/* How an attempt goes about it. */
enum {
  LOOK = 1,
  BREADTH = 2, /* first: where there is no end of states, errors are found by breadth */
  BITS = 4, /* integers as bit-vectors; for longer only where linear arithmetic does not say all */
  DIRECTED = 8, /* where errors are near first */
  REST = 16,    /* only if no search of all schedules has come to its end */
  INPUTS = 32   /* only if nothing but values of inputs is left to try */
};

/* What `auto` tries in turn. First short looks, of at most so many seconds and share of the time
 * left. The first is counted in states: most runs end in it, and shall be the same on every
 * machine. Then for longer: the share of the time left, or the seconds where there is no limit (0:
 * none for it either). An engine that was not short of time or states does not come again in the
 * same way. */
struct attempt {
  const char *engine;
  double share, seconds;
  unsigned how;
  uint64_t states; /* transitions of engine dpor; 0: as many as the task allows */
};
enum { MOST_ATTEMPTS = 17 };
struct course {
  struct attempt at[MOST_ATTEMPTS]; /* up to the first one without an engine */
};

/* Sequential programs: small ones are run through, shallow errors lie within a few rounds of every
 * loop, and most proofs take little. */
static const struct course of_data = {{{"explicit", 0.1, 2, LOOK, 100000},
                                       {"bmc", 0.1, 1, LOOK, 0},
                                       {"composite", 0.2, 5, LOOK, 0},
                                       {"kinduction", 0.1, 3, LOOK, 0},
                                       {"kinduction", 0.1, 3, LOOK | BITS, 0},
                                       {"explicit", 0.1, 5, LOOK | BREADTH, 0},
                                       {"bmc", 0.1, 5, LOOK | BITS, 0},
                                       {"bmc", 0.1, 5, LOOK, 0},
                                       {"composite", 0.2, 5, LOOK | BITS, 0},
                                       {"composite", 0.4, 30, 0, 0},
                                       {"kinduction", 0.3, 15, 0, 0},
                                       {"bmc", 0.3, 15, BITS, 0},
                                       {"predicate", 0.3, 15, 0, 0},
                                       {"value", 0.3, 15, 0, 0},
                                       {"composite", 0.4, 30, BITS, 0},
                                       {"bmc", 0.5, 15, 0, 0},
                                       {"explicit", 1, 0, BREADTH, 0}}};

/* Threads: where there are too many states, errors may be near, and there may be few orders of
 * events that matter; if neither, there is no way around the states. Then come engines that treat
 * all inputs at once. */
static const struct course of_threads = {{{"explicit", 0.2, 10, LOOK, 100000},
                                          {"explicit", 0.1, 10, LOOK | DIRECTED, 100000},
                                          {"dpor", 0.3, 20, LOOK | REST, 1000000},
                                          {"explicit", 1, 0, REST, 0},
                                          {"composite", 1, 30, INPUTS, 0}}};

/* The same if the user says how states are searched, or wants more than the first path found. */
static const struct course as_asked = {{{"explicit", 1, 0, 0, 0}, {"composite", 1, 30, INPUTS, 0}}};

#define AT_ONCE 1e-3 /* the time is over: it went into compiling; 0 would be no limit */

static struct pv_limits limits_for(const struct attempt *a, const struct pv_limits *asked) {
  struct pv_limits own = *asked;
  double share = a->share * (asked->seconds - pv_limits_elapsed(asked));
  if (asked->seconds > 0 && share < AT_ONCE) share = AT_ONCE;
  bool is_look = a->how & LOOK;
  own.seconds = asked->seconds <= 0 || (is_look && a->seconds < share) ? a->seconds : share;
  if (a->states && (!asked->states || a->states < asked->states)) own.states = a->states;
  pv_limits_start(&own);
  return own;
}

/* Was it time that the engine was short of, or rounds, of which it makes more in more time? */
static bool wants_time(const struct pv_result *r) {
  for (uint32_t i = 0; i < r->condition.provisos.n; i++) {
    enum pv_proviso_kind k = r->condition.provisos.at[i].kind;
    if (k == PV_PROVISO_TIME || k == PV_PROVISO_UNWINDING) return true;
  }
  return false;
}

/* Are there calls of the scheduler? Programs with threads are for the explicit engine first. */
static bool has_threads(const struct pv_program *p) {
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
      if (p->functions.at[f].edges.at[i].op == PV_OP_PRIM) return true;
  return false;
}

/* Does something else than values of inputs and what the machine does not do keep an engine's
 * result from being whole? */
static bool is_restricted(const struct pv_result *r) {
  for (uint32_t i = 0; i < r->condition.provisos.n; i++)
    if (r->condition.provisos.at[i].kind == PV_PROVISO_ENGINE) return true;
  return false;
}

/* Is it only that not all inputs were tried? */
static bool wants_inputs(const struct pv_result *r) {
  bool only = r->verdict == PV_CONDITIONAL && r->condition.provisos.n;
  for (uint32_t i = 0; i < r->condition.provisos.n; i++)
    only &= r->condition.provisos.at[i].kind == PV_PROVISO_INPUT;
  return only;
}

/* Was the search cut off, so that nothing is known of what is behind? */
static bool is_cut_off(const struct pv_result *r) {
  for (uint32_t i = 0; i < r->condition.provisos.n; i++) {
    switch (r->condition.provisos.at[i].kind) {
    case PV_PROVISO_TIME:
    case PV_PROVISO_MEMORY:
    case PV_PROVISO_STATES: return true;
    default: break;
    }
  }
  return false;
}

/* Would it be better to show this result than that of an earlier attempt? */
static bool is_better(const struct pv_result *a, const struct pv_result *b, bool same_engine) {
  static const int rank[] = {[PV_UNKNOWN] = 0, [PV_CONDITIONAL] = 1, [PV_TRUE] = 2, [PV_FALSE] = 2};
  if (rank[a->verdict] != rank[b->verdict]) return rank[a->verdict] > rank[b->verdict];
  if (a->violations.n != b->violations.n) return a->violations.n > b->violations.n;
  if (same_engine) return a->stats.states >= b->stats.states; /* it went further */
  if (is_cut_off(a) != is_cut_off(b)) return is_cut_off(b);
  return a->verdict != PV_UNKNOWN && a->condition.provisos.n < b->condition.provisos.n;
}

/* Is there nothing more to find? */
static bool is_settled(const struct pv_task *task, const struct pv_result *r, bool is_all) {
  if (r->verdict == PV_FALSE) return !task->options->keep_going || is_all;
  return r->verdict == PV_TRUE;
}

/* How far `auto` has come. */
struct progress {
  const struct course *course;
  bool ended[MOST_ATTEMPTS]; /* by attempt: it was not short of time or states */
  bool is_through;           /* one of those that search all schedules ended */
  bool is_all;               /* did the attempt whose result is shown look for every error? */
  bool is_for_bits; /* did linear arithmetic leave values open, or have them wrap around? */
};

/* Was the engine tried before, in the same way, and not short of anything? */
static bool is_done(const struct progress *p, size_t i) {
  const struct attempt *at = p->course->at;
  bool done = false;
  for (size_t k = 0; k < i; k++)
    done |= p->ended[k] && !strcmp(at[k].engine, at[i].engine) &&
            (at[k].how & BITS) == (at[i].how & BITS);
  return done;
}

static bool is_due(const struct progress *p, size_t i, const struct pv_task *task,
                   const struct pv_result *so_far) {
  unsigned how = p->course->at[i].how;
  if (is_done(p, i) || (named(p->course->at[i].engine)->unchecked & task->properties)) return false;
  if ((how & BITS) && !(how & LOOK) && !p->is_for_bits) return false;
  if ((how & REST) && p->is_through) return false;
  return !(how & INPUTS) || wants_inputs(so_far);
}

static bool searches_by_default(const struct pv_options *o) {
  return o->search == PV_SEARCH_DFS && o->store == PV_STORE_EXACT &&
         o->symmetry == PV_SYMMETRY_NONE && o->atomic == PV_ATOMIC_VISIBLE && o->threads == 1;
}

static const struct course *course_for(const struct pv_task *task) {
  const struct pv_options *o = task->options;
  if (!has_threads(task->program)) return &of_data;
  return searches_by_default(o) && !o->keep_going && !o->minimise ? &of_threads : &as_asked;
}

static struct pv_options options_for(const struct attempt *a, const struct pv_options *asked) {
  struct pv_options own = *asked;
  if (a->how & BITS) own.integers = 1;
  bool depth_only = own.store != PV_STORE_EXACT || own.symmetry != PV_SYMMETRY_NONE;
  if ((a->how & BREADTH) && !depth_only) own.search = PV_SEARCH_BFS;
  if (a->how & DIRECTED) own.search = PV_SEARCH_BEST;
  return own;
}

/* Notes how the attempt ended, with what result; asked: the limits of all of them. */
static void note_end(struct progress *p, size_t i, const struct pv_task *attempt,
                     const struct pv_limits *asked, const struct pv_result *found) {
  const struct attempt *a = &p->course->at[i];
  const struct pv_limits *own = attempt->limits;
  bool short_of_states = own->hit == PV_LIMIT_STATES && own->states != asked->states;
  p->ended[i] = !wants_time(found) && !short_of_states;
  p->is_through |= p->ended[i] && (!strcmp(a->engine, "explicit") || !is_restricted(found));
  p->is_for_bits |=
      attempt->options->integers == 0 && (found->stats.imprecise || found->stats.wrapping);
}

static enum pv_status run_auto(const struct pv_task *task, struct pv_result *result,
                               const char **engine) {
  struct progress p = {.course = course_for(task)};
  for (size_t i = 0; i < MOST_ATTEMPTS && p.course->at[i].engine; i++) {
    const struct attempt *a = &p.course->at[i];
    if (!is_due(&p, i, task, result)) continue;
    struct pv_limits limits = limits_for(a, task->limits);
    struct pv_options options = options_for(a, task->options);
    struct pv_task mine = *task;
    struct pv_result found = {0};
    mine.limits = &limits;
    mine.options = &options;
    enum pv_status status = run_engine(&mine, named(a->engine), &found);
    note_end(&p, i, &mine, task->limits, &found);
    if (limits.peak > task->limits->peak) task->limits->peak = limits.peak;
    task->limits->children += limits.children;
    bool better = i == 0 || is_better(&found, result, !strcmp(*engine, a->engine));
    if (better) {
      *engine = a->engine;
      p.is_all = p.ended[i] && !named(a->engine)->one_error;
    }
    pv_result_clear(better ? result : &found);
    if (better) *result = found;
    PV_TRY(status);
    if (is_settled(task, result, p.is_all)) break;
    if (pv_limits_look(task->limits) != PV_LIMIT_NONE) break;
  }
  return PV_OK;
}

enum pv_status pv_plan_check(const struct pv_task *task, struct pv_str *message) {
  for (const struct pv_engine *const *e = pv_engines; *e; e++)
    if ((*e)->check) PV_TRY((*e)->check(task, message));
  return PV_OK;
}

enum pv_status pv_plan_run(const struct pv_task *task, struct pv_result *result,
                           const char **engine) {
  const char *name = pv_options_choice_name("engine", task->options->engine);
  if (!strcmp(name, "auto")) {
    PV_TRY(run_auto(task, result, engine));
  } else {
    const struct pv_engine *chosen = named(name);
    PV_REQUIRE(chosen, "an engine of the options table is not registered");
    *engine = chosen->name;
    PV_TRY(run_engine(task, chosen, result));
  }
  note_open(task, result);
  return PV_OK;
}
