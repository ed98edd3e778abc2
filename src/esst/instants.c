#include "esst/instants.h"

#include "cpa/scheduler.h"

#include <stdlib.h>

struct arc {
  uint32_t from, to;
};
struct graph {
  PV_VEC(struct arc) arcs;
  uint32_t *in, *out; /* by node: the arcs that are left */
};

/* Is every state of the scheduler on the way along the edge inside of an instant? That between a
 * call and the choice of the next thread counts, too. */
static bool is_inside(const struct pv_cpa *cpa, const struct pv_control *control,
                      const struct pv_arg_edge *e, pv_moves *moves) {
  moves->n = 0;
  pv_cpa_moves(cpa, e, moves);
  for (uint32_t i = 0; i < moves->n; i++) {
    const struct pv_executed *x = pv_control_executed(control, &moves->at[i]);
    if (x && !pv_control_state_in_instant(control, x->after)) return false;
    if (!pv_control_in_instant(control, moves->at[i].to)) return false;
  }
  return true;
}

static void collect(struct graph *g, const struct pv_cpa *cpa, const struct pv_control *control) {
  pv_moves moves = {0};
  for (uint32_t i = 0; i < pv_cpa_nodes(cpa); i++) {
    const struct pv_node *n = pv_cpa_node(cpa, i);
    if (n->removed) continue;
    if (n->covered_by != PV_NO_NODE) pv_vec_push(&g->arcs, ((struct arc){i, n->covered_by}));
    for (uint32_t k = 0; k < n->children.n; k++) {
      const struct pv_arg_edge *e = &n->children.at[k];
      if (pv_cpa_node(cpa, e->node)->removed || !is_inside(cpa, control, e, &moves)) continue;
      pv_vec_push(&g->arcs, ((struct arc){i, e->node}));
    }
  }
  pv_vec_free(&moves);
}

bool pv_instants_cycle(const struct pv_cpa *cpa, const struct pv_control *control, uint32_t *node) {
  struct graph g = {0};
  uint32_t nodes = pv_cpa_nodes(cpa);
  collect(&g, cpa, control);
  g.in = pv_alloc((nodes + 1) * sizeof *g.in);
  g.out = pv_alloc((nodes + 1) * sizeof *g.out);
  for (uint32_t i = 0; i < g.arcs.n; i++) {
    g.out[g.arcs.at[i].from]++;
    g.in[g.arcs.at[i].to]++;
  }
  /* Removes arcs that begin where none arrives or end where none begins. What is left has cycles.
   */
  for (bool changed = true; changed;) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g.arcs.n; i++) {
      struct arc a = g.arcs.at[i];
      if (g.in[a.from] && g.out[a.to]) {
        g.arcs.at[kept++] = a;
        continue;
      }
      g.out[a.from]--;
      g.in[a.to]--;
    }
    changed = kept < g.arcs.n;
    g.arcs.n = kept;
  }
  bool found = g.arcs.n > 0;
  if (found) *node = g.arcs.at[0].from;
  free(g.in);
  free(g.out);
  pv_vec_free(&g.arcs);
  return found;
}

/* ---- candidates ------------------------------------------------------------------------------ */

enum { SHARE = 4, MOST_STATES = 200000 }; /* of what is left of the time, states of the machine */

/* Asks the machine. Returns true if that decides. */
static bool search(const struct pv_task *task, struct pv_result *result) {
  struct pv_options options = *task->options;
  struct pv_limits limits = *task->limits;
  struct pv_result found = {0};
  double left = limits.seconds - pv_limits_elapsed(task->limits);
  if (!task->search || (limits.seconds > 0 && left <= 0)) return false;
  if (limits.seconds > 0) limits.seconds = left / SHARE;
  if (!limits.states || limits.states > MOST_STATES) limits.states = MOST_STATES;
  pv_limits_start(&limits);
  options.properties = PV_PROP_BIT(PV_PROP_NO_ENDLESS_INSTANT);
  struct pv_task part = {.program = task->program,
                         .options = &options,
                         .limits = &limits,
                         .properties = options.properties,
                         .replay = task->replay,
                         .replay_choices = task->replay_choices,
                         .minimise = task->minimise};
  bool decided = task->search(&part, &found) == PV_OK;
  decided &= found.violations.n || (found.verdict == PV_TRUE && !found.condition.provisos.n);
  for (uint32_t i = 0; decided && i < found.violations.n; i++)
    pv_vec_push(&result->violations, found.violations.at[i]);
  if (decided) found.violations.n = 0; /* they belong to the other result now */
  pv_result_clear(&found);
  return decided;
}

void pv_instants_decide(const struct pv_task *task, const struct pv_cpa *cpa,
                        const struct pv_control *control, bool searches, struct pv_result *result) {
  uint32_t node = 0;
  struct pv_str place = {0};
  if (!pv_instants_cycle(cpa, control, &node) || (searches && search(task, result))) return;
  struct pv_point at = pv_cpa_node(cpa, node)->state.at;
  const struct pv_function *f = pv_control_function(control, at.frame);
  uint32_t edge = f->locs.at[at.loc].first_out;
  pv_control_place(control, at.frame, edge, &place);
  pv_condition_add(&result->condition, PV_PROVISO_ENGINE, NULL, 0,
                   "no instant goes on for ever through %s (the abstract states have such a cycle)",
                   pv_str_cstr(&place));
  pv_str_free(&place);
}
