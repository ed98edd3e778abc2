#include "cpa/cegar.h"

#include "cpa/monitor.h"

#include <stdlib.h>

/* The maximal number of refinements for one event that is not a violation; then it becomes a
 * proviso. */
enum { MOST_TRIES = 40 };

static bool on_event(void *user, uint32_t node, const struct pv_move *move,
                     const struct pv_sym_event *event) {
  struct pv_cegar *c = user;
  struct pv_candidate_error s = {node, *move, event};
  if (pv_context_is_given_up(c->context, event)) return true;
  bool now = event->kind == PV_SYM_VIOLATION || (c->wraps_early && event->kind == PV_SYM_WRAP);
  if (!now) {
    pv_vec_push(&c->later, s);
    return true;
  }
  if (c->check(c->user, &s) == PV_SMT_UNSAT) return true;
  c->found = s;
  return false;
}

/* No refinement is tried against an overflow that may wrap around: that excludes no run, and costs
 * only precision. */
static bool may_try(struct pv_cegar *c, const struct pv_sym_event *e) {
  if (e->kind == PV_SYM_VIOLATION) return true;
  struct pv_event_place key = pv_event_place(e);
  return e->kind != PV_SYM_WRAP &&
         (*pv_map_put(&c->tries, &key, sizeof key, 0, NULL))++ < MOST_TRIES;
}

static bool wrap(struct pv_cegar *c, const struct pv_sym_event *e) {
  const struct pv_frame *f = pv_control_frame(c->context->control, e->frame);
  if (e->kind != PV_SYM_WRAP || !pv_symbolic_wrap(c->context->symbolic, f->function, e->edge))
    return false;
  pv_cpa_reconsider(c->cpa, f->function, e->edge);
  return true;
}

static const char *why(struct pv_cegar *c, const struct pv_sym_event *e, enum pv_refinement r) {
  if (r == PV_STUCK) return pv_context_undecided(c->context, "refinement comes no further");
  return e->kind == PV_SYM_VIOLATION ? pv_context_not_shown(c->context) : NULL;
}

/* Reports progress, some ten times a second at most. */
static void tell_progress(void *user) {
  struct pv_cegar *c = user;
  const struct pv_cpa_stats *s = pv_cpa_stats(c->cpa);
  const struct pv_task *task = c->context->task;
  double now = pv_clock();
  if (!task->progress || now - c->told < 0.05) return;
  c->told = now;
  struct pv_stats stats = {.states = s->expanded + pv_cpa_waiting(c->cpa),
                           .expanded = s->expanded,
                           .matched = s->covered + s->merged,
                           .refinements = c->refinements};
  task->progress(task->progress_user, &stats);
}

/* Examines a candidate error. Returns false if an error was reported. *changed: the graph has
 * changed. */
static bool follow(struct pv_cegar *c, const struct pv_candidate_error *s, bool *changed) {
  enum pv_refinement r = PV_STUCK;
  const char *exceeded = NULL;
  uint64_t removed = pv_cpa_stats(c->cpa)->removed;
  if (may_try(c, s->event)) {
    pv_monitor_begin_refinement(c->context->monitor);
    r = c->refine(c->user, s);
    exceeded = pv_monitor_end_refinement(c->context->monitor);
    c->refinements += r != PV_RESTARTED;
    if (r == PV_RESTARTED) r = PV_REFINED;
    tell_progress(c);
  }
  if (r == PV_REPORTED) return false;
  if (r == PV_REFINED)
    pv_tell(c->context->task->listeners,
            &(proviso_event){.kind = PROVISO_EVENT_REFINEMENT,
                             .states = pv_cpa_stats(c->cpa)->removed - removed});
  *changed = r == PV_REFINED || wrap(c, s->event);
  if (*changed) return true;
  if (exceeded)
    pv_context_exclude(c->context, c->result, s->event, exceeded);
  else
    pv_context_give_up(c->context, c->result, s->event, why(c, s->event, r));
  return true;
}

/* Is it an overflow that was reported before it was modelled as wrapping around? */
static bool is_past(const struct pv_cegar *c, const struct pv_sym_event *e) {
  const struct pv_frame *f = pv_control_frame(c->context->control, e->frame);
  return e->kind == PV_SYM_WRAP && pv_symbolic_wraps(c->context->symbolic, f->function, e->edge);
}

/* Examines the postponed events until one was refined or none is left. Returns true if the graph
 * has changed; events that are still possible will be found again. */
static bool look_later(struct pv_cegar *c) {
  bool any = false;
  while (c->later.n) {
    if (pv_limits_check(c->context->task->limits, 0) != PV_LIMIT_NONE) return false;
    struct pv_candidate_error s = pv_vec_pop(&c->later);
    if (pv_cpa_node(c->cpa, s.node)->removed || is_past(c, s.event)) continue;
    if (pv_context_is_given_up(c->context, s.event)) continue;
    if (c->check(c->user, &s) == PV_SMT_UNSAT) continue;
    bool changed = false;
    follow(c, &s, &changed);
    any |= changed;
    if (changed && s.event->kind != PV_SYM_WRAP) break;
  }
  return any;
}

bool pv_cegar_run(struct pv_cegar *c) {
  pv_cpa_set_progress(c->cpa, tell_progress, c);
  while (!pv_context_lost(c->context) && (!c->most || c->refinements < c->most)) {
    bool changed;
    switch (pv_cpa_run(c->cpa, on_event, c)) {
    case PV_CPA_LIMIT: return false;
    case PV_CPA_EVENT:
      if (!follow(c, &c->found, &changed)) return true;
      break;
    case PV_CPA_PREFIX: look_later(c); break;
    case PV_CPA_FIXPOINT:
      if (!look_later(c)) return c->context->task->limits->hit == PV_LIMIT_NONE;
      break;
    }
  }
  return false;
}

void pv_cegar_restart(struct pv_cegar *c) {
  c->later.n = 0;
  pv_cpa_restart(c->cpa);
}

void pv_cegar_path(const struct pv_cegar *c, const struct pv_candidate_error *s, pv_moves *moves,
                   pv_cells *nodes) {
  pv_cells back = {0}; /* from the candidate error back to the start, without the start */
  for (uint32_t node = s->node; pv_cpa_node(c->cpa, node)->parents.n;
       node = pv_cpa_node(c->cpa, node)->parents.at[0].node)
    pv_vec_push(&back, node);
  while (back.n) {
    uint32_t node = pv_vec_pop(&back);
    /* The first parent is the one from which the node was created. */
    pv_cpa_moves(c->cpa, &pv_cpa_node(c->cpa, node)->parents.at[0], moves);
    while (nodes->n < moves->n) pv_vec_push(nodes, node);
  }
  pv_vec_push(moves, s->move);
  pv_vec_free(&back);
}

void pv_cegar_free(struct pv_cegar *c) {
  pv_vec_free(&c->later);
  pv_map_free(&c->tries);
}
