/* whole.c -- finds the structure, or other object, that the bytes of an access belong to, and the
 * bytes of its members. LLVM's types have no unions and no bit-fields, and source types are not
 * always known, so both are used. */
#include "frontend/frontend_internal.h"

#include <string.h>

bool pv_fn_is_structure(LLVMTypeRef t) {
  LLVMTypeKind k = LLVMGetTypeKind(t);
  unsigned width = k == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
  bool odd = width > 8 && width % 8 == 0 && width & (width - 1); /* i24: three bytes */
  return k == LLVMStructTypeKind || k == LLVMArrayTypeKind || odd;
}

/* ---- members --------------------------------------------------------------------------------- */
static pv_u128 bits_from(uint64_t at, uint64_t bits, uint64_t from) {
  pv_u128 all = 0;
  for (uint64_t i = at > from ? at : from; i < at + bits && i < from + 128; i++)
    all |= (pv_u128)1 << (i - from);
  return all;
}

/* LLVM represents a union as a structure of its largest member. */
static bool is_union(LLVMTypeRef t) {
  const char *name = LLVMGetTypeKind(t) == LLVMStructTypeKind ? LLVMGetStructName(t) : NULL;
  return name && strncmp(name, "union.", 6) == 0;
}

/* The bits of the members of an LLVM type at byte `at`, among the 128 bits from bit `from`. `end`:
 * of the enclosing object; a flexible array extends to it. */
static void typed_bits(struct pv_fn *fn, LLVMTypeRef t, uint64_t at, uint64_t end, uint64_t from,
                       pv_u128 *used) {
  LLVMTargetDataRef layout = fn->fe->layout;
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  if (!LLVMTypeIsSized(t) || 8 * at >= from + 128) return;
  uint64_t size = LLVMABISizeOfType(layout, t);
  if (kind == LLVMArrayTypeKind && !LLVMGetArrayLength2(t)) {
    *used |= bits_from(8 * at, 8 * (end - at), from);
  } else if (8 * (at + size) <= from) {
    return;
  } else if (kind == LLVMStructTypeKind && !is_union(t)) {
    for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
      typed_bits(fn, LLVMStructGetTypeAtIndex(t, i), at + LLVMOffsetOfElement(layout, t, i),
                 at + size, from, used);
  } else if (kind == LLVMArrayTypeKind) {
    LLVMTypeRef e = LLVMGetElementType(t);
    uint64_t step = LLVMABISizeOfType(layout, e);
    for (uint64_t i = step && from / 8 > at ? (from / 8 - at) / step : 0;
         i < LLVMGetArrayLength2(t) && 8 * (at + i * step) < from + 128 && step; i++)
      typed_bits(fn, e, at + i * step, at + (i + 1) * step, from, used);
  } else {
    *used |= bits_from(8 * at, 8 * (is_union(t) ? size : LLVMStoreSizeOfType(layout, t)), from);
  }
}

/* Is it a class without members? Other members of size 0 are flexible arrays. */
static bool is_empty(struct pv_fn *fn, pv_srctype type) {
  const struct pv_srctype_info *t = &fn->p->srctypes.at[pv_fe_typedef_target(fn->fe, type)];
  return t->kind == PV_S_STRUCT || t->kind == PV_S_UNION;
}

/* The same for a source type at bit `at`. */
static void source_bits(struct pv_fn *fn, pv_srctype type, uint64_t at, uint64_t bits,
                        uint64_t from, pv_u128 *used) {
  const struct pv_srctype_info *t = &fn->p->srctypes.at[pv_fe_typedef_target(fn->fe, type)];
  uint64_t end = from + 128;
  if (at >= end || at + bits <= from) return;
  if ((t->kind == PV_S_STRUCT || t->kind == PV_S_UNION) && !t->unlisted) {
    for (uint32_t i = 0; i < t->fields.n; i++) {
      const struct pv_srcfield *f = &t->fields.at[i];
      bool flexible = !f->bit_size && !is_empty(fn, f->type);
      source_bits(fn, f->type, at + f->bit_offset, flexible ? bits - f->bit_offset : f->bit_size,
                  from, used);
    }
  } else if (t->kind == PV_S_ARRAY && t->count && t->element) {
    uint64_t step = bits / t->count;
    for (uint64_t i = step && from > at ? (from - at) / step : 0;
         i < t->count && at + i * step < end && step; i++)
      source_bits(fn, t->element, at + i * step, step, from, used);
  } else {
    *used |= bits_from(at, bits, from);
  }
}

pv_u128 pv_fn_members(struct pv_fn *fn, const struct pv_whole *whole, uint64_t at) {
  pv_u128 used = 0;
  uint64_t from = (whole->offset + at) * 8;
  uint64_t end = whole->source ? fn->p->srctypes.at[whole->source].bits
                               : 8 * LLVMABISizeOfType(fn->fe->layout, whole->type);
  if (whole->source)
    source_bits(fn, whole->source, 0, end, from, &used);
  else
    typed_bits(fn, whole->type, 0, end / 8, from, &used);
  return used | bits_from(end, from + 128, from); /* beyond the end nothing is known */
}

/* ---- where a word comes from ----------------------------------------------------------------- */
static bool is_address_within(LLVMValueRef v) {
  return LLVMIsAGetElementPtrInst(v) ||
         (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

/* Adds the offset of a getelementptr if it is constant. */
static bool constant_offset(struct pv_fn *fn, LLVMValueRef v, uint64_t *offset) {
  LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
  for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(v); k++) {
    LLVMValueRef index = LLVMGetOperand(v, k);
    if (!LLVMIsAConstantInt(index)) return false;
    uint64_t i = (uint64_t)LLVMConstIntGetSExtValue(index);
    if (k > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
      *offset += LLVMOffsetOfElement(fn->fe->layout, t, (unsigned)i);
      t = LLVMStructGetTypeAtIndex(t, (unsigned)i);
      continue;
    }
    if (k > 1) t = LLVMGetElementType(t);
    *offset += i * LLVMABISizeOfType(fn->fe->layout, t);
  }
  return true;
}

/* The thread-local variable whose address the call returns, or NULL. */
static LLVMValueRef thread_local_at(LLVMValueRef v) {
  static const char name[] = "llvm.threadlocal.address";
  size_t n;
  LLVMValueRef f = LLVMIsACallInst(v) ? LLVMIsAFunction(LLVMGetCalledValue(v)) : NULL;
  bool is_it = f && strncmp(LLVMGetValueName2(f, &n), name, sizeof name - 1) == 0;
  return is_it ? LLVMGetOperand(v, 0) : NULL;
}

/* The alloca or global that the address is a constant offset from, or NULL. */
static LLVMValueRef base_object(struct pv_fn *fn, LLVMValueRef v, uint64_t *offset) {
  *offset = 0;
  while (is_address_within(v)) {
    if (!constant_offset(fn, v, offset)) return NULL;
    v = LLVMGetOperand(v, 0);
  }
  if (thread_local_at(v)) v = thread_local_at(v);
  return LLVMIsAAllocaInst(v) || LLVMIsAGlobalVariable(v) ? v : NULL;
}

LLVMValueRef pv_fn_base_alloca(struct pv_fn *fn, LLVMValueRef v, uint64_t *offset) {
  v = base_object(fn, v, offset);
  return v && LLVMIsAAllocaInst(v) ? v : NULL;
}

/* An object that is written by one copy, and read in words or copied again, is clang's temporary
 * for a call, never the user's own. Returns that copy. */
static LLVMValueRef copy_for_call(LLVMValueRef a) {
  LLVMValueRef copy = NULL;
  for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool copies = LLVMIsAMemCpyInst(user) && LLVMGetOperand(user, 0) == a;
    bool copied = LLVMIsAMemCpyInst(user) && !copies;
    if (copies && !copy)
      copy = user;
    else if (!copied && !LLVMIsALoadInst(user) && !LLVMIsAGetElementPtrInst(user))
      return NULL;
  }
  return copy;
}

/* Returns the source type if it has that many bytes, else 0. */
static pv_srctype known(struct pv_fn *fn, pv_srctype type, uint64_t bytes) {
  type = pv_fe_typedef_target(fn->fe, type);
  const struct pv_srctype_info *t = &fn->p->srctypes.at[type];
  return type && t->bits == 8 * bytes && !t->unlisted ? type : 0;
}

static pv_srctype source_of(struct pv_fn *fn, LLVMValueRef object) {
  LLVMTargetDataRef layout = fn->fe->layout;
  if (LLVMIsAAllocaInst(object)) {
    const struct pv_lowered_value *v = pv_fn_find(fn, object);
    uint64_t bytes = LLVMABISizeOfType(layout, LLVMGetAllocatedType(object));
    return v && v->slot != UINT32_MAX ? known(fn, fn->f.slots.at[v->slot].srctype, bytes) : 0;
  }
  const uint32_t *index = pv_map_get(&fn->fe->global_of, &object, sizeof object);
  uint64_t bytes = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(object));
  return index ? known(fn, fn->p->globals.at[*index].srctype, bytes) : 0;
}

static bool is_named(LLVMTypeRef t) {
  return LLVMGetTypeKind(t) == LLVMStructTypeKind && LLVMGetStructName(t);
}

/* Does type t have a `wanted` at that offset? */
static bool holds(struct pv_fn *fn, LLVMTypeRef t, uint64_t offset, LLVMTypeRef wanted) {
  LLVMTargetDataRef layout = fn->fe->layout;
  for (;;) {
    if (t == wanted && !offset) return true;
    uint64_t size = LLVMTypeIsSized(t) ? LLVMABISizeOfType(layout, t) : 0;
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    if (offset >= size || (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind)) return false;
    if (kind == LLVMStructTypeKind) {
      unsigned i = LLVMElementAtOffset(layout, t, offset);
      offset -= LLVMOffsetOfElement(layout, t, i);
      t = LLVMStructGetTypeAtIndex(t, i);
    } else {
      t = LLVMGetElementType(t);
      if (!LLVMABISizeOfType(layout, t)) return false;
      offset %= LLVMABISizeOfType(layout, t);
    }
  }
}

/* The parameter of a function called by name to which the load's value is passed, or NULL. */
static LLVMValueRef parameter(LLVMValueRef load) {
  LLVMUseRef use = LLVMGetFirstUse(load);
  LLVMValueRef call = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
  LLVMValueRef f = call && LLVMIsACallInst(call) ? LLVMIsAFunction(LLVMGetCalledValue(call)) : NULL;
  for (unsigned k = 0; f && k < LLVMCountParams(f) && k < LLVMGetNumArgOperands(call); k++)
    if (LLVMGetOperand(call, k) == load) return LLVMGetParam(f, k);
  return NULL;
}

/* The copy to which an object that clang assembled from words goes, if there is only one. */
static LLVMValueRef copied_to(LLVMValueRef a) {
  for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAMemCpyInst(user) && LLVMGetOperand(user, 1) == a) return LLVMGetOperand(user, 0);
  }
  return NULL;
}

bool pv_fn_whole(struct pv_fn *fn, LLVMValueRef address, struct pv_whole *whole) {
  uint64_t offset;
  LLVMValueRef object = base_object(fn, address, &offset);
  if (!object) return false;
  bool is_alloca = LLVMIsAAllocaInst(object);
  LLVMTypeRef type = is_alloca ? LLVMGetAllocatedType(object) : LLVMGlobalGetValueType(object);
  pv_srctype source = source_of(fn, object);
  LLVMValueRef copy = is_alloca && !source ? copy_for_call(object) : NULL;
  if (copy) { /* clang's, whose type is that of the source or unknown */
    bool found = pv_fn_whole(fn, LLVMGetOperand(copy, 1), whole);
    if (found && (!is_named(type) || holds(fn, whole->type, whole->offset, type))) {
      whole->offset += offset;
      return true;
    }
    if (!is_named(type)) return false;
  }
  *whole = (struct pv_whole){type, source, offset};
  return true;
}

bool pv_fn_stored(struct pv_fn *fn, LLVMValueRef address, struct pv_whole *whole) {
  uint64_t offset;
  LLVMValueRef a = pv_fn_base_alloca(fn, address, &offset);
  if (!a) return false;
  pv_srctype source = source_of(fn, a);
  LLVMTypeRef type = LLVMGetAllocatedType(a);
  LLVMValueRef to = source || is_named(type) ? NULL : copied_to(a);
  if (to && pv_fn_whole(fn, to, whole)) {
    whole->offset += offset;
    return true;
  }
  *whole = (struct pv_whole){type, source, offset};
  return source || is_named(type);
}

/* The source type of a parameter in another function, given by the alloca where it is stored. */
static pv_srctype declared(struct pv_fn *fn, LLVMValueRef a) {
  LLVMValueRef declare = pv_fe_declaration(a);
  struct pv_di_variable di = {0};
  if (!declare || !pv_fe_di_declared(fn->fe, declare, &di)) return 0;
  return known(fn, di.type, LLVMABISizeOfType(fn->fe->layout, LLVMGetAllocatedType(a)));
}

bool pv_fn_parameter(struct pv_fn *fn, LLVMValueRef load, struct pv_whole *whole) {
  LLVMValueRef p = parameter(load);
  LLVMUseRef use = p ? LLVMGetFirstUse(p) : NULL;
  LLVMValueRef store = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
  if (!store || !LLVMIsAStoreInst(store) || LLVMGetOperand(store, 0) != p) return false;
  uint64_t offset, behind = 0;
  LLVMValueRef a = pv_fn_base_alloca(fn, LLVMGetOperand(store, 1), &offset);
  LLVMValueRef to = a && !is_named(LLVMGetAllocatedType(a)) ? copied_to(a) : NULL;
  if (to) a = pv_fn_base_alloca(fn, to, &behind);
  if (!a || !is_named(LLVMGetAllocatedType(a))) return false;
  *whole = (struct pv_whole){LLVMGetAllocatedType(a), declared(fn, a), offset + behind};
  return true;
}

bool pv_fn_returned(struct pv_fn *fn, LLVMValueRef v, struct pv_whole *whole) {
  LLVMValueRef call = LLVMIsAExtractValueInst(v) ? LLVMGetOperand(v, 0) : v;
  LLVMValueRef f = LLVMIsACallInst(call) ? LLVMIsAFunction(LLVMGetCalledValue(call)) : NULL;
  pv_srctype type = f ? pv_fe_typedef_target(fn->fe, pv_fe_di_returned(fn->fe, f)) : 0;
  const struct pv_srctype_info *t = &fn->p->srctypes.at[type];
  if ((t->kind != PV_S_STRUCT && t->kind != PV_S_UNION) || t->unlisted) return false;
  uint64_t offset =
      call == v ? 0 : LLVMOffsetOfElement(fn->fe->layout, LLVMTypeOf(call), *LLVMGetIndices(v));
  *whole = (struct pv_whole){LLVMTypeOf(call), type, offset};
  return true;
}
