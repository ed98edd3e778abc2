/* call.c -- calls and returns: arguments, results, frames. */
#include "vm/edge_internal.h"

static bool is_too_deep(const struct pv_vm *vm) {
  return vm->threads[vm->thread].depth >= (uint32_t)vm->options->max_frames;
}

/* A call through a pointer of another type than the function's (C11, 6.5.2.2, 9): arguments that
 * are missing, or of a type that does not fit, are indeterminate. (So are results: see
 * take_result.) */
static const char *call_lacks(const struct pv_vm *vm, const struct pv_code_edge *ce,
                              const struct pv_function *f) {
  const struct pv_edge *e = ce->edge;
  if (e->callee != PV_NO_FUNC) return NULL;
  if (e->args.n < f->n_params) return "takes more arguments than it is given";
  for (uint32_t i = 0; i < f->n_params; i++)
    if (!pv_type_stays(pv_node(vm->program, pv_arg(vm->program, e->args, i))->type,
                       f->vars.at[i].type))
      return "takes arguments of other types";
  return NULL;
}

enum pv_flow pv_run_call(struct pv_vm *vm, const struct pv_code_edge *ce) {
  const struct pv_edge *e = ce->edge;
  uint32_t callee = e->callee;
  if (callee == PV_NO_FUNC) {
    uint64_t address = pv_operand(vm, ce, 0) - vm->functions_base;
    if (address % 16 || address / 16 >= vm->program->functions.n)
      return pv_fault(vm, PV_PROP_VALID_DEREF, "call through a pointer that points to no function");
    callee = (uint32_t)(address / 16);
  }
  const struct pv_function *f = &vm->program->functions.at[callee];
  if (!f->defined) {
    if (pv_stands_at_end(vm)) return PV_FLOW_LEAVE;
    pv_condition_add(vm->condition, PV_PROVISO_UNMODELLED, pv_user_file(vm), pv_user_line(vm),
                     "`%s`, which has no body and no model, is not called at %s:%u", f->name,
                     pv_user_file(vm), pv_user_line(vm));
    return pv_leave(vm, PV_CUT);
  }
  const char *lacks = call_lacks(vm, ce, f);
  if (lacks)
    return pv_fault(vm, PV_PROP_DEF_BEHAVIOR, "call of `%s`, which %s, through a pointer", f->name,
                    lacks);
  if (pv_out_of_time(vm)) return pv_leave(vm, PV_CUT);
  if (is_too_deep(vm)) {
    if (pv_stands_at_end(vm)) return PV_FLOW_LEAVE;
    pv_condition_add(vm->condition, PV_PROVISO_RECURSION, NULL, 0,
                     "recursion never nests calls deeper than %ld", vm->options->max_frames);
    return pv_leave(vm, PV_CUT);
  }
  const struct pv_code_function *cf = &vm->code->functions[callee];
  uint64_t value[2], area = e->e[1] ? pv_operand(vm, ce, 1) : 0;
  /* Arguments are read before the new frame is created, because this may move the registers. */
  vm->arguments.n = 0;
  if (vm->tainted) pv_taint_arguments(vm, ce);
  for (uint32_t i = 0; i < f->n_params && i < e->args.n; i++) {
    const uint64_t *cell = pv_cell(vm, vm->code->cells.at[ce->args + i]);
    bool wide = pv_type_bits(pv_node(vm->program, pv_arg(vm->program, e->args, i))->type) > 64;
    value[0] = cell[0];
    value[1] = wide ? cell[1] : 0;
    pv_vec_push(&vm->arguments, value[0]);
    pv_vec_push(&vm->arguments, value[1]);
  }
  vm->frame->pc = ce->resume;
  const uint32_t *kill = vm->code->kills.at + ce->kill_call;
  for (uint32_t i = 0; i < ce->n_kill_call; i++) {
    vm->regs[kill[i]] = 0;
    if (vm->tainted) pv_taint_put(vm, (int32_t)kill[i], 0);
  }
  pv_frame_push(vm, vm->thread, callee);
  const uint64_t *args = vm->arguments.at;
  for (uint32_t i = 0; 2 * i < vm->arguments.n; i++) {
    pv_type t = f->vars.at[i].type;
    vm->regs[cf->reg[i]] = args[2 * i] & pv_mask(pv_type_bits(t));
    if (pv_type_bits(t) > 64) vm->regs[cf->reg[i] + 1] = args[2 * i + 1];
  }
  for (uint32_t i = 0; i < vm->taints.n && 2 * i < vm->arguments.n; i++)
    pv_taint_variable(vm, callee, i, i);
  vm->taints.n = 0;
  if (f->variadic) vm->regs[cf->reg[f->n_params]] = area;
  return PV_FLOW_JUMP;
}

/* Result i of a call through a pointer: what the function does not return is indeterminate. It may
 * be ignored, as that of a thread's function that returns nothing. */
static void take_result(struct pv_vm *vm, const struct pv_function *f, uint32_t i, pv_type wanted,
                        uint64_t value[2]) {
  pv_type given = i < f->n_results ? f->result[i] : PV_VOID;
  bool is_float = pv_type_kind(given) == PV_T_FLOAT || pv_type_kind(wanted) == PV_T_FLOAT;
  unsigned bits = is_float || i >= f->n_results ? 0 : pv_type_bits(given);
  if (i < f->n_results && pv_type_stays(given, wanted)) return;
  while (vm->taints.n <= i) pv_vec_push(&vm->taints, (struct pv_taint){0});
  struct pv_taint *t = &vm->taints.at[i];
  uint64_t there[2] = {pv_mask(bits < 64 ? bits : 64), bits > 64 ? pv_mask(bits - 64) : 0};
  for (unsigned k = 0; k < 2; k++) {
    value[k] &= there[k];
    t->unset[k] |= ~there[k];
  }
}

enum pv_flow pv_run_return(struct pv_vm *vm, const struct pv_code_edge *ce) {
  const struct pv_edge *e = ce->edge;
  uint64_t value[4][2] = {{0}};
  if (pv_stack_ends(vm, ce, NULL)) return PV_FLOW_LEAVE;
  for (uint32_t i = 0; i < e->args.n && i < 4; i++) {
    const uint64_t *cell = pv_cell(vm, vm->code->cells.at[ce->args + i]);
    value[i][0] = cell[0];
    if (pv_type_bits(pv_node(vm->program, pv_arg(vm->program, e->args, i))->type) > 64)
      value[i][1] = cell[1];
  }
  if (vm->tainted) pv_taint_arguments(vm, ce);
  pv_frame_pop(vm, vm->thread);
  /* The function of an invariant: its result stays in the scratch cells. */
  if (!vm->threads[vm->thread].depth) {
    vm->scratch[vm->code->n_scratch - 1] = value[0][0];
    return pv_leave(vm, PV_RAN);
  }
  pv_frame_enter(vm, vm->thread);
  const struct pv_code_edge *at = &vm->code->edges.at[vm->code->where.at[vm->frame->pc - 1]];
  const struct pv_function *f = &vm->program->functions.at[at->function];
  for (uint32_t i = 0; i < at->edge->dsts.n && i < 4; i++) {
    uint32_t var = pv_arg(vm->program, at->edge->dsts, i);
    if (var == PV_NO_VAR) continue;
    uint32_t reg = vm->code->functions[at->function].reg[var];
    if (at->edge->callee == PV_NO_FUNC)
      take_result(vm, &vm->program->functions.at[ce->function], i, f->vars.at[var].type, value[i]);
    vm->regs[reg] = value[i][0] & pv_mask(pv_type_bits(f->vars.at[var].type));
    if (pv_type_bits(f->vars.at[var].type) > 64) vm->regs[reg + 1] = value[i][1];
    if (vm->taints.n || vm->tainted) pv_taint_variable(vm, at->function, var, i);
    if (vm->recorder && vm->recorder->assigned)
      vm->recorder->assigned(vm->recorder->user, vm->thread, f, var);
  }
  vm->taints.n = 0;
  return PV_FLOW_JUMP;
}
