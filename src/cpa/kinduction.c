/* kinduction.c -- engine `kinduction`. Loop heads (and entries of recursive functions) are cut
 * points; a run is a sequence of segments between them. Base case: there is no error in the first k
 * + 1 segments of a run. Inductive step: after k segments without an error, from any state of the
 * auxiliary invariant at any cut point, the next segment has no error either. Together they prove
 * that there is no error. k increases until the base case fails or the step holds.
 *
 * Under a given condition with a bound, the base case does not ask again about errors that lie
 * within it (given_bound.h: a path with at most as many cut points exceeds the bound of no loop).
 * The step assumes that there is no error in the first k segments, which holds for what is covered
 * as well. A given automaton is followed in the base case, which leaves out what it calls verified.
 * The step, and the segments for auxiliary invariants, know nothing of it. So an error in an
 * execution that is open is still found: the segments before its first error have none, and if the
 * base case did not reach it, the step did. Conditions on parts of the analysis (monitor.h) leave
 * out moves in the base case, in the step, and in the segments from which auxiliary invariants are
 * computed. Each time the proviso is about everything that follows the edge. An execution that
 * never takes one of these edges has all its segments examined, so the induction holds for it.
 *
 * References: Sheeran, Singh, Stålmarck, FMCAD 2000; Donaldson, Haller, Kroening, Rümmer, SAS 2011.
 * Deviation: several loops are handled at once, by segments, not one by one. The path conditions
 * contain that the earlier segments have no error: a state continues only if its events did not
 * occur. */
#include "cpa/assumption.h"
#include "cpa/auxiliary.h"
#include "cpa/given_bound.h"
#include "cpa/induction_state.h"
#include "cpa/monitor.h"
#include "cpa/predicate.h"
#include "cpa/proof.h"
#include "cpa/witness.h"

#include <stdlib.h>
#include <string.h>

struct engine {
  struct pv_analysis_context context;
  struct pv_predicates *predicates;
  struct pv_cpa *cpa;
  struct pv_result *result;
  struct pv_analysis visits; /* number of cut points passed: the number + 1, as a pointer */
  uint32_t k;                /* a bound on that number */
  bool step;                 /* which of the two is being shown */
  /* In this exploration: paths continue; the step failed; an error was reported. */
  bool cut, failed, error;
  bool open; /* an assumption was given up, so it must be repeated */
  struct pv_segments cuts;
  struct pv_map seen;  /* cut point -> its number */
  bool collects;       /* collects segments */
  uint32_t from;       /* that begin at this cut point */
  pv_term *invariants; /* by cut point; NULL: not computed yet (or to be computed again) */
  uint32_t known;      /* number of cut points when they were computed */
  bool thorough;       /* they come from more than templates */
  struct pv_assumption_guide *guide; /* or NULL */
  struct pv_monitor *monitor;        /* or NULL */
  bool left_out;                     /* something was, in some exploration */
  /* Visits of cut points: errors on paths with at most `covered` are covered by the given condition
   * (if it has a bound), and all paths with at most `examined` were examined. */
  bool has_covered, has_examined;
  uint32_t covered, examined;
  bool has_kept; /* from an earlier run */
  struct pv_induction_state kept;
};

enum { VISITS, SYMBOLIC, GUIDE, MONITOR, PARTS };
enum { SECONDS = 3 }; /* for auxiliary invariants, if there is no time limit */

/* ---- counting cut points
 * --------------------------------------------------------------------------- */

static const void *first_visit(void *self) {
  (void)self;
  return (const void *)(uintptr_t)1;
}

static uint32_t visits_of(const void *state) {
  return (uint32_t)(uintptr_t)state - 1;
}

static uint32_t note_head(struct engine *e, struct pv_point at) {
  bool is_new;
  uint32_t number = *pv_map_put(&e->seen, &at, sizeof at, e->cuts.points.n, &is_new);
  if (is_new) pv_vec_push(&e->cuts.points, at);
  return number;
}

static void count(void *self, const void *state, const struct pv_move *move, struct pv_post *out) {
  struct engine *e = self;
  uint32_t visits = visits_of(state);
  if (move->kind != PV_MOVE_STEP && move->kind != PV_MOVE_CALL && move->kind != PV_MOVE_RETURN)
    return;
  if (pv_control_is_head(e->context.control, move->to)) visits++;
  out->state = (const void *)(uintptr_t)(visits + 1);
}

/* Counts a cut point when a path arrives there. */
static const void *arrive(void *self, const void *state, const struct pv_composite *all,
                          uint32_t node) {
  struct engine *e = self;
  struct pv_point at = all->at;
  (void)node;
  if (!pv_control_is_head(e->context.control, at)) return state;
  uint32_t number = note_head(e, at);
  if (visits_of(state) <= e->k) return state;
  if (e->collects) {
    const struct pv_pred *pred = all->part[SYMBOLIC];
    struct pv_segment g = {.from = e->from, .to = number, .end = pred->sym};
    pv_vec_push(&e->cuts.segments, g);
  }
  e->cut = true;
  return NULL;
}

/* Explores segment by segment. */
static int order(void *self, const void *a, struct pv_point at_a, const void *b,
                 struct pv_point at_b) {
  (void)self;
  (void)at_a;
  (void)at_b;
  return visits_of(a) < visits_of(b) ? -1 : visits_of(a) > visits_of(b);
}

/* ---- events
 * ------------------------------------------------------------------------------------------ */

static const struct pv_pred *pred_at(const struct engine *e, uint32_t node) {
  return pv_cpa_node(e->cpa, node)->state.part[SYMBOLIC];
}

static void forget_invariants(struct engine *e) {
  free(e->invariants);
  e->invariants = NULL;
  e->known = 0;
  e->thorough = false;
}

static bool report(struct engine *e, uint32_t node, const struct pv_sym_event *event) {
  const struct pv_sym *none = NULL;
  struct pv_sym_path path = {.n = 1, .blocks = &none, .last = event->when};
  struct pv_sym_formula formula;
  pv_symbolic_path(e->context.symbolic, &path, &formula);
  struct pv_witness_path w = {
      .cpa = e->cpa, .node = node, .part = SYMBOLIC, .n = 1, .blocks = &none};
  bool found = pv_witness(&e->context, e->result, &w, &formula, event, NULL);
  pv_sym_formula_free(&formula);
  return found;
}

/* Is the event possible? *exceeded: which bound of the monitor the query exceeded without an
 * answer; NULL: none. */
static enum pv_smt_answer check(struct engine *e, uint32_t node, const struct pv_sym_event *event,
                                const char **exceeded) {
  enum pv_smt_answer a = PV_SMT_UNKNOWN;
  pv_monitor_begin_refinement(e->monitor);
  if (pv_monitor_admits_formula(e->monitor, 1, &event->when))
    a = pv_predicates_check(e->predicates, pred_at(e, node), event->when);
  *exceeded = pv_monitor_end_refinement(e->monitor);
  if (a != PV_SMT_UNKNOWN) *exceeded = NULL;
  return a;
}

/* Does the event end an execution that is covered by the given condition? */
static bool is_covered(const struct engine *e, uint32_t visits, const struct pv_sym_event *event) {
  return e->has_covered && !e->step && visits <= e->covered && event->kind != PV_SYM_WRAP;
}

static bool on_event(void *user, uint32_t node, const struct pv_move *move,
                     const struct pv_sym_event *event) {
  struct engine *e = user;
  (void)move;
  if (e->collects && event->kind == PV_SYM_VIOLATION) {
    struct pv_segment_event v = {.from = e->from, .when = event->when};
    pv_vec_push(&e->cuts.violations, v);
  }
  if (e->collects || pv_context_is_given_up(&e->context, event)) return true;
  uint32_t visits = visits_of(pv_cpa_node(e->cpa, node)->state.part[VISITS]);
  const char *exceeded;
  /* In the step, only events in the last segment count; the others are assumed to have none. */
  if ((e->step && visits < e->k) || is_covered(e, visits, event)) return true;
  enum pv_smt_answer a = check(e, node, event, &exceeded);
  if (a == PV_SMT_UNSAT) return true;
  if (event->kind == PV_SYM_WRAP) {
    const struct pv_frame *f = pv_control_frame(e->context.control, event->frame);
    pv_symbolic_wrap(e->context.symbolic, f->function, event->edge);
    forget_invariants(e);
    e->open = true;
    return false;
  }
  if (exceeded) {
    pv_context_exclude(&e->context, e->result, event, exceeded);
    e->left_out = true;
    return true;
  }
  if (e->step) {
    e->failed = true;
    return false;
  }
  if (event->kind == PV_SYM_VIOLATION && report(e, node, event)) {
    e->error = true;
    return false;
  }
  const char *why = event->kind == PV_SYM_VIOLATION ? pv_context_not_shown(&e->context) : NULL;
  if (a == PV_SMT_UNKNOWN) why = pv_context_undecided(&e->context, NULL);
  pv_context_give_up(&e->context, e->result, event, why);
  return true;
}

/* ---- base and step
 * --------------------------------------------------------------------------------- */

/* Explores, and tells what the monitor left out. */
static enum pv_cpa_end explore(struct engine *e) {
  enum pv_cpa_end end = pv_cpa_run(e->cpa, on_event, e);
  e->left_out |= pv_monitor_report(e->monitor, e->result);
  return end;
}

/* Shows that there is no error in the first k + 1 segments. Returns true if so; otherwise the
 * engine ends. */
static bool base(struct engine *e) {
  e->step = false;
  do {
    e->open = e->cut = false;
    pv_predicates_begin(e->predicates, pv_control_start(e->context.control), NULL);
    pv_cpa_restart(e->cpa);
    pv_assumption_guide_rest(e->guide, false);
    enum pv_cpa_end end = explore(e);
    pv_assumption_guide_rest(e->guide, true);
    if (end == PV_CPA_LIMIT) return false;
  } while (e->open);
  if (e->error || pv_context_lost(&e->context)) return false;
  e->has_examined = true;
  if (e->k > e->examined) e->examined = e->k;
  return true;
}

static enum pv_cpa_end run_from(struct engine *e, uint32_t head, pv_term formula) {
  struct pv_point at = e->cuts.points.at[head];
  pv_predicates_begin(e->predicates, at, formula);
  pv_cpa_restart_at(e->cpa, at);
  return explore(e);
}

/* Collects all segments, and computes auxiliary invariants for them. Returns false at a limit. */
static bool find_invariants(struct engine *e) {
  const struct pv_limits *limits = e->context.task->limits;
  const double seconds = limits->seconds > 0 ? limits->seconds / 5 : SECONDS;
  pv_candidates candidates = {0};
  uint32_t k = e->k;
  bool whole, kept = e->has_kept && e->kept.thorough, thorough = k || kept;
  if (!kept && (k || e->context.task->options->predicates.n))
    pv_abstraction_candidates(&e->context, &e->cuts, seconds, &candidates);
  e->k = 0;
  e->collects = true;
  e->cuts.segments.n = e->cuts.violations.n = 0;
  e->from = PV_FROM_START;
  pv_predicates_begin(e->predicates, pv_control_start(e->context.control), NULL);
  pv_cpa_restart(e->cpa);
  whole = explore(e) == PV_CPA_FIXPOINT;
  for (uint32_t i = 0; i < e->cuts.points.n && whole; i++) {
    e->from = i;
    whole = run_from(e, i, pv_smt_bool(e->context.smt, true)) == PV_CPA_FIXPOINT;
  }
  e->collects = false;
  e->k = k;
  if (whole) {
    if (e->has_kept) pv_induction_state_candidates(&e->context, &e->cuts, &e->kept, &candidates);
    e->known = e->cuts.points.n;
    e->thorough = thorough;
    e->invariants = pv_alloc((e->known + 1) * sizeof *e->invariants);
    pv_auxiliary(&e->context, &e->cuts, &candidates, seconds, e->invariants);
  }
  pv_vec_free(&candidates);
  return whole;
}

/* The step from every cut point. If an operation is modelled as wrapping around from now on, the
 * step from the other cut points must be shown again: it assumed that the operation did not
 * overflow in earlier segments. */
static bool step(struct engine *e) {
  e->step = true;
  for (uint32_t i = 0; i < e->cuts.points.n; i = e->open ? 0 : i + 1) {
    e->failed = e->open = false;
    /* An operation wraps around now, or there is a new cut point. */
    if (!e->invariants || e->known != e->cuts.points.n) {
      forget_invariants(e);
      if (!find_invariants(e)) return false;
      i = 0;
    }
    enum pv_cpa_end end = run_from(e, i, e->invariants[i]);
    if ((end != PV_CPA_FIXPOINT && !e->open) || e->failed) return false;
  }
  return true;
}

static bool is_stopped(struct engine *e) {
  return pv_context_lost(&e->context) ||
         pv_limits_check(e->context.task->limits, 0) != PV_LIMIT_NONE;
}

/* Operations that wrap around are told when k = 1 was not enough: another encoding may be better.
 */
static void tell_progress(const struct engine *e) {
  const struct pv_task *task = e->context.task;
  struct pv_stats stats = {.states = pv_cpa_stats(e->cpa)->expanded, .bound = e->k};
  if (e->k > 1) stats.wrapping = pv_context_wrapping(&e->context);
  if (task->progress) task->progress(task->progress_user, &stats);
}

/* Auxiliary invariants are made from templates only at first. If they are not sufficient for k = 1
 * either, they are made anew with the results of other analyses, which takes longer. */
static bool search(struct engine *e) {
  for (;; e->k = e->k ? 2 * e->k : 1) {
    tell_progress(e);
    if (!base(e)) return e->error;
    if (!e->cut || step(e)) return true;
    if (e->k && !e->thorough && !is_stopped(e)) {
      forget_invariants(e);
      if (step(e)) return true;
    }
    if (is_stopped(e)) return false;
  }
}

/* ---- conditions ------------------------------------------------------------------------------ */
/* The bound of the given condition, and what the same engine found in an earlier run. */
static void take_given(struct engine *e) {
  bool all;
  e->covered = pv_given_bound_of(e->context.task, &all);
  e->has_covered = e->covered != 0;
  e->has_kept = pv_induction_state_read(e->context.task, &e->kept);
  if (e->has_kept && all) e->k = e->kept.k < 2 * e->covered ? e->kept.k : 2 * e->covered;
}

static bool is_interruption(const struct pv_proviso *p, void *user) {
  (void)user;
  return pv_proviso_is_interruption(p->kind);
}

/* If a limit ended the run: executions with more visits than were examined are open. */
static void leave_open(struct engine *e, bool complete) {
  struct pv_result *r = e->result;
  enum pv_limit hit = e->context.task->limits->hit;
  if (complete || hit == PV_LIMIT_NONE || r->violations.n || !e->context.smt ||
      pv_context_lost(&e->context))
    return;
  if (e->context.task->wants_state)
    pv_induction_state_write(&e->context, &e->cuts, e->k, e->thorough,
                             e->known == e->cuts.points.n ? e->invariants : NULL, &r->condition);
  if (!e->has_examined || !e->examined || e->examined < e->covered) return;
  const struct pv_open_part beyond = {
      .kind = PV_OPEN_BOUND, .bound = PV_BOUND_HEADS, .number = e->examined};
  pv_condition_filter(&r->condition, is_interruption, NULL);
  pv_condition_add(&r->condition, PV_PROVISO_UNWINDING, NULL, 0,
                   "no execution visits heads of loops more than %u time%s in all (limit: %s)",
                   e->examined, e->examined == 1 ? "" : "s", pv_limit_name(hit));
  pv_condition_open(&r->condition, beyond);
  r->verdict = PV_CONDITIONAL;
  free(r->reason);
  r->reason = NULL;
}

static struct pv_proof *prove(const struct engine *e) {
  struct pv_proof *proof = pv_proof_new(&e->context);
  if (!proof) return NULL;
  for (uint32_t i = 0; i < e->known; i++)
    pv_proof_add(proof, &e->context, e->cuts.points.at[i], NULL, e->invariants[i]);
  pv_proof_by_induction(proof, e->k);
  return proof;
}

static void set_up(struct engine *e) {
  struct pv_predicate_options options = {.blocks = PV_BLOCKS_NEVER};
  e->predicates =
      pv_predicates_new(e->context.symbolic, e->context.smt, e->context.control, &options);
  e->visits = (struct pv_analysis){.name = "visits",
                                   .self = e,
                                   .initial = first_visit,
                                   .transfer = count,
                                   .adjust = arrive,
                                   .covers = pv_same_covers,
                                   .class_of = pv_same_class,
                                   .order = order};
  const struct pv_analysis *parts[PARTS] = {
      [VISITS] = &e->visits, [SYMBOLIC] = pv_predicates_analysis(e->predicates)};
  uint32_t n = GUIDE;
  if (pv_assumption_guide_is_worthwhile(e->context.task))
    e->guide = pv_assumption_guide_new(&e->context);
  if (e->guide) parts[n++] = pv_assumption_guide_analysis(e->guide);
  e->monitor = pv_monitor_new(&e->context);
  if (e->monitor) parts[n++] = pv_monitor_analysis(e->monitor);
  e->cpa = pv_cpa_new(e->context.control, parts, n, e->context.task->limits);
  pv_cpa_set_listeners(e->cpa, e->context.task->listeners);
  pv_monitor_watch(e->monitor, e->cpa, n, parts, n - 1);
}

static bool takes(const struct pv_task *task) {
  return pv_given_bound_takes(task) || pv_assumption_guide_is_worthwhile(task);
}

static enum pv_status run(const struct pv_task *task, struct pv_result *result) {
  struct engine e = {.result = result};
  struct pv_proof *proof = NULL;
  bool complete = false;
  if (pv_context_new(&e.context, task, result)) {
    set_up(&e);
    take_given(&e);
    complete = search(&e);
    result->stats.states = pv_cpa_stats(e.cpa)->expanded;
    if (complete && !e.left_out && !e.has_covered && !e.guide) proof = prove(&e);
  }
  pv_context_finish(&e.context, result, complete);
  leave_open(&e, complete);
  pv_cpa_free(e.cpa);
  pv_predicates_free(e.predicates);
  pv_assumption_guide_free(e.guide);
  pv_monitor_free(e.monitor);
  pv_context_free(&e.context);
  pv_map_free(&e.seen);
  pv_vec_free(&e.cuts.points);
  pv_vec_free(&e.cuts.segments);
  pv_vec_free(&e.cuts.violations);
  forget_invariants(&e);
  pv_proof_finish(proof, task, result);
  return PV_OK;
}

const struct pv_engine pv_engine_kinduction = {.name = "kinduction",
                                               .isolated = true,
                                               .one_error = true,
                                               .help = "k-induction",
                                               .run = run,
                                               .takes = takes};
