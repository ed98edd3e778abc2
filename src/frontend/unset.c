/* unset.c -- what of a loaded word may be unset, and what of a stored one becomes set.
 *
 * clang reads more than the program does: a whole word to get at a bit-field in it or to change
 * one, whole words of a structure that is passed by value, its padding included. The edges of such
 * accesses say which bits the program means (see LOAD and STORE in ir.h), so that what it never set
 * stays unset and what it does not look at is no error. */
#include "frontend/frontend_internal.h"

#include <string.h>

/* ---- where a word comes from ----------------------------------------------------------------- */
static bool is_struct_like(LLVMTypeRef t) {
  LLVMTypeKind k = LLVMGetTypeKind(t);
  return k == LLVMStructTypeKind || k == LLVMArrayTypeKind;
}

/* Sets the bits of the bytes of t, at `at`, that lie in [from, from + n). */
static void cover(struct pv_fn *fn, LLVMTypeRef t, uint64_t at, uint64_t from, uint64_t n,
                  uint32_t *mask) {
  LLVMTargetDataRef layout = fn->fe->layout;
  if (!LLVMTypeIsSized(t) || at >= from + n || at + LLVMABISizeOfType(layout, t) <= from) return;
  if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
    for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
      cover(fn, LLVMStructGetTypeAtIndex(t, i), at + LLVMOffsetOfElement(layout, t, i), from, n,
            mask);
  } else if (LLVMGetTypeKind(t) == LLVMArrayTypeKind) {
    LLVMTypeRef e = LLVMGetElementType(t);
    uint64_t step = LLVMABISizeOfType(layout, e);
    for (uint64_t i = step && from > at ? (from - at) / step : 0;
         i < LLVMGetArrayLength2(t) && at + i * step < from + n && step; i++)
      cover(fn, e, at + i * step, from, n, mask);
  } else {
    uint64_t size = LLVMStoreSizeOfType(layout, t);
    for (uint64_t b = 0; b < size; b++)
      if (at + b >= from && at + b < from + n) *mask |= UINT32_C(1) << (at + b - from);
  }
}

LLVMValueRef pv_fn_base_alloca(struct pv_fn *fn, LLVMValueRef v, uint64_t *offset) {
  *offset = 0;
  while (LLVMIsAGetElementPtrInst(v)) {
    LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(v); k++) {
      LLVMValueRef index = LLVMGetOperand(v, k);
      if (!LLVMIsAConstantInt(index)) return NULL;
      uint64_t i = LLVMConstIntGetZExtValue(index);
      if (k > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
        *offset += LLVMOffsetOfElement(fn->fe->layout, t, (unsigned)i);
        t = LLVMStructGetTypeAtIndex(t, (unsigned)i);
        continue;
      }
      if (k > 1) t = LLVMGetElementType(t);
      *offset += i * LLVMABISizeOfType(fn->fe->layout, t);
    }
    v = LLVMGetOperand(v, 0);
  }
  return LLVMIsAAllocaInst(v) ? v : NULL;
}

/* Is an object written by one copy and read in words: clang's for a call, never the user's own. */
static bool is_copy_for_call(LLVMValueRef a) {
  unsigned copies = 0;
  for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAMemCpyInst(user) && LLVMGetOperand(user, 0) == a)
      copies++;
    else if (!LLVMIsALoadInst(user) && !LLVMIsAGetElementPtrInst(user))
      return false;
  }
  return copies == 1;
}

/* clang copies a struct whose size is no number of words into a larger object before it passes it
 * in words: the object it was copied from, or NULL if that is not known. */
static LLVMValueRef uncoerced(struct pv_fn *fn, LLVMValueRef a, uint64_t *offset) {
  if (!is_copy_for_call(a)) return a;
  for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef copy = LLVMGetUser(u);
    uint64_t from;
    if (!LLVMIsAMemCpyInst(copy) || LLVMGetOperand(copy, 0) != a) continue;
    a = pv_fn_base_alloca(fn, LLVMGetOperand(copy, 1), &from);
    *offset += from;
    return a;
  }
  return NULL;
}

/* ---- bit-fields ------------------------------------------------------------------------------ */
static pv_u128 all_bits(unsigned width) {
  return width >= 128 ? ~(pv_u128)0 : ((pv_u128)1 << width) - 1;
}

static bool is_op(LLVMValueRef v, LLVMOpcode op) {
  return v && LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op;
}

static LLVMValueRef only_user(LLVMValueRef v, LLVMOpcode op) {
  LLVMUseRef u = LLVMGetFirstUse(v);
  LLVMValueRef user = u && !LLVMGetNextUse(u) ? LLVMGetUser(u) : NULL;
  return is_op(user, op) ? user : NULL;
}

/* Bits of an integer type that masks can speak of, else 0. */
static unsigned width_of(LLVMTypeRef t) {
  unsigned width = LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
  return width <= 128 ? width : 0;
}

/* The second operand, if it is a constant integer. */
static bool constant_operand(struct pv_fn *fn, LLVMValueRef i, pv_u128 *c) {
  LLVMValueRef v = LLVMGetOperand(i, 1);
  const char *what;
  pv_expr e;
  unsigned n;
  if (!LLVMIsAConstantInt(v) || !width_of(LLVMTypeOf(v))) return false;
  if (!pv_fe_constant(fn->fe, v, &e, &n, &what) || n != 1) return false;
  const struct pv_expr_node *node = pv_node(fn->p, e);
  *c = (pv_u128)node->hi << 64 | node->lo;
  return node->op == PV_X_CONST;
}

/* Is v stored at the address that it was loaded from? */
static bool stored_back(LLVMValueRef v, LLVMValueRef address) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (is_op(user, LLVMStore) && LLVMGetOperand(user, 0) == v &&
        LLVMGetOperand(user, 1) == address)
      return true;
  }
  return false;
}

/* Writing a bit-field is load, and (which takes the old bits out), or (not for a constant 0), store
 * to the same place; reading the lowest one begins in the same way. The same can be written by
 * hand, which only clang's names tell apart. `kept`: the bits left alone. */
static bool changes_bit_field(struct pv_fn *fn, LLVMValueRef load, bool *sure, pv_u128 *kept) {
  size_t n;
  const char *name = LLVMGetValueName2(load, &n);
  LLVMValueRef clear = only_user(load, LLVMAnd), address = LLVMGetOperand(load, 0);
  *sure = strncmp(name, "bf.load", 7) == 0;
  if (!clear || !constant_operand(fn, clear, kept)) return false;
  if (*name && (!*sure || strncmp(LLVMGetValueName2(clear, &n), "bf.clear", 8) != 0)) return false;
  LLVMValueRef set = LLVMGetFirstUse(clear) ? LLVMGetUser(LLVMGetFirstUse(clear)) : NULL;
  return (is_op(set, LLVMOr) && stored_back(set, address)) ||
         (*sure && stored_back(clear, address));
}

/* The load whose bits a store of `set` puts back, that is one that changes a bit-field. */
static bool puts_back(struct pv_fn *fn, LLVMValueRef store, pv_u128 *kept) {
  LLVMValueRef set = LLVMGetOperand(store, 0);
  bool sure;
  for (unsigned k = 0; k < 2; k++) {
    LLVMValueRef v = is_op(set, LLVMOr) ? LLVMGetOperand(set, k) : k ? NULL : set;
    LLVMValueRef load = is_op(v, LLVMAnd) ? LLVMGetOperand(v, 0) : NULL;
    if (is_op(load, LLVMLoad) && LLVMGetOperand(load, 0) == LLVMGetOperand(store, 1) &&
        LLVMTypeOf(load) == LLVMTypeOf(set) && changes_bit_field(fn, load, &sure, kept))
      return true;
  }
  return false;
}

/* The bits of a value that one of its users looks at; all if that is not plain to see. */
static pv_u128 bits_used_by(struct pv_fn *fn, LLVMValueRef user, LLVMValueRef v, unsigned width) {
  pv_u128 all = all_bits(width), c, d;
  if (LLVMIsATruncInst(user)) return all & all_bits(LLVMGetIntTypeWidth(LLVMTypeOf(user)));
  if (!LLVMIsABinaryOperator(user) || LLVMGetOperand(user, 0) != v ||
      !constant_operand(fn, user, &c))
    return all;
  LLVMValueRef next;
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMAnd: return c & all;
  case LLVMAShr: return c < width ? all & ~all_bits((unsigned)c) : all;
  case LLVMLShr:
    if (c >= width) return all;
    next = only_user(user, LLVMAnd);
    if (next && LLVMGetOperand(next, 0) == user && constant_operand(fn, next, &d))
      return all & d << c;
    return all & ~all_bits((unsigned)c);
  case LLVMShl:
    next = only_user(user, LLVMAShr);
    if (!next) next = only_user(user, LLVMLShr);
    if (c >= width || !next || LLVMGetOperand(next, 0) != user || !constant_operand(fn, next, &d))
      return all;
    return d >= c && d < width ? (all >> c) & ~all_bits((unsigned)(d - c)) : all;
  default: return all;
  }
}

/* The bits of a loaded word that matter: those of the bit-field that is read. */
static pv_u128 bits_used(struct pv_fn *fn, LLVMValueRef load) {
  unsigned width = width_of(LLVMTypeOf(load));
  pv_u128 used = 0;
  if (!width) return 0;
  for (LLVMUseRef u = LLVMGetFirstUse(load); u; u = LLVMGetNextUse(u))
    used |= bits_used_by(fn, LLVMGetUser(u), load, width);
  return used;
}

/* ---- structures in words --------------------------------------------------------------------- */
static bool passed_as_word(LLVMValueRef load) {
  unsigned noundef = LLVMGetEnumAttributeKindForName("noundef", 7);
  for (LLVMUseRef u = LLVMGetFirstUse(load); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAReturnInst(user) || LLVMIsAInsertValueInst(user)) continue;
    if (!LLVMIsACallInst(user)) return false;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(user); k++)
      if (LLVMGetOperand(user, k) == load && LLVMGetCallSiteEnumAttribute(user, k + 1, noundef))
        return false;
  }
  return LLVMGetFirstUse(load) != NULL;
}

/* Does some operation compare what is in memory, padding included? */
static bool exchanges(struct pv_fe *fe) {
  if (fe->exchanges) return fe->exchanges > 0;
  fe->exchanges = -1;
  for (LLVMValueRef f = LLVMGetFirstFunction(fe->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAtomicCmpXchgInst(i)) fe->exchanges = 1;
  return fe->exchanges > 0;
}

/* Has the program no name for the local: did clang put it there? */
static bool is_temporary(struct pv_fn *fn, LLVMValueRef a) {
  const struct pv_value *v = pv_fn_find(fn, a);
  if (!fn->f.span || !v || v->slot == UINT32_MAX) return false;
  const struct pv_slot *s = &fn->f.slots.at[v->slot];
  return !s->span && !s->srctype;
}

/* The local structure the whole of which the word is, if all that is done with it is that it is
 * stored, exchanged or compared atomically, else NULL. *doubtful: its padding may matter, for it is
 * compared, or may be when it is in memory. */
static LLVMValueRef atomic_word(struct pv_fn *fn, LLVMValueRef load, bool *doubtful) {
  LLVMValueRef a = LLVMGetOperand(load, 0);
  *doubtful = exchanges(fn->fe);
  if (!LLVMIsAAllocaInst(a) || !is_struct_like(LLVMGetAllocatedType(a))) return NULL;
  LLVMTargetDataRef layout = fn->fe->layout;
  if (LLVMStoreSizeOfType(layout, LLVMTypeOf(load)) <
      LLVMABISizeOfType(layout, LLVMGetAllocatedType(a)))
    return NULL;
  *doubtful |= !is_temporary(fn, a);
  for (LLVMUseRef u = LLVMGetFirstUse(load); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    LLVMOpcode op = LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : LLVMRet;
    bool store = op == LLVMStore && LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic;
    bool exchange = op == LLVMAtomicRMW && LLVMGetAtomicRMWBinOp(user) == LLVMAtomicRMWBinOpXchg;
    if (!store && !exchange && op != LLVMAtomicCmpXchg) return NULL;
    if (LLVMGetOperand(user, store ? 1 : 0) == load) return NULL; /* the address */
  }
  return LLVMGetFirstUse(load) ? a : NULL;
}

/* Adds the bits that the members of a source type, at bit `at`, take in the 128 bits from bit
 * `from`. */
static void member_bits(struct pv_fn *fn, pv_srctype type, uint64_t at, uint64_t bits,
                        uint64_t from, pv_u128 *used) {
  const struct pv_srctype_info *t = &fn->p->srctypes.at[pv_fe_typedef_target(fn->fe, type)];
  uint64_t end = from + 128;
  if (at >= end || at + bits <= from) return;
  if ((t->kind == PV_S_STRUCT || t->kind == PV_S_UNION) && !t->virtual_base) {
    for (uint32_t i = 0; i < t->fields.n; i++) {
      const struct pv_srcfield *f = &t->fields.at[i];
      member_bits(fn, f->type, at + f->bit_offset, f->bit_size, from, used);
    }
  } else if (t->kind == PV_S_ARRAY && t->count && t->element) {
    uint64_t step = bits / t->count;
    for (uint64_t i = step && from > at ? (from - at) / step : 0;
         i < t->count && at + i * step < end && step; i++)
      member_bits(fn, t->element, at + i * step, step, from, used);
  } else {
    for (uint64_t i = 0; i < bits; i++)
      if (at + i >= from && at + i < end) *used |= (pv_u128)1 << (at + i - from);
  }
}

/* The bits of a word in which a structure is passed that its members take; 0 if not known. */
static pv_u128 members_of_word(struct pv_fn *fn, LLVMValueRef load, uint64_t at) {
  uint64_t offset;
  pv_u128 used = 0;
  LLVMValueRef a = pv_fn_base_alloca(fn, LLVMGetOperand(load, 0), &offset);
  if (a) a = uncoerced(fn, a, &offset);
  struct pv_value *v = a ? pv_fn_find(fn, a) : NULL;
  if (!v || v->slot == UINT32_MAX) return 0;
  pv_srctype type = pv_fe_typedef_target(fn->fe, fn->f.slots.at[v->slot].srctype);
  const struct pv_srctype_info *t = &fn->p->srctypes.at[type];
  if (!type || !t->bits || t->virtual_base) return 0;
  member_bits(fn, type, 0, t->bits, (offset + at) * 8, &used);
  return used;
}

/* The mask of the loaded bytes that may be uninitialised without it being
 * an error. Bytes that are, or may be, more than padding are in the upper half too: that they read
 * as 0 there loses that they are unset. */
static uint32_t may_be_unset(struct pv_fn *fn, LLVMValueRef load, uint64_t at, unsigned bytes) {
  uint32_t all = bytes >= 16 ? 0xffff : (UINT32_C(1) << bytes) - 1, set = 0;
  bool sure, doubtful;
  pv_u128 kept;
  if (changes_bit_field(fn, load, &sure, &kept)) return sure ? all : all << 16 | all;
  LLVMValueRef atomic = atomic_word(fn, load, &doubtful);
  if (atomic && doubtful) return all << 16 | all;
  if (atomic) {
    cover(fn, LLVMGetAllocatedType(atomic), 0, at, bytes, &set);
    return set << 16 | all;
  }
  if (!passed_as_word(load)) return 0;
  uint64_t offset;
  LLVMValueRef a = pv_fn_base_alloca(fn, LLVMGetOperand(load, 0), &offset), copy = a;
  if (a) a = uncoerced(fn, a, &offset);
  if (!a && !copy && LLVMIsAReturnInst(LLVMGetUser(LLVMGetFirstUse(load)))) return 0;
  if (!a) return all << 16 | all;
  LLVMTypeRef t = LLVMGetAllocatedType(a);
  if (!is_struct_like(t)) return 0;
  cover(fn, t, 0, offset + at, bytes, &set);
  return set << 16 | all;
}

static pv_expr mask(struct pv_fn *fn, pv_type type, pv_u128 bits) {
  pv_u128 all = all_bits(pv_type_bits(type));
  bits &= all;
  if (pv_type_kind(type) != PV_T_INT || !bits || bits == all) return 0;
  return pv_mk(fn->p, (struct pv_expr_node){.op = PV_X_CONST,
                                            .type = type,
                                            .lo = (uint64_t)bits,
                                            .hi = (uint64_t)(bits >> 64)});
}

void pv_fn_mark_load(struct pv_fn *fn, LLVMValueRef load, uint64_t at, struct pv_edge *e) {
  e->aux = may_be_unset(fn, load, at, pv_type_bytes(e->type));
  bool doubtful;
  if (atomic_word(fn, load, &doubtful)) return; /* what may be unset says all */
  e->e[1] =
      mask(fn, e->type, passed_as_word(load) ? members_of_word(fn, load, at) : bits_used(fn, load));
}

void pv_fn_mark_store(struct pv_fn *fn, LLVMValueRef store, struct pv_edge *e) {
  pv_u128 kept;
  if (puts_back(fn, store, &kept)) e->e[2] = mask(fn, e->type, ~kept);
}
