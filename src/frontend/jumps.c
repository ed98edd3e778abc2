/* jumps.c -- setjmp, in programs that contain a longjmp.
 *
 * The variables of a function that calls setjmp stay in memory: after a jump they have their
 * current values, as in unoptimised code. Variables that are not volatile have a copy for each call
 * of setjmp, by which the VM sees whether they have changed since. Each call in such a function has
 * branches before and after it to the location after each of its setjmps. Their condition, a second
 * result of SETJMP, is always false. They make jumps visible in the control flow, for analyses. */
#include "frontend/frontend_internal.h"

#include <string.h>

static bool is_setjmp(const char *name) {
  static const char *const names[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

/* Does the program refer to the library's longjmp, or may an ending thread jump to its cleanup
 * handlers? */
static bool may_jump(struct pv_fe *fe) {
  if (fe->has_cleanup) return true;
  static const char *const names[] = {"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    LLVMValueRef f = LLVMGetNamedFunction(fe->module, names[i]);
    if (f && LLVMGetFirstUse(f) && pv_fe_is_model(f)) return true;
  }
  return false;
}

/* The setjmp of the library that is called, or NULL. */
static LLVMValueRef setjmp_called(LLVMValueRef i) {
  LLVMValueRef f = LLVMIsACallInst(i) ? pv_fe_strip(LLVMGetCalledValue(i)) : NULL;
  size_t n;
  if (!f || !LLVMIsAFunction(f) || LLVMIsDeclaration(f) || !pv_fe_is_model(f)) return NULL;
  return is_setjmp(LLVMGetValueName2(f, &n)) ? f : NULL;
}

/* Is the buffer one of pthread_cleanup_push? What the handlers find in the variables is what they
 * hold then: POSIX knows no indeterminate ones there. */
static bool is_for_handlers(LLVMValueRef call) {
  LLVMValueRef buffer = LLVMGetOperand(call, 0);
  size_t n;
  while (LLVMIsAGetElementPtrInst(buffer)) buffer = LLVMGetOperand(buffer, 0);
  for (LLVMUseRef u = LLVMGetFirstUse(buffer); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef i = LLVMGetUser(u), f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (!f || !LLVMIsAFunction(f)) continue;
    if (strncmp(LLVMGetValueName2(f, &n), "__pthread_register_cancel", 25) == 0) return true;
  }
  return false;
}

void pv_fn_find_jumps(struct pv_fn *fn) {
  if (!may_jump(fn->fe)) return;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn->llvm); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      struct pv_jump jump = {.call = i};
      if (!setjmp_called(i)) continue;
      jump.for_handlers = is_for_handlers(i);
      pv_vec_push(&fn->jumps, jump);
    }
}

/* Is it a copy or fill of volatile memory? */
static bool is_volatile_block(LLVMValueRef i) {
  LLVMValueRef f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  size_t n;
  if (!f || !LLVMIsAFunction(f) || strncmp(LLVMGetValueName2(f, &n), "llvm.mem", 8) != 0)
    return false;
  LLVMValueRef last = LLVMGetOperand(i, LLVMGetNumArgOperands(i) - 1);
  return LLVMIsAConstantInt(last) && LLVMConstIntGetZExtValue(last);
}

/* Is the variable accessed as a volatile one? */
static bool is_volatile(LLVMValueRef address) {
  for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef i = LLVMGetUser(u);
    if ((LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && LLVMGetVolatile(i)) return true;
    if (is_volatile_block(i) || (LLVMIsAGetElementPtrInst(i) && is_volatile(i))) return true;
  }
  return false;
}

static void copy_slot(struct pv_fn *fn, uint32_t of, uint32_t marker) {
  struct pv_slot copy = fn->f.slots.at[of];
  copy.name = pv_program_string(fn->p, "copy");
  copy.site = fn->p->n_sites++;
  copy.scoped = false;
  copy.copy_of = of + 1;
  copy.marker = marker + 1;
  pv_vec_push(&fn->f.slots, copy);
}

static uint32_t add_marker(struct pv_fn *fn, uint32_t slots) {
  struct pv_slot marker = {.name = pv_program_string(fn->p, "setjmp"), .align = 8};
  marker.size = 8 + (uint64_t)(slots + 63) / 64 * 8;
  marker.site = fn->p->n_sites++;
  pv_vec_push(&fn->f.slots, marker);
  return fn->f.slots.n - 1;
}

/* The markers come first, because the copies refer to them. A marker has one bit for each slot. */
void pv_fn_place_jumps(struct pv_fn *fn) {
  uint32_t own = fn->f.slots.n, n = fn->jumps.n;
  for (uint32_t k = 0; k < n; k++) {
    struct pv_jump *jump = &fn->jumps.at[k];
    jump->marker = add_marker(fn, own * (n + 1) + n);
    jump->again = pv_fn_variable(fn, "again", PV_INT(1), true);
    fn->is_mutable.at[jump->again] = true;
    jump->back = pv_loc_add(&fn->f);
  }
  for (uint32_t i = 0; n && i < fn->values.n; i++) {
    const struct pv_lowered_value *v = &fn->values.at[i];
    bool changes = v->slot < own && LLVMIsAAllocaInst(v->llvm) && !is_volatile(v->llvm);
    for (uint32_t k = 0; k < n && changes; k++)
      if (!fn->jumps.at[k].for_handlers) copy_slot(fn, v->slot, fn->jumps.at[k].marker);
  }
}

void pv_fn_begin_jumps(struct pv_fn *fn) {
  for (uint32_t k = 0; k < fn->jumps.n; k++)
    pv_fn_assign(fn, fn->jumps.at[k].again, pv_mk_const(fn->p, PV_INT(1), 0));
}

void pv_fn_may_come_back(struct pv_fn *fn) {
  for (uint32_t k = 0; k < fn->jumps.n && !fn->dead; k++) {
    pv_loc go_on = pv_fn_branch(fn, pv_fn_var(fn, fn->jumps.at[k].again));
    pv_fn_goto(fn, fn->jumps.at[k].back);
    fn->dead = false;
    fn->cur = go_on;
  }
}

static pv_expr marker_address(struct pv_fn *fn, uint32_t marker) {
  return pv_mk(fn->p, (struct pv_expr_node){.op = PV_X_SLOT, .type = fn->fe->ptr, .lo = marker});
}

/* Calls the model that writes the target of jumps into the buffer. */
static void set_buffer(struct pv_fn *fn, LLVMValueRef call, uint32_t marker) {
  LLVMValueRef model = LLVMGetNamedFunction(fn->fe->module, "__proviso_setjmp");
  bool saves = LLVMGetNumArgOperands(call) > 1;
  pv_expr args[3] = {pv_fn_scalar(fn, LLVMGetOperand(call, 0)), marker_address(fn, marker)};
  args[2] = saves ? pv_fn_convert(fn, pv_fn_scalar(fn, LLVMGetOperand(call, 1)), PV_INT(32))
                  : pv_mk_const(fn->p, PV_INT(32), 0);
  struct pv_edge e = pv_edge_of(PV_OP_CALL, 0, 0);
  e.callee = pv_fe_function_body(fn->fe, model);
  e.args = pv_mk_args(fn->p, args, 3);
  pv_fn_emit(fn, e);
}

bool pv_fn_setjmp(struct pv_fn *fn, LLVMValueRef call) {
  for (uint32_t k = 0; k < fn->jumps.n; k++) {
    const struct pv_jump jump = fn->jumps.at[k];
    if (jump.call != call) continue;
    set_buffer(fn, call, jump.marker);
    struct pv_edge e = pv_edge_of(PV_OP_SETJMP, 0, 0);
    e.aux = jump.marker;
    e.e[0] = marker_address(fn, jump.marker);
    e.dst = pv_fn_temp(fn, PV_INT(32));
    e.dst2 = jump.again;
    pv_fn_emit(fn, e);
    pv_fn_goto(fn, jump.back);
    fn->dead = false;
    fn->cur = jump.back;
    pv_expr result = pv_fn_var(fn, e.dst);
    if (LLVMGetFirstUse(call)) pv_fn_define(fn, call, &result, 1);
    return true;
  }
  return false;
}
