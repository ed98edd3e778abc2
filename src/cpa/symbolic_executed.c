/* symbolic_executed.c -- calls of a scheduler that is executed. The plug-in has executed the call
 * with the arguments that the move names. What is left are its effects on the program's own
 * variables. */
#include "cpa/scheduler.h"
#include "cpa/symbolic_sync_internal.h"

#include <stdlib.h>

static pv_term argument_has(struct pv_symbolic *s, const struct pv_edge *e,
                            const struct pv_call_values *v, uint32_t i) {
  pv_term t = pv_sym_argument(s, e, i);
  return pv_sym_eq(s, t, pv_smt_number(s->smt, pv_smt_sort(s->smt, t), v->lo[i], v->hi[i]));
}

static pv_term arguments_have(struct pv_symbolic *s, const struct pv_edge *e,
                              const struct pv_call_values *v) {
  pv_term all = pv_smt_bool(s->smt, true);
  for (uint32_t i = 0; i < PV_CALL_ARGUMENTS; i++)
    if (v->assumed >> i & 1) all = pv_sym_and(s, all, argument_has(s, e, v, i));
  return all;
}

static void executed_create(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m,
                            const struct pv_executed *x) {
  pv_sym_thread_begins(s, x->created);
  pv_sync_set_parameter(s, e, x->start, m->other, 0);
  pv_sync_set_parameter(s, e, x->argument, m->other, 1);
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

/* The objects that a call of a preemptive plug-in names. Their states are in the scheduler; a cell
 * only says whether an object was used, because then it must not be overwritten. Objects on the
 * stack or the heap are not followed: their lives end. */
static void executed_objects(struct pv_symbolic *s, const struct pv_edge *e) {
  const struct pv_prim *prim = s->program->prims.at[e->aux].prim;
  enum pv_sync_op op = pv_sync_op(prim);
  bool ends = op == PV_SYNC_mutex_destroy || op == PV_SYNC_spin_destroy ||
              op == PV_SYNC_cond_destroy || op == PV_SYNC_sem_destroy;
  if (op == PV_SYNC_OTHER && prim->class != PV_PRIM_LOCAL)
    pv_sync_cut(s, pv_smt_bool(s->smt, true), "no call is made that this engine does not know");
  for (unsigned i = 0; i < pv_sync_objects(op); i++) {
    pv_sync_candidates o = {0};
    pv_sync_find_objects(s, e, i, &o);
    for (uint32_t k = 0; k < o.n; k++) {
      const struct pv_sync_cell *c = pv_sync_cell(s->sync, o.at[k].sync);
      if (pv_layout_place(s->layout, c->place)->kind != PV_PLACE_GLOBAL)
        pv_sync_cut(s, o.at[k].here, "a lock, semaphore or condition is a global variable");
    }
    pv_sync_put(s, &o, pv_sync_number(s, ends ? PV_SYNC_DESTROYED : 1));
    pv_vec_free(&o);
  }
}

/* What a creation or a join writes to memory. */
static void executed_store(struct pv_symbolic *s, const struct pv_edge *e,
                           const struct pv_executed *x) {
  uint32_t i = x->stores - 1;
  pv_type id = PV_INT(s->program->pointer_bits);
  pv_term nowhere = pv_sync_argument_is(s, e, i, 0);
  if (pv_smt_is_true(s->smt, nowhere)) return;
  pv_sync_cut(s, nowhere, "the place for a result is never a null pointer");
  s->operand = i;
  if (s->program->prims.at[e->aux].prim->role == PV_ROLE_CREATES)
    pv_sym_store(s, pv_arg(s->program, e->args, i), id,
                 pv_smt_number(s->smt, pv_encode_sort(&s->encoder, id), x->created + 1, 0), false,
                 NULL);
  else
    pv_sym_store(s, pv_arg(s->program, e->args, i), PV_TYPE(PV_T_PTR, s->program->pointer_bits),
                 pv_sym_get(s, pv_sym_cell(s, PV_CELL_RESULT, (uint32_t)x->values.lo[0] - 1, 0, 0)),
                 false, NULL);
}

void pv_sym_executed(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m) {
  const struct pv_executed *x = pv_control_executed(s->control, m);
  const char *name = s->program->prims.at[e->aux].name;
  if (x->rest) {
    for (uint32_t i = 0; i < x->n_known; i++)
      pv_sym_assume(s, pv_sym_not(s, arguments_have(s, e, &x->known[i])));
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_smt_bool(s->smt, true), true,
                 "`%s` at %s has only arguments with which it was executed", name, pv_sym_where(s));
    return;
  }
  pv_sym_assume(s, arguments_have(s, e, &x->values));
  if (m->kind == PV_MOVE_CUT) {
    pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, pv_smt_bool(s->smt, true), true,
                 "%s, at the call of `%s` at %s",
                 x->message ? x->message : "no more threads exist at one time", name,
                 pv_sym_where(s));
    return;
  }
  if (pv_control_preempts(s->control)) executed_objects(s, e);
  if (x->outcome == PV_PRIM_MISUSE)
    pv_sync_misuse(s, pv_smt_bool(s->smt, true), x->message ? x->message : name);
  bool asked = s->options.properties & PV_PROP_BIT(PV_PROP_NO_DEADLOCK);
  if (m->kind == PV_MOVE_END && x->leaves_alive && asked)
    pv_sym_fault(s, PV_PROP_NO_DEADLOCK, pv_smt_bool(s->smt, true), "no thread goes on");
  uint32_t n;
  const uint32_t *others = pv_control_beside(s->control, s->beside, &n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t thread = pv_control_frame(s->control, others[i])->thread;
    if ((x->ended | x->restarted) >> thread & 1) thread_ends(s, others[i]);
  }
  if (x->outcome == PV_PRIM_EXITED && pv_control_preempts(s->control))
    pv_sym_set(s, pv_sym_cell(s, PV_CELL_RESULT, pv_sync_self(s), 0, 0), pv_sym_argument(s, e, 0));
  bool begins_anew = x->restarted >> pv_control_frame(s->control, s->frame)->thread & 1;
  if (x->outcome == PV_PRIM_EXITED || begins_anew) thread_ends(s, s->frame);
  for (uint32_t t = 0; t < PV_MAX_THREADS; t++)
    if (x->restarted >> t & 1) begin_anew(s, pv_control_root(s->control, t, PV_NO_FUNC));
  if (x->outcome != PV_PRIM_DONE && x->outcome != PV_PRIM_MISUSE) return;
  if (s->program->prims.at[e->aux].prim->role == PV_ROLE_CREATES && x->created)
    executed_create(s, e, m, x);
  if (x->stores) executed_store(s, e, x);
  if (e->dst == PV_NO_VAR) return;
  const struct pv_cell *c = pv_symbolic_cell(s, pv_sym_variable(s, s->frame, e->dst));
  unsigned bits = pv_type_bits(c->type);
  if (x->any_result) {
    pv_sym_assign(s, s->frame, e->dst, pv_sym_fresh(s, "clock", c->type, c->is_signed));
    return;
  }
  uint64_t value = bits < 64 ? x->result & ((UINT64_C(1) << bits) - 1) : x->result;
  bool negative = c->is_signed && bits <= 64 && bits && value >> (bits - 1) & 1 &&
                  s->options.encoding == PV_ENCODE_LINEAR;
  if (negative && bits < 64) value |= ~UINT64_C(0) << bits;
  pv_sym_assign(s, s->frame, e->dst,
                pv_smt_number(s->smt, c->sort, value, negative ? UINT64_MAX : 0));
}
