/* threads_scheduled.c -- calls of an executed scheduler, and which threads it lets run. */
#include "cpa/threads_internal.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES = 32 }; /* a bound on the arguments with which one call is executed */

/* Adds the move for every thread that may run next (rule E2). `stays`: the call has not ended. */
static void schedule(struct turn *t, struct pv_move m, const struct crew *after, bool stays) {
  pv_scheduled_states next = {0};
  pv_scheduler_next(t->c->scheduler, after->scheduler, &next);
  for (uint32_t i = 0; i < next.n; i++) {
    struct crew crew = *after;
    crew.active = next.at[i].thread;
    PV_REQUIRE(crew.active < MOST && crew.at[crew.active].status == ALIVE,
               "the scheduler runs a thread that does not exist");
    crew.scheduler = next.at[i].state;
    crew.chosen = stays || crew.scheduler != after->scheduler || crew.active != t->thread;
    m.to = pv_threads_point_of(t->c, &crew);
    pv_vec_push(t->out, m);
  }
  if (!next.n) { /* all threads have ended, or none can go on */
    m.kind = PV_MOVE_END;
    pv_vec_push(t->out, m);
  }
  pv_vec_free(&next);
}

/* Adds the new thread. Returns false if there are too many. */
static bool begin_thread(struct turn *t, struct pv_move *m, const struct pv_executed *x,
                         struct crew *next) {
  if (x->created >= MOST || next->at[x->created].status != FREE) return false;
  pv_expr start = pv_threads_fixed(t->c, m->frame, pv_threads_argument(t, m, x->start));
  bool known = start && pv_node(t->c->program, start)->op == PV_X_FUNC;
  m->other = pv_control_root(t->c, x->created,
                             known ? (uint32_t)pv_node(t->c->program, start)->lo : PV_NO_FUNC);
  next->at[x->created] = (struct member){
      .status = ALIVE, .frame = m->other, .loc = pv_control_function(t->c, m->other)->entry};
  return true;
}

/* Adds the moves of one outcome of a call (the rule for primitives). */
static void outcome(struct turn *t, struct pv_move m, const struct crew *after, uint32_t number) {
  struct pv_executed x = *pv_scheduler_outcome(t->c->scheduler, number);
  struct crew next = *after;
  m.alternative = PV_ALTERNATIVE_EXECUTED + number;
  next.scheduler = x.after;
  bool creates = t->c->program->prims.at[pv_move_edge(t->c, &m)->aux].prim->role == PV_ROLE_CREATES;
  if (x.outcome == PV_PRIM_AGAIN) next.at[t->thread] = t->crew->at[t->thread];
  for (uint32_t i = 0; i < MOST; i++)
    if (x.ended >> i & 1) memset(&next.at[i], 0, sizeof next.at[i]);
  if (x.outcome == PV_PRIM_EXITED) memset(&next.at[t->thread], 0, sizeof next.at[t->thread]);
  for (uint32_t i = 0; i < MOST; i++) {
    if (!(x.restarted >> i & 1)) continue;
    uint32_t root = pv_control_root(t->c, i, PV_NO_FUNC);
    next.at[i] = (struct member){
        .status = ALIVE, .frame = root, .loc = pv_control_function(t->c, root)->entry};
  }
  bool follows = !x.rest && x.outcome != PV_PRIM_LIMIT;
  if (follows && creates && x.outcome == PV_PRIM_DONE && x.created)
    follows = begin_thread(t, &m, &x, &next);
  if (follows) {
    schedule(t, m, &next, x.outcome == PV_PRIM_AGAIN);
    return;
  }
  m.kind = PV_MOVE_CUT;
  pv_vec_push(t->out, m);
}

/* The arguments with which the call is executed. Returns true if these are all. */
static bool arguments(struct turn *t, const struct pv_move *m, uint32_t wanted,
                      struct pv_call_values *out, uint32_t *n) {
  struct pv_control *c = t->c;
  const struct pv_argument_source *source = &c->arguments;
  memset(&out[0], 0, sizeof out[0]);
  for (uint32_t i = 0; i < PV_CALL_ARGUMENTS; i++) {
    pv_expr e = wanted >> i & 1 ? pv_threads_fixed(c, m->frame, pv_threads_argument(t, m, i)) : 0;
    if (!(wanted >> i & 1)) continue;
    if (!pv_threads_is_number(c, e, &out[0].lo[i])) out[0].assumed |= 1u << i;
  }
  *n = 1;
  if (!out[0].assumed) return true;
  *n = 0;
  return c->state && source->values &&
         source->values(source->self, c->state, m, out[0].assumed, VALUES, out, n);
}

void pv_threads_execute(struct turn *t, struct pv_move m, const struct crew *after) {
  struct pv_scheduler *s = t->c->scheduler;
  uint32_t function = t->c->frames.at[m.frame].function, n = 0;
  uint32_t wanted = pv_scheduler_wants(s, pv_move_edge(t->c, &m));
  struct pv_call_values values[VALUES];
  bool all = arguments(t, &m, wanted, values, &n);
  pv_outcomes found = {0};
  for (uint32_t i = 0; i < n; i++)
    pv_scheduler_execute(s, t->crew->scheduler, t->thread, function, m.edge, &values[i], &found);
  if (!all)
    pv_vec_push(&found,
                pv_scheduler_rest(s, t->crew->scheduler, t->thread, function, m.edge, values, n));
  for (uint32_t i = 0; i < found.n; i++) outcome(t, m, after, found.at[i]);
  pv_vec_free(&found);
}

bool pv_control_state_in_instant(const struct pv_control *c, uint32_t state) {
  return c->scheduler && pv_scheduler_in_instant(c->scheduler, state);
}
bool pv_control_in_instant(const struct pv_control *c, struct pv_point at) {
  return pv_control_state_in_instant(c,
                                     at.others ? c->threads->crews.at[at.others - 1].scheduler : 0);
}

const struct pv_executed *pv_control_executed(const struct pv_control *c, const struct pv_move *m) {
  bool calls = c->scheduler && pv_move_edge(c, m)->op == PV_OP_PRIM;
  if (!calls || m->alternative < PV_ALTERNATIVE_EXECUTED) return NULL;
  return pv_scheduler_outcome(c->scheduler, m->alternative - PV_ALTERNATIVE_EXECUTED);
}

uint64_t pv_control_may_follow(struct pv_control *c, const struct pv_move *m) {
  const struct pv_executed *x = pv_control_executed(c, m);
  pv_scheduled_states next = {0};
  uint64_t threads = 0;
  if (!x) return 0;
  pv_scheduler_next(c->scheduler, x->after, &next);
  for (uint32_t i = 0; i < next.n; i++) threads |= UINT64_C(1) << next.at[i].thread;
  pv_vec_free(&next);
  return threads;
}
