/* lower_inst.c -- instructions other than calls and terminators. */
#include "frontend/frontend_internal.h"
#include "frontend/given.h"

#include <string.h>

/* ---- helpers --------------------------------------------------------------------------------- */

static bool is_checker(LLVMValueRef i) { /* created by clang for one of its checks */
  return LLVMGetMetadata(i, LLVMGetMDKindID("nosanitize", 10)) != NULL;
}

pv_expr pv_fn_convert(struct pv_fn *fn, pv_expr e, pv_type to) {
  pv_type from = pv_node(fn->p, e)->type;
  if (from == to) return e;
  enum pv_type_kind a = pv_type_kind(from), b = pv_type_kind(to);
  if (a == PV_T_FLOAT && b == PV_T_FLOAT) return pv_mk_unary(fn->p, PV_X_FPCONV, to, e);
  if (a == PV_T_FLOAT || b == PV_T_FLOAT) { /* the bits, as a processor would pass them */
    if (a == PV_T_FLOAT) e = pv_mk_unary(fn->p, PV_X_BITCAST, PV_INT(pv_type_bits(from)), e);
    if (b != PV_T_FLOAT) return pv_fn_convert(fn, e, to);
    e = pv_fn_convert(fn, e, PV_INT(pv_type_bits(to)));
    return pv_mk_unary(fn->p, PV_X_BITCAST, to, e);
  }
  if (a == PV_T_PTR) {
    e = pv_mk_unary(fn->p, PV_X_BITCAST, fn->fe->word, e);
    from = fn->fe->word;
  }
  pv_type whole = b == PV_T_PTR ? fn->fe->word : to;
  if (pv_type_bits(from) < pv_type_bits(whole)) e = pv_mk_unary(fn->p, PV_X_SEXT, whole, e);
  if (pv_type_bits(from) > pv_type_bits(whole)) e = pv_mk_unary(fn->p, PV_X_TRUNC, whole, e);
  return whole == to ? e : pv_mk_unary(fn->p, PV_X_BITCAST, to, e);
}

static enum pv_order order_of(LLVMAtomicOrdering o) {
  switch (o) {
  case LLVMAtomicOrderingNotAtomic: return PV_ORDER_NONE;
  case LLVMAtomicOrderingUnordered:
  case LLVMAtomicOrderingMonotonic: return PV_ORDER_RELAXED;
  case LLVMAtomicOrderingAcquire: return PV_ORDER_ACQUIRE;
  case LLVMAtomicOrderingRelease: return PV_ORDER_RELEASE;
  case LLVMAtomicOrderingAcquireRelease: return PV_ORDER_ACQ_REL;
  default: return PV_ORDER_SEQ_CST;
  }
}

static pv_expr offset_address(struct pv_fn *fn, pv_expr base, uint64_t offset) {
  return pv_mk_binary(fn->p, PV_X_PTRADD, PV_XF_INBOUNDS, fn->fe->ptr, base,
                      pv_fn_size(fn, offset));
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void lower_alloca(struct pv_fn *fn, LLVMValueRef i) {
  struct pv_lowered_value *v = pv_fn_find(fn, i);
  if (v->promoted) return;
  if (v->slot != UINT32_MAX) {
    pv_expr e =
        pv_mk(fn->p, (struct pv_expr_node){.op = PV_X_SLOT, .type = fn->fe->ptr, .lo = v->slot});
    pv_fn_define(fn, i, &e, 1);
    return;
  }
  LLVMTypeRef t = LLVMGetAllocatedType(i);
  pv_expr count = pv_fn_scalar(fn, LLVMGetOperand(i, 0));
  if (fn->dead) return;
  pv_type from = pv_node(fn->p, count)->type;
  if (pv_type_bits(from) < pv_type_bits(fn->fe->word))
    count = pv_mk_unary(fn->p, PV_X_ZEXT, fn->fe->word, count);
  count = pv_fn_convert(fn, count, fn->fe->word);
  uint64_t size = LLVMABISizeOfType(fn->fe->layout, t);
  struct pv_edge e = pv_edge_of(PV_OP_ALLOC, 0, 0);
  e.e[0] = size == 1 ? count
                     : pv_mk_binary(fn->p, PV_X_MUL, 0, fn->fe->word, count, pv_fn_size(fn, size));
  e.aux = PV_STORAGE_ALLOCA;
  e.align = LLVMGetAlignment(i);
  e.site = fn->p->n_sites++;
  e.dst = pv_fn_temp(fn, fn->fe->ptr);
  pv_fn_emit(fn, e);
  pv_fn_define_vars(fn, i, &e.dst, 1);
  pv_fn_vla_allocated(fn, i, e.dst);
}

/* A read of a variable that may be unassigned: adds a test. A function that ends without a return
 * value returns an arbitrary one; this is an error only if a caller uses it. */
static void guard_read(struct pv_fn *fn, const struct pv_lowered_value *v) {
  pv_type type = fn->f.vars.at[v->var].type;
  uint32_t var = v->var, init = v->init;
  pv_loc unassigned = pv_fn_branch(fn, pv_fn_var(fn, init)), assigned = fn->cur;
  if (fn->dead) return;
  fn->cur = unassigned;
  struct pv_edge e = pv_edge_of(PV_OP_INDET, 0, 0);
  e.dst = var;
  e.type = type;
  pv_fn_emit(fn, e);
  pv_fn_assign(fn, init, pv_mk_const(fn->p, PV_INT(1), 1));
  pv_fn_goto(fn, assigned);
  fn->dead = false;
  fn->cur = assigned;
}

static void lower_load(struct pv_fn *fn, LLVMValueRef i) {
  struct pv_lowered_value *v = pv_fn_find(fn, LLVMGetOperand(i, 0));
  uint64_t flag;
  if (pv_fe_flag(LLVMGetOperand(i, 0), &flag)) {
    pv_expr e = pv_mk_const(fn->p, PV_INT(8), flag);
    pv_fn_define(fn, i, &e, 1);
    return;
  }
  if (v && v->promoted) {
    if (v->init != PV_NO_VAR && pv_map_get(&fn->unassigned, &i, sizeof i)) guard_read(fn, v);
    pv_expr e = pv_fn_var(fn, pv_fn_find(fn, LLVMGetOperand(i, 0))->var);
    pv_fn_define(fn, i, &e, 1);
    return;
  }
  if (pv_fn_loads_element(fn, i)) return;
  struct pv_part parts[PV_MAX_PARTS];
  uint32_t vars[PV_MAX_PARTS];
  unsigned n;
  const char *what;
  if (!pv_fe_flatten(fn->fe, LLVMTypeOf(i), parts, &n, &what)) {
    pv_fn_unsupported(fn, what);
    return;
  }
  pv_expr at = pv_fn_scalar(fn, LLVMGetOperand(i, 0));
  for (unsigned k = 0; k < n && !fn->dead; k++) {
    struct pv_edge e = pv_edge_of(PV_OP_LOAD, 0, 0);
    e.type = parts[k].type;
    e.e[0] = offset_address(fn, at, parts[k].offset);
    e.order = (uint8_t)order_of(LLVMGetOrdering(i));
    e.flags = LLVMGetVolatile(i) ? PV_EF_VOLATILE : 0;
    e.align = parts[k].offset ? 1 : LLVMGetAlignment(i);
    pv_fn_mark_load(fn, i, parts[k].offset, &e);
    if (e.order != PV_ORDER_NONE && n == 1) pv_fn_mark_atomic(i, &e);
    e.dst = vars[k] = pv_fn_temp(fn, e.type);
    pv_fn_emit(fn, e);
  }
  if (!fn->dead) pv_fn_define_vars(fn, i, vars, n);
}

static void mark_assigned(struct pv_fn *fn, const struct pv_lowered_value *v) {
  if (v->init != PV_NO_VAR) pv_fn_assign(fn, v->init, pv_mk_const(fn->p, PV_INT(1), 1));
}

static void lower_store(struct pv_fn *fn, LLVMValueRef i) {
  LLVMValueRef what = LLVMGetOperand(i, 0);
  struct pv_lowered_value *v = pv_fn_find(fn, LLVMGetOperand(i, 1)), *from = pv_fn_find(fn, what);
  if (v && v->promoted) {
    uint32_t var = v->var;
    bool spill = LLVMIsAArgument(what) && from && from->promoted && from->var == var;
    pv_expr e = pv_fn_scalar(fn, what);
    if (fn->dead) return;
    if (!spill) pv_fn_assign(fn, var, e);
    mark_assigned(fn, pv_fn_find(fn, LLVMGetOperand(i, 1)));
    return;
  }
  if (pv_fn_store_element(fn, i)) return;
  struct pv_part parts[PV_MAX_PARTS];
  pv_expr value[PV_MAX_PARTS];
  unsigned n;
  const char *why;
  if (!pv_fe_flatten(fn->fe, LLVMTypeOf(what), parts, &n, &why)) {
    pv_fn_unsupported(fn, why);
    return;
  }
  unsigned m = pv_fn_operand(fn, what, value);
  pv_expr at = pv_fn_scalar(fn, LLVMGetOperand(i, 1));
  for (unsigned k = 0; k < n && k < m && !fn->dead; k++) {
    struct pv_edge e = pv_edge_of(PV_OP_STORE, 0, 0);
    e.type = parts[k].type;
    e.e[0] = offset_address(fn, at, parts[k].offset);
    e.e[1] = value[k];
    e.order = (uint8_t)order_of(LLVMGetOrdering(i));
    e.flags = LLVMGetVolatile(i) ? PV_EF_VOLATILE : 0;
    e.align = parts[k].offset ? 1 : LLVMGetAlignment(i);
    pv_fn_mark_store(fn, i, parts[k].offset, &e);
    pv_fn_emit(fn, e);
  }
}

static void lower_cmpxchg(struct pv_fn *fn, LLVMValueRef i) {
  struct pv_edge e = pv_edge_of(PV_OP_CMPXCHG, 0, 0);
  for (unsigned k = 0; k < 3; k++) e.e[k] = pv_fn_scalar(fn, LLVMGetOperand(i, k));
  if (fn->dead) return;
  e.type = pv_node(fn->p, e.e[1])->type;
  e.order = (uint8_t)order_of(LLVMGetCmpXchgSuccessOrdering(i));
  e.order2 = (uint8_t)order_of(LLVMGetCmpXchgFailureOrdering(i));
  e.flags = LLVMGetVolatile(i) ? PV_EF_VOLATILE : 0;
  e.align = LLVMGetAlignment(i);
  pv_fn_mark_atomic(i, &e);
  uint32_t vars[2] = {pv_fn_temp(fn, e.type), pv_fn_temp(fn, PV_INT(1))};
  e.dst = vars[0];
  e.dst2 = vars[1];
  pv_fn_emit(fn, e);
  pv_fn_define_vars(fn, i, vars, 2);
}

/* Is it an operation without possible undefined behaviour: no overflow, no division, no shift? */
static bool cannot_fail(LLVMValueRef v) {
  switch (LLVMGetInstructionOpcode(v)) {
  case LLVMAdd:
  case LLVMSub: return !LLVMGetNSW(v);
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor: return true;
  default: return false;
  }
}

/* Is the value unused, or used only to compute unused values (`++x;`)? */
static bool nobody_looks(LLVMValueRef v) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsABinaryOperator(user) || !cannot_fail(user) || LLVMGetFirstUse(user)) return false;
  }
  return true;
}

static void lower_rmw(struct pv_fn *fn, LLVMValueRef i) {
  static const int kinds[] = {
      [LLVMAtomicRMWBinOpXchg] = PV_RMW_XCHG, [LLVMAtomicRMWBinOpAdd] = PV_RMW_ADD,
      [LLVMAtomicRMWBinOpSub] = PV_RMW_SUB,   [LLVMAtomicRMWBinOpAnd] = PV_RMW_AND,
      [LLVMAtomicRMWBinOpNand] = PV_RMW_NAND, [LLVMAtomicRMWBinOpOr] = PV_RMW_OR,
      [LLVMAtomicRMWBinOpXor] = PV_RMW_XOR,   [LLVMAtomicRMWBinOpMax] = PV_RMW_SMAX,
      [LLVMAtomicRMWBinOpMin] = PV_RMW_SMIN,  [LLVMAtomicRMWBinOpUMax] = PV_RMW_UMAX,
      [LLVMAtomicRMWBinOpUMin] = PV_RMW_UMIN, [LLVMAtomicRMWBinOpFAdd] = PV_RMW_FADD,
      [LLVMAtomicRMWBinOpFSub] = PV_RMW_FSUB,
  };
  unsigned op = (unsigned)LLVMGetAtomicRMWBinOp(i);
  if (op >= sizeof kinds / sizeof kinds[0]) {
    pv_fn_unsupported(fn, "atomic operation");
    return;
  }
  struct pv_edge e = pv_edge_of(PV_OP_RMW, 0, 0);
  e.e[0] = pv_fn_scalar(fn, LLVMGetOperand(i, 0));
  e.e[1] = pv_fn_scalar(fn, LLVMGetOperand(i, 1));
  if (fn->dead) return;
  e.type = pv_node(fn->p, e.e[1])->type;
  e.aux = (uint32_t)kinds[op];
  e.order = (uint8_t)order_of(LLVMGetOrdering(i));
  e.flags = LLVMGetVolatile(i) ? PV_EF_VOLATILE : 0;
  e.align = LLVMGetAlignment(i);
  if (e.aux == PV_RMW_XCHG) pv_fn_mark_atomic(i, &e);
  if (nobody_looks(i)) {
    pv_fn_emit(fn, e);
    return;
  }
  e.dst = pv_fn_temp(fn, e.type);
  pv_fn_emit(fn, e);
  pv_fn_define_vars(fn, i, &e.dst, 1);
}

/* Is it one of the tables that glibc's macros of ctype.h use? */
static bool is_character_table(LLVMValueRef v) {
  static const char *const names[] = {"__ctype_b_loc", "__ctype_tolower_loc",
                                      "__ctype_toupper_loc"};
  LLVMValueRef call = LLVMIsALoadInst(v) ? LLVMGetOperand(v, 0) : NULL;
  LLVMValueRef f = call && LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
  if (!f || !LLVMIsAFunction(f)) return false;
  size_t n;
  const char *name = LLVMGetValueName2(f, &n);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strlen(names[k]) == n && memcmp(names[k], name, n) == 0) return true;
  return false;
}

/* The macros accept the same values as the functions: EOF (-1) and those of unsigned char. */
static void check_character(struct pv_fn *fn, pv_expr index) {
  pv_type word = fn->fe->word;
  struct pv_edge e = pv_edge_of(PV_OP_CHECK, 0, 0);
  pv_expr from_eof = pv_mk_binary(fn->p, PV_X_ADD, 0, word, index, pv_fn_size(fn, 1));
  e.aux = PV_CHECK_ARGUMENT;
  e.e[0] = pv_mk_binary(fn->p, PV_X_ULE, 0, PV_INT(1), from_eof, pv_fn_size(fn, 256));
  e.text = pv_program_string(
      fn->p, "a macro of ctype.h is given neither EOF nor the value of an unsigned char");
  pv_fn_emit(fn, e);
}

static void lower_gep(struct pv_fn *fn, LLVMValueRef i) {
  if (pv_fn_find(fn, i)->promoted) return;
  LLVMTypeRef t = LLVMGetGEPSourceElementType(i);
  uint64_t fixed = 0;
  pv_expr sum = 0, base = pv_fn_scalar(fn, LLVMGetOperand(i, 0));
  unsigned flags = LLVMIsInBounds(i) ? PV_XF_INBOUNDS : 0;
  for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(i) && !fn->dead; k++) {
    LLVMValueRef index = LLVMGetOperand(i, k);
    if (k > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      fixed += LLVMOffsetOfElement(fn->fe->layout, t, field);
      t = LLVMStructGetTypeAtIndex(t, field);
      continue;
    }
    if (k > 1) t = LLVMGetElementType(t);
    uint64_t size = LLVMABISizeOfType(fn->fe->layout, t);
    if (LLVMIsAConstantInt(index)) {
      fixed += size * (uint64_t)LLVMConstIntGetSExtValue(index);
      continue;
    }
    pv_expr e = pv_fn_scalar(fn, index);
    if (fn->dead) return;
    e = pv_fn_convert(fn, e, fn->fe->word);
    if (k == 1 && is_character_table(LLVMGetOperand(i, 0))) check_character(fn, e);
    if (size != 1) e = pv_mk_binary(fn->p, PV_X_MUL, 0, fn->fe->word, e, pv_fn_size(fn, size));
    sum = sum ? pv_mk_binary(fn->p, PV_X_ADD, 0, fn->fe->word, sum, e) : e;
  }
  if (fn->dead) return;
  pv_expr offset = pv_fn_size(fn, fixed);
  if (sum) offset = fixed ? pv_mk_binary(fn->p, PV_X_ADD, 0, fn->fe->word, sum, offset) : sum;
  pv_expr e = pv_mk_binary(fn->p, PV_X_PTRADD, flags, fn->fe->ptr, base, offset);
  pv_fn_define(fn, i, &e, 1);
}

/* ---- pure instructions ----------------------------------------------------------------------- */

static int binary_op(LLVMOpcode op) {
  switch (op) {
  case LLVMAdd: return PV_X_ADD;
  case LLVMSub: return PV_X_SUB;
  case LLVMMul: return PV_X_MUL;
  case LLVMSDiv: return PV_X_SDIV;
  case LLVMUDiv: return PV_X_UDIV;
  case LLVMSRem: return PV_X_SREM;
  case LLVMURem: return PV_X_UREM;
  case LLVMShl: return PV_X_SHL;
  case LLVMLShr: return PV_X_LSHR;
  case LLVMAShr: return PV_X_ASHR;
  case LLVMAnd: return PV_X_AND;
  case LLVMOr: return PV_X_OR;
  case LLVMXor: return PV_X_XOR;
  case LLVMFAdd: return PV_X_FADD;
  case LLVMFSub: return PV_X_FSUB;
  case LLVMFMul: return PV_X_FMUL;
  case LLVMFDiv: return PV_X_FDIV;
  case LLVMFRem: return PV_X_FREM;
  default: return -1;
  }
}

static bool is_unseen_rmw(LLVMValueRef v) {
  return LLVMIsAAtomicRMWInst(v) && nobody_looks(v);
}

static void lower_binary(struct pv_fn *fn, LLVMValueRef i, enum pv_expr_op op) {
  pv_expr a[PV_MAX_PARTS], b[PV_MAX_PARTS];
  if (is_unseen_rmw(LLVMGetOperand(i, 0)) || is_unseen_rmw(LLVMGetOperand(i, 1))) return;
  unsigned n = pv_fn_operand(fn, LLVMGetOperand(i, 0), a);
  unsigned m = pv_fn_operand(fn, LLVMGetOperand(i, 1), b), flags = 0;
  if (fn->dead) return;
  if (n != m) {
    pv_fn_unsupported(fn, "vector operation");
    return;
  }
  bool sums = op == PV_X_ADD || op == PV_X_SUB || op == PV_X_MUL;
  if (sums && LLVMGetNSW(i) && !is_checker(i)) flags = PV_XF_NSW;
  for (unsigned k = 0; k < n; k++)
    a[k] = pv_mk_binary(fn->p, op, flags, pv_node(fn->p, a[k])->type, a[k], b[k]);
  pv_fn_define(fn, i, a, n);
}

static pv_expr compare(struct pv_fn *fn, LLVMIntPredicate pred, unsigned flags, pv_expr a,
                       pv_expr b) {
  pv_type t = PV_INT(1);
  struct pv_program *p = fn->p;
  switch (pred) {
  case LLVMIntEQ: return pv_mk_binary(p, PV_X_EQ, flags, t, a, b);
  case LLVMIntNE: return pv_mk_binary(p, PV_X_NE, flags, t, a, b);
  case LLVMIntUGT: return pv_mk_binary(p, PV_X_ULT, flags, t, b, a);
  case LLVMIntUGE: return pv_mk_binary(p, PV_X_ULE, flags, t, b, a);
  case LLVMIntULT: return pv_mk_binary(p, PV_X_ULT, flags, t, a, b);
  case LLVMIntULE: return pv_mk_binary(p, PV_X_ULE, flags, t, a, b);
  case LLVMIntSGT: return pv_mk_binary(p, PV_X_SLT, flags, t, b, a);
  case LLVMIntSGE: return pv_mk_binary(p, PV_X_SLE, flags, t, b, a);
  case LLVMIntSLT: return pv_mk_binary(p, PV_X_SLT, flags, t, a, b);
  default: return pv_mk_binary(p, PV_X_SLE, flags, t, a, b);
  }
}

static pv_expr compare_floats(struct pv_fn *fn, LLVMRealPredicate pred, pv_expr a, pv_expr b) {
  static const uint8_t kinds[] = {
      [LLVMRealOEQ] = PV_FCMP_OEQ, [LLVMRealOGT] = PV_FCMP_OGT, [LLVMRealOGE] = PV_FCMP_OGE,
      [LLVMRealOLT] = PV_FCMP_OLT, [LLVMRealOLE] = PV_FCMP_OLE, [LLVMRealONE] = PV_FCMP_ONE,
      [LLVMRealORD] = PV_FCMP_ORD, [LLVMRealUNO] = PV_FCMP_UNO, [LLVMRealUEQ] = PV_FCMP_UEQ,
      [LLVMRealUGT] = PV_FCMP_UGT, [LLVMRealUGE] = PV_FCMP_UGE, [LLVMRealULT] = PV_FCMP_ULT,
      [LLVMRealULE] = PV_FCMP_ULE, [LLVMRealUNE] = PV_FCMP_UNE};
  if (pred == LLVMRealPredicateFalse || pred == LLVMRealPredicateTrue)
    return pv_mk_const(fn->p, PV_INT(1), pred == LLVMRealPredicateTrue);
  return pv_mk(fn->p, (struct pv_expr_node){
                          .op = PV_X_FCMP, .aux = kinds[pred], .type = PV_INT(1), .a = a, .b = b});
}

static void lower_compare(struct pv_fn *fn, LLVMValueRef i) {
  LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
  pv_expr a[PV_MAX_PARTS], b[PV_MAX_PARTS];
  unsigned n = pv_fn_operand(fn, x, a), m = pv_fn_operand(fn, y, b);
  if (fn->dead || n != m) return;
  bool pointers = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMPointerTypeKind;
  unsigned flags = pointers && !LLVMIsNull(x) && !LLVMIsNull(y) ? PV_XF_PTRCMP : 0;
  for (unsigned k = 0; k < n; k++)
    a[k] = LLVMIsAFCmpInst(i) ? compare_floats(fn, LLVMGetFCmpPredicate(i), a[k], b[k])
                              : compare(fn, LLVMGetICmpPredicate(i), flags, a[k], b[k]);
  pv_fn_define(fn, i, a, n);
}

static int cast_op(LLVMOpcode op) {
  switch (op) {
  case LLVMTrunc: return PV_X_TRUNC;
  case LLVMZExt: return PV_X_ZEXT;
  case LLVMSExt: return PV_X_SEXT;
  case LLVMFPTrunc:
  case LLVMFPExt: return PV_X_FPCONV;
  case LLVMFPToSI: return PV_X_FPTOSI;
  case LLVMFPToUI: return PV_X_FPTOUI;
  case LLVMSIToFP: return PV_X_SITOFP;
  case LLVMUIToFP: return PV_X_UITOFP;
  case LLVMBitCast:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMAddrSpaceCast: return PV_X_BITCAST;
  default: return -1;
  }
}

static pv_expr cast(struct pv_fn *fn, enum pv_expr_op op, pv_expr e, pv_type to) {
  pv_type from = pv_node(fn->p, e)->type;
  if (op != PV_X_BITCAST || pv_type_bits(from) == pv_type_bits(to))
    return pv_mk_unary(fn->p, op, to, e);
  /* Inttoptr and ptrtoint extend with zeros. */
  if (pv_type_kind(from) == PV_T_INT && pv_type_bits(from) < pv_type_bits(to))
    e = pv_mk_unary(fn->p, PV_X_ZEXT, fn->fe->word, e);
  if (pv_type_kind(from) == PV_T_PTR && pv_type_bits(from) < pv_type_bits(to))
    return pv_mk_unary(fn->p, PV_X_ZEXT, to, pv_mk_unary(fn->p, PV_X_BITCAST, fn->fe->word, e));
  return pv_fn_convert(fn, e, to);
}

static void lower_cast(struct pv_fn *fn, LLVMValueRef i, enum pv_expr_op op) {
  pv_expr a[PV_MAX_PARTS];
  struct pv_part parts[PV_MAX_PARTS];
  unsigned n = pv_fn_operand(fn, LLVMGetOperand(i, 0), a), m;
  const char *what;
  if (fn->dead) return;
  if (!pv_fe_flatten(fn->fe, LLVMTypeOf(i), parts, &m, &what) || n != m) {
    pv_fn_unsupported(fn, n != m ? "vector conversion" : what);
    return;
  }
  for (unsigned k = 0; k < n; k++) a[k] = cast(fn, op, a[k], parts[k].type);
  pv_fn_define(fn, i, a, n);
}

static bool has_ub(struct pv_fn *fn, LLVMValueRef v) {
  const struct pv_lowered_value *value = pv_fn_find(fn, v);
  return value && value->ub;
}

static void lower_select(struct pv_fn *fn, LLVMValueRef i) {
  /* LLVM evaluates both operands, the ir only the chosen one: evaluate possible undefined behaviour
   * before */
  if (has_ub(fn, LLVMGetOperand(i, 1)) || has_ub(fn, LLVMGetOperand(i, 2))) pv_fn_flush(fn, NULL);
  pv_expr c = pv_fn_scalar(fn, LLVMGetOperand(i, 0)), a[PV_MAX_PARTS], b[PV_MAX_PARTS];
  unsigned n = pv_fn_operand(fn, LLVMGetOperand(i, 1), a);
  unsigned m = pv_fn_operand(fn, LLVMGetOperand(i, 2), b);
  if (fn->dead || n != m) return;
  for (unsigned k = 0; k < n; k++)
    a[k] = pv_mk(
        fn->p,
        (struct pv_expr_node){
            .op = PV_X_SELECT, .type = pv_node(fn->p, a[k])->type, .a = c, .b = a[k], .c = b[k]});
  pv_fn_define(fn, i, a, n);
}

/* The first part and the number of parts of the member that the indices of i select in type t. */
static bool member(struct pv_fn *fn, LLVMTypeRef t, const unsigned *index, unsigned n,
                   unsigned *first, unsigned *count) {
  struct pv_part parts[PV_MAX_PARTS];
  const char *what;
  *first = 0;
  for (unsigned k = 0; k < n; k++) {
    bool is_struct = LLVMGetTypeKind(t) == LLVMStructTypeKind;
    for (unsigned j = 0; j < index[k]; j++) {
      LLVMTypeRef e = is_struct ? LLVMStructGetTypeAtIndex(t, j) : LLVMGetElementType(t);
      if (!pv_fe_flatten(fn->fe, e, parts, count, &what)) return false;
      *first += *count;
    }
    t = is_struct ? LLVMStructGetTypeAtIndex(t, index[k]) : LLVMGetElementType(t);
  }
  return pv_fe_flatten(fn->fe, t, parts, count, &what);
}

static void lower_member(struct pv_fn *fn, LLVMValueRef i) {
  LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(i, 0));
  bool insert = LLVMIsAInsertValueInst(i);
  unsigned first, count;
  pv_expr whole[PV_MAX_PARTS], part[PV_MAX_PARTS];
  unsigned n = pv_fn_operand(fn, LLVMGetOperand(i, 0), whole);
  unsigned m = insert ? pv_fn_operand(fn, LLVMGetOperand(i, 1), part) : 0;
  if (fn->dead) return;
  if (!member(fn, t, LLVMGetIndices(i), LLVMGetNumIndices(i), &first, &count) ||
      first + count > n || (insert && m != count)) {
    pv_fn_unsupported(fn, "aggregate value");
    return;
  }
  if (insert) memcpy(whole + first, part, count * sizeof *part);
  pv_fn_define(fn, i, insert ? whole : whole + first, insert ? n : count);
}

static void lower_alias(struct pv_fn *fn, LLVMValueRef i, LLVMValueRef of) {
  pv_expr parts[PV_MAX_PARTS];
  unsigned n = pv_fn_operand(fn, of, parts);
  if (!fn->dead) pv_fn_define(fn, i, parts, n);
}

static void lower_negate(struct pv_fn *fn, LLVMValueRef i) {
  pv_expr a[PV_MAX_PARTS];
  unsigned n = pv_fn_operand(fn, LLVMGetOperand(i, 0), a);
  for (unsigned k = 0; k < n; k++)
    a[k] = pv_mk_unary(fn->p, PV_X_FNEG, pv_node(fn->p, a[k])->type, a[k]);
  if (!fn->dead) pv_fn_define(fn, i, a, n);
}

static void lower_fence(struct pv_fn *fn, LLVMValueRef i) {
  struct pv_edge e = pv_edge_of(PV_OP_FENCE, 0, 0);
  e.order = (uint8_t)order_of(LLVMGetOrdering(i));
  pv_fn_emit(fn, e);
}

/* A phi at the head of a line has variables; one inside of a line has a single predecessor. */
static void lower_phi(struct pv_fn *fn, LLVMValueRef i) {
  const struct pv_lowered_value *v = pv_fn_find(fn, i);
  if (!v->known && LLVMCountIncoming(i)) lower_alias(fn, i, LLVMGetIncomingValue(i, 0));
}

void pv_fn_instruction(struct pv_fn *fn, LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  struct pv_part parts[PV_MAX_PARTS];
  unsigned n;
  const char *what;
  if (fn->dead) return;
  if (op != LLVMCall && !pv_fe_flatten(fn->fe, LLVMTypeOf(i), parts, &n, &what)) {
    pv_fn_unsupported(fn, what);
    return;
  }
  int binary = binary_op(op), cast_to = cast_op(op);
  if (binary >= 0) {
    lower_binary(fn, i, (enum pv_expr_op)binary);
    return;
  }
  if (cast_to >= 0) {
    lower_cast(fn, i, (enum pv_expr_op)cast_to);
    return;
  }
  switch (op) {
  case LLVMAlloca: lower_alloca(fn, i); return;
  case LLVMLoad: lower_load(fn, i); return;
  case LLVMStore: lower_store(fn, i); return;
  case LLVMGetElementPtr: lower_gep(fn, i); return;
  case LLVMICmp:
  case LLVMFCmp: lower_compare(fn, i); return;
  case LLVMFNeg: lower_negate(fn, i); return;
  case LLVMSelect: lower_select(fn, i); return;
  case LLVMExtractValue:
  case LLVMInsertValue: lower_member(fn, i); return;
  case LLVMExtractElement:
  case LLVMInsertElement: pv_fn_element(fn, i); return;
  case LLVMShuffleVector: pv_fn_shuffle(fn, i); return;
  case LLVMFreeze: lower_alias(fn, i, LLVMGetOperand(i, 0)); return;
  case LLVMPHI: lower_phi(fn, i); return;
  case LLVMAtomicCmpXchg: lower_cmpxchg(fn, i); return;
  case LLVMAtomicRMW: lower_rmw(fn, i); return;
  case LLVMFence: lower_fence(fn, i); return;
  case LLVMCall: pv_fn_call(fn, i); return;
  default: pv_fn_unsupported(fn, op == LLVMVAArg ? "va_arg instruction" : "exception"); return;
  }
}
