#include "esst/symmetry.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/effects.h"
#include "analysis/symmetry_facts.h"
#include "analysis/thread_effects.h"
#include "cpa/scheduler.h"
#include "cpa/value.h"

/* A bound on the moves that are followed in a row of joins. */
enum { MOST = 400 };

struct pv_esst_symmetry {
  struct pv_control *control;
  struct pv_symbolic *symbolic;
  struct pv_smt *smt;
  struct pv_predicates *predicates;
  const struct pv_program *program;
  struct pv_future_effects *effects;
  struct pv_thread_effects *threads;
  uint32_t part;  /* of the predicates; values are part 0 */
  bool in_memory; /* memory may contain addresses of the threads' objects */
};

struct pv_esst_symmetry *pv_esst_symmetry_new(const struct pv_composite_parts *parts,
                                              struct pv_future_effects *effects) {
  const struct pv_program *p = parts->context->task->program;
  const struct pv_sched *sched = pv_sched_of(p->sched);
  struct pv_symmetry_facts facts = pv_symmetry_facts(p);
  bool as_numbers = facts.as_numbers, in_memory = facts.in_memory;
  pv_symmetry_facts_clear(&facts);
  if (as_numbers || !sched->alike || !sched->names_threads) return NULL;
  struct pv_esst_symmetry *y = pv_alloc(sizeof *y);
  y->control = parts->context->control;
  y->symbolic = parts->context->symbolic;
  y->smt = parts->context->smt;
  y->predicates = parts->predicates;
  y->program = p;
  y->effects = effects;
  y->threads = pv_thread_effects_new(p);
  y->part = parts->part;
  y->in_memory = in_memory;
  return y;
}

void pv_esst_symmetry_free(struct pv_esst_symmetry *y) {
  if (!y) return;
  pv_thread_effects_free(y->threads);
  free(y);
}

/* ---- who names threads -------------------------------------------------------------------------
 */

/* May the stack's code, from there on, name a thread by its number? */
static bool stack_names(const struct pv_esst_symmetry *y, uint32_t frame, pv_loc loc) {
  for (; frame != PV_NO_FRAME; frame = pv_control_frame(y->control, frame)->parent) {
    const struct pv_frame *f = pv_control_frame(y->control, frame);
    if (pv_thread_effects_of(y->threads, f->function, loc) & PV_EFF_NAMES) return true;
    if (f->parent != PV_NO_FRAME)
      loc = pv_control_function(y->control, f->parent)->edges.at[f->call].to;
  }
  return false;
}

/* May the thread do so? At its beginning it is known what it is called with. */
static bool names(struct pv_esst_symmetry *y, const struct pv_sym *state, uint32_t frame,
                  pv_loc loc) {
  const struct pv_function *f = pv_control_function(y->control, frame);
  struct pv_point at = {frame, loc, 0};
  pv_moves moves = {0};
  bool found = false;
  if (!stack_names(y, frame, loc)) return false;
  if (pv_control_frame(y->control, frame)->parent != PV_NO_FRAME || loc != f->entry) return true;
  pv_control_moves_unscheduled(y->control, at, &moves);
  for (uint32_t i = 0; i < moves.n && !found; i++) {
    const struct pv_move *m = &moves.at[i];
    if (pv_symbolic_step(y->symbolic, state, m)->next)
      found = m->kind != PV_MOVE_STEP || stack_names(y, m->to.frame, m->to.loc);
  }
  pv_vec_free(&moves);
  return found;
}

/* ---- rows of joins -----------------------------------------------------------------------------
 * A thread, the *manager*, does nothing else than to wait for threads, until all of some set have
 * ended. Which of them ends first makes no difference for it. */

struct place {
  uint32_t frame;
  pv_loc loc;
  const struct pv_sym *state;
  uint64_t joined;
};

struct row {
  struct pv_esst_symmetry *y;
  const struct pv_move *choice;
  uint32_t manager;
  uint64_t joined; /* by every way through the row */
  PV_VEC(struct place) todo;
};

/* Follows a join. Returns false if it is none that belongs to a row. */
static bool follow_join(struct row *r, const struct place *p, struct pv_move *m) {
  struct pv_esst_symmetry *y = r->y;
  const struct pv_edge *e = pv_move_edge(y->control, m);
  struct pv_call_values values;
  struct pv_smt_shape shape;
  if (y->program->prims.at[e->aux].prim->role != PV_ROLE_JOINS) return false;
  memset(&values, 0, sizeof values);
  for (uint32_t i = 0; i < e->args.n && i < PV_CALL_ARGUMENTS; i++) {
    pv_term t = pv_symbolic_argument(y->symbolic, p->state, m, i);
    if (!pv_smt_shape(y->smt, t, &shape) || shape.kind != PV_SHAPE_NUMBER) return false;
    if (i && shape.lo) return false; /* a place for the result */
    values.lo[i] = shape.lo;
    values.hi[i] = shape.hi;
  }
  uint32_t thread = pv_control_suppose_joined(y->control, r->choice, r->manager, &values, m);
  if (thread >= PV_MAX_THREADS) return false;
  const struct pv_sym *next = pv_symbolic_step(y->symbolic, p->state, m)->next;
  struct place to = {m->to.frame, m->to.loc, next, p->joined | UINT64_C(1) << thread};
  if (next) pv_vec_push(&r->todo, to);
  return true;
}

/* Follows a move that others do not notice. Returns false if they might. */
static bool follow(struct row *r, const struct place *p, struct pv_move *m) {
  struct pv_esst_symmetry *y = r->y;
  const struct pv_edge *e = pv_move_edge(y->control, m);
  bool goes_on = m->kind == PV_MOVE_STEP || m->kind == PV_MOVE_CALL || m->kind == PV_MOVE_RETURN;
  if (!goes_on) return false;
  if (e->op == PV_OP_PRIM && y->program->prims.at[e->aux].prim->class != PV_PRIM_LOCAL)
    return follow_join(r, p, m);
  uint32_t function = pv_control_frame(y->control, m->frame)->function;
  pv_effect_table now = pv_future_effects_of_edge(y->effects, function, m->edge);
  uint64_t own = UINT64_C(1) << r->manager;
  if (pv_control_conflicting(y->control, y->effects, r->choice->to, now) & ~own) return false;
  const struct pv_sym *next = pv_symbolic_step(y->symbolic, p->state, m)->next;
  struct place to = {m->to.frame, m->to.loc, next, p->joined};
  if (next) pv_vec_push(&r->todo, to);
  return true;
}

/* The threads that the manager waits for before it does anything else. */
static uint64_t joined_by(struct pv_esst_symmetry *y, const struct pv_move *choice,
                          const struct pv_sym *state, uint32_t manager) {
  struct row r = {.y = y, .choice = choice, .manager = manager, .joined = UINT64_MAX};
  struct place p = {.state = state};
  pv_moves moves = {0};
  uint32_t followed = 0;
  if (!pv_control_stand(y->control, choice->to, manager, &p.frame, &p.loc)) return 0;
  pv_vec_push(&r.todo, p);
  while (r.todo.n && r.joined) {
    p = pv_vec_pop(&r.todo);
    moves.n = 0;
    pv_control_moves_unscheduled(y->control, (struct pv_point){p.frame, p.loc, 0}, &moves);
    if (++followed > MOST || !moves.n) r.joined = 0;
    for (uint32_t i = 0; i < moves.n; i++)
      if (!follow(&r, &p, &moves.at[i])) r.joined &= p.joined;
  }
  pv_vec_free(&moves);
  pv_vec_free(&r.todo);
  return r.joined;
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

/* A thread that has not begun has no objects. */
static bool has_begun(const struct pv_esst_symmetry *y, const struct pv_move *choice, uint32_t t) {
  uint32_t frame;
  pv_loc loc;
  return !pv_control_stand(y->control, choice->to, t, &frame, &loc) ||
         pv_control_frame(y->control, frame)->parent != PV_NO_FRAME ||
         loc != pv_control_function(y->control, frame)->entry;
}

/* Do the numbers of the two threads mean nothing to what follows? */
static bool are_nameless(struct pv_esst_symmetry *y, const struct pv_move *choice,
                         const struct pv_sym *state, uint32_t a, uint32_t b) {
  uint32_t manager = PV_MAX_THREADS, frame;
  pv_loc loc;
  for (uint32_t t = 0; t < PV_MAX_THREADS; t++) {
    if (!pv_control_stand(y->control, choice->to, t, &frame, &loc)) continue;
    if (!names(y, state, frame, loc)) continue;
    if (manager < PV_MAX_THREADS || t == a || t == b) return false;
    manager = t;
  }
  if (manager == PV_MAX_THREADS) return true;
  uint64_t both = UINT64_C(1) << a | UINT64_C(1) << b;
  return (joined_by(y, choice, state, manager) & both) == both;
}

bool pv_esst_symmetric(struct pv_esst_symmetry *y, const struct pv_move *choice,
                       const struct pv_composite *state, uint32_t a, uint32_t b) {
  const struct pv_pred *pred = state->part[y->part];
  if (!a || !b || !pv_control_alike(y->control, choice, a, b)) return false;
  if (y->in_memory && has_begun(y, choice, a)) return false;
  if (!pv_symbolic_alike(y->symbolic, pred->sym, a, b)) return false;
  if (!pv_symbolic_alike(y->symbolic, pv_value_symbolic(state->part[0]), a, b)) return false;
  pv_term region = pv_predicates_term(y->predicates, pred->start->region);
  if (pv_symbolic_mentions(y->symbolic, region, a, b)) return false;
  return are_nameless(y, choice, pred->sym, a, b);
}
