/* kinduction.c -- engine `kinduction`. Loop heads (and entries of recursive functions) are cut
 * points; a run is a sequence of segments between them. Base case: there is no error in the first k
 * + 1 segments of a run. Inductive step: after k segments without an error, from any state of the
 * auxiliary invariant at any cut point, the next segment has no error either. Together they prove
 * that there is no error. k increases until the base case fails or the step holds.
 *
 * References: Sheeran, Singh, Stålmarck, FMCAD 2000; Donaldson, Haller, Kroening, Rümmer, SAS 2011.
 * Deviation: several loops are handled at once, by segments, not one by one. The path conditions
 * contain that the earlier segments have no error: a state continues only if its events did not
 * occur. */
#include "cpa/auxiliary.h"
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
};

enum { VISITS, SYMBOLIC, PARTS };
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
}

static bool report(struct engine *e, uint32_t node, const struct pv_sym_event *event) {
  const struct pv_sym *none = NULL;
  struct pv_sym_path path = {1, &none, event->when};
  struct pv_sym_formula formula;
  pv_symbolic_path(e->context.symbolic, &path, &formula);
  struct pv_witness_path w = {
      .cpa = e->cpa, .node = node, .part = SYMBOLIC, .n = 1, .blocks = &none};
  bool found = pv_witness(&e->context, e->result, &w, &formula, event, NULL);
  pv_sym_formula_free(&formula);
  return found;
}

static bool on_event(void *user, uint32_t node, const struct pv_move *move,
                     const struct pv_sym_event *event) {
  struct engine *e = user;
  (void)move;
  if (e->collects || pv_context_is_given_up(&e->context, event)) return true;
  /* In the step, only events in the last segment count; the others are assumed to have none. */
  if (e->step && visits_of(pv_cpa_node(e->cpa, node)->state.part[VISITS]) < e->k) return true;
  enum pv_smt_answer a = pv_predicates_check(e->predicates, pred_at(e, node), event->when);
  if (a == PV_SMT_UNSAT) return true;
  if (event->kind == PV_SYM_WRAP) {
    const struct pv_frame *f = pv_control_frame(e->context.control, event->frame);
    pv_symbolic_wrap(e->context.symbolic, f->function, event->edge);
    forget_invariants(e);
    e->open = true;
    return false;
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

/* Shows that there is no error in the first k + 1 segments. Returns true if so; otherwise the
 * engine ends. */
static bool base(struct engine *e) {
  e->step = false;
  do {
    e->open = e->cut = false;
    pv_predicates_begin(e->predicates, pv_control_start(e->context.control), NULL);
    pv_cpa_restart(e->cpa);
    if (pv_cpa_run(e->cpa, on_event, e) == PV_CPA_LIMIT) return false;
  } while (e->open);
  return !e->error;
}

static enum pv_cpa_end run_from(struct engine *e, uint32_t head, pv_term formula) {
  struct pv_point at = e->cuts.points.at[head];
  pv_predicates_begin(e->predicates, at, formula);
  pv_cpa_restart_at(e->cpa, at);
  return pv_cpa_run(e->cpa, on_event, e);
}

/* Collects all segments, and computes auxiliary invariants for them. Returns false at a limit. */
static bool find_invariants(struct engine *e) {
  const struct pv_limits *limits = e->context.task->limits;
  const double seconds = limits->seconds > 0 ? limits->seconds / 5 : SECONDS;
  pv_candidates candidates = {0};
  uint32_t k = e->k;
  bool whole;
  if (k || e->context.task->options->predicates.n)
    pv_abstraction_candidates(&e->context, &e->cuts, seconds, &candidates);
  e->k = 0;
  e->collects = true;
  e->cuts.segments.n = 0;
  e->from = PV_FROM_START;
  pv_predicates_begin(e->predicates, pv_control_start(e->context.control), NULL);
  pv_cpa_restart(e->cpa);
  whole = pv_cpa_run(e->cpa, on_event, e) == PV_CPA_FIXPOINT;
  for (uint32_t i = 0; i < e->cuts.points.n && whole; i++) {
    e->from = i;
    whole = run_from(e, i, pv_smt_bool(e->context.smt, true)) == PV_CPA_FIXPOINT;
  }
  e->collects = false;
  e->k = k;
  if (whole) {
    e->known = e->cuts.points.n;
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

/* Auxiliary invariants are made from templates only at first. If they are not sufficient,
 * everything is repeated with the results of other analyses. */
static bool search(struct engine *e) {
  for (e->k = 0;; e->k = e->k ? 2 * e->k : 1) {
    if (!base(e)) return e->error;
    if (e->k == 1) forget_invariants(e);
    if (!e->cut || step(e)) return true;
    if (pv_context_lost(&e->context)) return false;
    if (pv_limits_check(e->context.task->limits, 0) != PV_LIMIT_NONE) return false;
  }
}

static struct pv_proof *prove(const struct engine *e) {
  struct pv_proof *proof = pv_proof_new(&e->context);
  if (!proof) return NULL;
  for (uint32_t i = 0; i < e->known; i++)
    pv_proof_add(proof, &e->context, e->cuts.points.at[i], NULL, e->invariants[i]);
  pv_proof_by_induction(proof, e->k);
  return proof;
}

static enum pv_status run(const struct pv_task *task, struct pv_result *result) {
  struct engine e = {.result = result};
  struct pv_proof *proof = NULL;
  bool complete = false;
  if (pv_context_new(&e.context, task, result)) {
    struct pv_predicate_options options = {.blocks = PV_BLOCKS_NEVER};
    e.predicates =
        pv_predicates_new(e.context.symbolic, e.context.smt, e.context.control, &options);
    e.visits = (struct pv_analysis){.name = "visits",
                                    .self = &e,
                                    .initial = first_visit,
                                    .transfer = count,
                                    .adjust = arrive,
                                    .covers = pv_same_covers,
                                    .class_of = pv_same_class,
                                    .order = order};
    const struct pv_analysis *parts[PARTS] = {
        [VISITS] = &e.visits, [SYMBOLIC] = pv_predicates_analysis(e.predicates)};
    e.cpa = pv_cpa_new(e.context.control, parts, PARTS, task->limits);
    complete = search(&e);
    result->stats.states = pv_cpa_stats(e.cpa)->expanded;
    if (complete) proof = prove(&e);
    pv_cpa_free(e.cpa);
    pv_predicates_free(e.predicates);
  }
  pv_context_finish(&e.context, result, complete);
  pv_context_free(&e.context);
  pv_map_free(&e.seen);
  pv_vec_free(&e.cuts.points);
  pv_vec_free(&e.cuts.segments);
  forget_invariants(&e);
  pv_proof_finish(proof, task, result);
  return PV_OK;
}

const struct pv_engine pv_engine_kinduction = {
    .name = "kinduction", .isolated = true, .one_error = true, .help = "k-induction", .run = run};
