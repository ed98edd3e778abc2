/* atomicity.c -- how long a thread runs without a switch: option --atomic.
 *
 * The three levels differ in where a thread parks. `visible` is pv_park alone: before each visible
 * operation. `instruction` parks before every edge of the ir (pv_edge_begins); whether what comes
 * is visible is found out then, by a peek, since it may change with the state and what a thread is
 * parked at must be told by its frame (explore/moves.h). Nobody but the thread itself changes it:
 * only the thread that is alone creates the second one, and only who can reach an object publishes
 * it; if it stops being visible, because the last other thread ends, it is still done when it is
 * its turn.
 *
 * `statement` parks where `visible` does, but not at a further visible operation of the statement
 * whose operation began the transition (paper 000, table I: model checking "at the C-level";
 * deviation: what a statement does before its first visible operation belongs to the transition
 * before). A statement is what the ir marks as one, in one frame of the program's own code, with
 * the models that it calls. It is left when an edge of the program's own code is come to that
 * belongs to another statement or another frame, or is a loop head: a statement that is a loop, or
 * is come to again, is a new one each time. */
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

/* Does the edge at frame->pc perform a visible operation in the state at hand? Its errors and
 * provisos come when it is run. */
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
  vm->alternative = 0; /* the way of the transition was that of its first operation */
  return true;
}
