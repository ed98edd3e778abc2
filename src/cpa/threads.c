/* threads.c -- positions and moves of several threads.
 *
 * A *crew* contains, for every thread except the active one, its position and its state. The
 * position of the active thread is the rest of the program point. A thread is active if its next
 * operation is invisible to others (visible.h). If all threads are at switch points, the first one
 * counts as active, so that a point does not depend on the order in which they arrived; any of them
 * may move. In an atomic section its thread stays active until the end.
 *
 * Condition variables: reachability does not depend on which waiter a signal wakes, or whether
 * there is a signal, because a waiting thread may always wake up spuriously, as in the VM. So a
 * wait releases the mutex and acquires it again, and signals have no effect.
 * Deadlocks do depend on that, and so does misuse: with pv_control_follow_waits a wait has the
 * stages of the plug-in (sched/pthread_wait.c), and a signal has a move for each waiter. */
#include "cpa/threads_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- crews ----------------------------------------------------------------------------------- */

struct crew pv_threads_crew_at(const struct pv_control *c, struct pv_point at) {
  struct crew crew;
  memset(&crew, 0, sizeof crew);
  if (at.others)
    crew = c->threads->crews.at[at.others - 1];
  else
    crew.at[0].status = ALIVE;
  crew.at[crew.active].frame = at.frame;
  crew.at[crew.active].loc = at.loc;
  return crew;
}

struct pv_point pv_threads_point_of(struct pv_control *c, const struct crew *from) {
  struct pv_threads *t = c->threads;
  struct crew crew = *from;
  struct member *active = &crew.at[crew.active];
  struct pv_point at = {active->frame, active->loc, 0};
  bool alone = !crew.active && !crew.atomic && !active->waits && !crew.scheduler && !crew.chosen;
  for (uint32_t i = 1; i < MOST; i++) alone &= crew.at[i].status == FREE;
  if (alone) return at;
  active->frame = 0;
  active->loc = 0;
  bool is_new;
  uint32_t used = MOST;
  while (used > 1 && crew.at[used - 1].status == FREE) used--;
  size_t bytes = offsetof(struct crew, at) + used * sizeof crew.at[0];
  at.others = *pv_map_put(&t->crew_index, &crew, bytes, t->crews.n, &is_new) + 1;
  if (is_new) pv_vec_push(&t->crews, crew);
  return at;
}

bool pv_threads_at_switch(const struct pv_control *c, const struct member *m) {
  return pv_visible_switch(c->threads->visible, c->frames.at[m->frame].function, m->loc);
}

/* Chooses the active thread after a move. Returns false if no thread is left. */
static bool choose_active(const struct pv_control *c, struct crew *crew, uint32_t thread) {
  uint32_t first = MOST, busy = MOST;
  if (crew->atomic || c->scheduler) {
    crew->active = thread;
    return true;
  }
  for (uint32_t i = MOST; i-- > 0;) {
    if (crew->at[i].status != ALIVE) continue;
    first = i;
    if (!pv_threads_at_switch(c, &crew->at[i])) busy = i;
  }
  if (first == MOST) return false;
  bool goes_on = crew->at[thread].status == ALIVE && !pv_threads_at_switch(c, &crew->at[thread]);
  crew->active = goes_on ? thread : busy < MOST ? busy : first;
  return true;
}

void pv_control_guide_scheduler(struct pv_control *c, const uint32_t rank[PV_MAX_THREADS]) {
  if (c->scheduler) pv_scheduler_guide(c->scheduler, rank);
}

bool pv_control_is_switch(const struct pv_control *c, struct pv_point at) {
  if (!c->threads || !at.others) return false;
  if (c->scheduler) return c->threads->crews.at[at.others - 1].chosen;
  struct crew crew = pv_threads_crew_at(c, at);
  uint32_t alive = 0;
  for (uint32_t i = 0; i < MOST; i++) alive += crew.at[i].status == ALIVE;
  return alive > 1 && !crew.atomic && pv_threads_at_switch(c, &crew.at[crew.active]);
}

static uint32_t beside(struct pv_control *c, const struct crew *crew, uint32_t thread) {
  struct pv_threads *t = c->threads;
  struct set set;
  memset(&set, 0, sizeof set);
  for (uint32_t i = 0; i < MOST; i++)
    if (i != thread && crew->at[i].status == ALIVE) set.at[set.n++] = crew->at[i].frame;
  if (!set.n) return 0;
  bool is_new;
  uint32_t at = *pv_map_put(&t->set_index, &set, sizeof set, t->sets.n, &is_new);
  if (is_new) pv_vec_push(&t->sets, set);
  return at + 1;
}

const uint32_t *pv_control_beside(const struct pv_control *c, uint32_t beside, uint32_t *n) {
  *n = beside ? c->threads->sets.at[beside - 1].n : 0;
  return beside ? c->threads->sets.at[beside - 1].at : NULL;
}

static uint32_t intern_waiting(struct pv_control *c, const struct waiting *w) {
  struct pv_threads *t = c->threads;
  if (!w->n) return 0;
  bool is_new;
  size_t bytes = offsetof(struct waiting, at) + w->n * sizeof w->at[0];
  uint32_t at = *pv_map_put(&t->waiting_index, w, bytes, t->waiting.n, &is_new);
  if (is_new) pv_vec_push(&t->waiting, *w);
  return at + 1;
}

const struct pv_waiting *pv_control_waiting(const struct pv_control *c, uint32_t waiting,
                                            uint32_t *n) {
  *n = waiting ? c->threads->waiting.at[waiting - 1].n : 0;
  return waiting ? c->threads->waiting.at[waiting - 1].at : NULL;
}

bool pv_threads_call_of(const struct pv_control *c, const struct member *m, uint32_t *edge) {
  const struct pv_function *f = pv_control_function(c, m->frame);
  *edge = f->locs.at[m->loc].first_out;
  return f->locs.at[m->loc].n_out == 1 && f->edges.at[*edge].op == PV_OP_PRIM;
}

static void add_waiting(const struct pv_control *c, const struct member *m, struct waiting *w) {
  uint32_t edge;
  if (!pv_threads_call_of(c, m, &edge)) return;
  w->at[w->n++] = (struct pv_waiting){m->frame, edge, (enum pv_wait_stage)m->waits};
}

/* The threads other than this one that are inside of a wait. */
static uint32_t waiters(struct pv_control *c, const struct crew *crew, uint32_t thread) {
  struct waiting w;
  memset(&w, 0, sizeof w);
  for (uint32_t i = 0; i < MOST; i++)
    if (i != thread && crew->at[i].status == ALIVE && crew->at[i].waits)
      add_waiting(c, &crew->at[i], &w);
  return intern_waiting(c, &w);
}

uint32_t pv_control_find(const struct pv_control *c, struct pv_point at, uint32_t function,
                         uint32_t instance, uint32_t *top, pv_loc *loc) {
  *top = at.frame;
  *loc = at.loc;
  uint32_t frame = pv_control_instance(c, at.frame, function, instance);
  if (frame != PV_NO_FRAME || !at.others) return frame;
  struct crew crew = pv_threads_crew_at(c, at);
  uint32_t thread = instance / PV_INSTANCES;
  if (thread >= MOST || crew.at[thread].status != ALIVE) return PV_NO_FRAME;
  *top = crew.at[thread].frame;
  *loc = crew.at[thread].loc;
  return pv_control_instance(c, *top, function, instance);
}

bool pv_control_stands_at(const struct pv_control *c, struct pv_point at, uint32_t function,
                          uint32_t edge) {
  pv_loc from = c->program->functions.at[function].edges.at[edge].from;
  if (c->frames.at[at.frame].function == function && at.loc == from) return true;
  if (!at.others) return false;
  struct crew crew = pv_threads_crew_at(c, at);
  for (uint32_t i = 0; i < MOST; i++)
    if (crew.at[i].status == ALIVE && c->frames.at[crew.at[i].frame].function == function &&
        crew.at[i].loc == from)
      return true;
  return false;
}

/* ---- what can be known of an argument without running anything ---------------------------------
 */

static bool is_assigned(const struct pv_control *c, const struct pv_function *f, uint32_t var) {
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    if (e->dst == var || e->dst2 == var) return true;
    for (uint32_t k = 0; k < e->dsts.n; k++)
      if (pv_arg(c->program, e->dsts, k) == var) return true;
  }
  return false;
}

/* The argument that was passed for this parameter, in the frame that becomes *frame. 0: it is none,
 * or not known. */
static pv_expr passed_for(const struct pv_control *c, uint32_t *frame, pv_expr e) {
  const struct pv_frame *f = &c->frames.at[*frame];
  const struct pv_function *function = pv_control_function(c, *frame);
  uint64_t var = pv_node(c->program, e)->lo;
  if (var >= function->n_params || f->parent == PV_NO_FRAME) return 0;
  if (is_assigned(c, function, (uint32_t)var)) return 0;
  const struct pv_edge *call = &pv_control_function(c, f->parent)->edges.at[f->call];
  if (var >= call->args.n) return 0;
  *frame = f->parent;
  return pv_arg(c->program, call->args, (uint32_t)var);
}

pv_expr pv_threads_fixed(const struct pv_control *c, uint32_t frame, pv_expr e) {
  for (;;) {
    const struct pv_expr_node *n = pv_node(c->program, e);
    if (n->op == PV_X_FUNC || n->op == PV_X_CONST) return e;
    if (n->op != PV_X_VAR || !(e = passed_for(c, &frame, e))) return 0;
  }
}

bool pv_threads_is_number(const struct pv_control *c, pv_expr e, uint64_t *value) {
  if (!e || pv_node(c->program, e)->op != PV_X_CONST) return false;
  *value = pv_node(c->program, e)->lo;
  return true;
}

/* ---- moves of the scheduler --------------------------------------------------------------------
 */

/* Adds the move, which leads to this crew. */
static void push(struct turn *t, struct pv_move m, struct crew *next) {
  if (choose_active(t->c, next, t->thread))
    m.to = pv_threads_point_of(t->c, next);
  else
    m.kind = PV_MOVE_END;
  pv_vec_push(t->out, m);
}

pv_expr pv_threads_argument(const struct turn *t, const struct pv_move *m, uint32_t i) {
  return pv_arg(t->c->program, pv_move_edge(t->c, m)->args, i);
}

static void create_alternative(struct turn *t, struct pv_move m, const struct crew *after,
                               uint32_t slot, bool detached) {
  struct crew next = *after;
  pv_expr start = pv_threads_fixed(t->c, m.frame, pv_threads_argument(t, &m, 1));
  bool known = start && pv_node(t->c->program, start)->op == PV_X_FUNC;
  m.other =
      pv_control_root(t->c, slot, known ? (uint32_t)pv_node(t->c->program, start)->lo : PV_NO_FUNC);
  m.alternative = detached ? PV_ALTERNATIVE_DETACHED : PV_ALTERNATIVE_ONLY;
  next.at[slot] = (struct member){.status = ALIVE,
                                  .detached = detached,
                                  .frame = m.other,
                                  .loc = pv_control_function(t->c, m.other)->entry};
  push(t, m, &next);
}

/* Creates a thread with the lowest free number, as the plug-in does. */
static void create(struct turn *t, struct pv_move m, const struct crew *after) {
  uint32_t slot = 1;
  uint64_t detached;
  while (slot < PREEMPTIVE && after->at[slot].status != FREE) slot++;
  if (slot == PREEMPTIVE) {
    m.kind = PV_MOVE_CUT;
    pv_vec_push(t->out, m);
    return;
  }
  bool known = pv_threads_is_number(
      t->c, pv_threads_fixed(t->c, m.frame, pv_threads_argument(t, &m, 3)), &detached);
  if (!known || !detached) create_alternative(t, m, after, slot, false);
  if (!known || detached) create_alternative(t, m, after, slot, true);
}

static void join(struct turn *t, struct pv_move m, const struct crew *after) {
  uint64_t result = 0;
  bool known = pv_threads_is_number(
      t->c, pv_threads_fixed(t->c, m.frame, pv_threads_argument(t, &m, 1)), &result);
  struct crew next = *after;
  for (uint32_t i = 0; i < MOST; i++) {
    if (after->at[i].status != ENDED) continue;
    next = *after;
    memset(&next.at[i], 0, sizeof next.at[i]);
    m.other = i;
    m.alternative = PV_ALTERNATIVE_ONLY;
    if (!known || !result) push(t, m, &next);
    m.alternative = PV_ALTERNATIVE_STORES;
    if (!known || result) push(t, m, &next);
  }
  next = *after;
  m.alternative = PV_ALTERNATIVE_SELF;
  m.other = t->thread;
  if (!after->at[t->thread].detached) push(t, m, &next);
}

static void detach(struct turn *t, struct pv_move m, const struct crew *after) {
  for (uint32_t i = 0; i < MOST; i++) {
    struct crew next = *after;
    if (after->at[i].status == FREE || after->at[i].detached) continue;
    if (after->at[i].status == ENDED)
      memset(&next.at[i], 0, sizeof next.at[i]);
    else
      next.at[i].detached = 1;
    m.other = i;
    push(t, m, &next);
  }
}

/* Adds the misuse case of a join or detach. The set contains the threads that could be joined or
 * detached; any other value is misuse. */
static void misuse(struct turn *t, struct pv_move m, const struct crew *after) {
  struct crew next = *after;
  m.alternative = PV_ALTERNATIVE_MISUSE;
  m.other = 0;
  for (uint32_t i = 0; i < MOST; i++)
    if (after->at[i].status != FREE && !after->at[i].detached) m.other |= 1u << i;
  push(t, m, &next);
}

static void wait(struct turn *t, struct pv_move m, const struct crew *after, bool timed) {
  struct crew next = *t->crew;
  uint8_t stage = t->crew->at[t->thread].waits;
  bool exact = t->c->threads->follows_waits;
  if (!stage) {
    next.at[t->thread].waits = PV_STAGE_WAITS;
    if (exact) m.waiting = waiters(t->c, t->crew, t->thread);
    push(t, m, &next);
    return;
  }
  next = *after;
  next.at[t->thread].waits = PV_STAGE_BEFORE;
  m.alternative = PV_ALTERNATIVE_GOES_ON;
  if (stage != PV_STAGE_TIMED_OUT) push(t, m, &next);
  m.alternative = PV_ALTERNATIVE_TIMES_OUT;
  if (timed && stage != PV_STAGE_WOKEN) push(t, m, &next);
  next = *t->crew;
  next.at[t->thread].waits = PV_STAGE_TIMED_OUT;
  m.alternative = PV_ALTERNATIVE_LEAVES;
  if (timed && exact && stage == PV_STAGE_WAITS) push(t, m, &next);
}

/* ---- signals -----------------------------------------------------------------------------------
 */

/* An address that is known without running anything: an offset in a global, or in a slot of a
 * frame.
 */
struct known_address {
  enum pv_expr_op kind; /* PV_X_GLOBAL, PV_X_SLOT, or another one: it is not known */
  uint64_t index, offset;
  uint32_t frame; /* of a slot */
};

static struct known_address known_address(const struct pv_control *c, uint32_t frame, pv_expr e) {
  struct known_address a = {.kind = PV_X_VAR};
  const struct pv_expr_node *n = pv_node(c->program, e);
  for (;;) {
    if (n->op == PV_X_PTRADD && pv_node(c->program, n->b)->op == PV_X_CONST) {
      a.offset += pv_node(c->program, n->b)->lo;
      e = n->a;
    } else if (n->op != PV_X_VAR || !(e = passed_for(c, &frame, e))) {
      break;
    }
    n = pv_node(c->program, e);
  }
  bool is_global = n->op == PV_X_GLOBAL && !c->program->globals.at[n->lo].is_thread_local;
  if (!is_global && n->op != PV_X_SLOT) return a;
  a.kind = n->op;
  a.index = n->lo;
  a.frame = n->op == PV_X_SLOT ? frame : 0;
  return a;
}

enum same { DIFFERENT, SAME, PERHAPS };

static enum same same_object(const struct known_address *a, const struct known_address *b) {
  bool known = (a->kind == PV_X_GLOBAL || a->kind == PV_X_SLOT) &&
               (b->kind == PV_X_GLOBAL || b->kind == PV_X_SLOT);
  if (!known) return PERHAPS;
  return a->kind == b->kind && a->index == b->index && a->frame == b->frame &&
                 a->offset == b->offset
             ? SAME
             : DIFFERENT;
}

/* Adds the moves in which these threads wait for the signal. */
static void wake(struct turn *t, struct pv_move m, const struct crew *after, uint64_t threads,
                 bool all) {
  struct crew next = *after;
  uint32_t place = 0;
  for (uint32_t i = 0; i < MOST; i++) {
    if (!(threads >> i & 1)) continue;
    if (!all) next = *after;
    next.at[i].waits = PV_STAGE_WOKEN;
    m.alternative = PV_ALTERNATIVE_WAKES + place++;
    if (!all) push(t, m, &next);
  }
  m.alternative = PV_ALTERNATIVE_ONLY;
  if (all || !threads) push(t, m, &next);
}

/* There is a move for each set of threads that may wait for this signal. */
static void signal(struct turn *t, struct pv_move m, const struct crew *after, bool all) {
  struct pv_control *c = t->c;
  struct known_address here = known_address(c, m.frame, pv_threads_argument(t, &m, 0));
  uint64_t sure = 0;
  uint32_t unsure[MOST], edge;
  struct waiting w;
  memset(&w, 0, sizeof w);
  for (uint32_t i = 0; i < MOST; i++) {
    const struct member *other = &after->at[i];
    if (other->status != ALIVE || other->waits != PV_STAGE_WAITS ||
        !pv_threads_call_of(c, other, &edge))
      continue;
    const struct pv_edge *call = &pv_control_function(c, other->frame)->edges.at[edge];
    struct known_address there = known_address(c, other->frame, pv_arg(c->program, call->args, 0));
    enum same same = same_object(&here, &there);
    if (same == SAME) sure |= UINT64_C(1) << i;
    if (same != PERHAPS) continue;
    unsure[w.n] = i;
    add_waiting(c, other, &w);
  }
  m.waiting = intern_waiting(c, &w);
  for (m.other = 0; m.other < 1u << w.n; m.other++) {
    uint64_t threads = sure;
    for (uint32_t i = 0; i < w.n; i++)
      if (m.other >> i & 1) threads |= UINT64_C(1) << unsure[i];
    wake(t, m, after, threads, all);
  }
}

/* after: the crew after the thread has continued. */
static void prim(struct turn *t, struct pv_move m, struct crew *after) {
  enum pv_sync_op op = t->c->threads->ops[pv_move_edge(t->c, &m)->aux];
  struct member *self = &after->at[t->thread];
  bool leaves = op == PV_SYNC_thread_join || op == PV_SYNC_thread_exit || op == PV_SYNC_cond_wait ||
                op == PV_SYNC_cond_timedwait;
  m.alternative = after->atomic ? PV_ALTERNATIVE_IN_SECTION : PV_ALTERNATIVE_ONLY;
  if (after->atomic && leaves) { /* no other thread could move */
    m.kind = PV_MOVE_CUT;
    pv_vec_push(t->out, m);
    return;
  }
  switch (op) {
  case PV_SYNC_thread_create: create(t, m, after); break;
  case PV_SYNC_thread_join:
    join(t, m, after);
    misuse(t, m, after);
    break;
  case PV_SYNC_thread_detach:
    detach(t, m, after);
    misuse(t, m, after);
    break;
  case PV_SYNC_thread_exit:
    *self = (struct member){.status = self->detached ? FREE : ENDED};
    push(t, m, after);
    break;
  case PV_SYNC_mutex_init:
  case PV_SYNC_mutex_destroy:
  case PV_SYNC_cond_init:
  case PV_SYNC_cond_destroy:
    m.waiting = waiters(t->c, after, t->thread);
    push(t, m, after);
    break;
  case PV_SYNC_cond_signal:
  case PV_SYNC_cond_broadcast:
    if (t->c->threads->follows_waits)
      signal(t, m, after, op == PV_SYNC_cond_broadcast);
    else
      push(t, m, after);
    break;
  case PV_SYNC_cond_wait: wait(t, m, after, false); break;
  case PV_SYNC_cond_timedwait: wait(t, m, after, true); break;
  default: push(t, m, after); break;
  }
}

/* ---- deadlocks ---------------------------------------------------------------------------------
 */

/* May it be that the thread does not go on? Its call is then added. A spurious wake-up does not
 * count, a timeout does. */
static bool may_block(const struct pv_control *c, const struct member *m, struct waiting *w) {
  uint32_t edge;
  if (!pv_threads_call_of(c, m, &edge)) return false;
  const struct pv_edge *e = &pv_control_function(c, m->frame)->edges.at[edge];
  switch (c->threads->ops[e->aux]) {
  case PV_SYNC_thread_join:
  case PV_SYNC_mutex_lock:
  case PV_SYNC_spin_lock:
  case PV_SYNC_sem_wait: break;
  case PV_SYNC_cond_wait:
    if (m->waits == PV_STAGE_BEFORE) return false;
    break;
  case PV_SYNC_cond_timedwait:
    if (m->waits == PV_STAGE_BEFORE || m->waits == PV_STAGE_WAITS) return false;
    break;
  default: return false;
  }
  add_waiting(c, m, w);
  return true;
}

/* Adds the move STUCK if all threads may be blocked. */
static void stuck(struct pv_control *c, const struct crew *crew, pv_moves *out) {
  struct waiting w;
  struct pv_move m = {.kind = PV_MOVE_END, .alternative = PV_ALTERNATIVE_STUCK};
  uint32_t first = MOST;
  memset(&w, 0, sizeof w);
  if (!c->threads->finds_deadlocks || (c->scheduler && !c->preempts) || crew->atomic) return;
  if (c->preempts) {
    pv_threads_stuck(c, crew, out);
    return;
  }
  for (uint32_t i = 0; i < MOST; i++) {
    if (crew->at[i].status != ALIVE) continue;
    if (!may_block(c, &crew->at[i], &w)) return;
    if (first == MOST) first = i;
    if (!crew->at[i].detached) m.other |= 1u << i;
  }
  if (first == MOST) return;
  m.frame = w.at[0].frame;
  m.edge = w.at[0].edge;
  m.beside = beside(c, crew, first);
  m.waiting = intern_waiting(c, &w);
  pv_vec_push(out, m);
}

void pv_control_follow_waits(struct pv_control *c, bool finds_deadlocks) {
  if (!c->threads) return;
  c->threads->follows_waits = true;
  c->threads->finds_deadlocks = finds_deadlocks;
}

bool pv_control_follows_waits(const struct pv_control *c) {
  return c->threads && c->threads->follows_waits;
}

/* ---- moves -------------------------------------------------------------------------------------
 */

/* Does the thread run beside the executed scheduler, and may others notice the move? */
static bool is_beside(const struct turn *t, const struct pv_move *m) {
  if (!pv_scheduler_beside(t->c->scheduler, t->crew->scheduler, t->thread)) return false;
  pv_loc from = pv_move_edge(t->c, m)->from;
  return m->kind == PV_MOVE_END ||
         pv_visible_switch(t->c->threads->visible, t->c->frames.at[m->frame].function, from);
}

static void move(struct turn *t, struct pv_move m) {
  const struct pv_edge *e = pv_move_edge(t->c, &m);
  struct crew next = *t->crew;
  next.active = t->thread;
  next.chosen = 0;
  next.at[t->thread].frame = m.to.frame;
  next.at[t->thread].loc = m.to.loc;
  if (m.kind != PV_MOVE_STEP && m.kind != PV_MOVE_CALL && m.kind != PV_MOVE_RETURN) {
    if (t->c->scheduler && e->op != PV_OP_PRIM && is_beside(t, &m))
      m.alternative = PV_ALTERNATIVE_BESIDE;
    pv_vec_push(t->out, m);
    return;
  }
  if (e->op == PV_OP_ATOMIC_BEGIN) next.atomic++;
  if (e->op == PV_OP_ATOMIC_END && next.atomic) next.atomic--;
  if (t->c->scheduler && e->op != PV_OP_PRIM && is_beside(t, &m))
    m.alternative = PV_ALTERNATIVE_BESIDE;
  bool block = e->op == PV_OP_COPY || e->op == PV_OP_FILL;
  if (block && m.beside && !next.atomic && (!t->c->scheduler || t->c->preempts))
    m.alternative =
        pv_visible_edge(t->c->threads->visible, t->c->frames.at[m.frame].function, m.edge);
  if (e->op == PV_OP_PRIM && t->c->scheduler)
    pv_threads_execute(t, m, &next);
  else if (e->op == PV_OP_PRIM)
    prim(t, m, &next);
  else if (t->c->preempts)
    pv_threads_yield(t, m, &next);
  else
    push(t, m, &next);
}

/* The moves of one thread. */
static void moves_of(struct pv_control *c, const struct crew *crew, uint32_t thread,
                     pv_moves *out) {
  struct turn t = {c, crew, thread, out};
  pv_moves *own = &c->threads->own;
  struct pv_point at = {crew->at[thread].frame, crew->at[thread].loc, 0};
  own->n = 0;
  pv_control_own_moves(c, at, own);
  for (uint32_t k = 0; k < own->n; k++) {
    own->at[k].beside = beside(c, crew, thread);
    move(&t, own->at[k]);
  }
}

void pv_threads_moves(struct pv_control *c, struct pv_point at, pv_moves *out) {
  struct crew crew = pv_threads_crew_at(c, at);
  bool any = !c->scheduler && pv_control_is_switch(c, at);
  uint32_t alone = any ? pv_threads_alone(c, &crew) : crew.active;
  for (uint32_t i = 0; i < MOST; i++)
    if (crew.at[i].status == ALIVE && (alone == MOST || i == alone)) moves_of(c, &crew, i, out);
  if (alone == MOST || !any) stuck(c, &crew, out);
}

bool pv_control_stand(const struct pv_control *c, struct pv_point at, uint32_t thread,
                      uint32_t *frame, pv_loc *loc) {
  struct crew crew = pv_threads_crew_at(c, at);
  if (thread >= MOST || crew.at[thread].status != ALIVE) return false;
  *frame = crew.at[thread].frame;
  *loc = crew.at[thread].loc;
  return true;
}

void pv_control_moves_of(struct pv_control *c, struct pv_point at, uint32_t thread, pv_moves *out) {
  struct crew crew = pv_threads_crew_at(c, at);
  bool waits = crew.atomic && crew.active != thread;
  if (thread < MOST && crew.at[thread].status == ALIVE && !waits) moves_of(c, &crew, thread, out);
}

void pv_control_moves_awake(struct pv_control *c, struct pv_point at, uint64_t asleep,
                            pv_moves *out) {
  struct crew crew = pv_threads_crew_at(c, at);
  uint32_t alone = pv_control_is_switch(c, at) ? pv_threads_alone(c, &crew) : crew.active;
  /* A thread that may move alone begins all executions. */
  bool reduces = alone < MOST && (crew.atomic || !(asleep >> alone & 1));
  for (uint32_t i = 0; i < MOST; i++)
    if (crew.at[i].status == ALIVE && (reduces ? i == alone : !(asleep >> i & 1)))
      moves_of(c, &crew, i, out);
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

struct pv_threads *pv_threads_new(const struct pv_control *c) {
  const struct pv_program *p = c->program;
  if (!p->prims.n) return NULL;
  struct pv_threads *t = pv_alloc(sizeof *t);
  t->visible = pv_visible_new(p, c->points_to);
  t->ops = pv_alloc(p->prims.n * sizeof *t->ops);
  for (uint32_t i = 0; i < p->prims.n; i++) t->ops[i] = pv_sync_op(p->prims.at[i].prim);
  return t;
}

void pv_threads_free(struct pv_threads *t) {
  if (!t) return;
  pv_visible_free(t->visible);
  pv_future_effects_free(t->future_effects);
  pv_places_free(t->places);
  pv_map_free(&t->back);
  free(t->ops);
  pv_vec_free(&t->crews);
  pv_map_free(&t->crew_index);
  pv_vec_free(&t->waiting);
  pv_map_free(&t->waiting_index);
  pv_vec_free(&t->sets);
  pv_map_free(&t->set_index);
  pv_vec_free(&t->own);
  free(t);
}
