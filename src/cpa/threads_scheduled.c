/* threads_scheduled.c -- calls of an executed scheduler, and which threads it lets run. */
#include "cpa/threads_internal.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES = 32 }; /* a bound on the arguments with which one call is executed */

/* ---- a preemptive plug-in --------------------------------------------------------------------
 */

enum standing { GOES_ON, WAITS, UNKNOWN };

/* May the thread go on in this state of the scheduler, as far as the arguments of its call are
 * known in the abstract state? has_moved: it has moved or begun since, so its variables are not.
 * With `for_good` spurious wake-ups do not count. */
static enum standing standing(struct turn *t, const struct crew *crew, uint32_t thread,
                              bool has_moved, bool for_good) {
  struct pv_control *c = t->c;
  const struct member *m = &crew->at[thread];
  struct pv_move call = {.kind = PV_MOVE_STEP, .frame = m->frame};
  struct pv_call_values values;
  uint32_t n = 1;
  if (!pv_threads_call_of(c, m, &call.edge)) return GOES_ON;
  memset(&values, 0, sizeof values);
  const struct pv_edge *e = pv_move_edge(c, &call);
  uint32_t wanted = pv_scheduler_wants(c->scheduler, e);
  for (uint32_t i = 0; i < PV_CALL_ARGUMENTS; i++) {
    if (!(wanted >> i & 1)) continue;
    pv_expr x = pv_arg(c->program, e->args, i);
    if (pv_threads_is_number(c, pv_threads_fixed(c, m->frame, x), &values.lo[i])) continue;
    if (has_moved && pv_node(c->program, x)->op != PV_X_GLOBAL) return UNKNOWN;
    values.assumed |= 1u << i;
  }
  if (values.assumed && (!c->state || !c->arguments.values)) return UNKNOWN;
  if (values.assumed)
    c->arguments.values(c->arguments.self, c->state, &call, values.assumed, 0, &values, &n);
  if (!n) return UNKNOWN;
  bool blocks = pv_scheduler_blocks(c->scheduler, crew->scheduler, thread,
                                    c->frames.at[m->frame].function, call.edge, &values, for_good);
  return blocks ? WAITS : GOES_ON;
}

void pv_threads_yield(struct turn *t, struct pv_move m, const struct crew *after) {
  const struct member *self = &after->at[t->thread];
  uint32_t alive = 0, first = MOST;
  struct crew next = *after;
  next.active = t->thread;
  next.chosen = 0;
  if (self->status == ALIVE && (after->atomic || !pv_threads_at_switch(t->c, self))) {
    m.to = pv_threads_point_of(t->c, &next);
    pv_vec_push(t->out, m);
    return;
  }
  for (uint32_t i = MOST; i-- > 0;) {
    if (after->at[i].status != ALIVE) continue;
    alive++;
    first = i;
  }
  next.chosen = alive > 1;
  for (uint32_t i = 0; i < MOST; i++) {
    if (after->at[i].status != ALIVE) continue;
    bool has_moved = memcmp(&after->at[i], &t->crew->at[i], sizeof after->at[i]) != 0;
    bool waits = standing(t, after, i, has_moved, false) == WAITS;
    m.able |= waits ? 0 : UINT64_C(1) << i;
  }
  for (uint32_t i = 0; i < MOST; i++) {
    if (!(m.able >> i & 1)) continue;
    next.active = i;
    m.to = pv_threads_point_of(t->c, &next);
    pv_vec_push(t->out, m);
  }
  if (m.able) return;
  next.active = first; /* all wait: pv_threads_stuck */
  if (alive)
    m.to = pv_threads_point_of(t->c, &next);
  else
    m.kind = PV_MOVE_END;
  pv_vec_push(t->out, m);
}

void pv_threads_stuck(struct pv_control *c, const struct crew *crew, pv_moves *out) {
  struct turn t = {c, crew, crew->active, out};
  struct pv_move m = {.kind = PV_MOVE_END, .alternative = PV_ALTERNATIVE_STUCK};
  if (crew->atomic || !pv_threads_at_switch(c, &crew->at[crew->active])) return;
  for (uint32_t i = 0; i < MOST; i++) {
    if (crew->at[i].status != ALIVE) continue;
    enum standing how = standing(&t, crew, i, false, true);
    if (how == GOES_ON) return;
    if (how == UNKNOWN) m.alternative = PV_ALTERNATIVE_PERHAPS_STUCK;
  }
  m.frame = crew->at[crew->active].frame;
  if (pv_threads_call_of(c, &crew->at[crew->active], &m.edge)) pv_vec_push(out, m);
}

/* ---- calls ------------------------------------------------------------------------------------
 */

/* Adds the move for every thread that may run next (rule E2). `stays`: the call has not ended. */
static void schedule(struct turn *t, struct pv_move m, const struct crew *after, bool stays) {
  pv_scheduled_states next = {0};
  if (t->c->preempts) {
    pv_threads_yield(t, m, after);
    return;
  }
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

/* Adds the cut of a call in an atomic section that would let other threads run. */
static void wait_in_section(struct turn *t, struct pv_move m) {
  m.kind = PV_MOVE_CUT;
  m.alternative = PV_ALTERNATIVE_IN_SECTION;
  pv_vec_push(t->out, m);
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
  if (t->c->preempts && after->atomic && x.outcome != PV_PRIM_DONE && x.outcome != PV_PRIM_MISUSE &&
      !x.rest) {
    wait_in_section(t, m); /* no other thread could move */
    return;
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
  if (!found.n && t->c->preempts && after->atomic) wait_in_section(t, m);
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
  if (c->preempts) return pv_control_is_switch(c, m->to) ? m->able : 0;
  if (!x) return 0;
  pv_scheduler_next(c->scheduler, x->after, &next);
  for (uint32_t i = 0; i < next.n; i++) threads |= UINT64_C(1) << next.at[i].thread;
  pv_vec_free(&next);
  return threads;
}

/* ---- symmetry ---------------------------------------------------------------------------------
 */

/* The state of the scheduler in which it chose. */
static uint32_t chosen_in(const struct pv_control *c, const struct pv_move *m) {
  const struct pv_executed *x = pv_control_executed(c, m);
  return x && !c->preempts ? x->after : c->threads->crews.at[m->to.others - 1].scheduler;
}

/* Are the stacks the same, but for the threads that they belong to? */
static bool same_stack(const struct pv_control *c, uint32_t x, uint32_t y) {
  while (x != PV_NO_FRAME && y != PV_NO_FRAME) {
    const struct pv_frame *f = &c->frames.at[x], *g = &c->frames.at[y];
    if (f->function != g->function || f->call != g->call) return false;
    if (f->instance % PV_INSTANCES != g->instance % PV_INSTANCES) return false;
    if (f->parent == PV_NO_FRAME && !f->call) return false; /* which function it runs is unknown */
    x = f->parent;
    y = g->parent;
  }
  return x == y;
}

bool pv_control_alike(const struct pv_control *c, const struct pv_move *m, uint32_t a, uint32_t b) {
  struct crew crew = pv_threads_crew_at(c, m->to);
  const struct member *x = &crew.at[a], *y = &crew.at[b];
  if (crew.atomic || x->status != ALIVE || y->status != ALIVE) return false;
  if (x->loc != y->loc || x->waits != y->waits || !same_stack(c, x->frame, y->frame)) return false;
  return pv_scheduler_alike(c->scheduler, chosen_in(c, m), a, b);
}

void pv_control_moves_unscheduled(struct pv_control *c, struct pv_point at, pv_moves *out) {
  at.others = 0;
  pv_control_own_moves(c, at, out);
}

uint32_t pv_control_suppose_joined(struct pv_control *c, const struct pv_move *chosen,
                                   uint32_t thread, const struct pv_call_values *values,
                                   struct pv_move *call) {
  uint32_t function = c->frames.at[call->frame].function, outcome;
  uint32_t awaited = pv_scheduler_suppose(c->scheduler, chosen_in(c, chosen), thread, function,
                                          call->edge, values, &outcome);
  call->alternative = PV_ALTERNATIVE_EXECUTED + outcome;
  return awaited;
}
