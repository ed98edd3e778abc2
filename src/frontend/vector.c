/* vector.c -- vectors (GCC's extension): their elements become parts of a value.
 *
 * An element of a vector is accessed like that of an array, but clang loads the whole vector and
 * stores it again. In a variable on the stack other elements may be uninitialised, which is no
 * error if they are not used. Therefore only the element is accessed there, with any index. */
#include "frontend/frontend_internal.h"

static bool is_plain(LLVMValueRef access) {
  return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

/* The instruction before, possibly in the only predecessor block, or NULL. */
static LLVMValueRef before(LLVMValueRef i) {
  LLVMValueRef previous = LLVMGetPreviousInstruction(i);
  if (previous) return previous;
  LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(LLVMGetInstructionParent(i)));
  return u && !LLVMGetNextUse(u) ? LLVMIsABranchInst(LLVMGetUser(u)) : NULL;
}

/* Is the user the only one of the load, with no write between them? Only the index, and clang's
 * check of it, may be between them. */
static bool reaches(LLVMValueRef load, LLVMValueRef user) {
  enum { FAR = 16 };
  LLVMUseRef u = LLVMGetFirstUse(load);
  LLVMValueRef i = u && !LLVMGetNextUse(u) && LLVMGetUser(u) == user ? before(user) : NULL;
  for (unsigned n = 0; i && i != load && n < FAR; n++) {
    bool reads = LLVMIsALoadInst(i) && is_plain(i);
    if (!reads && !LLVMIsACmpInst(i) && !LLVMIsACastInst(i) && !LLVMIsABranchInst(i)) return false;
    i = before(i);
  }
  return i == load;
}

/* Is the vector a whole variable, with elements of whole bytes next to each other? An index that is
 * not known then selects an element, or is outside of the object. */
static bool in_variable(struct pv_fn *fn, LLVMValueRef at, LLVMTypeRef t, LLVMValueRef index) {
  uint64_t offset;
  LLVMTargetDataRef layout = fn->fe->layout;
  LLVMTypeRef element = LLVMGetElementType(t);
  LLVMValueRef a = pv_fn_base_alloca(fn, at, &offset);
  uint64_t size = LLVMABISizeOfType(layout, element), n = LLVMGetVectorSize(t);
  if (!a || LLVMSizeOfTypeInBits(layout, element) != 8 * size) return false;
  if (LLVMIsAConstantInt(index)) return LLVMConstIntGetZExtValue(index) < n;
  return LLVMGetAllocatedType(a) == t && LLVMABISizeOfType(layout, t) == n * size;
}

/* Does the user extract an element of a vector in a variable, or insert one and store the vector
 * back? */
static bool is_element_of(struct pv_fn *fn, LLVMValueRef user, LLVMValueRef load) {
  bool insert = LLVMIsAInsertElementInst(user);
  if (!LLVMIsALoadInst(load) || LLVMGetOperand(user, 0) != load || !reaches(load, user))
    return false;
  if (!is_plain(load) || (!insert && !LLVMIsAExtractElementInst(user))) return false;
  LLVMValueRef at = LLVMGetOperand(load, 0), index = LLVMGetOperand(user, insert ? 2 : 1);
  if (!in_variable(fn, at, LLVMTypeOf(load), index)) return false;
  LLVMValueRef store = LLVMGetNextInstruction(user);
  return !insert || (LLVMIsAStoreInst(store) && LLVMGetOperand(store, 0) == user &&
                     reaches(user, store) && LLVMGetOperand(store, 1) == at && is_plain(store));
}

bool pv_fn_loads_element(struct pv_fn *fn, LLVMValueRef load) {
  LLVMUseRef u = LLVMGetFirstUse(load);
  return u && LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMVectorTypeKind &&
         is_element_of(fn, LLVMGetUser(u), load);
}

/* Sets the edge's address, type and alignment to those of the element in memory. (An index is
 * unsigned.) */
static void at_element(struct pv_fn *fn, LLVMValueRef load, LLVMValueRef index, struct pv_edge *e) {
  LLVMTypeRef t = LLVMGetElementType(LLVMTypeOf(load));
  uint64_t size = LLVMABISizeOfType(fn->fe->layout, t);
  const char *what;
  pv_expr at = pv_fn_scalar(fn, LLVMGetOperand(load, 0)), k = pv_fn_scalar(fn, index);
  if (fn->dead) return;
  if (!pv_fe_scalar(fn->fe, t, &e->type, &what)) {
    pv_fn_unsupported(fn, what);
    return;
  }
  if (pv_type_bits(pv_node(fn->p, k)->type) < pv_type_bits(fn->fe->word))
    k = pv_mk_unary(fn->p, PV_X_ZEXT, fn->fe->word, k);
  k = pv_mk_binary(fn->p, PV_X_MUL, 0, fn->fe->word, pv_fn_convert(fn, k, fn->fe->word),
                   pv_fn_size(fn, size));
  e->e[0] = pv_mk_binary(fn->p, PV_X_PTRADD, PV_XF_INBOUNDS, fn->fe->ptr, at, k);
  e->align = 1;
}

static void load_element(struct pv_fn *fn, LLVMValueRef extract) {
  struct pv_edge e = pv_edge_of(PV_OP_LOAD, 0, 0);
  at_element(fn, LLVMGetOperand(extract, 0), LLVMGetOperand(extract, 1), &e);
  if (fn->dead) return;
  e.dst = pv_fn_temp(fn, e.type);
  pv_fn_emit(fn, e);
  pv_fn_define_vars(fn, extract, &e.dst, 1);
}

bool pv_fn_store_element(struct pv_fn *fn, LLVMValueRef store) {
  LLVMValueRef insert = LLVMGetOperand(store, 0);
  if (!LLVMIsAInsertElementInst(insert) || !is_element_of(fn, insert, LLVMGetOperand(insert, 0)))
    return false;
  struct pv_edge e = pv_edge_of(PV_OP_STORE, 0, 0);
  e.e[1] = pv_fn_scalar(fn, LLVMGetOperand(insert, 1));
  if (!fn->dead) at_element(fn, LLVMGetOperand(insert, 0), LLVMGetOperand(insert, 2), &e);
  if (!fn->dead) pv_fn_emit(fn, e);
  return true;
}

/* In a value that is in no variable only a constant index is possible. */
void pv_fn_element(struct pv_fn *fn, LLVMValueRef i) {
  bool insert = LLVMIsAInsertElementInst(i);
  LLVMValueRef vector = LLVMGetOperand(i, 0), index = LLVMGetOperand(i, insert ? 2 : 1);
  if (is_element_of(fn, i, vector)) {
    if (!insert) load_element(fn, i);
    return;
  }
  pv_expr parts[PV_MAX_PARTS];
  unsigned n = pv_fn_operand(fn, vector, parts);
  pv_expr element = insert ? pv_fn_scalar(fn, LLVMGetOperand(i, 1)) : 0;
  if (fn->dead) return;
  uint64_t k = LLVMIsAConstantInt(index) ? LLVMConstIntGetZExtValue(index) : n;
  if (k >= n) {
    pv_fn_unsupported(fn, "vector operation");
    return;
  }
  if (insert) parts[k] = element;
  pv_fn_define(fn, i, insert ? parts : parts + k, insert ? n : 1);
}

void pv_fn_shuffle(struct pv_fn *fn, LLVMValueRef i) {
  pv_expr in[2 * PV_MAX_PARTS], out[PV_MAX_PARTS];
  unsigned n = pv_fn_operand(fn, LLVMGetOperand(i, 0), in);
  unsigned m = pv_fn_operand(fn, LLVMGetOperand(i, 1), in + n), k = LLVMGetNumMaskElements(i);
  if (fn->dead) return;
  if (k > PV_MAX_PARTS || !n) {
    pv_fn_unsupported(fn, "vector operation");
    return;
  }
  for (unsigned j = 0; j < k; j++) {
    int from = LLVMGetMaskValue(i, j);
    struct pv_expr_node any = {.op = PV_X_UNDEF, .type = pv_node(fn->p, in[0])->type};
    out[j] = from >= 0 && (unsigned)from < n + m ? in[from] : pv_mk(fn->p, any);
  }
  pv_fn_define(fn, i, out, k);
}
