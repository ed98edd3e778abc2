/* atomicity.c -- how long a thread runs without a switch: option --atomic.
 *
 * The three levels differ in where a thread parks. `visible` parks before each visible operation
 * (pv_park). `instruction` parks before every edge of the ir (pv_edge_begins). Whether the
 * operation there is visible is decided later, by a peek: it may change with the state, and the
 * frame must tell at which operation the thread is parked (explore/moves.h). Only the thread itself
 * can make it visible: a second thread is created only by the single existing one, and an object is
 * published only by a thread that can reach it. If it stops being visible because the last other
 * thread ends, it is still executed as a step.
 *
 * `statement` parks where `visible` does, but not at a further visible operation of the statement
 * that began the transition (Rungta, Mercer, FMCAD 2006, table I: model checking "at the C-level";
 * deviation: what a statement does before its first visible operation belongs to the transition
 * before). A statement is what the ir marks as one, in one frame of the program's own code,
 * including the models that it calls. It ends when the thread reaches an edge of the program's own
 * code that belongs to another statement or frame, or a loop head. So each iteration of a loop is a
 * new statement. */
#include "vm/vm_internal.h"

/* Operations that may be visible. */
static bool may_be_visible(enum pv_op op) {
  switch (op) {
  case PV_OP_LOAD:
  case PV_OP_STORE:
  case PV_OP_COPY:
  case PV_OP_FILL:
  case PV_OP_HAVOC:
  case PV_OP_INDET:
  case PV_OP_ALLOC:
  case PV_OP_FREE:
  case PV_OP_LIVE:
  case PV_OP_DEAD:
  case PV_OP_RETURN:
  case PV_OP_RMW:
  case PV_OP_CMPXCHG:
  case PV_OP_PRIM:
  case PV_OP_ATOMIC_BEGIN:
  case PV_OP_STOP: return true;
  default: return false;
  }
}

/* Does the edge at frame->pc perform a visible operation in the current state? Errors and provisos
 * of the edge are reported when it is executed. */
static bool next_is_visible(struct pv_vm *vm, const struct pv_code_edge *ce) {
  struct pv_pending next = {0};
  struct pv_condition ignored = {0}, *condition = vm->condition;
  if (!may_be_visible((enum pv_op)ce->edge->op)) return false;
  vm->peek = &next;
  vm->probe = true;
  vm->condition = &ignored;
  pv_interpret(vm, NULL, UINT64_MAX);
  vm->condition = condition;
  vm->probe = false;
  vm->peek = NULL;
  vm->frame->pc = ce->pc;
  pv_condition_clear(&ignored);
  return next.kind != PV_PEND_NONE && next.kind != PV_PEND_LOCAL;
}

static void look_at_statement(struct pv_vm *vm, const struct pv_code_edge *ce) {
  if (!vm->statement.stmt || vm->program->functions.at[ce->function].is_model) return;
  bool other =
      ce->edge->stmt != vm->statement.stmt || vm->threads[vm->thread].depth != vm->statement.depth;
  if (other || vm->code->insns.at[ce->pc].op == PV_I_LOOP) pv_statement_end(vm);
}

bool pv_edge_begins(struct pv_vm *vm, bool first) {
  uint32_t pc = vm->frame->pc;
  const struct pv_code_edge *ce = &vm->code->edges.at[vm->code->where.at[pc]];
  if (pc != ce->pc || ce->is_branch || vm->silent) return false;
  if (vm->options->atomic == PV_ATOMIC_STATEMENT) look_at_statement(vm, ce);
  if (vm->options->atomic != PV_ATOMIC_INSTRUCTION || first || vm->atomic) return false;
  pv_run_stand(vm, PV_STAND_VISIBLE);
  vm->frame->local = next_is_visible(vm, ce) ? PV_STAND_VISIBLE : PV_STAND_LOCAL;
  return true;
}

void pv_statement_begin(struct pv_vm *vm) {
  if (vm->options->atomic != PV_ATOMIC_STATEMENT) return;
  const struct pv_code_edge *ce = pv_user_edge_of(vm, vm->thread, &vm->statement.depth);
  bool own = !vm->program->functions.at[ce->function].is_model;
  vm->statement.stmt = own ? ce->edge->stmt : 0;
}

bool pv_statement_goes_on(struct pv_vm *vm, enum pv_pend_kind kind) {
  if (!vm->statement.stmt || kind == PV_PEND_END) return false;
  if (!vm->assumed)
    pv_condition_add(vm->condition, PV_PROVISO_ATOMICITY, NULL, 0,
                     "each C statement runs without interruption");
  vm->assumed = vm->merged = true;
  vm->alternative = 0; /* the transition's alternative applied only to its first operation */
  return true;
}
