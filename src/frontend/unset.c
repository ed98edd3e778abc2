/* unset.c -- which bits of a loaded word may be uninitialised, and which bits a store initialises.
 *
 * clang reads more than the program does: a whole word to read or change a bit-field, and whole
 * words of a structure that is passed by value, with its padding. The edges of such accesses say
 * which bits the program means (see LOAD and STORE in ir.h). So bits that the program never set
 * stay uninitialised, and bits that it does not use cause no error. */
#include "frontend/frontend_internal.h"

#include <string.h>

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

/* The width of an integer type in bits, or 0 if masks cannot represent it. */
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

/* Is v stored to the address that it was loaded from? */
static bool stored_back(LLVMValueRef v, LLVMValueRef address) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (is_op(user, LLVMStore) && LLVMGetOperand(user, 0) == v &&
        LLVMGetOperand(user, 1) == address)
      return true;
  }
  return false;
}

/* A write to a bit-field is a load, an `and` (which removes the old bits), an `or` (not for a
 * constant 0), and a store to the same place; a read of the lowest bit-field begins in the same
 * way. A program can contain the same operations itself; only clang's names distinguish them
 * (*sure). `kept`: the bits that stay. */
static bool changes_bit_field(struct pv_fn *fn, LLVMValueRef load, bool *sure, pv_u128 *kept) {
  size_t n;
  const char *name = LLVMGetValueName2(load, &n);
  LLVMValueRef clear = only_user(load, LLVMAnd), address = LLVMGetOperand(load, 0);
  *sure = strncmp(name, "bf.load", 7) == 0;
  if (!clear || !constant_operand(fn, clear, kept)) return false;
  if (!*sure && (*name || !fn->foreign)) return false;
  if (*sure && strncmp(LLVMGetValueName2(clear, &n), "bf.clear", 8) != 0) return false;
  LLVMValueRef set = LLVMGetFirstUse(clear) ? LLVMGetUser(LLVMGetFirstUse(clear)) : NULL;
  return (is_op(set, LLVMOr) && stored_back(set, address)) ||
         (*sure && stored_back(clear, address));
}

/* The load whose other bits a store of `set` writes back, if the store changes a bit-field. */
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

/* The bits of a value that one of its users needs; all of them if this is not obvious. */
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
/* A mask of all bytes of an access. */
static uint32_t all_bytes(unsigned bytes) {
  return bytes >= 16 ? 0xffff : (UINT32_C(1) << bytes) - 1;
}

/* Is it a call of a function, not an operation that clang represents as a call? */
static bool calls_function(LLVMValueRef call) {
  if (!LLVMIsACallInst(call)) return false;
  LLVMValueRef called = LLVMGetCalledValue(call);
  return !LLVMIsAInlineAsm(called) && !(LLVMIsAFunction(called) && LLVMGetIntrinsicID(called));
}

/* Does the function return something other than a structure in the source? In C such a result may
 * be uninitialised: a function may end without a value if the caller does not use it. */
static bool returns_scalar(struct pv_fn *fn, LLVMValueRef f) {
  pv_srctype type = f ? pv_fe_typedef_target(fn->fe, pv_fe_di_returned(fn->fe, f)) : 0;
  enum pv_srctype_kind kind = fn->p->srctypes.at[type].kind;
  return kind != PV_S_UNKNOWN && kind != PV_S_STRUCT && kind != PV_S_UNION;
}

/* If the value is passed or returned: is it a word of a structure? Other values must be
 * initialised, and clang says so. */
static bool passed_as_word(struct pv_fn *fn, LLVMValueRef load) {
  for (LLVMUseRef u = LLVMGetFirstUse(load); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAInsertValueInst(user)) continue;
    if (LLVMIsAReturnInst(user)) {
      if (pv_fe_attribute(fn->llvm, LLVMAttributeReturnIndex, "noundef")) return false;
      if (returns_scalar(fn, fn->llvm)) return false;
      continue;
    }
    if (!calls_function(user) || LLVMGetCalledValue(user) == load) return false;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(user); k++)
      if (LLVMGetOperand(user, k) == load && pv_fe_call_attribute(user, k + 1, "noundef"))
        return false;
  }
  return LLVMGetFirstUse(load) != NULL;
}

/* The structure that an atomic operation reads as a word: the old or the expected value is stored
 * to or loaded from a local one. NULL if there is none. */
static LLVMTypeRef structure_read(LLVMValueRef i) {
  LLVMValueRef a = NULL;
  if (LLVMIsALoadInst(i)) {
    for (LLVMUseRef u = LLVMGetFirstUse(i); u && !a; u = LLVMGetNextUse(u)) {
      LLVMValueRef user = LLVMGetUser(u);
      if (is_op(user, LLVMStore) && LLVMGetOperand(user, 0) == i) a = LLVMGetOperand(user, 1);
    }
  } else if (is_op(LLVMGetOperand(i, 1), LLVMLoad)) {
    a = LLVMGetOperand(LLVMGetOperand(i, 1), 0);
  }
  LLVMTypeRef t = a && LLVMIsAAllocaInst(a) ? LLVMGetAllocatedType(a) : NULL;
  return t && pv_fn_is_structure(t) ? t : NULL;
}

/* Is the word a whole local structure that is only stored, exchanged or compared atomically? */
static bool is_atomic_word(struct pv_fn *fn, LLVMValueRef load) {
  LLVMValueRef a = LLVMGetOperand(load, 0);
  if (!LLVMIsAAllocaInst(a) || !pv_fn_is_structure(LLVMGetAllocatedType(a))) return false;
  LLVMTargetDataRef layout = fn->fe->layout;
  if (LLVMStoreSizeOfType(layout, LLVMTypeOf(load)) <
      LLVMABISizeOfType(layout, LLVMGetAllocatedType(a)))
    return false;
  for (LLVMUseRef u = LLVMGetFirstUse(load); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    LLVMOpcode op = LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : LLVMRet;
    bool store = op == LLVMStore && LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic;
    bool exchange = op == LLVMAtomicRMW && LLVMGetAtomicRMWBinOp(user) == LLVMAtomicRMWBinOpXchg;
    if (!store && !exchange && op != LLVMAtomicCmpXchg) return false;
    if (LLVMGetOperand(user, store ? 1 : 0) == load) return false; /* used as the address */
  }
  return LLVMGetFirstUse(load) != NULL;
}

/* Is the word, or are two words, only loaded to be stored elsewhere? In inlined functions from
 * other compilers, structures are passed and returned like that. */
static bool perhaps_passed(struct pv_fn *fn, LLVMValueRef load) {
  if (!fn->foreign || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic) return false;
  for (LLVMUseRef u = LLVMGetFirstUse(load); u; u = LLVMGetNextUse(u)) {
    bool part = is_op(LLVMGetUser(u), LLVMExtractValue);
    LLVMValueRef v = part ? LLVMGetUser(u) : load;
    LLVMValueRef store = part ? only_user(v, LLVMStore) : LLVMGetUser(u);
    if (!is_op(store, LLVMStore) || LLVMGetOperand(store, 0) != v ||
        LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic)
      return false;
  }
  return LLVMGetFirstUse(load) != NULL;
}

/* The bytes of a word that contain one of these bits. */
static uint32_t bytes_of(pv_u128 bits) {
  uint32_t bytes = 0;
  for (unsigned i = 0; i < 16; i++)
    if (bits >> 8 * i & 0xff) bytes |= UINT32_C(1) << i;
  return bytes;
}

/* The same for a word of a structure that is passed: its padding may be uninitialised, and is so at
 * the destination (pv_fn_mark_store). *matter: the bits of its members, if they are known. */
static uint32_t passed_unset(struct pv_fn *fn, LLVMValueRef load, uint64_t at, uint32_t all,
                             pv_u128 *matter) {
  LLVMValueRef address = LLVMGetOperand(load, 0);
  uint64_t offset;
  LLVMValueRef a = pv_fn_base_alloca(fn, address, &offset);
  if (!a && LLVMIsAReturnInst(LLVMGetUser(LLVMGetFirstUse(load)))) return 0; /* a scalar */
  if (a && !pv_fn_is_structure(LLVMGetAllocatedType(a))) return 0;
  struct pv_whole whole;
  if (!pv_fn_whole(fn, address, &whole) && !pv_fn_parameter(fn, load, &whole))
    return all << 16 | all;
  if (!pv_fn_is_structure(whole.type)) return 0;
  pv_u128 members = pv_fn_members(fn, &whole, at);
  if (whole.source) *matter = members;
  return (bytes_of(members) & all) << 16 | all;
}

/* The mask of the loaded bytes that may be uninitialised without an error, and *matter: a mask of
 * the bits that matter, 0 if all do. Bytes that are, or may be, more than padding are also in the
 * upper half: there, reading them as 0 loses the information that they are uninitialised. */
static uint32_t may_be_unset(struct pv_fn *fn, LLVMValueRef load, uint64_t at, unsigned bytes,
                             pv_u128 *matter) {
  uint32_t all = all_bytes(bytes);
  bool sure;
  pv_u128 kept;
  *matter = 0;
  if (is_atomic_word(fn, load)) return all << 16 | all; /* it is zero where it is stored */
  if (passed_as_word(fn, load)) return passed_unset(fn, load, at, all, matter);
  if (perhaps_passed(fn, load)) return all << 16 | all;
  *matter = bits_used(fn, load);
  return !changes_bit_field(fn, load, &sure, &kept) ? 0 : sure ? all : all << 16 | all;
}

void pv_fn_mark_atomic(LLVMValueRef i, struct pv_edge *e) {
  uint32_t all = all_bytes(pv_type_bytes(e->type));
  if (structure_read(i)) e->unset = all << 16 | all;
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
  pv_u128 matter;
  e->unset = may_be_unset(fn, load, at, pv_type_bytes(e->type), &matter);
  e->e[1] = mask(fn, e->type, matter);
  bool plain = LLVMGetOrdering(load) == LLVMAtomicOrderingNotAtomic;
  if (plain && !is_atomic_word(fn, load) && (passed_as_word(fn, load) || perhaps_passed(fn, load)))
    e->flags |= PV_EF_MOVES;
}

/* May the value be a word of a structure, passed or returned? Its padding is not known then. */
static bool is_passed(struct pv_fn *fn, LLVMValueRef v) {
  if (LLVMIsAExtractValueInst(v)) v = LLVMGetOperand(v, 0);
  if (LLVMIsACallInst(v))
    return calls_function(v) && !pv_fe_call_attribute(v, LLVMAttributeReturnIndex, "noundef") &&
           !returns_scalar(fn, LLVMIsAFunction(LLVMGetCalledValue(v)));
  if (!LLVMIsAArgument(v)) return false;
  unsigned k = 0;
  while (LLVMGetParam(fn->llvm, k) != v) k++;
  return !pv_fe_attribute(fn->llvm, k + 1, "noundef");
}

void pv_fn_mark_store(struct pv_fn *fn, LLVMValueRef store, uint64_t at, struct pv_edge *e) {
  pv_u128 kept;
  struct pv_whole whole;
  LLVMValueRef v = LLVMGetOperand(store, 0);
  if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind && puts_back(fn, store, &kept)) {
    e->e[2] = mask(fn, e->type, ~kept);
  } else if (LLVMGetOrdering(store) == LLVMAtomicOrderingNotAtomic && is_passed(fn, v) &&
             (pv_fn_returned(fn, v, &whole) ||
              (pv_fn_stored(fn, LLVMGetOperand(store, 1), &whole) &&
               pv_fn_is_structure(whole.type)))) {
    e->e[2] = mask(fn, e->type, pv_fn_members(fn, &whole, at));
  }
}
