/* types.c -- LLVM's types as lists of scalars, types of functions, facts about expressions. */
#include "frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

static const char *refused(LLVMTypeKind kind) {
  switch (kind) {
  case LLVMHalfTypeKind: return "half-precision float";
  case LLVMBFloatTypeKind: return "bfloat16";
  case LLVMFP128TypeKind: return "128-bit float";
  case LLVMPPC_FP128TypeKind: return "128-bit float";
  case LLVMIntegerTypeKind: return "integer over 128 bits";
  case LLVMScalableVectorTypeKind: return "scalable vector";
  case LLVMX86_MMXTypeKind: return "MMX value";
  case LLVMX86_AMXTypeKind: return "AMX value";
  case LLVMTokenTypeKind: return "token value";
  default: return "type";
  }
}

bool pv_fe_scalar(struct pv_fe *fe, LLVMTypeRef t, pv_type *out, const char **what) {
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  switch (kind) {
  case LLVMIntegerTypeKind: {
    unsigned bits = LLVMGetIntTypeWidth(t);
    *what = refused(kind);
    *out = PV_INT(bits);
    return bits <= 128;
  }
  case LLVMFloatTypeKind: *out = PV_FLOAT(32); return true;
  case LLVMDoubleTypeKind: *out = PV_FLOAT(64); return true;
  case LLVMX86_FP80TypeKind: *out = PV_FLOAT(80); return true;
  case LLVMPointerTypeKind:
    *out = fe->ptr;
    *what = "address space";
    return LLVMGetPointerAddressSpace(t) == 0;
  default: *what = refused(kind); return false;
  }
}

static bool flatten(struct pv_fe *fe, LLVMTypeRef t, uint64_t at, struct pv_part *parts,
                    unsigned *n, const char **what) {
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  if (kind == LLVMVoidTypeKind) return true;
  if (kind == LLVMStructTypeKind) {
    if (LLVMIsOpaqueStruct(t)) {
      *what = "incomplete type";
      return false;
    }
    for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
      if (!flatten(fe, LLVMStructGetTypeAtIndex(t, i), at + LLVMOffsetOfElement(fe->layout, t, i),
                   parts, n, what))
        return false;
    return true;
  }
  if (kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind) {
    uint64_t k = kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(t) : LLVMGetVectorSize(t);
    LLVMTypeRef e = LLVMGetElementType(t);
    uint64_t step = k ? LLVMABISizeOfType(fe->layout, e) : 0;
    *what = kind == LLVMArrayTypeKind ? "array in a register" : "vector";
    /* a vector of i1 is packed; C programs never have it in memory */
    if (kind == LLVMVectorTypeKind && LLVMGetTypeKind(e) == LLVMIntegerTypeKind &&
        LLVMGetIntTypeWidth(e) % 8)
      return false;
    for (uint64_t i = 0; i < k; i++)
      if (!flatten(fe, e, at + i * step, parts, n, what)) return false;
    return true;
  }
  *what = "value of many parts";
  if (*n >= PV_MAX_PARTS) return false;
  parts[*n].offset = at;
  return pv_fe_scalar(fe, t, &parts[(*n)++].type, what);
}

bool pv_fe_flatten(struct pv_fe *fe, LLVMTypeRef t, struct pv_part *parts, unsigned *n,
                   const char **what) {
  *n = 0;
  return flatten(fe, t, 0, parts, n, what);
}

bool pv_fe_signature(struct pv_fe *fe, LLVMTypeRef type, struct pv_function *f, const char **what) {
  struct pv_part parts[PV_MAX_PARTS];
  unsigned n;
  bool ok = pv_fe_flatten(fe, LLVMGetReturnType(type), parts, &n, what);
  if (ok && n > PV_MAX_RESULTS) {
    *what = "result of many parts";
    ok = false;
  }
  f->n_results = ok ? n : 0;
  for (unsigned i = 0; i < f->n_results; i++) f->result[i] = parts[i].type;
  f->variadic = LLVMIsFunctionVarArg(type);
  f->vars.n = 0;
  unsigned k = LLVMCountParamTypes(type);
  LLVMTypeRef *params = pv_alloc((k + 1) * sizeof *params);
  LLVMGetParamTypes(type, params);
  for (unsigned i = 0; i < k && ok; i++) {
    ok = pv_fe_flatten(fe, params[i], parts, &n, what);
    for (unsigned j = 0; ok && j < n; j++) {
      struct pv_variable v = {.name = pv_program_string(fe->p, ""), .type = parts[j].type};
      pv_vec_push(&f->vars, v);
    }
  }
  free(params);
  if (!ok) f->vars.n = 0;
  f->n_params = f->vars.n;
  if (f->variadic) {
    struct pv_variable v = {
        .name = pv_program_string(fe->p, "..."), .type = fe->ptr, .is_temp = true};
    pv_vec_push(&f->vars, v);
  }
  return ok;
}

/* ---- facts about expressions ----------------------------------------------------------------- */

static bool is_const_between(const struct pv_program *p, pv_expr e, uint64_t low, uint64_t high) {
  const struct pv_expr_node *n = pv_node(p, e);
  return n->op == PV_X_CONST && !n->hi && n->lo >= low && n->lo <= high;
}

static bool own_ub(const struct pv_program *p, const struct pv_expr_node *n) {
  switch (n->op) {
  case PV_X_ADD:
  case PV_X_SUB:
  case PV_X_MUL: return n->flags & PV_XF_NSW;
  case PV_X_SDIV:
  case PV_X_SREM: return !is_const_between(p, n->b, 1, 0x7f);
  case PV_X_UDIV:
  case PV_X_UREM: return !is_const_between(p, n->b, 1, UINT64_MAX);
  case PV_X_SHL:
  case PV_X_LSHR:
  case PV_X_ASHR: return !is_const_between(p, n->b, 0, pv_type_bits(n->type) - 1);
  case PV_X_FPTOSI:
  case PV_X_FPTOUI: return true;
  default: return false;
  }
}

const struct pv_expr_info *pv_fe_info(struct pv_fe *fe, pv_expr e) {
  for (pv_expr i = fe->info.n; i <= e; i++) { /* operands have smaller numbers */
    const struct pv_expr_node *n = pv_node(fe->p, i);
    struct pv_expr_info info = {.size = 1, .ub = i && own_ub(fe->p, n)};
    pv_expr operand[3] = {n->a, n->b, n->c};
    for (int k = 0; k < 3 && i; k++) {
      if (!operand[k]) continue;
      const struct pv_expr_info *o = &fe->info.at[operand[k]];
      info.ub |= o->ub;
      info.size = (uint16_t)(info.size + o->size > 10000 ? 10000 : info.size + o->size);
    }
    pv_vec_push(&fe->info, info);
  }
  return &fe->info.at[e];
}

/* ---- attributes ------------------------------------------------------------------------------ */
LLVMAttributeRef pv_fe_attribute(LLVMValueRef f, unsigned index, const char *name) {
  return LLVMGetEnumAttributeAtIndex(f, index, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

LLVMAttributeRef pv_fe_call_attribute(LLVMValueRef call, unsigned index, const char *name) {
  return LLVMGetCallSiteEnumAttribute(call, index,
                                      LLVMGetEnumAttributeKindForName(name, strlen(name)));
}
