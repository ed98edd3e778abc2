/* auto.c -- runs several engines in turn (a portfolio with time slices).
 *
 * Each engine runs in a process of its own (isolate.h), which is paused at the end of its slice, so
 * that no work is done twice. First each engine gets a short slice, because most
 * programs are decided quickly. After that, the engine with the least time relative to its weight
 * gets the next slice. So if some engine decides the program, the others have taken only a bounded
 * multiple of its time. Slices grow with the time that has passed. weight_of adapts the weights to
 * the progress of the engines. The plan ends when a verdict has no condition, when no other engine
 * could remove the condition, at a limit, and when no engine can continue. Then all paused engines
 * end with what they have, and combine.c combines the results.
 *
 * Planning from open parts: if an engine ended and left open exactly some parts, an engine that
 * starts later and can use their form is given them, and examines nothing else. At the end, what
 * the combined result leaves open goes to the engines that can use it, one after the other. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "condition/compare.h"
#include "plan/isolate.h"
#include "plan/plan_internal.h"
#include "plan/portfolio.h"

/* SECONDS: for each unit of weight if there is no limit on time. SECONDS_FOR_ERRORS: the same if
 * the verdict cannot become `true` any more, so that only an error is left to find. FACTOR_CLOSED:
 * how many times its weight bmc gets in addition if almost all loops are closed. FACTOR_BITS: how
 * many times its weight an engine with bit-vectors gets if linear integers turned out too coarse,
 * or bounded checking with them is not ahead after a second. FACTOR_WRAPPING: the same of induction
 * with bit-vectors, if induction with integers gets nowhere and operations wrap around.
 * FACTOR_FINITE: the same of a breadth-first search, which also starts earlier, if the states seem
 * to be finitely many. */
enum {
  FACTOR_CLOSED = 5,
  FACTOR_BITS = 4,
  FACTOR_WRAPPING = 3,
  FACTOR_FINITE = 3,
  SECONDS = 12,
  SECONDS_FOR_ERRORS = SECONDS / 4
};
/* An estimate grows steadily if it is at least this many times what it was after half of the
 * time. */
#define STEADY_GROWTH 1.7
/* Seconds after which what an attempt covered is worth more than a condition costs. */
#define WORTH_TAKING_OVER 0.1
/* Seconds that bounded checking with integers has before that with bit-vectors is compared with it.
 */
#define SECONDS_TO_LEAD 0.3
/* The share of its weight that a search gets which leaves out values of inputs. */
#define FACTOR_SAMPLING 0.4
struct milestone {
  double seconds, part; /* CPU time; the estimated part of the search that was done by then */
};

/* The run of one configuration. */
struct attempt {
  const struct pv_configuration *of;
  struct pv_options options;
  struct pv_run *run; /* NULL: not started, or ended */
  bool began, over, failed_for_time;
  bool has_given; /* it examines only what another attempt left open: */
  struct pv_condition given;
  const struct attempt *source;
  /* One entry for each slice, if the engine estimates its progress. */
  PV_VEC(struct milestone) progress;
};
struct plan {
  const struct pv_task *task;
  struct attempt at[PV_MOST_CONFIGURATIONS];
  struct pv_finding found[PV_MOST_CONFIGURATIONS];
  uint32_t n;
  uint64_t own_memory; /* of this process; the children inherit it */
  bool is_through;     /* a search of all schedules has ended */
  bool wants_inputs;   /* ... and left out only values of inputs */
  bool is_conditional; /* it left a proviso that no engine can remove */
  /* Linear arithmetic left values unconstrained, or they wrapped around: bit-vectors are better. */
  bool is_for_bits;
  bool wraps;     /* ... or an induction that needs more than k = 1 made operations wrap around */
  bool is_finite; /* the depth-first search seems to be one that ends and tries all inputs */
  struct pv_checkpoint_timer timer;
  bool is_settled; /* nothing can change the result any more */
};

/* ---- properties of results ------------------------------------------------------------------- */
/* Did the engine lack time, or loop iterations, of which it explores more in more time? */
static bool wants_time(const struct pv_result *r) {
  for (uint32_t i = 0; i < r->condition.provisos.n; i++) {
    enum pv_proviso_kind k = r->condition.provisos.at[i].kind;
    if (k == PV_PROVISO_TIME || k == PV_PROVISO_UNWINDING) return true;
  }
  return false;
}

/* Did the engine leave out something other than values of inputs and what the VM does not model? */
static bool is_restricted(const struct pv_result *r) {
  for (uint32_t i = 0; i < r->condition.provisos.n; i++)
    if (r->condition.provisos.at[i].kind == PV_PROVISO_ENGINE ||
        r->condition.provisos.at[i].kind == PV_PROVISO_EXCLUDED)
      return true;
  return false;
}

static bool all_provisos(const struct pv_result *r, bool (*is)(enum pv_proviso_kind)) {
  bool all = r->verdict == PV_CONDITIONAL && r->condition.provisos.n;
  for (uint32_t i = 0; i < r->condition.provisos.n; i++)
    all &= is(r->condition.provisos.at[i].kind);
  return all;
}

static bool any_proviso(const struct pv_result *r, bool (*is)(enum pv_proviso_kind)) {
  for (uint32_t i = 0; i < r->condition.provisos.n; i++)
    if (is(r->condition.provisos.at[i].kind)) return true;
  return false;
}

static bool is_input(enum pv_proviso_kind k) {
  return k == PV_PROVISO_INPUT;
}

/* Does a proviso of the VM stay whatever other engines do? What the VM does not model, no engine
 * models; and a path that it found is real. (Symbolic engines have no reuse of addresses.) */
static bool stays(enum pv_proviso_kind k) {
  return k == PV_PROVISO_UNMODELLED || k == PV_PROVISO_ORDERING || k == PV_PROVISO_OBSERVER ||
         k == PV_PROVISO_ADDRESS_REUSE || k == PV_PROVISO_BOUND;
}

/* A bound on the program's inputs holds for all engines. */
static bool is_bound(enum pv_proviso_kind k) {
  return k == PV_PROVISO_BOUND;
}

static bool is_machine(const struct pv_engine *e) {
  return !e->isolated; /* it executes the program */
}

/* ---- what can still run ---------------------------------------------------------------------- */
/* Has the same engine in the same variant ended, and not for lack of time? */
static bool is_answered(const struct plan *p, const struct attempt *a) {
  bool answered = false;
  for (uint32_t i = 0; i < p->n; i++) {
    const struct attempt *b = &p->at[i];
    answered |= b != a && b->over && !b->failed_for_time && !strcmp(b->of->engine, a->of->engine) &&
                (b->of->variant & PV_BIT_VECTORS) == (a->of->variant & PV_BIT_VECTORS);
  }
  return answered;
}

/* Can the attempt still contribute to the result? */
static bool is_open(const struct plan *p, const struct attempt *a) {
  unsigned variant = a->of->variant;
  if (a->over || is_answered(p, a)) return false;
  if (pv_plan_engine(a->of->engine)->unchecked & p->task->properties) return false;
  if ((variant & PV_UNLESS_COMPLETE) && p->is_through) return false;
  if ((variant & PV_FOR_INPUTS) && !p->wants_inputs) return false;
  bool bounded = p->task->limits->seconds > 0 || (variant & PV_UNBOUNDED) || !a->run;
  double seconds = p->is_conditional ? SECONDS_FOR_ERRORS : SECONDS;
  return bounded || pv_run_seconds(a->run) < seconds * a->of->weight;
}

/* ---- attempts -------------------------------------------------------------------------------- */
/* Draws conclusions from the result of the attempt that ended. */
static void conclude(struct plan *p, struct attempt *a, struct pv_finding *f) {
  const struct pv_result *r = &f->result;
  bool keep_going = p->task->options->keep_going;
  a->failed_for_time = wants_time(r);
  bool ended = !a->failed_for_time;
  bool whole = ended && (!strcmp(a->of->engine, "explicit") || !is_restricted(r));
  p->is_through |= is_machine(f->engine) && whole;
  p->wants_inputs |= is_machine(f->engine) && all_provisos(r, is_input);
  p->is_conditional |= is_machine(f->engine) && ended && any_proviso(r, stays);
  p->is_for_bits |= a->options.integers == 0 && (r->stats.imprecise || r->stats.wrapping);
  f->proves = pv_finding_proves(p->task, r);
  bool all = true; /* of the requested errors */
  for (uint32_t i = 0; i < r->violations.n; i++) all &= r->violations.at[i].replayed;
  if (r->verdict == PV_FALSE && all)
    p->is_settled |= !keep_going || (ended && !f->engine->one_error);
  bool lasts = is_machine(f->engine) ? all_provisos(r, stays) : ended && all_provisos(r, is_bound);
  if (lasts && !(p->task->properties & ~r->checked)) p->is_settled = true;
  pv_properties proven = 0;
  for (uint32_t i = 0; i < p->n; i++) proven |= p->found[i].proves;
  p->is_settled |= !(p->task->properties & ~proven);
}

/* An engine that ends because of its memory ends alone: what it used is free for the others. */
static void take(struct plan *p, struct attempt *a) {
  struct pv_finding *f = &p->found[a - p->at];
  struct pv_limits *limits = p->task->limits;
  f->engine = pv_plan_engine(a->of->engine);
  enum pv_limit before = limits->hit;
  pv_run_result(a->run, &f->result);
  if (limits->hit == PV_LIMIT_MEMORY) limits->hit = before;
  if (a->has_given) {
    struct pv_task own = *p->task;
    own.given = &a->given;
    pv_plan_guard(&own, f->engine, 0, &f->result);
    pv_plan_sequence(&own, &f->result);
  }
  pv_run_close(a->run);
  a->run = NULL;
  a->over = true;
  conclude(p, a, f);
}

/* Waits for the runs that were asked to end. */
static void await_told(struct plan *p) {
  const struct timespec moment = {.tv_nsec = 500000};
  for (bool all = false; !all;) {
    all = true;
    for (uint32_t i = 0; i < p->n; i++)
      if (p->at[i].run) all &= pv_run_poll(p->at[i].run);
    if (!all) nanosleep(&moment, NULL);
  }
  for (uint32_t i = 0; i < p->n; i++) {
    if (!p->at[i].run) continue;
    take(p, &p->at[i]);
    p->found[i].told = true;
  }
}

/* ---- memory ---------------------------------------------------------------------------------- */
/* The memory of all paused runs except this one. */
static uint64_t held_by_others(const struct plan *p, const struct attempt *a) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < p->n; i++) {
    if (&p->at[i] == a || !p->at[i].run) continue;
    uint64_t memory = pv_run_memory(p->at[i].run);
    all += memory > p->own_memory ? memory - p->own_memory : 0;
  }
  return all;
}

/* The other attempt that uses the most memory. */
static struct attempt *largest(struct plan *p, const struct attempt *a) {
  struct attempt *most = NULL;
  for (uint32_t i = 0; i < p->n; i++) {
    struct attempt *b = &p->at[i];
    if (b != a && b->run && (!most || pv_run_memory(b->run) > pv_run_memory(most->run))) most = b;
  }
  return most;
}

/* The number of bytes that the attempt may use (0: no limit). If the others use more than half of
 * the memory, the largest one must end with what it has. */
static uint64_t make_room(struct plan *p, const struct attempt *a) {
  uint64_t limit = p->task->limits->memory;
  if (!limit) return 0;
  for (struct attempt *b; held_by_others(p, a) > limit / 2 && (b = largest(p, a));) {
    pv_run_request_end(b->run, PV_LIMIT_MEMORY);
    pv_run_continue(b->run, NULL);
    take(p, b);
    p->found[b - p->at].told = true;
  }
  return limit - held_by_others(p, a);
}

/* ---- turns ---------------------------------------------------------------------------------- */
/* A proof of the rest is none of the program. */
static bool plans_again(const struct plan *p) {
  return !p->task->options->check_proof;
}

/* Do all provisos have an open part? Then whoever takes them over assumes nothing more. */
static bool assumes_nothing(const struct pv_condition *c) {
  for (uint32_t i = 0; i < c->provisos.n; i++)
    if (!c->provisos.at[i].part) return false;
  return true;
}

/* Does an open part tell which executions are left? Engines that use bounds and values of inputs
 * have their own notion of both, and gain little. */
static bool has_executions(const struct pv_condition *c) {
  for (uint32_t i = 0; i < c->parts.n; i++)
    if (c->parts.at[i].kind == PV_OPEN_FRONTIER || c->parts.at[i].kind == PV_OPEN_AUTOMATON)
      return true;
  return false;
}

/* Can the engine use what the condition, which is about these properties, leaves open? */
static bool uses(const struct plan *p, const struct pv_configuration *c, pv_properties properties,
                 const struct pv_condition *open) {
  const struct pv_engine *e = pv_plan_engine(c->engine);
  struct pv_options options = pv_configuration_options(c, p->task->options);
  struct pv_task own = *p->task;
  own.options = &options;
  own.properties = properties;
  own.given = open;
  return e->takes && !(e->unchecked & properties) && pv_condition_openness(open) == PV_OPEN_PARTS &&
         has_executions(open) && e->takes(&own);
}

/* Did the attempt take so long that what it covered is worth more than a condition costs? The
 * automaton of a condition keeps states apart that are one without it. */
static bool is_worth_a_condition(const struct pv_finding *f) {
  return f->result.stats.cpu_seconds >= WORTH_TAKING_OVER;
}

/* Gives the attempt what the last engine that ended has left open, if it can use that. */
static void give(struct plan *p, struct attempt *a) {
  const struct attempt *source = NULL;
  for (uint32_t i = 0; i < p->n && plans_again(p); i++) {
    const struct pv_result *r = &p->found[i].result;
    bool fits = p->at[i].over && p->found[i].engine && !p->found[i].told &&
                r->verdict == PV_CONDITIONAL && !(p->task->properties & ~r->checked) &&
                is_worth_a_condition(&p->found[i]) && assumes_nothing(&r->condition);
    if (fits && uses(p, a->of, p->task->properties, &r->condition)) source = &p->at[i];
  }
  if (!source) return;
  pv_condition_append(&a->given, &p->found[source - p->at].result.condition);
  if (p->task->given)
    pv_condition_sequence(p->task->given, &a->given, p->task->properties, p->task->properties);
  a->source = source;
  a->has_given = true;
}

static void open_run(struct plan *p, struct attempt *a) {
  struct pv_task own = pv_plan_task(p->task);
  a->options = pv_configuration_options(a->of, p->task->options);
  own.options = &a->options;
  own.checkpoint = NULL; /* the plan writes them (see checkpoint) */
  own.increments = NULL; /* several engines would write to one file */
  own.sharing = NULL;
  own.wants_parts = true;
  give(p, a);
  if (a->has_given) own.given = &a->given;
  a->run = pv_run_open(pv_plan_engine(a->of->engine), &own);
  a->began = true;
}

/* The estimated progress after half of the engine's time. */
static double part_at_half(const struct attempt *a) {
  double part = 0;
  for (uint32_t i = 0; i < a->progress.n; i++)
    if (2 * a->progress.at[i].seconds <= pv_run_seconds(a->run)) part = a->progress.at[i].part;
  return part;
}

/* Is it a search that can only find errors, because it leaves out values of inputs? */
static bool is_sampling(const struct attempt *a) {
  return a->run && !pv_plan_engine(a->of->engine)->isolated && pv_run_stats(a->run)->sampled;
}

/* Is it a breadth-first search of states that seem to be finitely many? Errors that lie near are
 * found by it, while a depth-first search of many states goes far away from them. */
static bool is_thorough(const struct plan *p, const struct attempt *a) {
  return p->is_finite && (a->of->variant & PV_BREADTH_FIRST);
}

/* Is it an induction with bit-vectors, after operations wrapped around in one with integers? */
static bool is_exact_induction(const struct plan *p, const struct attempt *a) {
  return p->wraps && (a->of->variant & PV_BIT_VECTORS) && !strcmp(a->of->engine, "kinduction");
}

/* Is it bounded checking with bit-vectors, while that with integers has had its time and is not
 * ahead in its bound, or is behind after more time? Its questions then are no easier. */
static bool is_ahead(const struct plan *p, const struct attempt *a) {
  if (!(a->of->variant & PV_BIT_VECTORS) || strcmp(a->of->engine, "bmc") != 0 || !a->run)
    return false;
  for (uint32_t i = 0; i < p->n; i++) {
    const struct attempt *b = &p->at[i];
    if (b == a || !b->run || strcmp(b->of->engine, "bmc") != 0) continue;
    uint64_t bound = pv_run_stats(a->run)->bound, other = pv_run_stats(b->run)->bound;
    double seconds = pv_run_seconds(b->run);
    if (bound > other && pv_run_seconds(a->run) <= seconds) return true;
    return seconds >= SECONDS_TO_LEAD && bound && bound >= other;
  }
  return false;
}

/* How many times its own weight an attempt has, by what others have found. */
static double factor_of(const struct plan *p, const struct attempt *a) {
  if (is_thorough(p, a)) return FACTOR_FINITE;
  if (p->is_for_bits && (a->of->variant & PV_BIT_VECTORS)) return FACTOR_BITS;
  if (is_ahead(p, a)) return FACTOR_BITS;
  return is_exact_induction(p, a) ? FACTOR_WRAPPING : 1;
}

/* By which it starts later, in seconds by unit of weight. */
static double delay_of(const struct plan *p, const struct attempt *a) {
  if (is_exact_induction(p, a)) return 0;
  return a->of->delay * (is_thorough(p, a) ? 0.5 : 1);
}

/* The weight of an attempt. Engine dpor estimates which part of its search is done. If the estimate
 * has grown steadily and the end is near, dpor gets more time; if the end is far away, less. Early
 * estimates are usually too high and then grow more slowly; they are ignored. Engine bmc tells the
 * share of loops that it has closed, while loops close, and when its last round has begun: the
 * more, the more time it gets, unless linear integers are too coarse. */
static double weight_of(const struct plan *p, const struct attempt *a) {
  double part = a->run ? pv_run_stats(a->run)->part : 0;
  double weight = a->of->weight * factor_of(p, a);
  if (is_sampling(a)) return FACTOR_SAMPLING * weight;
  if (part <= 0) return weight;
  if (!strcmp(a->of->engine, "bmc")) {
    bool is_coarse = p->is_for_bits && !(a->of->variant & PV_BIT_VECTORS);
    return is_coarse ? weight : weight * (1 + FACTOR_CLOSED * part);
  }
  double seconds = pv_run_seconds(a->run);
  if (strcmp(a->of->engine, "dpor") != 0 || seconds < 0.4) return a->of->weight;
  bool is_steady = part >= STEADY_GROWTH * part_at_half(a);
  if (part > 0.1 && is_steady) return 6 * a->of->weight;
  return seconds / part > 100 ? 0.4 * a->of->weight : a->of->weight;
}

/* The attempt with the least weighted time; NULL: none can continue. */
static struct attempt *next_attempt(struct plan *p) {
  struct attempt *next = NULL;
  double least = 0;
  for (uint32_t i = 0; i < p->n; i++) {
    struct attempt *a = &p->at[i];
    if (!is_open(p, a)) continue;
    if (!a->began && a->of->first_slice > 0) return a; /* first slices come first */
    double had = delay_of(p, a) + (a->run ? pv_run_seconds(a->run) / weight_of(p, a) : 0);
    if (next && had >= least) continue;
    next = a;
    least = had;
  }
  return next;
}

/* Is the search likely to end, and to prove something? Many of its transitions lead to states that
 * it knows, and it tries all values of inputs. Of abstract states there is one for each edge of the
 * program, and most edges lie between two places where paths meet: so fewer of them are covered. */
static bool may_end(const struct attempt *a) {
  const struct pv_stats *s = pv_run_stats(a->run);
  if (pv_plan_engine(a->of->engine)->isolated) return 80 * s->matched > s->expanded;
  return 4 * s->matched > s->transitions && !s->sampled;
}

static void run_slice(struct plan *p, struct attempt *a) {
  const struct pv_limits *asked = p->task->limits;
  double had = 0;
  for (uint32_t i = 0; i < p->n; i++)
    if (p->at[i].run) had += pv_run_seconds(p->at[i].run);
  struct pv_run_slice slice = {.seconds = 0.03 + had / 40};
  if (!a->began) {
    const struct pv_configuration *c = a->of;
    open_run(p, a);
    if (c->first_slice > 0) slice.seconds = c->first_slice;
    slice.states = c->states;
    if (asked->states && c->states) slice = (struct pv_run_slice){0}; /* the user has set a bound */
  }
  slice.memory = make_room(p, a);
  if (p->is_settled) return; /* decided by the result of the run that was ended to free memory */
  bool began = a->progress.n || pv_run_seconds(a->run) > 0;
  bool over = pv_run_continue(a->run, &slice);
  if (!over && !began && a->of->extension > 0 && slice.seconds > 0 && may_end(a)) {
    slice.seconds = a->of->extension;
    if (a->of->extended_states) slice.states = a->of->extended_states;
    over = pv_run_continue(a->run, &slice);
  }
  struct milestone now = {pv_run_seconds(a->run), pv_run_stats(a->run)->part};
  if (now.part > 0) pv_vec_push(&a->progress, now);
  p->is_for_bits |= a->options.integers == 0 && pv_run_stats(a->run)->imprecise;
  p->wraps |= a->options.integers == 0 && pv_run_stats(a->run)->wrapping;
  if (is_machine(pv_plan_engine(a->of->engine)) && !(a->of->variant & PV_BREADTH_FIRST))
    p->is_finite = may_end(a);
  if (over) take(p, a);
}

/* Writes what all engines have covered so far, if that is due: the best interim result, with the
 * states of all engines that sent one. An engine that is paused has sent its latest when it was
 * asked to; what it did since is lost if this process dies. */
static void checkpoint(struct plan *p) {
  const struct pv_task *task = p->task;
  struct pv_finding found[PV_MOST_CONFIGURATIONS] = {0};
  struct pv_result together = {0};
  const char *engine = NULL;
  uint32_t n = 0;
  if (!pv_checkpoint_is_due(task, &p->timer)) return;
  double began = pv_clock();
  for (uint32_t i = 0; i < p->n; i++) {
    const struct pv_result *r = p->at[i].run         ? pv_run_interim(p->at[i].run)
                                : p->found[i].engine ? &p->found[i].result
                                                     : NULL;
    if (!r || r->verdict == PV_FALSE) continue;
    found[n].engine = pv_plan_engine(p->at[i].of->engine);
    found[n].result = (struct pv_result){.verdict = r->verdict, .checked = r->checked};
    found[n].result.stats = r->stats;
    pv_condition_copy(&found[n].result.condition, &r->condition);
    found[n].proves = p->at[i].run ? 0 : p->found[i].proves;
    n++;
  }
  if (n) {
    pv_findings_combine(task, found, n, &together, &engine);
    pv_checkpoint(task, &together);
  }
  for (uint32_t i = 0; i < n; i++) pv_result_clear(&found[i].result);
  pv_result_clear(&together);
  pv_checkpoint_done(&p->timer, began);
}

static void end_all(struct plan *p) {
  enum pv_limit why = p->task->limits->hit;
  for (uint32_t i = 0; i < p->n && !p->is_settled; i++)
    if (p->at[i].run) pv_run_request_end(p->at[i].run, why != PV_LIMIT_NONE ? why : PV_LIMIT_TIME);
  if (!p->is_settled) await_told(p);
  for (uint32_t i = 0; i < p->n; i++) pv_run_close(p->at[i].run);
}

/* ---- what is open at the end ----------------------------------------------------------------- */
static const char *first_open(const struct pv_condition *c) {
  for (uint32_t i = 0; i < c->provisos.n; i++)
    if (c->provisos.at[i].part) return c->provisos.at[i].sentence;
  return "nothing";
}

/* Notes which engine examined what, if one continued from another. */
static void note_chain(const struct attempt *a, struct pv_result *r) {
  for (; a && a->has_given; a = a->source)
    pv_vec_push(&r->notes, pv_format("engine `%s` examined only what engine `%s` had left open "
                                     "(it had found no error, provided that %s)",
                                     a->of->engine, a->source->of->engine, first_open(&a->given)));
}

/* Times differ from run to run, so they are for --verbose. */
static void note_times(const struct plan *p, struct pv_result *r) {
  if (!p->task->options->verbose) return;
  for (uint32_t i = 0; i < p->n; i++) {
    const struct pv_finding *f = &p->found[i];
    if (f->engine)
      pv_vec_push(&r->notes,
                  pv_format("engine `%s`%s: %s after %.1f s of CPU time", f->engine->name,
                            p->at[i].of->variant & PV_BIT_VECTORS ? " with bit-vectors" : "",
                            f->told ? "stopped" : pv_verdict_name(f->result.verdict),
                            f->result.stats.cpu_seconds));
  }
}

/* What each engine that had a turn did. */
static void add_tried(const struct plan *p, struct pv_result *to) {
  for (uint32_t i = 0; i < p->n; i++) {
    const struct pv_finding *f = &p->found[i];
    unsigned variant = p->at[i].of->variant;
    if (!f->engine) continue;
    char *name = pv_format("%s%s", f->engine->name,
                           variant & PV_BIT_VECTORS     ? " with bit-vectors"
                           : variant & PV_BREADTH_FIRST ? ", breadth first"
                           : variant & PV_DIRECTED      ? ", directed"
                                                        : "");
    pv_result_add_tried(to, name, &f->result, f->told);
    free(name);
  }
}

/* The properties for which the result says exactly what is open. */
static pv_properties told_parts(const struct plan *p, const struct pv_result *r) {
  pv_properties told = 0;
  for (unsigned i = 0; i < PV_PROP_COUNT && r->verdict == PV_CONDITIONAL; i++) {
    pv_properties one = PV_PROP_BIT(i) & p->task->properties & r->checked;
    if (one && pv_condition_openness_of(&r->condition, one) == PV_OPEN_PARTS) told |= one;
  }
  return told;
}

/* Limits for one more run: a share of the time that is left. If a limit on states bounds the run of
 * an engine that executes the program, only this one counts, so that the run is reproducible. */
static struct pv_limits limits_for(const struct pv_limits *whole,
                                   const struct pv_configuration *c) {
  struct pv_limits l = *whole;
  double left = whole->seconds > 0 ? whole->seconds - pv_limits_elapsed(whole) : 0;
  bool bounded = l.states && is_machine(pv_plan_engine(c->engine));
  l.seconds = bounded ? left : SECONDS_FOR_ERRORS * c->weight;
  if (whole->seconds > 0 && left < l.seconds) l.seconds = left > 0 ? left : 1e-9;
  l.reserve = NULL;
  pv_limits_start(&l);
  return l;
}

static void add_note(struct pv_result *r, const char *text) {
  for (uint32_t i = 0; i < r->notes.n; i++)
    if (!strcmp(r->notes.at[i], text)) return;
  pv_vec_push(&r->notes, pv_strdup(text));
}

/* One more run on what the result leaves open of the narrowed properties. Then the result is that
 * of both, unless the run has achieved nothing. */
static enum pv_status continue_with(struct plan *p, const struct pv_configuration *c,
                                    struct pv_narrowed *n, struct pv_result *result,
                                    const char **engine) {
  struct pv_options options = pv_configuration_options(c, p->task->options);
  struct pv_limits limits = limits_for(p->task->limits, c);
  struct pv_task own = n->task, whole = *p->task;
  struct pv_result next = {0};
  pv_properties left = n->task.properties;
  own.options = &options;
  own.limits = &limits;
  own.wants_parts = true;
  own.wants_state = own.wants_interim = own.wants_coverage = false;
  enum pv_status status = pv_plan_run_engine(&own, pv_plan_engine(c->engine), &next);
  p->task->limits->children += limits.children;
  if (limits.peak > p->task->limits->peak) p->task->limits->peak = limits.peak;
  bool helps = next.verdict == PV_FALSE || next.verdict == PV_TRUE ||
               (next.verdict == PV_CONDITIONAL && !(left & ~next.checked) &&
                pv_condition_compare(&next.condition, &n->given, left) == PV_WEAKER);
  if (status == PV_OK && helps) {
    pv_vec_push(&next.notes,
                pv_format("engine `%s` examined what engine `%s` had left open (it had found no "
                          "error, provided that %s)",
                          c->engine, *engine, first_open(&n->given)));
    for (uint32_t i = 0; i < result->notes.n; i++) add_note(&next, result->notes.at[i]);
    pv_properties checked = (result->checked & ~left) | (next.checked & left);
    whole.given = &result->condition;
    if (next.verdict != PV_FALSE) {
      pv_plan_widen(&whole, n, &next);
      next.checked = checked;
      pv_condition_move_states(&next.condition, &result->condition);
    }
    *engine = c->engine;
    pv_result_clear(result);
    *result = next;
    next = (struct pv_result){0};
  }
  pv_result_clear(&next);
  return status;
}

/* Has the attempt ended by itself, having examined everything that it can, or the same before? */
static bool has_had_its_turn(const struct plan *p, const struct attempt *a) {
  return a->has_given || (a->over && !p->found[a - p->at].told && !a->failed_for_time);
}

static enum pv_status plan_again(struct plan *p, struct pv_result *result, const char **engine) {
  enum pv_status status = PV_OK;
  for (uint32_t i = 0; i < p->n && status == PV_OK && plans_again(p); i++) {
    const struct pv_configuration *c = p->at[i].of;
    struct pv_narrowed n = {.task = *p->task, .is_narrower = true};
    n.task.properties = told_parts(p, result);
    if (!n.task.properties) break;
    /* A limit on states is one of each engine. */
    enum pv_limit hit = pv_limits_check_now(p->task->limits);
    if (hit != PV_LIMIT_NONE && hit != PV_LIMIT_STATES) break;
    if (has_had_its_turn(p, &p->at[i]) || !strcmp(c->engine, *engine)) continue;
    pv_condition_append(&n.given, &result->condition);
    pv_condition_restrict(&n.given, n.task.properties);
    n.task.given = &n.given;
    if (uses(p, c, n.task.properties, &n.given)) status = continue_with(p, c, &n, result, engine);
    pv_condition_clear(&n.given);
  }
  return status;
}

enum pv_status pv_plan_auto(const struct pv_task *task, struct pv_result *result,
                            const char **engine) {
  struct plan p = {.task = task, .own_memory = pv_resident_memory()};
  const struct pv_configuration *all_of = pv_portfolio_for(task);
  for (; p.n < PV_MOST_CONFIGURATIONS && all_of[p.n].engine; p.n++) p.at[p.n].of = &all_of[p.n];
  for (struct attempt *a; !p.is_settled && (a = next_attempt(&p));) {
    run_slice(&p, a);
    checkpoint(&p);
    if (pv_limits_check_now(task->limits) != PV_LIMIT_NONE) break;
  }
  end_all(&p);
  struct pv_result all = {0};
  add_tried(&p, &all);
  uint32_t best = pv_findings_combine(task, p.found, p.n, result, engine);
  note_chain(&p.at[best], result);
  enum pv_status status = plan_again(&p, result, engine);
  for (uint32_t i = 0; i < all.tried.n; i++) pv_vec_push(&result->tried, all.tried.at[i]);
  pv_vec_free(&all.tried);
  note_times(&p, result);
  for (uint32_t i = 0; i < p.n; i++) {
    pv_condition_clear(&p.at[i].given);
    pv_result_clear(&p.found[i].result);
    pv_vec_free(&p.at[i].progress);
  }
  return status;
}
