/* taint.c -- tracks indeterminate values in registers, and reports their use.
 *
 * To copy indeterminate bytes is no error (C11, 6.2.6.1: if there is no trap representation, as for
 * all types here). So indeterminate bits are propagated: a load marks its register, moves and
 * arithmetic pass marks on bit by bit, and a store makes the memory indeterminate. It is an error
 * if such a value decides something: a branch, an address, a divisor, an operand of any other
 * operation.
 *
 * The marks of registers are in the list of unset.c, at addresses that no object has, so equal
 * states have equal lists. While a mark exists, machine code is not used, and the interpreter calls
 * pv_taint_step before each instruction. */
#include "vm/edge_internal.h"

enum { REG = 8, DEPTH_SHIFT = 32, THREAD_SHIFT = 52 };
#define FIRST_REGISTER (UINT64_C(1) << 62) /* above all objects */

static uint64_t frame_address(unsigned thread, uint32_t depth) {
  return FIRST_REGISTER | (uint64_t)thread << THREAD_SHIFT | (uint64_t)depth << DEPTH_SHIFT;
}

static uint64_t register_address(const struct pv_vm *vm, uint32_t reg) {
  return frame_address(vm->thread, vm->threads[vm->thread].depth) + (uint64_t)reg * REG;
}

bool pv_taint_follows(const struct pv_vm *vm) {
  return (vm->properties & PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR)) &&
         vm->options->indeterminate == PV_INDETERMINATE_USE;
}

bool pv_vm_has_unset_registers(const struct pv_vm *vm) {
  const struct pv_comp *c = &vm->comps.at[vm->unset_comp];
  struct pv_unset_word last = {0};
  if (c->n) memcpy(&last, c->data + c->n - sizeof last, sizeof last);
  return last.address >= FIRST_REGISTER;
}

void pv_taint_look(struct pv_vm *vm) {
  vm->tainted = pv_vm_has_unset_registers(vm);
}

uint64_t pv_taint_get(struct pv_vm *vm, int32_t cell) {
  if (cell < 0) return vm->taint[~cell];
  return vm->tainted ? ~pv_unset_get(vm, register_address(vm, (uint32_t)cell), REG) : 0;
}

void pv_taint_put(struct pv_vm *vm, int32_t cell, uint64_t unset) {
  if (cell < 0) {
    vm->taint[~cell] = unset;
  } else if (unset || vm->tainted) {
    pv_unset_put(vm, register_address(vm, (uint32_t)cell), REG, ~unset);
    pv_taint_look(vm);
  }
}

void pv_taint_drop_frame(struct pv_vm *vm, unsigned thread, uint32_t depth) {
  uint64_t from = frame_address(thread, depth);
  uint64_t n = UINT64_C(1) << DEPTH_SHIFT;
  for (uint64_t at; (at = pv_unset_first(vm, from, n));) pv_unset_put(vm, at, REG, UINT64_MAX);
  pv_taint_look(vm);
}

/* ---- arithmetic ------------------------------------------------------------------------------ */
/* Each bit of a sum depends on all lower bits of its operands. */
static uint64_t upward(uint64_t unset, unsigned w) {
  return unset ? ~((unset & -unset) - 1) & pv_mask(w) : 0;
}

static uint64_t shifted(const struct pv_insn *i, uint64_t ta, uint64_t tb, uint64_t b) {
  if (tb) return pv_mask(i->w);
  if (b >= i->w) return 0;
  return i->op == PV_I_SHL    ? (ta << b) & pv_mask(i->w)
         : i->op == PV_I_LSHR ? ta >> b
                              : (uint64_t)(pv_signed(ta, i->w) >> b) & pv_mask(i->w);
}

/* The indeterminate bits of the result; the operands' values are those that the machine uses. */
static uint64_t result(struct pv_vm *vm, const struct pv_insn *i, uint64_t ta, uint64_t tb) {
  uint64_t a = *pv_cell(vm, i->a), b = *pv_cell(vm, i->b), any = ta | tb;
  switch ((enum pv_insn_op)i->op) {
  case PV_I_MOV:
  case PV_I_SLOT: return ta;
  case PV_I_ADD:
  case PV_I_SUB:
  case PV_I_MUL: return upward(any, i->w);
  case PV_I_UDIV:
  case PV_I_SDIV:
  case PV_I_UREM:
  case PV_I_SREM: return any ? pv_mask(i->w) : 0;
  case PV_I_SHL:
  case PV_I_LSHR:
  case PV_I_ASHR: return shifted(i, ta, tb, b);
  case PV_I_AND: return any & (ta | a) & (tb | b);
  case PV_I_OR: return any & (ta | ~a) & (tb | ~b);
  case PV_I_XOR: return any;
  case PV_I_EQ:
  case PV_I_NE: return any && !((a ^ b) & ~any);
  case PV_I_ULT:
  case PV_I_ULE:
  case PV_I_SLT:
  case PV_I_SLE: return any != 0;
  case PV_I_SEXT: return (uint64_t)pv_signed(ta, i->w) & pv_mask(i->x);
  case PV_I_TRUNC: return ta & pv_mask(i->w);
  default: return 0;
  }
}

/* ---- uses ------------------------------------------------------------------------------------ */
static enum pv_flow used(struct pv_vm *vm, const char *how) {
  pv_fault(vm, PV_PROP_DEF_BEHAVIOR, "use of an indeterminate value %s", how);
  return PV_FLOW_LEAVE;
}

static bool is_wide(const struct pv_vm *vm, pv_expr e) {
  return pv_type_bits(pv_node(vm->program, e)->type) > 64;
}

static int32_t upper(int32_t cell) {
  return cell < 0 ? cell - 1 : cell + 1;
}

static bool is_unset(struct pv_vm *vm, int32_t cell, pv_expr e) {
  return pv_taint_get(vm, cell) || (is_wide(vm, e) && pv_taint_get(vm, upper(cell)));
}

/* Expressions for which the interpreter has no instruction of its own. */
static enum pv_flow rare(struct pv_vm *vm, const struct pv_insn *i) {
  const struct pv_expr_node n = *pv_node(vm->program, i->x);
  unsigned w = pv_type_bits(n.type);
  uint64_t low = 0, high = 0;
  if (n.op == PV_X_ZEXT || n.op == PV_X_TRUNC || n.op == PV_X_BITCAST) {
    low = pv_taint_get(vm, i->a) & pv_mask(w);
    if (w > 64 && is_wide(vm, n.a)) high = pv_taint_get(vm, upper(i->a));
  } else if ((n.a && is_unset(vm, i->a, n.a)) || (n.b && is_unset(vm, i->b, n.b)) ||
             (n.c && is_unset(vm, i->c, n.c))) {
    if (n.op == PV_X_FPTOSI || n.op == PV_X_FPTOUI) return used(vm, "in a conversion");
    low = pv_mask(w);
    high = UINT64_MAX;
  }
  pv_taint_put(vm, i->d, low);
  if (w > 64) pv_taint_put(vm, upper(i->d), high & pv_mask(w - 64));
  return PV_FLOW_NEXT;
}

static bool is_unset_argument(struct pv_vm *vm, const struct pv_code_edge *ce) {
  const struct pv_edge *e = ce->edge;
  for (uint32_t k = 0; k < e->args.n; k++)
    if (is_unset(vm, vm->code->cells.at[ce->args + k], pv_arg(vm->program, e->args, k)))
      return true;
  return false;
}

/* The result of a thread that ends is delivered to a thread that joins it, as a number. */
static enum pv_flow deliver(struct pv_vm *vm) {
  if (vm->program->reads_thread_results && !vm->peek)
    pv_condition_add(vm->condition, PV_PROVISO_INDETERMINATE, NULL, 0,
                     "the result of a thread whose function returns none is not used");
  return PV_FLOW_NEXT;
}

static enum pv_flow edge(struct pv_vm *vm, const struct pv_code_edge *ce) {
  const struct pv_edge *e = ce->edge;
  if (e->op == PV_OP_PRIM && vm->program->prims.at[e->aux].prim->role == PV_ROLE_EXITS)
    return is_unset_argument(vm, ce) ? deliver(vm) : PV_FLOW_NEXT;
  for (int k = 0; k < 3; k++)
    if (e->e[k] && is_unset(vm, ce->e[k], e->e[k])) return used(vm, pv_edge_use(e));
  bool passes = e->op == PV_OP_CALL || e->op == PV_OP_RETURN;
  if (!passes && is_unset_argument(vm, ce)) return used(vm, pv_edge_use(e));
  if (passes || e->op == PV_OP_INDET) return PV_FLOW_NEXT;
  const uint32_t vars[] = {e->dst, e->dst2};
  const int32_t regs[] = {ce->d, ce->d2};
  const struct pv_function *f = &vm->program->functions.at[ce->function];
  for (int k = 0; k < 2; k++) {
    if (regs[k] < 0) continue;
    pv_taint_put(vm, regs[k], 0);
    if (pv_type_bits(f->vars.at[vars[k]].type) > 64) pv_taint_put(vm, upper(regs[k]), 0);
  }
  return PV_FLOW_NEXT;
}

/* Drops the marks of registers that are dead at a loop head, so that machine code can be used
 * again. */
static void drop_dead(struct pv_vm *vm) {
  const struct pv_code_edge *ce = &vm->code->edges.at[vm->code->where.at[vm->frame->pc]];
  const uint32_t *kill = vm->code->kills.at + ce->kill;
  for (uint32_t i = 0; i < ce->n_kill; i++) pv_taint_put(vm, (int32_t)kill[i], 0);
}

enum pv_flow pv_taint_step(struct pv_vm *vm, const struct pv_insn *i) {
  const struct pv_edge *e = vm->code->edges.at[vm->code->where.at[vm->frame->pc]].edge;
  bool wide = i->w > 64;
  switch ((enum pv_insn_op)i->op) {
  case PV_I_LOOP: drop_dead(vm); return PV_FLOW_NEXT;
  case PV_I_JMP:
  case PV_I_ORDER:
  case PV_I_PROV:
  case PV_I_COUNT: return PV_FLOW_NEXT;
  case PV_I_RARE: return rare(vm, i);
  case PV_I_EDGE: return edge(vm, &vm->code->edges.at[i->x]);
  case PV_I_JZ: return pv_taint_get(vm, i->a) ? used(vm, "in a condition") : PV_FLOW_NEXT;
  case PV_I_LOAD:
    if (pv_taint_get(vm, i->a)) return used(vm, "as an address");
    pv_taint_put(vm, i->d, 0);
    if (wide) pv_taint_put(vm, upper(i->d), 0);
    return PV_FLOW_NEXT;
  case PV_I_STORE:
    if (pv_taint_get(vm, i->a)) return used(vm, "as an address");
    if (e->order != PV_ORDER_NONE && is_unset(vm, i->b, e->e[1]))
      return used(vm, "in an atomic operation");
    vm->stored_unset[0] = pv_taint_get(vm, i->b);
    vm->stored_unset[1] = wide ? pv_taint_get(vm, upper(i->b)) : 0;
    return PV_FLOW_NEXT;
  case PV_I_UDIV:
  case PV_I_SDIV:
  case PV_I_UREM:
  case PV_I_SREM:
    if (pv_taint_get(vm, i->b)) return used(vm, "as a divisor");
    break;
  case PV_I_TLS: pv_taint_put(vm, i->d, 0); return PV_FLOW_NEXT;
  case PV_I_MOV:
    if (wide) pv_taint_put(vm, upper(i->d), pv_taint_get(vm, upper(i->a)));
    break;
  default: break;
  }
  pv_taint_put(vm, i->d, result(vm, i, pv_taint_get(vm, i->a), pv_taint_get(vm, i->b)));
  return PV_FLOW_NEXT;
}

/* ---- calls and variables --------------------------------------------------------------------- */
void pv_taint_arguments(struct pv_vm *vm, const struct pv_code_edge *ce) {
  vm->taints.n = 0;
  for (uint32_t i = 0; i < ce->edge->args.n; i++) {
    int32_t cell = vm->code->cells.at[ce->args + i];
    struct pv_taint t = {{pv_taint_get(vm, cell), 0}};
    if (is_wide(vm, pv_arg(vm->program, ce->edge->args, i)))
      t.unset[1] = pv_taint_get(vm, upper(cell));
    pv_vec_push(&vm->taints, t);
  }
}

void pv_taint_variable(struct pv_vm *vm, uint32_t function, uint32_t var, uint32_t i) {
  static const struct pv_taint none;
  const struct pv_taint *t = i < vm->taints.n ? &vm->taints.at[i] : &none;
  unsigned bits = pv_type_bits(vm->program->functions.at[function].vars.at[var].type);
  int32_t reg = (int32_t)vm->code->functions[function].reg[var];
  pv_taint_put(vm, reg, t->unset[0] & pv_mask(bits));
  if (bits > 64) pv_taint_put(vm, reg + 1, t->unset[1] & pv_mask(bits - 64));
}

enum pv_flow pv_taint_unset(struct pv_vm *vm, const struct pv_code_edge *ce) {
  unsigned bits = pv_type_bits(ce->edge->type);
  if (vm->peek) return pv_leave(vm, PV_RAN);
  pv_set_var(vm, ce, ce->d, ce->edge->dst, 0);
  pv_taint_put(vm, ce->d, pv_mask(bits));
  if (bits <= 64) return PV_FLOW_NEXT;
  vm->regs[ce->d + 1] = 0;
  pv_taint_put(vm, ce->d + 1, pv_mask(bits - 64));
  return PV_FLOW_NEXT;
}
