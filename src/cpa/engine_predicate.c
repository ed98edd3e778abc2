/* engine_predicate.c -- engine `predicate`: an event that the abstraction cannot exclude is
 * followed back along the ends of blocks; if the path formula is unsatisfiable, interpolants give
 * predicates for the points it passes, and the graph is removed from the first new one on. */
#include "cpa/cegar.h"
#include "cpa/predicate.h"
#include "cpa/witness.h"

#include <stdlib.h>

enum { CUBES = 2000 };

struct engine {
  struct pv_ground ground;
  struct pv_predicates *predicates;
  struct pv_cegar cegar;
};

static const struct pv_pred *pred_at(const struct engine *e, uint32_t node) {
  return pv_cpa_node(e->cegar.cpa, node)->state.part[0];
}

static enum pv_smt_answer check(void *user, const struct pv_suspect *s) {
  struct engine *e = user;
  return pv_predicates_check(e->predicates, pred_at(e, s->node), s->event->when);
}

/* ---- paths -------------------------------------------------------------------------------------
 */

struct path {
  PV_VEC(const struct pv_pred *) states; /* the abstraction states, from the program's start on */
  PV_VEC(const struct pv_sym *) blocks;  /* between them; the last one is that of the event */
  struct pv_sym_formula formula;
};

static void find_path(struct engine *e, const struct pv_suspect *s, struct path *out) {
  *out = (struct path){0};
  for (const struct pv_pred *a = pred_at(e, s->node)->start; a; a = a->before)
    pv_vec_push(&out->states, a);
  for (uint32_t i = 0, j = out->states.n - 1; i < j; i++, j--) {
    const struct pv_pred *t = out->states.at[i];
    out->states.at[i] = out->states.at[j];
    out->states.at[j] = t;
  }
  for (uint32_t i = 1; i < out->states.n; i++) pv_vec_push(&out->blocks, out->states.at[i]->end);
  pv_vec_push(&out->blocks, NULL);
  struct pv_sym_path path = {out->blocks.n, out->blocks.at, s->event->when};
  pv_symbolic_path(e->ground.symbolic, &path, &out->formula);
}

static void path_free(struct path *p) {
  pv_vec_free(&p->states);
  pv_vec_free(&p->blocks);
  pv_sym_formula_free(&p->formula);
}

/* The graph's node of an abstraction state on the way to `node`. */
static uint32_t node_of(const struct engine *e, uint32_t node, const struct pv_pred *state) {
  while (node != PV_NO_NODE) {
    const struct pv_node *n = pv_cpa_node(e->cegar.cpa, node);
    if (n->state.part[0] == state) return node;
    node = n->parents.n ? n->parents.at[0].node : PV_NO_NODE;
  }
  return PV_NO_NODE;
}

static const struct pv_sym *symbolic_of(const void *state) {
  return ((const struct pv_pred *)state)->sym;
}

/* Adds the violation if the machine shows it. */
static bool report(struct engine *e, const struct pv_suspect *s, const struct path *path) {
  struct pv_witness_path w = {.cpa = e->cegar.cpa,
                              .node = s->node,
                              .n = path->blocks.n,
                              .blocks = path->blocks.at,
                              .ends = (const void *const *)(path->states.at + 1),
                              .symbolic = symbolic_of};
  return s->event->kind == PV_SYM_VIOLATION &&
         pv_witness(&e->ground, e->cegar.result, &w, &path->formula, s->event, NULL);
}

/* ---- refinement
 * ---------------------------------------------------------------------------------- */

static enum pv_refinement learn(struct engine *e, const struct pv_suspect *s,
                                const struct path *path, const pv_term *interpolants) {
  uint32_t first = 0;
  for (uint32_t k = 1; k < path->formula.parts.n; k++) {
    pv_term t = pv_symbolic_at_cut(e->ground.symbolic, &path->formula, k, interpolants[k - 1]);
    pv_predicates_add(e->predicates, path->states.at[k]->at, t);
    if (!first && pv_predicates_outdated(e->predicates, path->states.at[k])) first = k;
  }
  uint32_t node = first ? node_of(e, s->node, path->states.at[first]) : PV_NO_NODE;
  if (node == PV_NO_NODE) return PV_STUCK;
  pv_cpa_remove(e->cegar.cpa, node);
  return PV_REFINED;
}

static enum pv_refinement refine(void *user, const struct pv_suspect *s) {
  struct engine *e = user;
  struct path path;
  find_path(e, s, &path);
  uint32_t n = path.formula.parts.n;
  pv_term *interpolants = pv_alloc((n + 1) * sizeof *interpolants);
  enum pv_refinement outcome = PV_STUCK;
  /* A method whose interpolants say nothing new leaves the word to the next one. */
  for (unsigned m = 0; m < PV_ITP_METHODS && outcome == PV_STUCK; m++) {
    struct pv_itp_options options = {.methods = 1u << m};
    struct pv_itp_result how = {0};
    enum pv_smt_answer a =
        pv_smt_interpolate(e->ground.smt, n, path.formula.parts.at, &options, interpolants, &how);
    if (a == PV_SMT_SAT)
      outcome = report(e, s, &path) ? PV_REPORTED : PV_POSSIBLE;
    else if (a == PV_SMT_UNSAT)
      outcome = learn(e, s, &path, interpolants);
  }
  free(interpolants);
  path_free(&path);
  return outcome;
}

static enum pv_status run(const struct pv_task *task, struct pv_result *result) {
  struct engine e = {.cegar = {.result = result, .check = check, .refine = refine}};
  bool complete = false;
  if (pv_ground_new(&e.ground, task, result)) {
    struct pv_predicate_options options = {.cubes = CUBES};
    e.predicates = pv_predicates_new(e.ground.symbolic, e.ground.smt, e.ground.control, &options);
    const struct pv_analysis *part = pv_predicates_analysis(e.predicates);
    e.cegar.ground = &e.ground;
    e.cegar.user = &e;
    e.cegar.cpa = pv_cpa_new(e.ground.control, &part, 1, task->limits);
    complete = pv_cegar_run(&e.cegar);
    result->stats.states = pv_cpa_stats(e.cegar.cpa)->expanded;
    result->stats.refinements = e.cegar.refinements;
    result->stats.predicates = pv_predicates_stats(e.predicates)->predicates;
    pv_cpa_free(e.cegar.cpa);
    pv_predicates_free(e.predicates);
  }
  pv_ground_finish(&e.ground, result, complete);
  pv_ground_free(&e.ground);
  pv_cegar_free(&e.cegar);
  return PV_OK;
}

const struct pv_engine pv_engine_predicate = {.name = "predicate",
                                              .isolated = true,
                                              .help = "predicate abstraction with refinement",
                                              .run = run};
