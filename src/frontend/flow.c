/* flow.c -- terminators: branches, clang's checks, switches; phis become copies on the edges into a
 * block. */
#include "frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_THREADING = 8, TRAP_ARRAY_BOUNDS = 18 };

static void enter(struct pv_fn *fn, LLVMBasicBlockRef from, LLVMBasicBlockRef to, unsigned depth);

static bool is_const(struct pv_fn *fn, pv_expr e, bool *value) {
  const struct pv_expr_node *n = pv_node(fn->p, e);
  *value = n->lo & 1;
  return n->op == PV_X_CONST;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void check(struct pv_fn *fn, pv_expr holds, enum pv_check kind) {
  bool value;
  if (is_const(fn, holds, &value) && value) return;
  struct pv_edge e = pv_edge_of(PV_OP_CHECK, 0, 0);
  e.aux = kind;
  e.e[0] = holds;
  pv_fn_emit(fn, e);
}

/* Translates clang's number of a check (SanitizerHandler.h); PV_CHECK_COUNT if it is unknown. */
static enum pv_check check_kind(unsigned trap) {
  switch (trap) {
  case 0:
  case 3:
  case 12:
  case 13:
  case 21: return PV_CHECK_OVERFLOW; /* +, / and %, *, unary -, - */
  case 1: return PV_CHECK_UNREACHABLE;
  case 5: return PV_CHECK_FLOAT_CAST;
  case TRAP_ARRAY_BOUNDS: return PV_CHECK_ARRAY_BOUNDS;
  case 20: return PV_CHECK_SHIFT_EXPONENT;
  case 24: return PV_CHECK_VLA_BOUND;
  default: return PV_CHECK_COUNT;
  }
}

/* A branch to trap number `trap`: continues where `holds` is true. */
static void guard(struct pv_fn *fn, pv_expr holds, unsigned trap) {
  enum pv_check kind = check_kind(trap);
  if (kind != PV_CHECK_COUNT) {
    check(fn, holds, kind);
    return;
  }
  pv_loc otherwise = pv_fn_branch(fn, holds), here = fn->cur; /* a check that was not requested */
  if (fn->dead) return;
  fn->cur = otherwise;
  pv_fn_stop(fn, PV_STOP_ABORT, NULL);
  fn->dead = false;
  fn->cur = here;
}

static struct pv_block *trap_block(struct pv_fn *fn, LLVMBasicBlockRef b) {
  struct pv_block *block = pv_fn_block(fn, b);
  return block && block->kind == PV_BLOCK_TRAP ? block : NULL;
}

/* ---- phis ------------------------------------------------------------------------------------ */

void pv_fn_make_phis(struct pv_fn *fn, LLVMBasicBlockRef b) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
    if (!LLVMIsAPHINode(i)) continue;
    struct pv_part parts[PV_MAX_PARTS];
    uint32_t vars[PV_MAX_PARTS];
    unsigned n = 0;
    const char *what;
    if (!pv_fe_flatten(fn->fe, LLVMTypeOf(i), parts, &n, &what)) continue;
    for (unsigned k = 0; k < n; k++) vars[k] = pv_fn_temp(fn, parts[k].type);
    pv_fn_define_vars(fn, i, vars, n);
  }
  fn->single = PV_NO_VAR;
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
    if (LLVMGetIncomingBlock(phi, k) == from) return LLVMGetIncomingValue(phi, k);
  return NULL;
}

struct copies {
  PV_VEC(uint32_t) to;
  PV_VEC(pv_expr) from;
};

static bool mentions(struct pv_fn *fn, pv_expr e, uint32_t var) {
  if (!e) return false;
  const struct pv_expr_node *n = pv_node(fn->p, e);
  if (n->op == PV_X_VAR) return n->lo == var;
  return mentions(fn, n->a, var) || mentions(fn, n->b, var) || mentions(fn, n->c, var);
}

/* The copies are simultaneous: if one reads what an earlier one writes, all use temporaries. */
static void copy_all(struct pv_fn *fn, struct copies *c) {
  bool clash = false;
  for (uint32_t i = 0; i < c->to.n; i++)
    for (uint32_t k = i + 1; k < c->to.n && !clash; k++)
      clash = mentions(fn, c->from.at[k], c->to.at[i]);
  for (uint32_t i = 0; i < c->to.n && clash; i++) {
    uint32_t t = pv_fn_temp(fn, fn->f.vars.at[c->to.at[i]].type);
    pv_fn_assign(fn, t, c->from.at[i]);
    c->from.at[i] = pv_fn_var(fn, t);
  }
  fn->single = clash ? PV_NO_VAR : fn->single;
  for (uint32_t i = 0; i < c->to.n; i++)
    if (c->from.at[i] != pv_fn_var(fn, c->to.at[i])) pv_fn_assign(fn, c->to.at[i], c->from.at[i]);
}

static void copy_phis(struct pv_fn *fn, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  struct copies c = {0};
  for (LLVMValueRef i = LLVMGetFirstInstruction(to); i; i = LLVMGetNextInstruction(i)) {
    if (LLVMIsADbgInfoIntrinsic(i)) continue;
    if (!LLVMIsAPHINode(i)) break;
    pv_expr parts[PV_MAX_PARTS];
    LLVMValueRef in = incoming(i, from);
    unsigned n = in ? pv_fn_operand(fn, in, parts) : 0;
    const struct pv_lowered_value *v = pv_fn_find(fn, i);
    if (!v || !v->known || fn->dead) continue;
    for (unsigned k = 0; k < n && k < v->n; k++) {
      pv_vec_push(&c.to, (uint32_t)pv_node(fn->p, fn->parts.at[v->at + k])->lo);
      pv_vec_push(&c.from, parts[k]);
    }
  }
  copy_all(fn, &c);
  pv_vec_free(&c.to);
  pv_vec_free(&c.from);
}

/* ---- branches -------------------------------------------------------------------------------- */

static void branch(struct pv_fn *fn, LLVMBasicBlockRef from, pv_expr cond, LLVMBasicBlockRef yes,
                   LLVMBasicBlockRef no, unsigned depth) {
  bool value;
  if (fn->dead) return;
  if (is_const(fn, cond, &value)) {
    enter(fn, from, value ? yes : no, depth);
    return;
  }
  struct pv_block *trap_yes = trap_block(fn, yes), *trap_no = trap_block(fn, no);
  if (trap_yes || trap_no) {
    guard(fn, trap_no ? cond : pv_mk_not(fn->p, cond), trap_no ? trap_no->trap : trap_yes->trap);
    enter(fn, from, trap_no ? yes : no, depth);
    return;
  }
  pv_loc otherwise = pv_fn_branch(fn, cond);
  enter(fn, from, yes, depth);
  fn->cur = otherwise;
  fn->dead = false;
  enter(fn, from, no, depth);
}

/* The condition of a block that only tests a phi, for control that comes from `from`. */
static bool test_condition(struct pv_fn *fn, LLVMBasicBlockRef from, LLVMValueRef test,
                           pv_expr *cond) {
  LLVMValueRef in = incoming(LLVMGetCondition(test), from);
  if (!in) return false;
  *cond = pv_fn_scalar(fn, in);
  pv_fn_condition(fn, in);
  return !fn->dead;
}

static void enter(struct pv_fn *fn, LLVMBasicBlockRef from, LLVMBasicBlockRef to, unsigned depth) {
  struct pv_block *block = pv_fn_block(fn, to);
  pv_expr cond;
  if (fn->dead) return;
  if (block->kind == PV_BLOCK_TEST && depth < MAX_THREADING) {
    LLVMValueRef test = LLVMGetBasicBlockTerminator(to);
    if (test_condition(fn, from, test, &cond))
      branch(fn, to, cond, LLVMGetSuccessor(test, 0), LLVMGetSuccessor(test, 1), depth + 1);
    return;
  }
  copy_phis(fn, from, to);
  pv_fn_goto(fn, pv_fn_block(fn, to)->loc);
}

/* Is `to` the next block of the line of `from`? */
static bool joined(struct pv_fn *fn, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  struct pv_block *a = pv_fn_block(fn, from), *b = pv_fn_block(fn, to);
  return a->leader == b->leader && fn->blocks.at[b->leader].llvm != to;
}

static void go_on(struct pv_fn *fn, LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                  LLVMBasicBlockRef *next) {
  if (joined(fn, from, to))
    *next = to;
  else
    enter(fn, from, to, 0);
}

/* `a << b`: checks the exponent, then the base. */
static void shift(struct pv_fn *fn, const struct pv_shift *s, LLVMBasicBlockRef *next) {
  pv_expr exponent = pv_fn_scalar(fn, s->exponent);
  LLVMValueRef i = LLVMGetFirstInstruction(s->check);
  for (; i && !LLVMIsATerminatorInst(i); i = LLVMGetNextInstruction(i)) pv_fn_instruction(fn, i);
  pv_expr yes = pv_mk_const(fn->p, PV_INT(1), 1);
  struct pv_expr_node both = {.op = PV_X_SELECT, .type = PV_INT(1), .a = exponent, .c = yes};
  both.b = pv_fn_scalar(fn, s->base);
  struct pv_lowered_value *v = pv_fn_find(fn, s->exponent);
  if (v && v->remaining) v->remaining--; /* its use by the phi at the join */
  bool behaviour = fn->fe->options->properties & PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR);
  check(fn, exponent, behaviour ? PV_CHECK_SHIFT_EXPONENT : PV_CHECK_SHIFT_AMOUNT);
  check(fn, pv_mk(fn->p, both), PV_CHECK_SHIFT_BASE);
  go_on(fn, s->join, s->go_on, next);
}

static void lower_branch(struct pv_fn *fn, LLVMValueRef i, LLVMBasicBlockRef *next) {
  LLVMBasicBlockRef here = LLVMGetInstructionParent(i), yes = LLVMGetSuccessor(i, 0);
  struct pv_shift s;
  if (!LLVMIsConditional(i)) {
    go_on(fn, here, yes, next);
    return;
  }
  if (pv_fn_block(fn, here)->shift && pv_fn_shift(fn, here, &s)) {
    shift(fn, &s, next);
    return;
  }
  LLVMBasicBlockRef no = LLVMGetSuccessor(i, 1);
  struct pv_block *trap_yes = trap_block(fn, yes), *trap_no = trap_block(fn, no);
  pv_expr cond = pv_fn_scalar(fn, LLVMGetCondition(i));
  pv_fn_condition(fn, LLVMGetCondition(i));
  bool value;
  if (fn->dead) return;
  if ((trap_yes || trap_no) && !(trap_yes && trap_no)) {
    LLVMBasicBlockRef go_on_at = trap_yes ? no : yes;
    unsigned trap = trap_yes ? trap_yes->trap : trap_no->trap;
    if (trap_yes)
      cond = pv_mk_not(fn->p, cond);
    else if (trap == TRAP_ARRAY_BOUNDS)
      cond = pv_fn_within_bounds(fn, LLVMGetCondition(i), go_on_at);
    if (is_const(fn, cond, &value) && !value) { /* __builtin_unreachable() */
      check(fn, cond, check_kind(trap) % PV_CHECK_COUNT);
      pv_fn_stop(fn, PV_STOP_UNREACHABLE, NULL);
      return;
    }
    if (!is_const(fn, cond, &value)) guard(fn, cond, trap);
    go_on(fn, here, go_on_at, next);
    return;
  }
  branch(fn, here, cond, yes, no, 0);
}

/* A chain of two-way branches in the order of the source; several cases with one target stay
 * separate. */
static void chain(struct pv_fn *fn, LLVMBasicBlockRef here, pv_expr cond, LLVMBasicBlockRef to) {
  bool value;
  if (is_const(fn, cond, &value)) {
    if (value) enter(fn, here, to, 0);
    return;
  }
  pv_loc otherwise = pv_fn_branch(fn, cond);
  enter(fn, here, to, 0);
  fn->cur = otherwise;
  fn->dead = false;
}

/* The value that all cases are compared with; a variable, so that it is computed only once. */
static pv_expr subject(struct pv_fn *fn, LLVMValueRef v) {
  pv_expr e = pv_fn_scalar(fn, v);
  if (fn->dead || pv_fe_info(fn->fe, e)->size <= 2) return e;
  uint32_t t = pv_fn_temp(fn, pv_node(fn->p, e)->type);
  pv_fn_assign(fn, t, e);
  return pv_fn_var(fn, t);
}

static void lower_switch(struct pv_fn *fn, LLVMValueRef i) {
  LLVMBasicBlockRef here = LLVMGetInstructionParent(i);
  pv_expr on = subject(fn, LLVMGetOperand(i, 0));
  fn->where = 0;
  for (unsigned k = 2; k + 1 < (unsigned)LLVMGetNumOperands(i) && !fn->dead; k += 2) {
    pv_expr value = pv_fn_scalar(fn, LLVMGetOperand(i, k));
    if (fn->dead) return;
    chain(fn, here, pv_mk_binary(fn->p, PV_X_EQ, 0, PV_INT(1), on, value),
          LLVMGetSuccessor(i, k / 2));
  }
  if (!fn->dead) enter(fn, here, LLVMGetSwitchDefaultDest(i), 0);
}

static void lower_computed_goto(struct pv_fn *fn, LLVMValueRef i) {
  LLVMBasicBlockRef here = LLVMGetInstructionParent(i);
  pv_expr on = subject(fn, LLVMGetOperand(i, 0));
  for (unsigned k = 0; k < LLVMGetNumSuccessors(i) && !fn->dead; k++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(i, k);
    bool seen = false;
    for (unsigned j = 0; j < k; j++) seen |= LLVMGetSuccessor(i, j) == to;
    if (seen || !pv_fe_label_taken(to)) continue;
    struct pv_expr_node label = {.op = PV_X_LABEL, .type = fn->fe->ptr, .lo = fn->index};
    label.hi = pv_fe_label_number(to);
    chain(fn, here, pv_mk_binary(fn->p, PV_X_EQ, 0, PV_INT(1), on, pv_mk(fn->p, label)), to);
  }
  if (fn->dead) return;
  check(fn, pv_mk_const(fn->p, PV_INT(1), 0), PV_CHECK_UNREACHABLE);
  pv_fn_stop(fn, PV_STOP_UNREACHABLE, NULL);
}

static void lower_return(struct pv_fn *fn, LLVMValueRef i) {
  pv_expr parts[PV_MAX_PARTS];
  unsigned n = LLVMGetNumOperands(i) ? pv_fn_operand(fn, LLVMGetOperand(i, 0), parts) : 0;
  if (fn->f.atomic) pv_fn_emit(fn, pv_edge_of(PV_OP_ATOMIC_END, 0, 0));
  struct pv_edge e = pv_edge_of(PV_OP_RETURN, 0, 0);
  if (n != fn->f.n_results) {
    pv_fn_unsupported(fn, "result of many parts");
    return;
  }
  e.args = pv_mk_args(fn->p, parts, n);
  pv_fn_emit(fn, e);
}

static bool is_noreturn(LLVMValueRef call) {
  const unsigned whole = (unsigned)LLVMAttributeFunctionIndex;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return pv_fe_call_attribute(call, whole, "noreturn") ||
         (LLVMIsAFunction(callee) && pv_fe_attribute(callee, whole, "noreturn"));
}

static void lower_unreachable(struct pv_fn *fn, LLVMValueRef i) {
  LLVMValueRef before = LLVMGetPreviousInstruction(i);
  while (before && LLVMIsADbgInfoIntrinsic(before)) before = LLVMGetPreviousInstruction(before);
  if (!before || !LLVMIsACallInst(before) || !is_noreturn(before))
    check(fn, pv_mk_const(fn->p, PV_INT(1), 0), PV_CHECK_UNREACHABLE);
  pv_fn_stop(fn, PV_STOP_UNREACHABLE, NULL);
}

void pv_fn_terminator(struct pv_fn *fn, LLVMValueRef i, LLVMBasicBlockRef *next) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMBr: lower_branch(fn, i, next); return;
  case LLVMSwitch: lower_switch(fn, i); return;
  case LLVMIndirectBr: lower_computed_goto(fn, i); return;
  case LLVMRet: lower_return(fn, i); return;
  case LLVMUnreachable: lower_unreachable(fn, i); return;
  case LLVMCallBr: pv_fn_unsupported(fn, "asm goto"); return;
  default: pv_fn_unsupported(fn, "exception"); return;
  }
}
