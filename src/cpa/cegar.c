#include "cpa/cegar.h"

#include <stdlib.h>

/* Refinements that one event other than a violation may cost before it becomes a proviso. */
enum { MOST_TRIES = 40 };

static bool on_event(void *user, uint32_t node, const struct pv_move *move,
                     const struct pv_sym_event *event) {
  struct pv_cegar *c = user;
  struct pv_suspect s = {node, *move, event};
  if (pv_ground_is_given_up(c->ground, event)) return true;
  if (event->kind != PV_SYM_VIOLATION) {
    pv_vec_push(&c->later, s);
    return true;
  }
  if (c->check(c->user, &s) == PV_SMT_UNSAT) return true;
  c->found = s;
  return false;
}

static bool may_try(struct pv_cegar *c, const struct pv_sym_event *e) {
  struct pv_event_place key = pv_event_place(e);
  return e->kind == PV_SYM_VIOLATION ||
         (*pv_map_put(&c->tries, &key, sizeof key, 0, NULL))++ < MOST_TRIES;
}

static bool wrap(struct pv_cegar *c, const struct pv_sym_event *e) {
  if (e->kind != PV_SYM_WRAP) return false;
  const struct pv_frame *f = pv_control_frame(c->ground->control, e->frame);
  if (!pv_symbolic_wrap(c->ground->symbolic, f->function, e->edge)) return false;
  c->later.n = 0;
  pv_cpa_restart(c->cpa);
  return true;
}

/* False: an error was reported. */
static bool follow(struct pv_cegar *c, const struct pv_suspect *s) {
  enum pv_refinement r = PV_STUCK;
  if (may_try(c, s->event)) {
    r = c->refine(c->user, s);
    c->refinements++;
  }
  if (r == PV_REPORTED) return false;
  if (r != PV_REFINED && !wrap(c, s->event)) pv_ground_give_up(c->ground, c->result, s->event);
  return true;
}

/* The events kept for later, until one changed the graph (true): what can still happen then is met
 * again. */
static bool look_later(struct pv_cegar *c) {
  while (c->later.n) {
    struct pv_suspect s = pv_vec_pop(&c->later);
    if (pv_limits_check(c->ground->task->limits, 0) != PV_LIMIT_NONE) return false;
    if (pv_cpa_node(c->cpa, s.node)->removed || pv_ground_is_given_up(c->ground, s.event)) continue;
    if (c->check(c->user, &s) == PV_SMT_UNSAT) continue;
    uint64_t removed = pv_cpa_stats(c->cpa)->removed;
    follow(c, &s);
    if (pv_cpa_stats(c->cpa)->removed != removed || !pv_cpa_nodes(c->cpa)) return true;
  }
  return false;
}

bool pv_cegar_run(struct pv_cegar *c) {
  for (;;) {
    switch (pv_cpa_run(c->cpa, on_event, c)) {
    case PV_CPA_LIMIT: return false;
    case PV_CPA_EVENT:
      if (!follow(c, &c->found)) return true;
      break;
    case PV_CPA_FIXPOINT:
      if (!look_later(c)) return c->ground->task->limits->hit == PV_LIMIT_NONE;
      break;
    }
  }
}

void pv_cegar_free(struct pv_cegar *c) {
  pv_vec_free(&c->later);
  pv_map_free(&c->tries);
}
