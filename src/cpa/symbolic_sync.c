/* symbolic_sync.c -- scheduler calls as guarded assignments. The condition that a call waits for
 * becomes part of the path condition. Misuse is undefined behaviour. Objects that are not modelled
 * (sync.h) cause an event. The plug-in (sched/pthread*.c) defines what each call does. */
#include "cpa/scheduler.h"
#include "cpa/symbolic_internal.h"

#include <stdlib.h>
#include <string.h>

enum { GONE = 254 }; /* owner of a mutex whose thread has ended */
enum { NO_ENTRY = 11, BUSY = 16, DEADLOCK = 35, TIMED_OUT = 110 }; /* results: EAGAIN, EBUSY, ... */

/* An object that an operand may refer to. */
struct object {
  uint32_t cell;
  pv_term here; /* the condition that it is this one */
};
typedef PV_VEC(struct object) objects;

static pv_term number(struct pv_symbolic *s, uint64_t value) {
  return pv_smt_number(s->smt, pv_encode_sort(&s->encoder, PV_INT(32)), value, 0);
}
static pv_term truth(struct pv_symbolic *s) {
  return pv_smt_bool(s->smt, true);
}
static pv_term plus(struct pv_symbolic *s, pv_term a, uint64_t b, bool minus) {
  bool linear = s->options.encoding == PV_ENCODE_LINEAR;
  enum pv_smt_op op =
      minus ? (linear ? PV_SMT_SUB : PV_SMT_BVSUB) : (linear ? PV_SMT_ADD : PV_SMT_BVADD);
  return pv_smt_mk2(s->smt, op, a, number(s, b));
}
static pv_term at_least(struct pv_symbolic *s, pv_term a, uint64_t least) {
  enum pv_smt_op le = s->options.encoding == PV_ENCODE_LINEAR ? PV_SMT_LE : PV_SMT_BVSLE;
  return pv_smt_mk2(s->smt, le, number(s, least), a);
}
static pv_term is(struct pv_symbolic *s, pv_term a, uint64_t value) {
  return pv_sym_eq(s, a, number(s, value));
}
static uint32_t self(const struct pv_symbolic *s) {
  return pv_control_frame(s->control, s->frame)->thread;
}

static void cut(struct pv_symbolic *s, pv_term when, const char *what) {
  pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, when, true, "%s at %s", what, pv_sym_where(s));
}
/* As in the VM, misuse is an error of def-behavior. */
static void misuse(struct pv_symbolic *s, pv_term when, const char *what) {
  pv_sym_fault(s, PV_PROP_DEF_BEHAVIOR, when, "%s", what);
}

/* ---- objects --------------------------------------------------------------------------------- */

static uint32_t cell_of(struct pv_symbolic *s, uint32_t cell, uint32_t instance) {
  return pv_sym_cell(s, PV_CELL_SYNC, cell, 0, instance);
}

static void find_objects(struct pv_symbolic *s, const struct pv_edge *e, unsigned operand,
                         objects *out) {
  uint32_t function = pv_control_frame(s->control, s->frame)->function;
  const struct pv_sync_reach *r = pv_sync_reach(s->sync, function, s->edge, operand);
  pv_term address = NULL, hit = pv_smt_bool(s->smt, false), strange = hit;
  if (!r->exact) address = pv_sym_encode(s, pv_arg(s->program, e->args, operand), false);
  for (uint32_t i = 0; i < r->cells.n; i++) {
    const struct pv_sync_cell *c = pv_sync_cell(s->sync, r->cells.at[i]);
    pv_instances instances = {0};
    if (r->exact)
      pv_vec_push(&instances, pv_sym_instance_here(s, c->place));
    else
      pv_sym_instances(s, c->place, &instances);
    for (uint32_t k = 0; k < instances.n; k++) {
      uint64_t at = pv_sym_address(s, c->place, instances.at[k]) + c->offset;
      struct object o = {cell_of(s, r->cells.at[i], instances.at[k]), truth(s)};
      if (!r->exact) o.here = pv_sym_eq(s, address, pv_sym_number(s, at));
      if (c->mixed || !c->static_) strange = pv_sym_or(s, strange, o.here);
      hit = pv_sym_or(s, hit, o.here);
      if (!pv_smt_is_false(s->smt, o.here)) pv_vec_push(out, o);
    }
    pv_vec_free(&instances);
  }
  cut(s, pv_sym_not(s, hit), "a lock, semaphore or condition is one that this engine follows");
  cut(s, strange, "a lock is of the default kind");
}

static pv_term value_of(struct pv_symbolic *s, const objects *o) {
  pv_term value = NULL;
  for (uint32_t i = o->n; i-- > 0;) {
    pv_term here = pv_sym_get(s, o->at[i].cell);
    value = value ? pv_sym_ite(s, o->at[i].here, here, value) : here;
  }
  return value ? value : number(s, 0); /* none: the path is cut */
}

static void put(struct pv_symbolic *s, const objects *o, pv_term value) {
  for (uint32_t i = 0; i < o->n; i++) {
    pv_term old = pv_sym_get(s, o->at[i].cell);
    pv_sym_set(s, o->at[i].cell, pv_sym_ite(s, o->at[i].here, value, old));
  }
}

/* The value of the object, after checking that it is in use. */
static pv_term use(struct pv_symbolic *s, const objects *o) {
  pv_term v = value_of(s, o);
  misuse(s, is(s, v, PV_SYNC_DESTROYED),
         "use of a lock, semaphore or condition that is not initialised");
  return v;
}

static uint64_t first_value(const struct pv_sync_cell *c) {
  return c->type == PV_SYNC_MUTEX || c->type == PV_SYNC_COND ? 0 : PV_SYNC_DESTROYED;
}

pv_term pv_sym_sync_initial(struct pv_symbolic *s, uint32_t cell) {
  return number(s, first_value(pv_sync_cell(s->sync, s->cells.at[cell]->a)));
}

void pv_sym_sync_begins(struct pv_symbolic *s, uint32_t place, uint32_t instance) {
  for (uint32_t i = 0; i < pv_sync_cells(s->sync); i++) {
    const struct pv_sync_cell *c = pv_sync_cell(s->sync, i);
    if (c->place == place) pv_sym_set(s, cell_of(s, i, instance), number(s, first_value(c)));
  }
}

static pv_term is_held(struct pv_symbolic *s, const struct pv_sync_cell *c, pv_term v) {
  if (c->type != PV_SYNC_MUTEX && c->type != PV_SYNC_SPIN) return pv_smt_bool(s->smt, false);
  return pv_sym_not(s, pv_sym_or(s, is(s, v, 0), is(s, v, PV_SYNC_DESTROYED)));
}

void pv_sym_sync_ends(struct pv_symbolic *s, uint32_t place, uint32_t instance) {
  for (uint32_t i = 0; i < pv_sync_cells(s->sync); i++) {
    const struct pv_sync_cell *c = pv_sync_cell(s->sync, i);
    if (c->place != place) continue;
    uint32_t cell = cell_of(s, i, instance);
    misuse(s, is_held(s, c, pv_sym_get(s, cell)), "the memory of a lock in use ends");
    pv_sym_set(s, cell, number(s, PV_SYNC_DESTROYED));
  }
}

void pv_sym_sync_overwritten(struct pv_symbolic *s, const struct pv_reach *r) {
  for (uint32_t i = 0; i < pv_sync_cells(s->sync); i++) {
    const struct pv_sync_cell *c = pv_sync_cell(s->sync, i);
    pv_instances instances = {0};
    for (uint32_t k = 0; k < r->places.n; k++)
      if (r->places.at[k] == c->place) pv_sym_instances(s, c->place, &instances);
    for (uint32_t k = 0; k < instances.n; k++)
      cut(s, pv_sym_not(s, is(s, pv_sym_get(s, cell_of(s, i, instances.at[k])), first_value(c))),
          "no lock or semaphore in use is overwritten");
    pv_vec_free(&instances);
  }
}

/* ---- threads --------------------------------------------------------------------------------- */

static void result(struct pv_symbolic *s, const struct pv_edge *e, pv_term failed, uint64_t error) {
  if (e->dst == PV_NO_VAR) return;
  struct pv_sort sort = pv_symbolic_cell(s, pv_sym_variable(s, s->frame, e->dst))->sort;
  pv_term fine = pv_smt_number(s->smt, sort, 0, 0), code = pv_smt_number(s->smt, sort, error, 0);
  pv_sym_assign(s, s->frame, e->dst, failed ? pv_sym_ite(s, failed, code, fine) : fine);
}

static pv_term argument(struct pv_symbolic *s, const struct pv_edge *e, uint32_t i) {
  pv_expr x = pv_arg(s->program, e->args, i);
  return pv_sym_encode(s, x, pv_encode_cell_is_signed(pv_node(s->program, x)->type));
}

static pv_term argument_is(struct pv_symbolic *s, const struct pv_edge *e, uint32_t i,
                           uint64_t value) {
  struct pv_sort sort =
      pv_encode_sort(&s->encoder, pv_node(s->program, pv_arg(s->program, e->args, i))->type);
  return pv_sym_eq(s, argument(s, e, i), pv_smt_number(s->smt, sort, value, 0));
}

static void set_parameter(struct pv_symbolic *s, const struct pv_edge *e, uint32_t i,
                          uint32_t frame, uint32_t var) {
  bool is_signed = pv_symbolic_cell(s, pv_sym_variable(s, frame, var))->is_signed;
  pv_sym_assign(s, frame, var, pv_sym_encode(s, pv_arg(s->program, e->args, i), is_signed));
}

static void give_id(struct pv_symbolic *s, const struct pv_edge *e, uint32_t thread) {
  if (e->dst == PV_NO_VAR) return;
  struct pv_sort sort = pv_symbolic_cell(s, pv_sym_variable(s, s->frame, e->dst))->sort;
  pv_sym_assign(s, s->frame, e->dst, pv_smt_number(s->smt, sort, thread + 1, 0));
}

static void create(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m) {
  uint32_t thread = pv_control_frame(s->control, m->other)->thread;
  pv_type id = PV_INT(s->program->pointer_bits);
  pv_term joinable = argument_is(s, e, 3, 0);
  pv_sym_assume(s, m->alternative == PV_ALTERNATIVE_DETACHED ? pv_sym_not(s, joinable) : joinable);
  const struct pv_expr_node *place = pv_node(s->program, pv_arg(s->program, e->args, 0));
  s->operand = 0;
  if (place->op != PV_X_CONST || place->lo) /* a null pointer: nothing is stored */
    pv_sym_store(s, pv_arg(s->program, e->args, 0), id,
                 pv_smt_number(s->smt, pv_encode_sort(&s->encoder, id), thread + 1, 0), false,
                 NULL);
  pv_sym_thread_begins(s, thread);
  set_parameter(s, e, 1, m->other, 0);
  set_parameter(s, e, 2, m->other, 1);
  pv_sym_frame_begins(s, m->other);
  give_id(s, e, thread);
}

static void no_such_thread(struct pv_symbolic *s, const struct pv_edge *e, uint32_t threads) {
  for (uint32_t i = 0; threads >> i; i++)
    if (threads >> i & 1) pv_sym_assume(s, pv_sym_not(s, argument_is(s, e, 0, i + 1)));
  misuse(s, truth(s), "join or detach of a thread that does not exist, or does no more");
}

static void join(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m) {
  if (m->alternative == PV_ALTERNATIVE_MISUSE) {
    no_such_thread(s, e, m->other);
    return;
  }
  pv_sym_assume(s, argument_is(s, e, 0, m->other + 1));
  if (m->alternative == PV_ALTERNATIVE_SELF) {
    result(s, e, truth(s), DEADLOCK);
    return;
  }
  pv_term nowhere = argument_is(s, e, 1, 0);
  pv_sym_assume(s, m->alternative == PV_ALTERNATIVE_STORES ? pv_sym_not(s, nowhere) : nowhere);
  if (m->alternative == PV_ALTERNATIVE_STORES) {
    s->operand = 1;
    pv_sym_store(s, pv_arg(s->program, e->args, 1), PV_TYPE(PV_T_PTR, s->program->pointer_bits),
                 pv_sym_get(s, pv_sym_cell(s, PV_CELL_RESULT, m->other, 0, 0)), false, NULL);
  }
  result(s, e, NULL, 0);
}

/* Locks that the ended thread still holds have no owner any more. */
static void give_up_locks(struct pv_symbolic *s) {
  for (uint32_t i = 0; i < pv_sync_cells(s->sync); i++) {
    const struct pv_sync_cell *c = pv_sync_cell(s->sync, i);
    pv_instances instances = {0};
    if (c->type == PV_SYNC_MUTEX || c->type == PV_SYNC_SPIN)
      pv_sym_instances(s, c->place, &instances);
    for (uint32_t k = 0; k < instances.n; k++) {
      uint32_t cell = cell_of(s, i, instances.at[k]);
      pv_term v = pv_sym_get(s, cell);
      pv_sym_set(s, cell, pv_sym_ite(s, is(s, v, self(s) + 1), number(s, GONE), v));
    }
    pv_vec_free(&instances);
  }
}

static void leave(struct pv_symbolic *s, const struct pv_edge *e) {
  uint32_t cell = pv_sym_cell(s, PV_CELL_RESULT, self(s), 0, 0);
  pv_sym_set(s, cell, argument(s, e, 0));
  give_up_locks(s);
  for (uint32_t f = s->frame; f != PV_NO_FRAME; f = pv_control_frame(s->control, f)->parent)
    pv_sym_frame_ends(s, f);
}

/* ---- locks ----------------------------------------------------------------------------------- */

/* The call continues only under the condition. */
static void wait_for(struct pv_symbolic *s, const struct pv_move *m, pv_term open) {
  if (m->alternative == PV_ALTERNATIVE_IN_SECTION)
    cut(s, pv_sym_not(s, open), "the atomic section does not have to wait");
  else
    pv_sym_assume(s, open);
}

static void lock(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m,
                 const objects *o) {
  wait_for(s, m, is(s, use(s, o), 0));
  put(s, o, number(s, self(s) + 1));
  result(s, e, NULL, 0);
}

static void try_lock(struct pv_symbolic *s, const struct pv_edge *e, const objects *o,
                     uint64_t error) {
  pv_term v = use(s, o), open = is(s, v, 0);
  put(s, o, pv_sym_ite(s, open, number(s, self(s) + 1), v));
  result(s, e, pv_sym_not(s, open), error);
}

static void unlock(struct pv_symbolic *s, const struct pv_edge *e, const objects *o) {
  misuse(s, pv_sym_not(s, is(s, use(s, o), self(s) + 1)),
         "unlock of a lock that the thread does not hold");
  put(s, o, number(s, 0));
  result(s, e, NULL, 0);
}

static void destroy(struct pv_symbolic *s, const struct pv_edge *e, const objects *o, bool held) {
  pv_term v = use(s, o);
  if (held) misuse(s, pv_sym_not(s, is(s, v, 0)), "destruction of a lock in use");
  put(s, o, number(s, PV_SYNC_DESTROYED));
  result(s, e, NULL, 0);
}

static void init(struct pv_symbolic *s, const struct pv_edge *e, const objects *o) {
  pv_term v = value_of(s, o);
  cut(s, pv_sym_not(s, pv_sym_or(s, is(s, v, 0), is(s, v, PV_SYNC_DESTROYED))),
      "nothing that is in use is initialised");
  put(s, o, number(s, 0));
  result(s, e, NULL, 0);
}

/* ---- conditions and semaphores -----------------------------------------------------------------
 */

static void wait(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m,
                 const objects *condition) {
  objects mutex = {0};
  find_objects(s, e, 1, &mutex);
  pv_term v = use(s, &mutex);
  if (m->alternative == PV_ALTERNATIVE_ONLY) {
    use(s, condition);
    if (pv_sync_waits_differ(s->sync))
      cut(s, truth(s), "threads wait at a condition variable with one mutex");
    misuse(s, pv_sym_not(s, is(s, v, self(s) + 1)),
           "wait with a mutex that the thread does not hold");
    put(s, &mutex, number(s, 0));
  } else {
    pv_sym_assume(s, is(s, v, 0));
    put(s, &mutex, number(s, self(s) + 1));
    result(s, e, m->alternative == PV_ALTERNATIVE_TIMES_OUT ? truth(s) : NULL, TIMED_OUT);
  }
  pv_vec_free(&mutex);
}

static void semaphore_wait(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m,
                           const objects *o) {
  pv_term v = use(s, o);
  wait_for(s, m, at_least(s, v, 1));
  put(s, o, plus(s, v, 1, true));
  result(s, e, NULL, 0);
}

static void semaphore_try(struct pv_symbolic *s, const struct pv_edge *e, const objects *o,
                          uint64_t error) {
  pv_term v = use(s, o), open = at_least(s, v, 1);
  put(s, o, pv_sym_ite(s, open, plus(s, v, 1, true), v));
  result(s, e, pv_sym_not(s, open), error);
}

static void semaphore_post(struct pv_symbolic *s, const struct pv_edge *e, const objects *o) {
  pv_term v = use(s, o);
  cut(s, is(s, v, PV_SYNC_DESTROYED - 1), "no semaphore is posted at its maximum");
  put(s, o, plus(s, v, 1, false));
  result(s, e, NULL, 0);
}

static void semaphore_init(struct pv_symbolic *s, const struct pv_edge *e, const objects *o) {
  pv_term value = argument(s, e, 1);
  bool is_signed = pv_encode_cell_is_signed(PV_INT(32));
  value = pv_encode_convert(&s->encoder, PV_INT(32), value, is_signed, true);
  pv_sym_encoded(s);
  cut(s, pv_sym_or(s, pv_sym_not(s, at_least(s, value, 0)), is(s, value, PV_SYNC_DESTROYED)),
      "no semaphore begins above its maximum");
  put(s, o, value);
  result(s, e, NULL, 0);
}

static void semaphore_value(struct pv_symbolic *s, const struct pv_edge *e, const objects *o) {
  if (e->dst == PV_NO_VAR) return;
  const struct pv_cell *c = pv_symbolic_cell(s, pv_sym_variable(s, s->frame, e->dst));
  pv_term v = use(s, o);
  if (c->type != PV_INT(32)) {
    cut(s, truth(s), "the value of a semaphore is not asked for");
    return;
  }
  pv_sym_assume(s, at_least(s, v, 0));
  pv_sym_assign(s, s->frame, e->dst, v);
}

/* ---- what decides between alternatives
 * -----------------------------------------------------------------
 */

struct steering_key {
  uint32_t kind, a, b; /* as of cells */
};

static bool is_steering(struct pv_symbolic *s, uint32_t kind, uint32_t a, uint32_t b) {
  struct steering_key key = {kind, a, b};
  return pv_map_get(&s->steering, &key, sizeof key) != NULL;
}

static void add_steering(struct pv_symbolic *s, uint32_t kind, uint32_t a, uint32_t b) {
  struct steering_key key = {kind, a, b};
  pv_map_put(&s->steering, &key, sizeof key, 1, NULL);
}

/* Does the edge store the value of a steering variable of the function? */
static bool stores_steering(struct pv_symbolic *s, uint32_t function, const struct pv_edge *e) {
  const struct pv_expr_node *value = pv_node(s->program, e->e[1]);
  return value->op == PV_X_VAR && is_steering(s, PV_CELL_VARIABLE, function, (uint32_t)value->lo);
}

/* Finds the variables and cells that receive the number of a new thread through edges of that kind:
 * creation, stores, loads. */
static void find_steering(struct pv_symbolic *s, enum pv_op by) {
  for (uint32_t f = 0; f < s->program->functions.n; f++) {
    const struct pv_function *function = &s->program->functions.at[f];
    for (uint32_t i = 0; i < function->edges.n; i++) {
      const struct pv_edge *e = &function->edges.at[i];
      if (e->op != by || (by == PV_OP_STORE && !stores_steering(s, f, e))) continue;
      if (by == PV_OP_PRIM && e->dst != PV_NO_VAR) add_steering(s, PV_CELL_VARIABLE, f, e->dst);
      const struct pv_reach *r = pv_layout_reach(s->layout, f, i, 0);
      for (uint32_t k = 0; r && k < r->cells.n; k++) {
        if (by != PV_OP_LOAD)
          add_steering(s, PV_CELL_MEMORY, r->cells.at[k], 0);
        else if (is_steering(s, PV_CELL_MEMORY, r->cells.at[k], 0))
          add_steering(s, PV_CELL_VARIABLE, f, e->dst);
      }
    }
  }
}

/* Adds the variables in the expression. Returns true if one is new. */
static bool variables_steer(struct pv_symbolic *s, uint32_t function, pv_expr e) {
  const struct pv_expr_node *n = pv_node(s->program, e);
  if (!e) return false;
  if (n->op == PV_X_VAR) {
    bool known = is_steering(s, PV_CELL_VARIABLE, function, (uint32_t)n->lo);
    add_steering(s, PV_CELL_VARIABLE, function, (uint32_t)n->lo);
    return !known;
  }
  bool any = n->a && variables_steer(s, function, n->a);
  any |= n->b && variables_steer(s, function, n->b);
  any |= n->c && variables_steer(s, function, n->c);
  return any;
}

static bool variable_steers(struct pv_symbolic *s, uint32_t function, uint32_t var) {
  return var != PV_NO_VAR && is_steering(s, PV_CELL_VARIABLE, function, var);
}

static bool load_steers(struct pv_symbolic *s, uint32_t f, uint32_t edge) {
  const struct pv_reach *r = pv_layout_reach(s->layout, f, edge, 0);
  bool any = false;
  for (uint32_t k = 0; r && k < r->cells.n; k++) {
    any |= !is_steering(s, PV_CELL_MEMORY, r->cells.at[k], 0);
    add_steering(s, PV_CELL_MEMORY, r->cells.at[k], 0);
  }
  return any;
}

static bool store_steers(struct pv_symbolic *s, uint32_t f, uint32_t edge) {
  const struct pv_reach *r = pv_layout_reach(s->layout, f, edge, 0);
  for (uint32_t k = 0; r && k < r->cells.n; k++)
    if (is_steering(s, PV_CELL_MEMORY, r->cells.at[k], 0)) return true;
  return false;
}

/* Adds what the parameters and results of the callee steer to its call. */
static bool call_steers(struct pv_symbolic *s, uint32_t f, const struct pv_edge *e) {
  bool any = false;
  if (e->callee == PV_NO_FUNC) return false;
  const struct pv_function *callee = &s->program->functions.at[e->callee];
  for (uint32_t i = 0; i < e->args.n && i < callee->n_params; i++)
    if (variable_steers(s, e->callee, i))
      any |= variables_steer(s, f, pv_arg(s->program, e->args, i));
  for (uint32_t i = 0; i < e->dsts.n; i++) {
    if (!variable_steers(s, f, pv_arg(s->program, e->dsts, i))) continue;
    for (uint32_t k = 0; k < callee->edges.n; k++)
      if (callee->edges.at[k].op == PV_OP_RETURN && i < callee->edges.at[k].args.n)
        any |= variables_steer(s, e->callee, pv_arg(s->program, callee->edges.at[k].args, i));
  }
  return any;
}

/* Finds, backwards, the variables and cells whose values become arguments of an executed scheduler.
 * It is a heuristic: what is missed is found by refinement. */
static bool find_sources(struct pv_symbolic *s) {
  bool any = false;
  for (uint32_t f = 0; f < s->program->functions.n; f++) {
    const struct pv_function *function = &s->program->functions.at[f];
    for (uint32_t i = 0; i < function->edges.n; i++) {
      const struct pv_edge *e = &function->edges.at[i];
      switch (e->op) {
      case PV_OP_PRIM:
        for (uint32_t k = 0; k < e->args.n; k++)
          any |= variables_steer(s, f, pv_arg(s->program, e->args, k));
        break;
      case PV_OP_ASSIGN:
        if (variable_steers(s, f, e->dst)) any |= variables_steer(s, f, e->e[0]);
        break;
      case PV_OP_LOAD:
        if (variable_steers(s, f, e->dst)) any |= load_steers(s, f, i);
        break;
      case PV_OP_STORE:
        if (store_steers(s, f, i)) any |= variables_steer(s, f, e->e[1]);
        break;
      case PV_OP_CALL: any |= call_steers(s, f, e); break;
      default: break;
      }
    }
  }
  return any;
}

static void know_sources(struct pv_symbolic *s) {
  if (s->knows_steering || !pv_control_executes_scheduler(s->control)) return;
  while (find_sources(s)) {
  }
  s->knows_steering = true;
}

void pv_symbolic_steering_globals(struct pv_symbolic *s, pv_cells *out) {
  know_sources(s);
  if (!pv_control_executes_scheduler(s->control)) return;
  for (uint32_t i = 0; i < s->steering.n; i++) {
    struct steering_key key;
    memcpy(&key, s->steering.entry[i].key, sizeof key);
    if (key.kind != PV_CELL_MEMORY) continue;
    const struct pv_place_cell *c = pv_layout_cell(s->layout, key.a);
    if (pv_layout_place(s->layout, c->place)->kind == PV_PLACE_GLOBAL)
      pv_vec_push(out, pv_sym_cell(s, PV_CELL_MEMORY, key.a, 0, 0));
  }
}

bool pv_symbolic_steers(struct pv_symbolic *s, uint32_t cell) {
  const struct pv_cell *c = s->cells.at[cell];
  if (c->kind == PV_CELL_VARIABLE && s->program->functions.at[c->a].is_model) return true;
  know_sources(s);
  if (!s->knows_steering) {
    find_steering(s, PV_OP_PRIM);
    find_steering(s, PV_OP_STORE);
    find_steering(s, PV_OP_LOAD);
    s->knows_steering = true;
  }
  return is_steering(s, c->kind, c->a, c->b);
}

/* ---- an executed scheduler ---------------------------------------------------------------------
 * The plug-in has executed the call with the arguments that the move names. What is left are its
 * effects on the program's own variables. */

static pv_term argument_has(struct pv_symbolic *s, const struct pv_edge *e,
                            const struct pv_call_values *v, uint32_t i) {
  pv_term t = argument(s, e, i);
  return pv_sym_eq(s, t, pv_smt_number(s->smt, pv_smt_sort(s->smt, t), v->lo[i], v->hi[i]));
}

static pv_term arguments_have(struct pv_symbolic *s, const struct pv_edge *e,
                              const struct pv_call_values *v) {
  pv_term all = truth(s);
  for (uint32_t i = 0; i < PV_CALL_ARGUMENTS; i++)
    if (v->assumed >> i & 1) all = pv_sym_and(s, all, argument_has(s, e, v, i));
  return all;
}

static void executed_create(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m,
                            const struct pv_executed *x) {
  pv_sym_thread_begins(s, x->created);
  set_parameter(s, e, x->start, m->other, 0);
  set_parameter(s, e, x->argument, m->other, 1);
  pv_sym_frame_begins(s, m->other);
}

/* Ends all frames of the thread with this top frame. */
static void thread_ends(struct pv_symbolic *s, uint32_t frame) {
  for (uint32_t f = frame; f != PV_NO_FRAME; f = pv_control_frame(s->control, f)->parent)
    pv_sym_frame_ends(s, f);
}

static void begin_anew(struct pv_symbolic *s, uint32_t root) {
  const struct pv_function *f = pv_control_function(s->control, root);
  for (uint32_t i = 0; i < f->n_params; i++)
    pv_sym_assign(s, root, i, pv_sym_zero(s, f->vars.at[i].type));
  pv_sym_frame_begins(s, root);
}

void pv_sym_executed(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m) {
  const struct pv_executed *x = pv_control_executed(s->control, m);
  const char *name = s->program->prims.at[e->aux].name;
  if (x->rest) {
    for (uint32_t i = 0; i < x->n_known; i++)
      pv_sym_assume(s, pv_sym_not(s, arguments_have(s, e, &x->known[i])));
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, truth(s), true,
                 "`%s` at %s has only arguments with which it was executed", name, pv_sym_where(s));
    return;
  }
  pv_sym_assume(s, arguments_have(s, e, &x->values));
  if (m->kind == PV_MOVE_CUT) {
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, truth(s), true, "%s, at the call of `%s` at %s",
                 x->message ? x->message : "no more threads exist at one time", name,
                 pv_sym_where(s));
    return;
  }
  if (x->outcome == PV_PRIM_MISUSE) misuse(s, truth(s), x->message ? x->message : name);
  uint32_t n;
  const uint32_t *others = pv_control_beside(s->control, s->beside, &n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t thread = pv_control_frame(s->control, others[i])->thread;
    if ((x->ended | x->restarted) >> thread & 1) thread_ends(s, others[i]);
    if (x->restarted >> thread & 1) begin_anew(s, pv_control_root(s->control, thread, PV_NO_FUNC));
  }
  if (x->outcome == PV_PRIM_EXITED) thread_ends(s, s->frame);
  if (x->outcome != PV_PRIM_DONE && x->outcome != PV_PRIM_MISUSE) return;
  if (s->program->prims.at[e->aux].prim->role == PV_ROLE_CREATES && x->created)
    executed_create(s, e, m, x);
  if (e->dst == PV_NO_VAR) return;
  const struct pv_cell *c = pv_symbolic_cell(s, pv_sym_variable(s, s->frame, e->dst));
  unsigned bits = pv_type_bits(c->type);
  uint64_t value = bits < 64 ? x->result & ((UINT64_C(1) << bits) - 1) : x->result;
  bool negative = c->is_signed && bits <= 64 && bits && value >> (bits - 1) & 1 &&
                  s->options.encoding == PV_ENCODE_LINEAR;
  if (negative && bits < 64) value |= ~UINT64_C(0) << bits;
  pv_sym_assign(s, s->frame, e->dst,
                pv_smt_number(s->smt, c->sort, value, negative ? UINT64_MAX : 0));
}

pv_term pv_sym_argument(struct pv_symbolic *s, const struct pv_edge *e, uint32_t i) {
  return argument(s, e, i);
}

/* ---- all ---------------------------------------------------------------------------------------
 */

static void on_thread(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m,
                      enum pv_sync_op op) {
  switch (op) {
  case PV_SYNC_thread_create: create(s, e, m); break;
  case PV_SYNC_thread_join: join(s, e, m); break;
  case PV_SYNC_thread_detach:
    if (m->alternative == PV_ALTERNATIVE_MISUSE) {
      no_such_thread(s, e, m->other);
      break;
    }
    pv_sym_assume(s, argument_is(s, e, 0, m->other + 1));
    result(s, e, NULL, 0);
    break;
  case PV_SYNC_thread_exit: leave(s, e); break;
  case PV_SYNC_thread_self: result(s, e, truth(s), self(s) + 1); break;
  case PV_SYNC_thread_yield: result(s, e, NULL, 0); break;
  default:
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, truth(s), true,
                 "`%s`, which this engine does not know, is not called at %s",
                 s->program->prims.at[e->aux].name, pv_sym_where(s));
    break;
  }
}

void pv_sym_prim(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m) {
  if (pv_control_executed(s->control, m)) {
    pv_sym_executed(s, e, m);
    return;
  }
  if (pv_control_executes_scheduler(s->control)) { /* with any outcome */
    if (e->dst == PV_NO_VAR) return;
    const struct pv_cell *c = pv_symbolic_cell(s, pv_sym_variable(s, s->frame, e->dst));
    pv_sym_assign(s, s->frame, e->dst, pv_sym_fresh(s, "call", c->type, c->is_signed));
    return;
  }
  enum pv_sync_op op = pv_sync_op(s->program->prims.at[e->aux].prim);
  objects o = {0};
  if (!pv_sync_objects(op)) {
    on_thread(s, e, m, op);
    return;
  }
  find_objects(s, e, 0, &o);
  switch (op) {
  case PV_SYNC_mutex_init:
    cut(s, pv_sym_not(s, argument_is(s, e, 1, 0)), "a mutex is of the default kind");
    init(s, e, &o);
    break;
  case PV_SYNC_spin_init:
  case PV_SYNC_cond_init: init(s, e, &o); break;
  case PV_SYNC_mutex_destroy:
  case PV_SYNC_spin_destroy: destroy(s, e, &o, true); break;
  case PV_SYNC_cond_destroy:
    if (m->alternative == PV_ALTERNATIVE_MISUSE)
      misuse(s, truth(s), "destruction of a condition variable in use");
    destroy(s, e, &o, false);
    break;
  case PV_SYNC_sem_destroy: destroy(s, e, &o, false); break;
  case PV_SYNC_mutex_lock:
  case PV_SYNC_spin_lock: lock(s, e, m, &o); break;
  case PV_SYNC_mutex_trylock:
  case PV_SYNC_spin_trylock: try_lock(s, e, &o, BUSY); break;
  case PV_SYNC_mutex_timedlock: try_lock(s, e, &o, TIMED_OUT); break;
  case PV_SYNC_mutex_unlock:
  case PV_SYNC_spin_unlock: unlock(s, e, &o); break;
  case PV_SYNC_cond_wait:
  case PV_SYNC_cond_timedwait: wait(s, e, m, &o); break;
  case PV_SYNC_cond_signal:
  case PV_SYNC_cond_broadcast:
    use(s, &o);
    result(s, e, NULL, 0);
    break;
  case PV_SYNC_sem_init: semaphore_init(s, e, &o); break;
  case PV_SYNC_sem_wait: semaphore_wait(s, e, m, &o); break;
  case PV_SYNC_sem_trywait: semaphore_try(s, e, &o, NO_ENTRY); break;
  case PV_SYNC_sem_timedwait: semaphore_try(s, e, &o, TIMED_OUT); break;
  case PV_SYNC_sem_post: semaphore_post(s, e, &o); break;
  case PV_SYNC_sem_getvalue: semaphore_value(s, e, &o); break;
  default: PV_REQUIRE(false, "a call of the scheduler without a meaning");
  }
  pv_vec_free(&o);
}
