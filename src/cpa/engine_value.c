/* engine_value.c -- engine `value`: explicit values of as few cells as needed. A path to a
 * candidate error is first analysed with the values of all cells. If they exclude it, the
 * responsible cells are added to the precision; otherwise the solver is asked. */
#include "cpa/assumption.h"
#include "cpa/cegar.h"
#include "cpa/monitor.h"
#include "cpa/observer.h"
#include "cpa/proof.h"
#include "cpa/value.h"
#include "cpa/witness.h"

#include <stdlib.h>

struct engine {
  struct pv_analysis_context context;
  struct pv_value_analysis *values;
  struct pv_observers *observers;    /* or NULL */
  struct pv_assumption_guide *guide; /* or NULL */
  struct pv_monitor *monitor;        /* or NULL */
  struct pv_prefixes prefixes;       /* of a given frontier, or empty */
  struct pv_assumption_interim interim;
  struct pv_cegar cegar;
};

/* The values in the state are already part of the event's condition. */
static enum pv_smt_answer check(void *user, const struct pv_candidate_error *s) {
  struct engine *e = user;
  return pv_smt_is_false(e->context.smt, s->event->when) ? PV_SMT_UNSAT : PV_SMT_SAT;
}

static enum pv_refinement refine(void *user, const struct pv_candidate_error *s) {
  struct engine *e = user;
  pv_moves moves = {0};
  pv_cells nodes = {0}; /* after each move except the last one */
  enum pv_refinement outcome;
  pv_cegar_path(&e->cegar, s, &moves, &nodes);
  if (pv_value_refine(e->values, moves.n, moves.at, s->event)) {
    uint32_t first = pv_value_outdated(e->values, e->cegar.cpa, 0, &moves, &nodes);
    outcome = first < nodes.n ? PV_REFINED : PV_STUCK;
    if (outcome == PV_REFINED) pv_cpa_remove(e->cegar.cpa, nodes.at[first]);
  } else {
    outcome = s->event->kind == PV_SYM_VIOLATION &&
                      pv_witness_moves(&e->context, e->cegar.result, moves.n, moves.at, s->event)
                  ? PV_REPORTED
                  : PV_POSSIBLE;
  }
  pv_vec_free(&moves);
  pv_vec_free(&nodes);
  return outcome;
}

/* Builds the proof from the states reached at all points after the start. */
static struct pv_proof *prove(const struct engine *e) {
  struct pv_proof *proof = pv_proof_new(&e->context);
  for (uint32_t i = 0; proof && i < pv_cpa_nodes(e->cegar.cpa); i++) {
    const struct pv_node *n = pv_cpa_node(e->cegar.cpa, i);
    if (n->removed || n->covered_by != PV_NO_NODE || !n->parents.n) continue;
    pv_term observed =
        e->observers ? pv_observers_term(e->observers, &e->context, n->state.part[1], NULL) : NULL;
    pv_proof_add(proof, &e->context, n->state.at, pv_value_symbolic(n->state.part[0]), observed);
  }
  return proof;
}

static enum pv_status run(const struct pv_task *task, struct pv_result *result) {
  struct engine e = {.cegar = {.result = result, .check = check, .refine = refine}};
  struct pv_proof *proof = NULL;
  bool complete = false, left_out = false;
  if (pv_context_new(&e.context, task, result)) {
    pv_context_allow_threads(&e.context);
    e.values = pv_value_new(e.context.symbolic, e.context.smt, e.context.control);
    e.observers = pv_observers_new(task->program, e.context.control);
    e.guide = pv_assumption_guide_new(&e.context);
    e.monitor = pv_monitor_new(&e.context);
    const struct pv_analysis *parts[PV_CPA_PARTS] = {pv_value_analysis(e.values)};
    uint32_t n_parts = 1;
    if (e.observers) parts[n_parts++] = pv_observers_analysis(e.observers);
    if (e.guide) parts[n_parts++] = pv_assumption_guide_analysis(e.guide);
    if (e.monitor) parts[n_parts++] = pv_monitor_analysis(e.monitor);
    e.cegar.context = &e.context;
    e.cegar.user = &e;
    e.cegar.cpa = pv_cpa_new(e.context.control, parts, n_parts, task->limits);
    pv_cpa_set_listeners(e.cegar.cpa, task->listeners);
    pv_monitor_watch(e.monitor, e.cegar.cpa, n_parts, parts, n_parts - 1);
    pv_assumption_begin(&e.context, e.cegar.cpa, &e.prefixes);
    pv_assumption_interim(&e.cegar, &e.interim);
    complete = pv_cegar_run(&e.cegar);
    left_out = pv_monitor_report(e.monitor, result);
    result->stats.states = pv_cpa_stats(e.cegar.cpa)->expanded;
    result->stats.refinements = e.cegar.refinements;
    if (complete && !left_out && !e.guide && !pv_cpa_prefixes(e.cegar.cpa)) proof = prove(&e);
  }
  pv_context_finish(&e.context, result, complete);
  pv_assumption_leave_open(&e.cegar);
  pv_cpa_free(e.cegar.cpa);
  pv_prefixes_free(&e.prefixes);
  pv_monitor_free(e.monitor);
  pv_value_free(e.values);
  pv_observers_free(e.observers);
  pv_assumption_guide_free(e.guide);
  pv_context_free(&e.context);
  pv_cegar_free(&e.cegar);
  pv_proof_finish(proof, task, result);
  return PV_OK;
}

const struct pv_engine pv_engine_value = {.name = "value",
                                          .isolated = true,
                                          .one_error = true,
                                          .help = "explicit-value analysis with refinement",
                                          .run = run,
                                          .takes = pv_assumption_takes};
