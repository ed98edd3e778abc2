/* engine_value.c -- engine `value`: explicit values of as few cells as it takes. A path that ends
 * in an event is looked at with all values first; if they exclude it, the cells that do enter the
 * precision, else the solver is asked. */
#include "cpa/cegar.h"
#include "cpa/value.h"
#include "cpa/witness.h"

#include <stdlib.h>

struct engine {
  struct pv_ground ground;
  struct pv_value_analysis *values;
  struct pv_cegar cegar;
};

/* The state's numbers are in the event's condition already. */
static enum pv_smt_answer check(void *user, const struct pv_suspect *s) {
  struct engine *e = user;
  return pv_smt_is_false(e->ground.smt, s->event->when) ? PV_SMT_UNSAT : PV_SMT_SAT;
}

static void find_moves(const struct engine *e, const struct pv_suspect *s, pv_moves *moves,
                       pv_cells *nodes) {
  const struct pv_cpa *cpa = e->cegar.cpa;
  pv_vec_push(moves, s->move);
  for (uint32_t node = s->node; pv_cpa_node(cpa, node)->parents.n;) {
    const struct pv_arg_edge *up = &pv_cpa_node(cpa, node)->parents.at[0];
    pv_vec_push(moves, up->move);
    pv_vec_push(nodes, node);
    node = up->node;
  }
  for (uint32_t i = 0, j = moves->n - 1; i < j; i++, j--) {
    struct pv_move t = moves->at[i];
    moves->at[i] = moves->at[j];
    moves->at[j] = t;
  }
  for (uint32_t i = 0; i + i + 1 < nodes->n; i++) {
    uint32_t t = nodes->at[i];
    nodes->at[i] = nodes->at[nodes->n - 1 - i];
    nodes->at[nodes->n - 1 - i] = t;
  }
}

/* The first node on the path that would be another one, or none, with the precision there is now:
 * precisions found on other paths do not change what is there already. */
static uint32_t outdated(const struct engine *e, const pv_moves *moves, const pv_cells *nodes) {
  const struct pv_analysis *a = pv_value_analysis(e->values);
  const void *state = a->initial(a->self);
  for (uint32_t i = 0; i < nodes->n; i++) {
    struct pv_post post = {0};
    a->transfer(a->self, state, &moves->at[i], &post);
    state = post.state;
    if (!state || state != pv_cpa_node(e->cegar.cpa, nodes->at[i])->state.part[0]) return i;
  }
  return nodes->n;
}

static enum pv_refinement refine(void *user, const struct pv_suspect *s) {
  struct engine *e = user;
  pv_moves moves = {0};
  pv_cells nodes = {0}; /* behind the moves but the last */
  enum pv_refinement outcome;
  find_moves(e, s, &moves, &nodes);
  if (pv_value_refine(e->values, moves.n, moves.at, s->event)) {
    uint32_t first = outdated(e, &moves, &nodes);
    outcome = first < nodes.n ? PV_REFINED : PV_STUCK;
    if (outcome == PV_REFINED) pv_cpa_remove(e->cegar.cpa, nodes.at[first]);
  } else {
    outcome = s->event->kind == PV_SYM_VIOLATION &&
                      pv_witness_moves(&e->ground, e->cegar.result, moves.n, moves.at, s->event)
                  ? PV_REPORTED
                  : PV_POSSIBLE;
  }
  pv_vec_free(&moves);
  pv_vec_free(&nodes);
  return outcome;
}

static enum pv_status run(const struct pv_task *task, struct pv_result *result) {
  struct engine e = {.cegar = {.result = result, .check = check, .refine = refine}};
  bool complete = false;
  if (pv_ground_new(&e.ground, task, result)) {
    e.values = pv_value_new(e.ground.symbolic, e.ground.smt, e.ground.control);
    const struct pv_analysis *part = pv_value_analysis(e.values);
    e.cegar.ground = &e.ground;
    e.cegar.user = &e;
    e.cegar.cpa = pv_cpa_new(e.ground.control, &part, 1, task->limits);
    complete = pv_cegar_run(&e.cegar);
    result->stats.states = pv_cpa_stats(e.cegar.cpa)->expanded;
    result->stats.refinements = e.cegar.refinements;
    pv_cpa_free(e.cegar.cpa);
    pv_value_free(e.values);
  }
  pv_ground_finish(&e.ground, result, complete);
  pv_ground_free(&e.ground);
  pv_cegar_free(&e.cegar);
  return PV_OK;
}

const struct pv_engine pv_engine_value = {.name = "value",
                                          .isolated = true,
                                          .help = "explicit-value analysis with refinement",
                                          .run = run};
