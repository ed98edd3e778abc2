/* symbolic_sync.c -- scheduler calls as guarded assignments. The condition that a call waits for
 * becomes part of the path condition. Misuse is undefined behaviour. Objects that are not modelled
 * (sync.h) cause an event. The plug-in (sched/pthread*.c) defines what each call does. */
#include "cpa/symbolic_sync_internal.h"

#include <stdlib.h>

enum { GONE = 254 }; /* owner of a mutex whose thread has ended */
enum { NO_ENTRY = 11, BUSY = 16, DEADLOCK = 35, TIMED_OUT = 110 }; /* results: EAGAIN, EBUSY, ... */

pv_term pv_sync_number(struct pv_symbolic *s, uint64_t value) {
  return pv_smt_number(s->smt, pv_encode_sort(&s->encoder, PV_INT(32)), value, 0);
}
static pv_term truth(struct pv_symbolic *s) {
  return pv_smt_bool(s->smt, true);
}
static pv_term plus(struct pv_symbolic *s, pv_term a, uint64_t b, bool minus) {
  bool linear = s->options.encoding == PV_ENCODE_LINEAR;
  enum pv_smt_op op =
      minus ? (linear ? PV_SMT_SUB : PV_SMT_BVSUB) : (linear ? PV_SMT_ADD : PV_SMT_BVADD);
  return pv_smt_mk2(s->smt, op, a, pv_sync_number(s, b));
}
static pv_term at_least(struct pv_symbolic *s, pv_term a, uint64_t least) {
  enum pv_smt_op le = s->options.encoding == PV_ENCODE_LINEAR ? PV_SMT_LE : PV_SMT_BVSLE;
  return pv_smt_mk2(s->smt, le, pv_sync_number(s, least), a);
}
static pv_term is(struct pv_symbolic *s, pv_term a, uint64_t value) {
  return pv_sym_eq(s, a, pv_sync_number(s, value));
}
uint32_t pv_sync_self(const struct pv_symbolic *s) {
  return pv_control_frame(s->control, s->frame)->thread;
}

void pv_sync_cut(struct pv_symbolic *s, pv_term when, const char *what) {
  pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, when, true, "%s at %s", what, pv_sym_where(s));
}
void pv_sync_misuse(struct pv_symbolic *s, pv_term when, const char *what) {
  pv_sym_fault(s, PV_PROP_DEF_BEHAVIOR, when, "%s", what);
}

/* ---- objects --------------------------------------------------------------------------------- */

static uint32_t cell_of(struct pv_symbolic *s, uint32_t cell, uint32_t instance) {
  return pv_sym_cell(s, PV_CELL_SYNC, cell, 0, instance);
}

/* A call that may be that of another thread. */
struct call {
  uint32_t frame, edge;
};

static const struct pv_edge *edge_of(const struct pv_symbolic *s, struct call c) {
  return &pv_control_function(s->control, c.frame)->edges.at[c.edge];
}

static const struct pv_sync_reach *reach_of(const struct pv_symbolic *s, struct call c,
                                            unsigned operand) {
  uint32_t function = pv_control_frame(s->control, c.frame)->function;
  return pv_sync_reach(s->sync, function, c.edge, operand);
}

static uint32_t instance_there(struct pv_symbolic *s, struct call c, uint32_t place) {
  uint32_t frame = s->frame;
  s->frame = c.frame;
  uint32_t instance = pv_sym_instance_here(s, place);
  s->frame = frame;
  return instance;
}

/* The value of an argument of a call at which another thread stands. Its events were told when that
 * thread came there. */
static pv_term argument_there(struct pv_symbolic *s, struct call c, uint32_t i, bool as_signed) {
  struct call own = {s->frame, s->edge};
  const struct pv_function *function = s->encoder.function;
  uint32_t events = s->encoder.events.n, side = s->encoder.side.n, fresh = s->encoder.fresh.n;
  s->frame = c.frame;
  s->edge = c.edge;
  s->encoder.function = pv_control_function(s->control, c.frame);
  pv_encoder_forget(&s->encoder);
  pv_term t = pv_encode(&s->encoder, pv_arg(s->program, edge_of(s, c)->args, i), as_signed);
  pv_encoder_forget(&s->encoder);
  s->encoder.events.n = events;
  s->encoder.side.n = side;
  s->encoder.fresh.n = fresh;
  s->frame = own.frame;
  s->edge = own.edge;
  s->encoder.function = function;
  return t;
}

static pv_term operand_address(struct pv_symbolic *s, struct call c, unsigned operand) {
  const struct pv_sync_reach *r = reach_of(s, c, operand);
  if (!r || !r->exact) return argument_there(s, c, operand, false);
  const struct pv_sync_cell *cell = pv_sync_cell(s->sync, r->cells.at[0]);
  uint64_t base = pv_sym_address(s, cell->place, instance_there(s, c, cell->place));
  return pv_sym_number(s, base + cell->offset);
}

/* The objects that the operand may denote. Returns the condition that it is none of them; *strange:
 * that it is one that is not modelled. */
static pv_term objects_of(struct pv_symbolic *s, struct call call, unsigned operand,
                          pv_sync_candidates *out, pv_term *strange) {
  const struct pv_sync_reach *r = reach_of(s, call, operand);
  pv_term address = NULL, hit = pv_smt_bool(s->smt, false);
  *strange = hit;
  if (!r->exact) address = argument_there(s, call, operand, false);
  for (uint32_t i = 0; i < r->cells.n; i++) {
    const struct pv_sync_cell *c = pv_sync_cell(s->sync, r->cells.at[i]);
    pv_instances instances = {0};
    if (r->exact)
      pv_vec_push(&instances, instance_there(s, call, c->place));
    else
      pv_sym_instances(s, c->place, &instances);
    for (uint32_t k = 0; k < instances.n; k++) {
      uint32_t instance = instances.at[k], cell = r->cells.at[i];
      uint64_t at = pv_sym_address(s, c->place, instance) + c->offset;
      struct pv_sync_object o = {cell, instance, cell_of(s, cell, instance), truth(s)};
      if (!r->exact) o.here = pv_sym_eq(s, address, pv_sym_number(s, at));
      if (c->mixed || !c->static_) *strange = pv_sym_or(s, *strange, o.here);
      hit = pv_sym_or(s, hit, o.here);
      if (!pv_smt_is_false(s->smt, o.here)) pv_vec_push(out, o);
    }
    pv_vec_free(&instances);
  }
  return pv_sym_not(s, hit);
}

void pv_sync_find_objects(struct pv_symbolic *s, const struct pv_edge *e, unsigned operand,
                          pv_sync_candidates *out) {
  struct call c = {s->frame, s->edge};
  const struct pv_sync_reach *r = reach_of(s, c, operand);
  pv_term strange;
  if (!r->exact) pv_sym_encode(s, pv_arg(s->program, e->args, operand), false); /* its events */
  pv_term missed = objects_of(s, c, operand, out, &strange);
  pv_sync_cut(s, missed, "a lock, semaphore or condition is one that this engine follows");
  pv_sync_cut(s, strange, "a lock is of the default kind");
}

static pv_term value_of(struct pv_symbolic *s, const pv_sync_candidates *o) {
  pv_term value = NULL;
  for (uint32_t i = o->n; i-- > 0;) {
    pv_term here = pv_sym_get(s, o->at[i].cell);
    value = value ? pv_sym_ite(s, o->at[i].here, here, value) : here;
  }
  return value ? value : pv_sync_number(s, 0); /* none: the path is cut */
}

void pv_sync_put(struct pv_symbolic *s, const pv_sync_candidates *o, pv_term value) {
  for (uint32_t i = 0; i < o->n; i++) {
    pv_term old = pv_sym_get(s, o->at[i].cell);
    pv_sym_set(s, o->at[i].cell, pv_sym_ite(s, o->at[i].here, value, old));
  }
}

/* Was the object initialised by a call, not statically? A cell beside that of its state; a constant
 * where no call initialises it. */
static pv_term initialised(struct pv_symbolic *s, uint32_t sync, uint32_t instance) {
  if (!pv_sync_cell(s->sync, sync)->called) return pv_smt_bool(s->smt, false);
  return is(s, pv_sym_get(s, pv_sym_cell(s, PV_CELL_SYNC, sync, 1, instance)), 1);
}

/* where: only if it holds. */
static void set_initialised(struct pv_symbolic *s, uint32_t sync, uint32_t instance, bool to,
                            pv_term where) {
  if (!pv_sync_cell(s->sync, sync)->called) return;
  uint32_t cell = pv_sym_cell(s, PV_CELL_SYNC, sync, 1, instance);
  pv_sym_set(s, cell, pv_sym_ite(s, where, pv_sync_number(s, to), pv_sym_get(s, cell)));
}

static bool has_static_initialiser(const struct pv_sync_cell *c) {
  return c->type == PV_SYNC_MUTEX || c->type == PV_SYNC_COND;
}

/* An object on the stack that no call initialised is what its bytes say, as the plug-in reads them
 * (read_static in sched/pthread.c). */
static void read_static(struct pv_symbolic *s, const struct pv_sync_object *o) {
  const struct pv_sync_cell *c = pv_sync_cell(s->sync, o->sync);
  const struct pv_place *p = pv_layout_place(s->layout, c->place);
  if (p->kind != PV_PLACE_SLOT || !has_static_initialiser(c)) return;
  uint64_t at = c->offset;
  if (c->type == PV_SYNC_MUTEX) at += s->program->pointer_bits == 64 ? 16 : 12;
  pv_term asks = pv_sym_and(s, o->here, is(s, pv_sym_get(s, o->cell), 0));
  asks = pv_sym_and(s, asks, pv_sym_not(s, initialised(s, o->sync, o->instance)));
  if (pv_smt_is_false(s->smt, asks) || at + 4 > p->size) return;
  struct pv_sym_extent extent = {.place = c->place, .instance = o->instance, .size = p->size};
  extent.base = pv_sym_address(s, c->place, o->instance);
  struct pv_sym_bytes kind = pv_sym_read_at(s, &extent, at, 4);
  pv_sync_misuse(s, pv_sym_and(s, asks, pv_sym_any_unset(s, kind.unset)),
                 "use of a lock or condition that was never initialised");
  if (c->type != PV_SYNC_MUTEX) return;
  pv_term zero = pv_sym_bytes_number(s, 4, 0);
  pv_sync_cut(s, pv_sym_and(s, asks, pv_sym_not(s, pv_sym_eq(s, pv_sym_value_of(s, &kind), zero))),
              "a lock is of the default kind");
}

/* The value of the object, after checking that it can be used. */
static pv_term use(struct pv_symbolic *s, const pv_sync_candidates *o) {
  pv_term v = value_of(s, o);
  pv_sync_misuse(s, is(s, v, PV_SYNC_DESTROYED),
                 "use of a lock, semaphore or condition that is not initialised");
  for (uint32_t i = 0; i < o->n; i++) read_static(s, &o->at[i]);
  return v;
}

/* ---- threads that wait -------------------------------------------------------------------------
 */

static pv_term waits_at(struct pv_symbolic *s, const struct pv_waiting *w, unsigned operand,
                        pv_term address) {
  return pv_sym_eq(s, operand_address(s, (struct call){w->frame, w->edge}, operand), address);
}

/* Is another thread in a wait with the object at the address as its operand 0 or 1? unwoken: only
 * those that were not woken count. */
static pv_term is_awaited(struct pv_symbolic *s, unsigned operand, pv_term address, bool unwoken) {
  uint32_t n;
  const struct pv_waiting *w = pv_control_waiting(s->control, s->waiting, &n);
  pv_term any = pv_smt_bool(s->smt, false);
  for (uint32_t i = 0; i < n; i++)
    if (!unwoken || w[i].stage == PV_STAGE_WAITS)
      any = pv_sym_or(s, any, waits_at(s, &w[i], operand, address));
  return any;
}

/* Does the wait of another thread still need the object? v: its state. */
static pv_term is_needed(struct pv_symbolic *s, pv_term address, pv_term v) {
  pv_term by_mutex = is_awaited(s, 1, address, false);
  pv_term woken =
      pv_sym_and(s, is_awaited(s, 0, address, false), pv_sym_not(s, is(s, v, PV_SYNC_DESTROYED)));
  return pv_sym_or(s, pv_sym_or(s, by_mutex, is_awaited(s, 0, address, true)), woken);
}

/* At a wait: does a thread that was not woken wait with the condition and another mutex? */
static pv_term awaited_with_other_mutex(struct pv_symbolic *s) {
  uint32_t n;
  const struct pv_waiting *w = pv_control_waiting(s->control, s->waiting, &n);
  struct call own = {s->frame, s->edge};
  pv_term any = pv_smt_bool(s->smt, false);
  for (uint32_t i = 0; i < n; i++) {
    if (w[i].stage != PV_STAGE_WAITS) continue;
    pv_term same = waits_at(s, &w[i], 0, operand_address(s, own, 0));
    pv_term with = waits_at(s, &w[i], 1, operand_address(s, own, 1));
    any = pv_sym_or(s, any, pv_sym_and(s, same, pv_sym_not(s, with)));
  }
  return any;
}

static pv_term operand_here(struct pv_symbolic *s) {
  return operand_address(s, (struct call){s->frame, s->edge}, 0);
}

/* ---- lives -------------------------------------------------------------------------------------
 */

static uint64_t first_value(const struct pv_sync_cell *c) {
  return c->type == PV_SYNC_MUTEX || c->type == PV_SYNC_COND ? 0 : PV_SYNC_DESTROYED;
}

pv_term pv_sym_sync_initial(struct pv_symbolic *s, uint32_t cell) {
  const struct pv_cell *c = s->cells.at[cell];
  return pv_sync_number(s, c->b ? 0 : first_value(pv_sync_cell(s->sync, c->a)));
}

void pv_sym_sync_begins(struct pv_symbolic *s, uint32_t place, uint32_t instance) {
  for (uint32_t i = 0; i < pv_sync_cells(s->sync); i++) {
    const struct pv_sync_cell *c = pv_sync_cell(s->sync, i);
    if (c->place != place) continue;
    pv_sym_set(s, cell_of(s, i, instance), pv_sync_number(s, first_value(c)));
    set_initialised(s, i, instance, false, truth(s));
  }
}

/* As in the machine it is no error by itself that the memory of a lock in use ends on the stack. */
void pv_sym_sync_ends(struct pv_symbolic *s, uint32_t place, uint32_t instance) {
  for (uint32_t i = 0; i < pv_sync_cells(s->sync); i++) {
    const struct pv_sync_cell *c = pv_sync_cell(s->sync, i);
    if (c->place != place) continue;
    pv_sym_set(s, cell_of(s, i, instance), pv_sync_number(s, PV_SYNC_DESTROYED));
  }
}

/* The object lies in [address, address + n) and is not as at the beginning of its life. */
static void has_begun(struct pv_symbolic *s, const struct pv_reach *r, pv_term address, pv_term n,
                      bool or_initialised, const char *what) {
  for (uint32_t i = 0; i < pv_sync_cells(s->sync); i++) {
    const struct pv_sync_cell *c = pv_sync_cell(s->sync, i);
    pv_instances instances = {0};
    for (uint32_t k = 0; k < r->places.n; k++)
      if (r->places.at[k] == c->place) pv_sym_instances(s, c->place, &instances);
    for (uint32_t k = 0; k < instances.n; k++) {
      pv_term v = pv_sym_get(s, cell_of(s, i, instances.at[k]));
      pv_term begun = pv_sym_not(s, is(s, v, first_value(c)));
      if (or_initialised) begun = pv_sym_or(s, begun, initialised(s, i, instances.at[k]));
      pv_term at = pv_sym_number(s, pv_sym_address(s, c->place, instances.at[k]) + c->offset);
      pv_term behind = pv_smt_mk2(
          s->smt, s->options.encoding == PV_ENCODE_LINEAR ? PV_SMT_ADD : PV_SMT_BVADD, address, n);
      pv_term inside = pv_sym_and(s, pv_sym_at_most(s, address, at),
                                  pv_sym_not(s, pv_sym_at_most(s, behind, at)));
      pv_sync_cut(s, pv_sym_and(s, inside, begun), what);
    }
    pv_vec_free(&instances);
  }
}

void pv_sym_sync_overwritten(struct pv_symbolic *s, const struct pv_reach *r, pv_term address,
                             pv_term n) {
  has_begun(s, r, address, n, true, "no lock or semaphore in use is overwritten");
}

void pv_sym_sync_copied(struct pv_symbolic *s, const struct pv_reach *r, pv_term address,
                        pv_term n) {
  has_begun(s, r, address, n, false, "no lock or semaphore in use is copied");
}

/* ---- threads --------------------------------------------------------------------------------- */

static void result(struct pv_symbolic *s, const struct pv_edge *e, pv_term failed, uint64_t error) {
  if (e->dst == PV_NO_VAR) return;
  struct pv_sort sort = pv_symbolic_cell(s, pv_sym_variable(s, s->frame, e->dst))->sort;
  pv_term fine = pv_smt_number(s->smt, sort, 0, 0), code = pv_smt_number(s->smt, sort, error, 0);
  pv_sym_assign(s, s->frame, e->dst, failed ? pv_sym_ite(s, failed, code, fine) : fine);
}

pv_term pv_sym_argument(struct pv_symbolic *s, const struct pv_edge *e, uint32_t i) {
  pv_expr x = pv_arg(s->program, e->args, i);
  return pv_sym_encode(s, x, pv_encode_cell_is_signed(pv_node(s->program, x)->type));
}

pv_term pv_sync_argument_is(struct pv_symbolic *s, const struct pv_edge *e, uint32_t i,
                            uint64_t value) {
  struct pv_sort sort =
      pv_encode_sort(&s->encoder, pv_node(s->program, pv_arg(s->program, e->args, i))->type);
  return pv_sym_eq(s, pv_sym_argument(s, e, i), pv_smt_number(s->smt, sort, value, 0));
}

void pv_sync_set_parameter(struct pv_symbolic *s, const struct pv_edge *e, uint32_t i,
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
  pv_term joinable = pv_sync_argument_is(s, e, 3, 0);
  pv_sym_assume(s, m->alternative == PV_ALTERNATIVE_DETACHED ? pv_sym_not(s, joinable) : joinable);
  const struct pv_expr_node *place = pv_node(s->program, pv_arg(s->program, e->args, 0));
  s->operand = 0;
  if (place->op != PV_X_CONST || place->lo) /* a null pointer: nothing is stored */
    pv_sym_store(s, pv_arg(s->program, e->args, 0), id,
                 pv_smt_number(s->smt, pv_encode_sort(&s->encoder, id), thread + 1, 0), false,
                 NULL);
  if (thread) { /* 0: a move of pv_control_moves_to, which does not say */
    pv_sym_thread_begins(s, thread);
    pv_sync_set_parameter(s, e, 1, m->other, 0);
    pv_sync_set_parameter(s, e, 2, m->other, 1);
    pv_sym_frame_begins(s, m->other);
  }
  give_id(s, e, thread);
}

static void no_such_thread(struct pv_symbolic *s, const struct pv_edge *e, uint32_t threads) {
  for (uint32_t i = 0; threads >> i; i++)
    if (threads >> i & 1) pv_sym_assume(s, pv_sym_not(s, pv_sync_argument_is(s, e, 0, i + 1)));
  pv_sync_misuse(s, truth(s), "join or detach of a thread that does not exist, or no longer does");
}

static void join(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m) {
  if (m->alternative == PV_ALTERNATIVE_MISUSE) {
    no_such_thread(s, e, m->other);
    return;
  }
  pv_sym_assume(s, pv_sync_argument_is(s, e, 0, m->other + 1));
  if (m->alternative == PV_ALTERNATIVE_SELF) {
    result(s, e, truth(s), DEADLOCK);
    return;
  }
  pv_term nowhere = pv_sync_argument_is(s, e, 1, 0);
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
      pv_sym_set(s, cell, pv_sym_ite(s, is(s, v, pv_sync_self(s) + 1), pv_sync_number(s, GONE), v));
    }
    pv_vec_free(&instances);
  }
}

static void leave(struct pv_symbolic *s, const struct pv_edge *e) {
  uint32_t cell = pv_sym_cell(s, PV_CELL_RESULT, pv_sync_self(s), 0, 0);
  pv_sym_set(s, cell, pv_sym_argument(s, e, 0));
  give_up_locks(s);
  for (uint32_t f = s->frame; f != PV_NO_FRAME; f = pv_control_frame(s->control, f)->parent)
    pv_sym_frame_ends(s, f);
}

/* ---- locks ----------------------------------------------------------------------------------- */

/* The call continues only under the condition. */
static void wait_for(struct pv_symbolic *s, const struct pv_move *m, pv_term open) {
  if (m->alternative == PV_ALTERNATIVE_IN_SECTION)
    pv_sync_cut(s, pv_sym_not(s, open), "the atomic section does not have to wait");
  else
    pv_sym_assume(s, open);
}

static void lock(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m,
                 const pv_sync_candidates *o) {
  wait_for(s, m, is(s, use(s, o), 0));
  pv_sync_put(s, o, pv_sync_number(s, pv_sync_self(s) + 1));
  result(s, e, NULL, 0);
}

static void try_lock(struct pv_symbolic *s, const struct pv_edge *e, const pv_sync_candidates *o,
                     uint64_t error) {
  pv_term v = use(s, o), open = is(s, v, 0);
  pv_sync_put(s, o, pv_sym_ite(s, open, pv_sync_number(s, pv_sync_self(s) + 1), v));
  result(s, e, pv_sym_not(s, open), error);
}

static void unlock(struct pv_symbolic *s, const struct pv_edge *e, const pv_sync_candidates *o) {
  pv_sync_misuse(s, pv_sym_not(s, is(s, use(s, o), pv_sync_self(s) + 1)),
                 "unlock of a lock that the thread does not hold");
  pv_sync_put(s, o, pv_sync_number(s, 0));
  result(s, e, NULL, 0);
}

static void destroy(struct pv_symbolic *s, const struct pv_edge *e, const pv_sync_candidates *o,
                    bool held) {
  pv_term v = use(s, o);
  if (held) pv_sync_misuse(s, pv_sym_not(s, is(s, v, 0)), "destruction of a lock in use");
  pv_sync_misuse(s, is_awaited(s, 1, operand_here(s), false), "destruction of a lock in use");
  pv_sync_misuse(s, is_awaited(s, 0, operand_here(s), true),
                 "destruction of a condition variable in use");
  pv_sync_put(s, o, pv_sync_number(s, PV_SYNC_DESTROYED));
  for (uint32_t i = 0; i < o->n; i++)
    set_initialised(s, o->at[i].sync, o->at[i].instance, false, o->at[i].here);
  result(s, e, NULL, 0);
}

/* Misuse if the object is in use, or was initialised by a call and not destroyed. */
static void begin(struct pv_symbolic *s, const struct pv_edge *e, const pv_sync_candidates *o,
                  pv_term value) {
  for (uint32_t i = 0; i < o->n; i++) {
    const struct pv_sync_cell *c = pv_sync_cell(s->sync, o->at[i].sync);
    pv_term v = pv_sym_get(s, o->at[i].cell), destroyed = is(s, v, PV_SYNC_DESTROYED);
    pv_term begun = pv_sym_not(s, destroyed);
    if (has_static_initialiser(c)) begun = pv_sym_and(s, begun, pv_sym_not(s, is(s, v, 0)));
    begun = pv_sym_or(s, begun, initialised(s, o->at[i].sync, o->at[i].instance));
    begun = pv_sym_or(s, begun, is_needed(s, operand_here(s), v));
    pv_sync_misuse(s, pv_sym_and(s, o->at[i].here, begun),
                   "initialisation of what is initialised already");
  }
  pv_sync_put(s, o, value);
  for (uint32_t i = 0; i < o->n; i++)
    set_initialised(s, o->at[i].sync, o->at[i].instance, true, o->at[i].here);
  result(s, e, NULL, 0);
}

static void init(struct pv_symbolic *s, const struct pv_edge *e, const pv_sync_candidates *o) {
  begin(s, e, o, pv_sync_number(s, 0));
}

/* ---- conditions and semaphores -----------------------------------------------------------------
 */

static void wait(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m,
                 const pv_sync_candidates *condition) {
  pv_sync_candidates mutex = {0};
  pv_sync_find_objects(s, e, 1, &mutex);
  pv_term v = use(s, &mutex);
  if (m->alternative == PV_ALTERNATIVE_ONLY) {
    use(s, condition);
    if (pv_control_follows_waits(s->control))
      pv_sync_misuse(s, awaited_with_other_mutex(s),
                     "threads wait at one condition variable with different mutexes");
    else if (pv_sync_waits_differ(s->sync))
      pv_sync_cut(s, truth(s), "threads wait at a condition variable with one mutex");
    pv_sync_misuse(s, pv_sym_not(s, is(s, v, pv_sync_self(s) + 1)),
                   "wait with a mutex that the thread does not hold");
    pv_sync_put(s, &mutex, pv_sync_number(s, 0));
  } else if (m->alternative == PV_ALTERNATIVE_LEAVES) {
    pv_sym_assume(s, pv_sym_not(s, is(s, v, 0)));
  } else {
    pv_sym_assume(s, is(s, v, 0));
    pv_sync_put(s, &mutex, pv_sync_number(s, pv_sync_self(s) + 1));
    result(s, e, m->alternative == PV_ALTERNATIVE_TIMES_OUT ? truth(s) : NULL, TIMED_OUT);
  }
  pv_vec_free(&mutex);
}

/* The move says which of the threads that may wait for the signal do. */
static void signal(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m,
                   const pv_sync_candidates *condition) {
  uint32_t n;
  const struct pv_waiting *w = pv_control_waiting(s->control, m->waiting, &n);
  use(s, condition);
  for (uint32_t i = 0; i < n; i++) {
    pv_term here = waits_at(s, &w[i], 0, operand_here(s));
    pv_sym_assume(s, m->other >> i & 1 ? here : pv_sym_not(s, here));
  }
  result(s, e, NULL, 0);
}

static void semaphore_wait(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m,
                           const pv_sync_candidates *o) {
  pv_term v = use(s, o);
  wait_for(s, m, at_least(s, v, 1));
  pv_sync_put(s, o, plus(s, v, 1, true));
  result(s, e, NULL, 0);
}

static void semaphore_try(struct pv_symbolic *s, const struct pv_edge *e,
                          const pv_sync_candidates *o, uint64_t error) {
  pv_term v = use(s, o), open = at_least(s, v, 1);
  pv_sync_put(s, o, pv_sym_ite(s, open, plus(s, v, 1, true), v));
  result(s, e, pv_sym_not(s, open), error);
}

static void semaphore_post(struct pv_symbolic *s, const struct pv_edge *e,
                           const pv_sync_candidates *o) {
  pv_term v = use(s, o);
  pv_sync_cut(s, is(s, v, PV_SYNC_DESTROYED - 1), "no semaphore is posted at its maximum");
  pv_sync_put(s, o, plus(s, v, 1, false));
  result(s, e, NULL, 0);
}

static void semaphore_init(struct pv_symbolic *s, const struct pv_edge *e,
                           const pv_sync_candidates *o) {
  pv_term value = pv_sym_argument(s, e, 1);
  bool is_signed = pv_encode_cell_is_signed(PV_INT(32));
  value = pv_encode_convert(&s->encoder, PV_INT(32), value, is_signed, true);
  pv_sym_encoded(s);
  pv_sync_cut(s,
              pv_sym_or(s, pv_sym_not(s, at_least(s, value, 0)), is(s, value, PV_SYNC_DESTROYED)),
              "no semaphore begins above its maximum");
  begin(s, e, o, value);
}

static void semaphore_value(struct pv_symbolic *s, const struct pv_edge *e,
                            const pv_sync_candidates *o) {
  if (e->dst == PV_NO_VAR) return;
  const struct pv_cell *c = pv_symbolic_cell(s, pv_sym_variable(s, s->frame, e->dst));
  pv_term v = use(s, o);
  if (c->type != PV_INT(32)) {
    pv_sync_cut(s, truth(s), "the value of a semaphore is not asked for");
    return;
  }
  pv_sym_assume(s, at_least(s, v, 0));
  pv_sym_assign(s, s->frame, e->dst, v);
}

/* ---- deadlocks ---------------------------------------------------------------------------------
 */

/* Is the thread's join one of a live thread? */
static pv_term awaits_thread(struct pv_symbolic *s, struct call c, uint32_t joinable) {
  uint32_t own = pv_control_frame(s->control, c.frame)->thread;
  pv_expr x = pv_arg(s->program, edge_of(s, c)->args, 0);
  pv_term id = argument_there(s, c, 0, pv_encode_cell_is_signed(pv_node(s->program, x)->type));
  pv_term any = pv_smt_bool(s->smt, false);
  for (uint32_t i = 0; joinable >> i; i++)
    if (joinable >> i & 1 && i != own)
      any = pv_sym_or(s, any,
                      pv_sym_eq(s, id, pv_smt_number(s->smt, pv_smt_sort(s->smt, id), i + 1, 0)));
  return any;
}

/* Is one of the objects that the operand denotes taken: a held lock, a semaphore that is 0? Of
 * objects that are not modelled this is not said; a move of the thread itself has an event then. */
static pv_term is_taken(struct pv_symbolic *s, struct call c, unsigned operand, bool semaphore) {
  pv_sync_candidates o = {0};
  pv_term strange, any = pv_smt_bool(s->smt, false);
  objects_of(s, c, operand, &o, &strange);
  for (uint32_t i = 0; i < o.n; i++) {
    pv_term v = pv_sym_get(s, o.at[i].cell), zero = is(s, v, 0);
    pv_term taken = pv_sym_not(s, pv_sym_or(s, zero, is(s, v, PV_SYNC_DESTROYED)));
    any = pv_sym_or(s, any, pv_sym_and(s, o.at[i].here, semaphore ? zero : taken));
  }
  pv_vec_free(&o);
  return any;
}

static pv_term is_blocked(struct pv_symbolic *s, const struct pv_waiting *w, uint32_t joinable) {
  struct call c = {w->frame, w->edge};
  switch (pv_sync_op(s->program->prims.at[edge_of(s, c)->aux].prim)) {
  case PV_SYNC_thread_join: return awaits_thread(s, c, joinable);
  case PV_SYNC_sem_wait: return is_taken(s, c, 0, true);
  case PV_SYNC_cond_wait:
  case PV_SYNC_cond_timedwait:
    return w->stage == PV_STAGE_WAITS ? truth(s) : is_taken(s, c, 1, false);
  default: return is_taken(s, c, 0, false);
  }
}

void pv_sym_stuck(struct pv_symbolic *s, const struct pv_move *m) {
  uint32_t n;
  if (pv_control_preempts(s->control)) { /* the scheduler has said so */
    if (m->alternative == PV_ALTERNATIVE_PERHAPS_STUCK)
      pv_sync_cut(s, truth(s), "some thread can go on");
    else
      pv_sym_fault(s, PV_PROP_NO_DEADLOCK, truth(s), "no thread goes on");
    return;
  }
  const struct pv_waiting *w = pv_control_waiting(s->control, m->waiting, &n);
  pv_term all = truth(s);
  for (uint32_t i = 0; i < n && !pv_smt_is_false(s->smt, all); i++)
    all = pv_sym_and(s, all, is_blocked(s, &w[i], m->other));
  pv_sym_fault(s, PV_PROP_NO_DEADLOCK, all, "no thread goes on");
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
    pv_sym_assume(s, pv_sync_argument_is(s, e, 0, m->other + 1));
    result(s, e, NULL, 0);
    break;
  case PV_SYNC_thread_exit: leave(s, e); break;
  case PV_SYNC_thread_self: result(s, e, truth(s), pv_sync_self(s) + 1); break;
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
  pv_sync_candidates o = {0};
  if (!pv_sync_objects(op)) {
    on_thread(s, e, m, op);
    return;
  }
  pv_sync_find_objects(s, e, 0, &o);
  switch (op) {
  case PV_SYNC_mutex_init:
    pv_sync_cut(s, pv_sym_not(s, pv_sync_argument_is(s, e, 1, 0)),
                "a mutex is of the default kind");
    init(s, e, &o);
    break;
  case PV_SYNC_spin_init:
  case PV_SYNC_cond_init: init(s, e, &o); break;
  case PV_SYNC_mutex_destroy:
  case PV_SYNC_spin_destroy: destroy(s, e, &o, true); break;
  case PV_SYNC_cond_destroy:
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
  case PV_SYNC_cond_broadcast: signal(s, e, m, &o); break;
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
