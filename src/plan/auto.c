/* auto.c -- several engines in turn.
 *
 * Each runs in a process of its own (isolate.h) and is paused when its slice is over, so that
 * nothing is done twice. First each has a short look, for most programs are decided at once. Then
 * the next slice is for the engine that has had least, in relation to its weight, so that whatever
 * engine decides a program, the others have taken a bounded multiple of its time; slices grow with
 * the time that has passed. Weights follow what engines achieve (weight_of). The plan ends when a
 * verdict has no condition, when nothing that another engine could do takes the condition away, at
 * a limit, and when no engine goes on. Then all that were paused end with what they have, and
 * combine.c says what it is worth together. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plan/isolate.h"
#include "plan/plan_internal.h"
#include "vm/vm.h"

/* How an engine goes about it. */
enum {
  BREADTH = 1,  /* first: where there is no end of states, errors are found by breadth */
  BITS = 2,     /* integers as bit-vectors */
  DIRECTED = 4, /* where errors are near first */
  REST = 8,     /* only as long as no search of all schedules has come to its end */
  INPUTS = 16,  /* only if nothing but values of inputs is left to try */
  LAST = 32     /* where there is no limit on time: goes on when all others have given up */
};

/* One way to try a program. */
struct way {
  const char *engine;
  unsigned how;
  double weight;   /* of its share of the time */
  double look;     /* seconds of the first slice; 0: there is no look, */
  double delay;    /* and it begins when others had so many seconds for each unit of weight */
  uint64_t states; /* the most states in the look, so that short runs are always the same */
};
enum { MOST_WAYS = 12, PATIENCE = 12 }; /* without a limit on time: seconds by unit of weight */
/* A steady estimate is at least so many times what it was at half of the time. */
#define STEADY 1.7
struct course {
  struct way at[MOST_WAYS]; /* up to the first one without an engine */
};

/* Sequential programs: small ones are run through, shallow errors lie within a few rounds of every
 * loop, and most proofs take little. */
static const struct course of_data = {{{"explicit", 0, 1, 0.2, 0, 10000},
                                       {"value", 0, 1.2, 0.1, 0, 0},
                                       {"bmc", 0, 0.8, 0.08, 0, 0},
                                       {"composite", 0, 2.5, 0.15, 0, 0},
                                       {"kinduction", 0, 0.8, 0.06, 0, 0},
                                       {"predicate", 0, 0.6, 0, 0.3, 0},
                                       {"bmc", BITS, 0.5, 0, 0.4, 0},
                                       {"kinduction", BITS, 0.5, 0, 0.4, 0},
                                       {"composite", BITS, 0.5, 0, 0.5, 0},
                                       {"explicit", BREADTH | LAST, 0.4, 0, 0.3, 0}}};

/* Threads: where there are too many states, errors may be near, and there may be few orders of
 * events that matter; if neither, there is no way around the states. Then come engines that treat
 * all inputs at once. */
static const struct course of_threads = {{{"explicit", LAST, 1, 0.5, 0, 100000},
                                          {"explicit", DIRECTED | REST, 0.15, 0.05, 0, 0},
                                          {"dpor", REST, 1, 0.15, 0, 0},
                                          {"composite", INPUTS, 1, 0.2, 0, 0}}};

/* The same if the user says how states are searched, or wants more than the first path found. */
static const struct course as_asked = {
    {{"explicit", LAST, 1, 60, 0, 0}, {"composite", INPUTS, 1, 1, 0, 0}}};

struct milestone {
  double seconds, part; /* of CPU time; the estimated part of the search that was done by then */
};

/* What became of a way. */
struct attempt {
  const struct way *way;
  struct pv_options options;
  struct pv_run *run; /* NULL: not begun, or over */
  bool began, over, failed_for_time;
  PV_VEC(struct milestone) progress; /* one for each slice, if the engine estimates it */
};
struct plan {
  const struct pv_task *task;
  struct attempt at[MOST_WAYS];
  struct pv_finding found[MOST_WAYS];
  uint32_t n;
  uint64_t own_memory; /* of this process, which its children have, too */
  bool is_through;     /* one of those that search all schedules ended */
  bool wants_inputs;   /* ... and values of inputs are all that it left out */
  bool is_for_bits;    /* linear arithmetic left values open, or had them wrap around */
  bool is_settled;     /* nothing more can come of it */
};

/* ---- what a result says ---------------------------------------------------------------------- */
/* Was it time that the engine was short of, or rounds, of which it makes more in more time? */
static bool wants_time(const struct pv_result *r) {
  for (uint32_t i = 0; i < r->condition.provisos.n; i++) {
    enum pv_proviso_kind k = r->condition.provisos.at[i].kind;
    if (k == PV_PROVISO_TIME || k == PV_PROVISO_UNWINDING) return true;
  }
  return false;
}

/* Does something else than values of inputs and what the machine does not do keep an engine's
 * result from being whole? */
static bool is_restricted(const struct pv_result *r) {
  for (uint32_t i = 0; i < r->condition.provisos.n; i++)
    if (r->condition.provisos.at[i].kind == PV_PROVISO_ENGINE) return true;
  return false;
}

static bool all_provisos(const struct pv_result *r, bool (*is)(enum pv_proviso_kind)) {
  bool all = r->verdict == PV_CONDITIONAL && r->condition.provisos.n;
  for (uint32_t i = 0; i < r->condition.provisos.n; i++)
    all &= is(r->condition.provisos.at[i].kind);
  return all;
}

static bool is_input(enum pv_proviso_kind k) {
  return k == PV_PROVISO_INPUT;
}

/* What the machine does not do no other engine does, and a path that it came to is a path. (The
 * symbolic engines have no addresses that come back.) */
static bool stays(enum pv_proviso_kind k) {
  return k == PV_PROVISO_UNMODELLED || k == PV_PROVISO_ORDERING || k == PV_PROVISO_OBSERVER ||
         k == PV_PROVISO_ADDRESS_REUSE || k == PV_PROVISO_BOUND;
}

static bool is_machine(const struct pv_engine *e) {
  return !e->isolated; /* it runs the program */
}

/* ---- the course ------------------------------------------------------------------------------ */
/* Are there calls of the scheduler? Programs with threads are for the explicit engine first. */
static bool has_threads(const struct pv_program *p) {
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
      if (p->functions.at[f].edges.at[i].op == PV_OP_PRIM) return true;
  return false;
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

static struct pv_options options_for(const struct way *w, const struct pv_options *asked) {
  struct pv_options own = *asked;
  if (w->how & BITS) own.integers = 1;
  bool depth_only = own.store != PV_STORE_EXACT || own.symmetry != PV_SYMMETRY_NONE;
  if ((w->how & BREADTH) && !depth_only) own.search = PV_SEARCH_BFS;
  if (w->how & DIRECTED) own.search = PV_SEARCH_BEST;
  return own;
}

/* Has the same engine, asked in the same way, ended, and not for lack of time? */
static bool is_answered(const struct plan *p, const struct attempt *a) {
  bool answered = false;
  for (uint32_t i = 0; i < p->n; i++) {
    const struct attempt *b = &p->at[i];
    answered |= b != a && b->over && !b->failed_for_time &&
                !strcmp(b->way->engine, a->way->engine) &&
                (b->way->how & BITS) == (a->way->how & BITS);
  }
  return answered;
}

/* May the attempt still gain anything? */
static bool is_open(const struct plan *p, const struct attempt *a) {
  unsigned how = a->way->how;
  if (a->over || is_answered(p, a)) return false;
  if (pv_plan_engine(a->way->engine)->unchecked & p->task->properties) return false;
  if ((how & REST) && p->is_through) return false;
  if ((how & INPUTS) && !p->wants_inputs) return false;
  bool bounded = p->task->limits->seconds > 0 || (how & LAST) || !a->run;
  return bounded || pv_run_seconds(a->run) < PATIENCE * a->way->weight;
}

/* ---- attempts -------------------------------------------------------------------------------- */
/* What can be said of the program now that the attempt has ended. */
static void conclude(struct plan *p, struct attempt *a, struct pv_finding *f) {
  const struct pv_result *r = &f->result;
  bool keep_going = p->task->options->keep_going;
  a->failed_for_time = wants_time(r);
  bool ended = !a->failed_for_time;
  bool whole = ended && (!strcmp(a->way->engine, "explicit") || !is_restricted(r));
  p->is_through |= is_machine(f->engine) && whole;
  p->wants_inputs |= is_machine(f->engine) && all_provisos(r, is_input);
  p->is_for_bits |= a->options.integers == 0 && (r->stats.imprecise || r->stats.wrapping);
  f->proves = pv_finding_proves(p->task, r);
  bool all = true; /* of the errors asked for */
  for (uint32_t i = 0; i < r->violations.n; i++) all &= r->violations.at[i].replayed;
  if (r->verdict == PV_FALSE && all)
    p->is_settled |= !keep_going || (ended && !f->engine->one_error);
  if (is_machine(f->engine) && all_provisos(r, stays) && !(p->task->properties & ~r->checked))
    p->is_settled = true;
  pv_properties proven = 0;
  for (uint32_t i = 0; i < p->n; i++) proven |= p->found[i].proves;
  p->is_settled |= !(p->task->properties & ~proven);
}

static void take(struct plan *p, struct attempt *a) {
  struct pv_finding *f = &p->found[a - p->at];
  f->engine = pv_plan_engine(a->way->engine);
  pv_run_result(a->run, &f->result);
  pv_run_close(a->run);
  a->run = NULL;
  a->over = true;
  conclude(p, a, f);
}

/* Waits for those that were told to end. */
static void await_told(struct plan *p) {
  const struct timespec moment = {.tv_nsec = 500000};
  for (bool all = false; !all;) {
    all = true;
    for (uint32_t i = 0; i < p->n; i++)
      if (p->at[i].run) all &= pv_run_look(p->at[i].run);
    if (!all) nanosleep(&moment, NULL);
  }
  for (uint32_t i = 0; i < p->n; i++) {
    if (!p->at[i].run) continue;
    take(p, &p->at[i]);
    p->found[i].told = true;
  }
}

/* ---- memory ---------------------------------------------------------------------------------- */
/* What the paused runs but this one have of their own. */
static uint64_t held_by_others(const struct plan *p, const struct attempt *a) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < p->n; i++) {
    if (&p->at[i] == a || !p->at[i].run) continue;
    uint64_t memory = pv_run_memory(p->at[i].run);
    all += memory > p->own_memory ? memory - p->own_memory : 0;
  }
  return all;
}

/* The one of the others that has most. */
static struct attempt *largest(struct plan *p, const struct attempt *a) {
  struct attempt *most = NULL;
  for (uint32_t i = 0; i < p->n; i++) {
    struct attempt *b = &p->at[i];
    if (b != a && b->run && (!most || pv_run_memory(b->run) > pv_run_memory(most->run))) most = b;
  }
  return most;
}

/* Bytes that the attempt may have; where others have more than half of what there is, the largest
 * ends with what it has. 0: there is no limit. */
static uint64_t make_room(struct plan *p, const struct attempt *a) {
  uint64_t limit = p->task->limits->memory;
  if (!limit) return 0;
  for (struct attempt *b; held_by_others(p, a) > limit / 2 && (b = largest(p, a));) {
    pv_run_tell(b->run, PV_LIMIT_MEMORY);
    pv_run_go_on(b->run, NULL);
    take(p, b);
    p->found[b - p->at].told = true;
  }
  return limit - held_by_others(p, a);
}

/* ---- turns ---------------------------------------------------------------------------------- */
static void open_run(struct plan *p, struct attempt *a) {
  struct pv_task own = pv_plan_task(p->task);
  a->options = options_for(a->way, p->task->options);
  own.options = &a->options;
  a->run = pv_run_open(pv_plan_engine(a->way->engine), &own);
  a->began = true;
}

/* The estimate when the engine had had half of its time. */
static double part_at_half(const struct attempt *a) {
  double part = 0;
  for (uint32_t i = 0; i < a->progress.n; i++)
    if (2 * a->progress.at[i].seconds <= pv_run_seconds(a->run)) part = a->progress.at[i].part;
  return part;
}

/* Engine dpor estimates how much of its search is done. Where the estimate has grown steadily, and
 * the end is in sight, dpor goes first; where it is far away, the others do. Mostly early estimates
 * are too good and grow ever slower: those are not believed. */
static double weight_of(const struct attempt *a) {
  if (!a->run || strcmp(a->way->engine, "dpor") != 0) return a->way->weight;
  double part = pv_run_stats(a->run)->part, seconds = pv_run_seconds(a->run);
  if (part <= 0 || seconds < 0.4) return a->way->weight;
  bool is_steady = part >= STEADY * part_at_half(a);
  if (part > 0.1 && is_steady) return 6 * a->way->weight;
  return seconds / part > 100 ? 0.4 * a->way->weight : a->way->weight;
}

/* Who has had least; NULL: no attempt goes on. */
static struct attempt *next_attempt(struct plan *p) {
  struct attempt *next = NULL;
  double least = 0;
  for (uint32_t i = 0; i < p->n; i++) {
    struct attempt *a = &p->at[i];
    if (!is_open(p, a)) continue;
    if (!a->began && a->way->look > 0) return a; /* looks come first */
    double had = a->way->delay + (a->run ? pv_run_seconds(a->run) / weight_of(a) : 0);
    if (next && had >= least) continue;
    next = a;
    least = had;
  }
  return next;
}

static void go_on(struct plan *p, struct attempt *a) {
  const struct pv_limits *asked = p->task->limits;
  double had = 0;
  for (uint32_t i = 0; i < p->n; i++)
    if (p->at[i].run) had += pv_run_seconds(p->at[i].run);
  struct pv_slice slice = {.seconds = 0.04 + had / 20};
  if (!a->began) {
    const struct way *w = a->way;
    open_run(p, a);
    if (w->look > 0) slice.seconds = w->look;
    slice.states = w->states;
    if (asked->states && w->states) slice = (struct pv_slice){0}; /* the user has bounded it */
  }
  slice.memory = make_room(p, a);
  if (p->is_settled) return; /* by what made room */
  bool over = pv_run_go_on(a->run, &slice);
  struct milestone now = {pv_run_seconds(a->run), pv_run_stats(a->run)->part};
  if (now.part > 0) pv_vec_push(&a->progress, now);
  if (over) take(p, a);
}

static void end_all(struct plan *p) {
  enum pv_limit why = p->task->limits->hit;
  for (uint32_t i = 0; i < p->n && !p->is_settled; i++)
    if (p->at[i].run) pv_run_tell(p->at[i].run, why != PV_LIMIT_NONE ? why : PV_LIMIT_TIME);
  if (!p->is_settled) await_told(p);
  for (uint32_t i = 0; i < p->n; i++) pv_run_close(p->at[i].run);
}

enum pv_status pv_plan_auto(const struct pv_task *task, struct pv_result *result,
                            const char **engine) {
  struct plan p = {.task = task, .own_memory = pv_resident_memory()};
  const struct course *course = course_for(task);
  for (; p.n < MOST_WAYS && course->at[p.n].engine; p.n++) p.at[p.n].way = &course->at[p.n];
  for (struct attempt *a; !p.is_settled && (a = next_attempt(&p));) {
    go_on(&p, a);
    if (pv_limits_check_now(task->limits) != PV_LIMIT_NONE) break;
  }
  end_all(&p);
  pv_findings_combine(task, p.found, p.n, result, engine);
  for (uint32_t i = 0; i < p.n; i++) {
    pv_result_clear(&p.found[i].result);
    pv_vec_free(&p.at[i].progress);
  }
  return PV_OK;
}
