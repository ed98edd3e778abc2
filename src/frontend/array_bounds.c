/* array_bounds.c -- clang's checks of indices, for accesses only.
 *
 * Clang checks the index of an array also where the program only computes an address, as in
 * `array - 1`; it allows one more index then. Such an address is no error here: what counts is
 * where an access lands (docs/semantics.md). Clang takes the operand of `array[i]++`, and an
 * element that is a structure, for an address, too; so the uses of the element decide. */
#include "frontend/frontend_internal.h"

static bool is_gep(LLVMValueRef v) {
  return LLVMIsAGetElementPtrInst(v) ||
         (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

/* The type of what lies at the address. *outside: a constant index is not one of its array. NULL:
 * it is not known. */
static LLVMTypeRef type_at(LLVMValueRef gep, bool *outside) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  *outside = false;
  for (unsigned k = 2; k < (unsigned)LLVMGetNumOperands(gep); k++) {
    LLVMValueRef index = LLVMGetOperand(gep, k);
    bool is_array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
    if (!is_array && LLVMGetTypeKind(type) != LLVMStructTypeKind) return NULL;
    if (is_array && LLVMIsAConstantInt(index))
      *outside |= LLVMConstIntGetZExtValue(index) >= LLVMGetArrayLength2(type);
    type = is_array ? LLVMGetElementType(type)
                    : LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
  }
  return type;
}

/* Does the call copy or set a whole structure at the address? A program's own call of memcpy has
 * the same form; there a length of 0 at the end of an array is fine. */
static bool moves_structure(const struct pv_fe *fe, LLVMValueRef call, LLVMValueRef address) {
  bool outside;
  if (!LLVMIsAMemIntrinsic(call)) return false;
  if (LLVMGetOperand(call, 0) != address &&
      (LLVMIsAMemSetInst(call) || LLVMGetOperand(call, 1) != address))
    return false;
  LLVMTypeRef type = type_at(address, &outside);
  LLVMValueRef length = LLVMGetOperand(call, 2);
  return type && LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMIsAConstantInt(length) &&
         LLVMConstIntGetZExtValue(length) == LLVMABISizeOfType(fe->layout, type);
}

static bool passes_structure(LLVMValueRef call, LLVMValueRef address) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (LLVMGetOperand(call, i) == address && pv_fe_call_attribute(call, i + 1, "byval"))
      return true;
  return false;
}

/* Does the instruction read or write at the address? */
static bool accesses(const struct pv_fe *fe, LLVMValueRef i, LLVMValueRef address) {
  if (LLVMIsAStoreInst(i)) return LLVMGetOperand(i, 1) == address;
  if (LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
    return LLVMGetOperand(i, 0) == address;
  return LLVMIsACallInst(i) && (moves_structure(fe, i, address) || passes_structure(i, address));
}

/* Does the program read or write at the address, or in a part of what lies there? */
static bool is_accessed(const struct pv_fe *fe, LLVMValueRef address) {
  for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool part = is_gep(user) && LLVMGetOperand(user, 0) == address;
    if (part ? is_accessed(fe, user) : accesses(fe, user, address)) return true;
  }
  return false;
}

/* Is an element with this index read or written? Clang converts an index once for its check and
 * once for the address. */
static bool is_index_of_access(const struct pv_fe *fe, LLVMValueRef index) {
  for (LLVMUseRef u = LLVMGetFirstUse(index); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool converts = LLVMIsASExtInst(user) || LLVMIsAZExtInst(user) || LLVMIsATruncInst(user);
    bool steps = is_gep(user) && LLVMGetOperand(user, 0) != index;
    if ((converts && is_index_of_access(fe, user)) || (steps && is_accessed(fe, user))) return true;
  }
  return false;
}

static LLVMValueRef unconverted(LLVMValueRef v) {
  while (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v) || LLVMIsATruncInst(v)) v = LLVMGetOperand(v, 0);
  return v;
}

/* ---- constant indices ------------------------------------------------------------------------ */
/* Does the instruction read or write an element outside of an array, by a constant index? */
static bool accesses_outside(const struct pv_fe *fe, LLVMValueRef i) {
  for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    LLVMValueRef address = LLVMGetOperand(i, (unsigned)k);
    if (!is_gep(address) || !accesses(fe, i, address)) continue;
    for (; is_gep(address); address = LLVMGetOperand(address, 0)) {
      bool outside;
      type_at(address, &outside);
      if (outside) return true;
    }
  }
  return false;
}

/* Clang folds the check of a constant index, to true also if the index is the length. The access
 * may come behind further checks of the same expression, and behind calls for its other indices;
 * what comes behind a call in the first case belongs to other statements as a rule. */
static bool comes_to_access_outside(struct pv_fn *fn, LLVMBasicBlockRef block, bool holds) {
  while (block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    for (; i && !LLVMIsATerminatorInst(i); i = LLVMGetNextInstruction(i)) {
      if (accesses_outside(fn->fe, i)) return true;
      bool calls = LLVMIsACallInst(i) && !LLVMIsAIntrinsicInst(i);
      if (calls && holds) return false;
    }
    block = NULL;
    if (!i || !LLVMIsABranchInst(i) || !LLVMIsConditional(i)) continue;
    struct pv_block *no = pv_fn_block(fn, LLVMGetSuccessor(i, 1));
    if (no && no->kind == PV_BLOCK_TRAP) block = LLVMGetSuccessor(i, 0);
  }
  return false;
}

pv_expr pv_fn_within_bounds(struct pv_fn *fn, LLVMValueRef condition, LLVMBasicBlockRef go_on) {
  pv_expr yes = pv_mk_const(fn->p, PV_INT(1), 1);
  if (LLVMIsAConstantInt(condition)) {
    bool holds = LLVMConstIntGetZExtValue(condition) & 1;
    return pv_mk_const(fn->p, PV_INT(1), !comes_to_access_outside(fn, go_on, holds));
  }
  if (!LLVMIsAICmpInst(condition) || LLVMGetICmpPredicate(condition) != LLVMIntULE)
    return pv_fn_scalar(fn, condition);
  LLVMValueRef index = LLVMGetOperand(condition, 0), limit = LLVMGetOperand(condition, 1);
  if (LLVMIsAConstantInt(index) || !is_index_of_access(fn->fe, unconverted(index))) return yes;
  return pv_mk_binary(fn->p, PV_X_ULT, 0, PV_INT(1), pv_fn_scalar(fn, index),
                      pv_fn_scalar(fn, limit));
}
