#include "report/state_graph.h"

#include <stdlib.h>

static void add_edge(struct pv_state_graph *g, uint64_t from, uint64_t to, enum pv_state_end end) {
  if (from >= PV_STATE_GRAPH_MOST || to >= PV_STATE_GRAPH_MOST) return;
  struct pv_state_edge e = g->step;
  e.from = (uint32_t)from;
  e.to = (uint32_t)to;
  e.end = end;
  if (g->states <= e.from) g->states = e.from + 1;
  if (g->states <= e.to) g->states = e.to + 1;
  pv_vec_push(&g->edges, e);
}

/* An error between a step and the next state is one of the step, any other one of the state. */
static void tell(void *user, const proviso_event *e) {
  static const enum pv_state_end ends[] = {[PROVISO_OUTCOME_ENDED] = PV_STATE_ENDED,
                                           [PROVISO_OUTCOME_PRUNED] = PV_STATE_CUT,
                                           [PROVISO_OUTCOME_CUT] = PV_STATE_CUT,
                                           [PROVISO_OUTCOME_ERROR] = PV_STATE_ERROR};
  struct pv_state_graph *g = user;
  switch (e->kind) {
  case PROVISO_EVENT_STEP:
    g->step = (struct pv_state_edge){.thread = e->thread,
                                     .alternative = e->alternative,
                                     .file = e->file,
                                     .function = e->function,
                                     .line = e->line};
    g->within = true;
    break;
  case PROVISO_EVENT_STATE:
    add_edge(g, e->from, e->state, PV_STATE_NONE);
    g->at = (uint32_t)e->state;
    g->within = false;
    break;
  case PROVISO_EVENT_END:
    add_edge(g, e->from, e->from, ends[e->outcome]);
    g->at = (uint32_t)e->from;
    g->within = e->outcome == PROVISO_OUTCOME_ERROR; /* its error may be told before or after */
    break;
  case PROVISO_EVENT_BACKTRACK:
    g->at = (uint32_t)e->state;
    g->within = false;
    break;
  case PROVISO_EVENT_ERROR:
    if (!g->within && g->at < PV_STATE_GRAPH_MOST) g->is_error[g->at] = true;
    break;
  default: break;
  }
}

proviso_listener pv_state_graph_listener(struct pv_state_graph *g) {
  static const proviso_event_kind kinds[] = {PROVISO_EVENT_STEP, PROVISO_EVENT_STATE,
                                             PROVISO_EVENT_END, PROVISO_EVENT_BACKTRACK,
                                             PROVISO_EVENT_ERROR};
  proviso_listener l = {.tell = tell, .user = g};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) l.kinds |= PROVISO_EVENT_BIT(kinds[i]);
  *g = (struct pv_state_graph){.is_error = pv_alloc(PV_STATE_GRAPH_MOST * sizeof(bool))};
  return l;
}

void pv_state_graph_clear(struct pv_state_graph *g) {
  free(g->is_error);
  pv_vec_free(&g->edges);
  *g = (struct pv_state_graph){0};
}
