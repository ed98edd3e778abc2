/* vla.c -- the end of arrays of variable length. Clang saves the stack pointer before the first
 * such array of a block, and restores it when the block is left; this ends the arrays allocated in
 * between.
 *
 * Each such array has a variable with its address while it is alive, otherwise null. A restore ends
 * the arrays that belong to its save, latest first. An array belongs to the innermost save that is
 * open at its position in the code, which is nested like the blocks of the source. If code is not
 * nested so (other compilers), an array lives until its function returns. */
#include "frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

static bool calls(LLVMValueRef i, const char *intrinsic) {
  size_t n;
  if (!LLVMIsACallInst(i)) return false;
  LLVMValueRef f = LLVMGetCalledValue(i);
  return f && LLVMIsAFunction(f) &&
         strncmp(LLVMGetValueName2(f, &n), intrinsic, strlen(intrinsic)) == 0;
}

/* The save that a restore belongs to: directly, or through the only variable in which it was
 * stored. */
static LLVMValueRef save_of(LLVMValueRef restore) {
  LLVMValueRef v = LLVMGetOperand(restore, 0), save = NULL;
  if (calls(v, "llvm.stacksave")) return v;
  if (!LLVMIsALoadInst(v)) return NULL;
  LLVMValueRef slot = LLVMGetOperand(v, 0);
  for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef store = LLVMGetUser(u);
    if (!LLVMIsAStoreInst(store)) continue;
    if (save || !calls(LLVMGetOperand(store, 0), "llvm.stacksave")) return NULL;
    save = LLVMGetOperand(store, 0);
  }
  return save;
}

void pv_fn_find_vlas(struct pv_fn *fn) {
  PV_VEC(LLVMValueRef) open = {0};
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn->llvm); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (calls(i, "llvm.stacksave")) {
        pv_vec_push(&open, i);
      } else if (calls(i, "llvm.stackrestore")) {
        if (open.n && save_of(i) == pv_vec_last(&open)) (void)pv_vec_pop(&open);
      } else if (open.n && LLVMIsAAllocaInst(i) && !LLVMIsAConstantInt(LLVMGetOperand(i, 0))) {
        uint32_t var = pv_fn_variable(fn, "vla", fn->fe->ptr, true);
        fn->is_mutable.at[var] = true;
        struct pv_vla vla = {.array = i, .save = pv_vec_last(&open), .var = var};
        pv_vec_push(&fn->vlas, vla);
      }
    }
  pv_vec_free(&open);
}

static void set(struct pv_fn *fn, uint32_t var, pv_expr value) {
  if (!fn->dead) pv_fn_assign(fn, var, value);
}

void pv_fn_begin_vlas(struct pv_fn *fn) {
  for (uint32_t k = 0; k < fn->vlas.n; k++)
    set(fn, fn->vlas.at[k].var, pv_mk_const(fn->p, fn->fe->ptr, 0));
}

void pv_fn_vla_allocated(struct pv_fn *fn, LLVMValueRef array, uint32_t address) {
  for (uint32_t k = 0; k < fn->vlas.n; k++) {
    if (fn->vlas.at[k].array != array) continue;
    fn->single = PV_NO_VAR; /* the address has a use that is not in the bitcode */
    set(fn, fn->vlas.at[k].var, pv_fn_var(fn, address));
  }
}

void pv_fn_stackrestore(struct pv_fn *fn, LLVMValueRef restore) {
  LLVMValueRef save = save_of(restore);
  for (uint32_t k = fn->vlas.n; k-- > 0 && !fn->dead;) {
    uint32_t var = fn->vlas.at[k].var;
    if (!save || fn->vlas.at[k].save != save) continue;
    struct pv_edge e = pv_edge_of(PV_OP_FREE, 0, 0);
    e.aux = PV_STORAGE_ALLOCA;
    e.e[0] = pv_fn_var(fn, var);
    pv_fn_emit(fn, e);
    set(fn, var, pv_mk_const(fn->p, fn->fe->ptr, 0));
  }
}
