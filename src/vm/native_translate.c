/* native_translate.c -- translates bytecode to LLVM IR, instruction by instruction. The code for an
 * instruction must have the same effect as its case in pv_interpret. Intermediate values are in
 * stack slots of the generated function, which LLVM's passes turn into registers. */
#include "vm/native_internal.h"

#include <stdio.h>

/* Kinds of memory that do not overlap. Each is a scope of LLVM's alias analysis. */
enum memory {
  MEM_REGS,    /* registers of frames */
  MEM_PAYLOAD, /* the program's memory */
  MEM_SHADOW,
  MEM_MACHINE, /* struct pv_vm, its page cache, heads of frames */
  MEM_KINDS
};

struct translator {
  const struct pv_vm *machine;
  const struct pv_code *code;
  const uint32_t *entry; /* pv_native_entries */
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef at;
  LLVMTypeRef i8, i32, i64, ptr, function_type;
  LLVMValueRef scope[MEM_KINDS], others[MEM_KINDS]; /* metadata: this kind; all other kinds */
  LLVMValueRef likely;                              /* metadata */
  unsigned scope_kind, noalias_kind, profile_kind;

  /* The function being translated. */
  uint32_t first, end; /* its pcs */
  LLVMValueRef function, vm;
  /* slots: address of the registers, number of executed instructions, result. */
  LLVMValueRef regs, count, flow;
  LLVMValueRef *temp; /* slots of scratch cells; NULL: not used */
  LLVMBasicBlockRef head, leave;
  LLVMBasicBlockRef *block; /* by pc - first; NULL: not a jump target */
  uint32_t pc;
  uint32_t run; /* instructions translated since `count` was updated */
};

/* ---- helpers --------------------------------------------------------------------------------- */
static LLVMValueRef number(const struct translator *t, uint64_t n) {
  return LLVMConstInt(t->i64, n, 0);
}

static LLVMValueRef host(const struct translator *t, uintptr_t address) {
  return LLVMConstIntToPtr(number(t, address), t->ptr);
}

static LLVMValueRef offset(struct translator *t, LLVMValueRef base, LLVMValueRef bytes) {
  return LLVMBuildGEP2(t->at, t->i8, base, &bytes, 1, "");
}

static LLVMValueRef in_memory(struct translator *t, LLVMValueRef access, enum memory kind) {
  LLVMSetMetadata(access, t->scope_kind, t->scope[kind]);
  LLVMSetMetadata(access, t->noalias_kind, t->others[kind]);
  return access;
}

/* Accesses of the program may be unaligned. */
static LLVMValueRef load(struct translator *t, LLVMTypeRef type, LLVMValueRef at,
                         enum memory kind) {
  LLVMValueRef v = in_memory(t, LLVMBuildLoad2(t->at, type, at, ""), kind);
  if (kind == MEM_PAYLOAD) LLVMSetAlignment(v, 1);
  return v;
}

static void store(struct translator *t, LLVMValueRef value, LLVMValueRef at, enum memory kind) {
  LLVMValueRef s = in_memory(t, LLVMBuildStore(t->at, value, at), kind);
  if (kind == MEM_PAYLOAD) LLVMSetAlignment(s, 1);
}

static LLVMValueRef field(struct translator *t, size_t at) {
  return offset(t, t->vm, number(t, at));
}

static LLVMBasicBlockRef new_block(struct translator *t) {
  return LLVMAppendBasicBlockInContext(t->context, t->function, "");
}

/* Continues in `then` if the condition holds, which is likely, else in `rare`. */
static void branch_likely(struct translator *t, LLVMValueRef condition, LLVMBasicBlockRef then,
                          LLVMBasicBlockRef rare) {
  LLVMValueRef b = LLVMBuildCondBr(t->at, condition, then, rare);
  LLVMSetMetadata(b, t->profile_kind, t->likely);
}

static LLVMValueRef masked(struct translator *t, LLVMValueRef v, unsigned w) {
  return w >= 64 ? v : LLVMBuildAnd(t->at, v, number(t, pv_mask(w)), "");
}

/* Like pv_signed. */
static LLVMValueRef extended(struct translator *t, LLVMValueRef v, unsigned w) {
  if (w >= 64) return v;
  LLVMValueRef bits = number(t, 64 - w);
  return LLVMBuildAShr(t->at, LLVMBuildShl(t->at, v, bits, ""), bits, "");
}

/* ---- cells ----------------------------------------------------------------------------------- */
static bool is_constant(const struct translator *t, int32_t cell) {
  return cell < 0 && (uint32_t)~cell < t->code->constants.n;
}

static LLVMValueRef temp_slot(struct translator *t, int32_t cell) {
  uint32_t n = (uint32_t)~cell - t->code->constants.n;
  if (t->temp[n]) return t->temp[n];
  LLVMBuilderRef b = LLVMCreateBuilderInContext(t->context);
  LLVMPositionBuilder(b, t->head, LLVMGetFirstInstruction(t->head));
  t->temp[n] = LLVMBuildAlloca(b, t->i64, "");
  LLVMDisposeBuilder(b);
  return t->temp[n];
}

static LLVMValueRef regs(struct translator *t) {
  return LLVMBuildLoad2(t->at, t->ptr, t->regs, "");
}

static LLVMValueRef get(struct translator *t, int32_t cell) {
  if (is_constant(t, cell)) return number(t, t->code->constants.at[~cell]);
  if (cell < 0) return LLVMBuildLoad2(t->at, t->i64, temp_slot(t, cell), "");
  return load(t, t->i64, offset(t, regs(t), number(t, (uint64_t)cell * 8)), MEM_REGS);
}

static void set(struct translator *t, int32_t cell, LLVMValueRef value) {
  PV_REQUIRE(!is_constant(t, cell), "an instruction writes to a constant");
  if (cell < 0)
    LLVMBuildStore(t->at, value, temp_slot(t, cell));
  else
    store(t, value, offset(t, regs(t), number(t, (uint64_t)cell * 8)), MEM_REGS);
}

/* The cell with the upper half of a value of more than 64 bits. */
static int32_t upper(int32_t cell) {
  return cell >= 0 ? cell + 1 : ~(~cell + 1);
}

static bool is_wide(const struct translator *t, pv_expr e) {
  return pv_type_bits(pv_node(t->code->program, e)->type) > 64;
}

static LLVMValueRef scratch(struct translator *t, int32_t cell) {
  return host(t, (uintptr_t)(t->machine->scratch + ~cell));
}

/* Stores the value to its cell for an operation that reads it there. Registers are always in
 * memory. */
static void spill(struct translator *t, int32_t cell, bool wide) {
  if (cell >= 0 || is_constant(t, cell)) return;
  store(t, get(t, cell), scratch(t, cell), MEM_MACHINE);
  if (wide) store(t, get(t, upper(cell)), scratch(t, upper(cell)), MEM_MACHINE);
}

/* ---- leaving --------------------------------------------------------------------------------- */
static void add_count(struct translator *t, uint32_t n) {
  LLVMValueRef old = LLVMBuildLoad2(t->at, t->i64, t->count, "");
  LLVMBuildStore(t->at, LLVMBuildAdd(t->at, old, number(t, n), ""), t->count);
}

/* Call it before a jump: adds the instructions executed so far. */
static void settle(struct translator *t) {
  if (t->run) add_count(t, t->run);
  t->run = 0;
}

/* Returns `flow` from the function. The builder has no position afterwards. */
static void leave_with(struct translator *t, LLVMValueRef flow) {
  add_count(t, t->run);
  LLVMBuildStore(t->at, flow, t->flow);
  LLVMBuildBr(t->at, t->leave);
}

/* Continues if `flow` is PV_FLOW_NEXT; else returns. */
static void leave_unless_next(struct translator *t, LLVMValueRef flow) {
  LLVMBasicBlockRef on = new_block(t), off = new_block(t);
  LLVMValueRef next = LLVMConstInt(t->i32, PV_FLOW_NEXT, 0);
  branch_likely(t, LLVMBuildICmp(t->at, LLVMIntEQ, flow, next, ""), on, off);
  LLVMPositionBuilderAtEnd(t->at, off);
  leave_with(t, flow);
  LLVMPositionBuilderAtEnd(t->at, on);
}

/* frame->pc = pc: needed by all code outside of machine code that reads the frame. */
static void set_pc(struct translator *t, uint32_t pc) {
  int64_t at = (int64_t)offsetof(struct pv_frame_head, pc) - (int64_t)sizeof(struct pv_frame_head);
  store(t, LLVMConstInt(t->i32, pc, 0), offset(t, regs(t), number(t, (uint64_t)at)), MEM_MACHINE);
}

/* Calls the runtime after setting frame->pc. The result, an i32, is an enum pv_flow. */
static LLVMValueRef call(struct translator *t, uintptr_t runtime, LLVMTypeRef result,
                         LLVMValueRef *args, unsigned n) {
  LLVMTypeRef types[8];
  set_pc(t, t->pc);
  for (unsigned i = 0; i < n; i++) types[i] = LLVMTypeOf(args[i]);
  return LLVMBuildCall2(t->at, LLVMFunctionType(result, types, n, 0), host(t, runtime), args, n,
                        "");
}

/* The same for an operation that does not access registers. */
static LLVMValueRef call_apart(struct translator *t, uintptr_t runtime, LLVMTypeRef result,
                               LLVMValueRef *args, unsigned n) {
  LLVMValueRef c = call(t, runtime, result, args, n);
  LLVMSetMetadata(c, t->scope_kind, t->others[MEM_REGS]);
  LLVMSetMetadata(c, t->noalias_kind, t->scope[MEM_REGS]);
  return c;
}

/* Calls the event handler of the instruction unless `fine` holds. */
static void event_unless(struct translator *t, LLVMValueRef fine, const struct pv_insn *i,
                         LLVMValueRef a, LLVMValueRef b) {
  LLVMBasicBlockRef good = new_block(t), bad = new_block(t);
  branch_likely(t, fine, good, bad);
  LLVMPositionBuilderAtEnd(t->at, bad);
  LLVMValueRef args[] = {t->vm, host(t, (uintptr_t)i), a, b};
  leave_unless_next(t, call_apart(t, (uintptr_t)pv_run_event, t->i32, args, 4));
  LLVMBuildBr(t->at, good);
  LLVMPositionBuilderAtEnd(t->at, good);
}

/* ---- arithmetic ------------------------------------------------------------------------------ */
static LLVMValueRef overflowing(struct translator *t, const struct pv_insn *i, LLVMValueRef a,
                                LLVMValueRef b) {
  static const char *const names[] = {"llvm.sadd.with.overflow", "llvm.ssub.with.overflow",
                                      "llvm.smul.with.overflow"};
  const char *name = names[i->op - PV_I_ADD];
  LLVMTypeRef type = LLVMIntTypeInContext(t->context, i->w);
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef args[] = {LLVMBuildTrunc(t->at, a, type, ""), LLVMBuildTrunc(t->at, b, type, "")};
  LLVMValueRef both =
      LLVMBuildCall2(t->at, LLVMIntrinsicGetType(t->context, id, &type, 1),
                     LLVMGetIntrinsicDeclaration(t->module, id, &type, 1), args, 2, "");
  LLVMValueRef over = LLVMBuildExtractValue(t->at, both, 1, "");
  event_unless(t, LLVMBuildNot(t->at, over, ""), i, a, b);
  return LLVMBuildZExt(t->at, LLVMBuildExtractValue(t->at, both, 0, ""), t->i64, "");
}

static LLVMValueRef add_sub_mul(struct translator *t, const struct pv_insn *i, LLVMValueRef a,
                                LLVMValueRef b) {
  bool asked = t->machine->properties & PV_PROP_BIT(PV_PROP_NO_OVERFLOW);
  if ((i->flags & PV_XF_NSW) && asked) return overflowing(t, i, a, b);
  LLVMValueRef r = i->op == PV_I_ADD   ? LLVMBuildAdd(t->at, a, b, "")
                   : i->op == PV_I_SUB ? LLVMBuildSub(t->at, a, b, "")
                                       : LLVMBuildMul(t->at, a, b, "");
  return masked(t, r, i->w);
}

static LLVMValueRef divide(struct translator *t, const struct pv_insn *i, LLVMValueRef a,
                           LLVMValueRef b) {
  LLVMValueRef fine = LLVMBuildICmp(t->at, LLVMIntNE, b, number(t, 0), "");
  bool is_signed = i->op == PV_I_SDIV || i->op == PV_I_SREM;
  if (is_signed) {
    LLVMValueRef lowest = number(t, (uint64_t)1 << (i->w - 1)), minus_1 = number(t, pv_mask(i->w));
    LLVMValueRef other = LLVMBuildOr(t->at, LLVMBuildICmp(t->at, LLVMIntNE, a, lowest, ""),
                                     LLVMBuildICmp(t->at, LLVMIntNE, b, minus_1, ""), "");
    fine = LLVMBuildAnd(t->at, fine, other, "");
  }
  event_unless(t, fine, i, a, b);
  if (i->op == PV_I_UDIV) return LLVMBuildUDiv(t->at, a, b, "");
  if (i->op == PV_I_UREM) return LLVMBuildURem(t->at, a, b, "");
  a = extended(t, a, i->w);
  b = extended(t, b, i->w);
  LLVMValueRef r =
      i->op == PV_I_SDIV ? LLVMBuildSDiv(t->at, a, b, "") : LLVMBuildSRem(t->at, a, b, "");
  return masked(t, r, i->w);
}

static LLVMValueRef shift(struct translator *t, const struct pv_insn *i, LLVMValueRef a,
                          LLVMValueRef b) {
  event_unless(t, LLVMBuildICmp(t->at, LLVMIntULT, b, number(t, i->w), ""), i, a, b);
  if (i->op == PV_I_LSHR) return LLVMBuildLShr(t->at, a, b, "");
  LLVMValueRef r = i->op == PV_I_SHL ? LLVMBuildShl(t->at, a, b, "")
                                     : LLVMBuildAShr(t->at, extended(t, a, i->w), b, "");
  return masked(t, r, i->w);
}

static LLVMValueRef compare(struct translator *t, LLVMIntPredicate p, LLVMValueRef a,
                            LLVMValueRef b) {
  return LLVMBuildZExt(t->at, LLVMBuildICmp(t->at, p, a, b, ""), t->i64, "");
}

static LLVMValueRef compare_signed(struct translator *t, LLVMIntPredicate p, unsigned w,
                                   LLVMValueRef a, LLVMValueRef b) {
  return compare(t, p, extended(t, a, w), extended(t, b, w));
}

/* Addresses in the same slot are in the same object, or in none. */
static LLVMValueRef one_object(struct translator *t, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef apart = LLVMBuildXor(t->at, a, b, "");
  return LLVMBuildICmp(t->at, LLVMIntULT, apart, number(t, (uint64_t)1 << t->machine->shift), "");
}

/* ---- memory ---------------------------------------------------------------------------------- */
/* A page in the cache that an access may use. */
struct page {
  LLVMValueRef entry; /* struct pv_tlb_entry */
  LLVMValueRef in;    /* offset of the access in the page */
};

static LLVMValueRef entry_field(struct translator *t, const struct page *p, LLVMTypeRef type,
                                size_t at) {
  return load(t, type, offset(t, p->entry, number(t, at)), MEM_MACHINE);
}

/* Continues if the page is cached for this kind of access (`pages`: offset of the field), and if
 * the bytes are within one word of `word` bytes and within the object. Otherwise goes to `miss`. */
static struct page find_page(struct translator *t, LLVMValueRef address, unsigned bytes,
                             unsigned word, size_t pages, LLVMBasicBlockRef miss) {
  LLVMBuilderRef b = t->at;
  LLVMValueRef page = LLVMBuildLShr(b, address, number(t, __builtin_ctz(PV_PAGE)), "");
  LLVMValueRef slot = LLVMBuildLShr(b, address, number(t, t->machine->shift), "");
  LLVMValueRef index =
      LLVMBuildAnd(b, LLVMBuildAdd(b, page, slot, ""), number(t, PV_TLB_ENTRIES - 1), "");
  LLVMValueRef place = LLVMBuildMul(b, index, number(t, sizeof(struct pv_tlb_entry)), "");
  struct page p = {offset(t, field(t, offsetof(struct pv_vm, tlb)), place),
                   LLVMBuildAnd(b, address, number(t, PV_PAGE - 1), "")};
  LLVMValueRef known = LLVMBuildICmp(b, LLVMIntEQ, entry_field(t, &p, t->i64, pages), page, "");
  LLVMValueRef n = entry_field(t, &p, t->i32, offsetof(struct pv_tlb_entry, n));
  LLVMValueRef last = LLVMBuildAdd(b, p.in, number(t, bytes), "");
  LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntULE, last, LLVMBuildZExt(b, n, t->i64, ""), "");
  LLVMValueRef good = LLVMBuildAnd(b, known, fits, "");
  if (bytes > 1) {
    LLVMValueRef in_word = LLVMBuildAnd(b, address, number(t, word - 1), "");
    LLVMValueRef whole = LLVMBuildICmp(b, LLVMIntULE, in_word, number(t, word - bytes), "");
    good = LLVMBuildAnd(b, good, whole, "");
  }
  LLVMBasicBlockRef hit = new_block(t);
  branch_likely(t, good, hit, miss);
  LLVMPositionBuilderAtEnd(b, hit);
  return p;
}

/* The byte of the shadow for the access, and its bits for the accessed bytes. */
static LLVMValueRef shadow_at(struct translator *t, const struct page *p, unsigned bytes,
                              LLVMValueRef *mine) {
  LLVMValueRef shadow = entry_field(t, p, t->ptr, offsetof(struct pv_tlb_entry, shadow));
  LLVMValueRef bit = LLVMBuildAnd(t->at, p->in, number(t, 7), "");
  LLVMValueRef bits = LLVMConstInt(t->i8, pv_mask(bytes), 0);
  *mine = LLVMBuildShl(t->at, bits, LLVMBuildTrunc(t->at, bit, t->i8, ""), "");
  return offset(t, shadow, LLVMBuildLShr(t->at, p->in, number(t, 3), ""));
}

static LLVMValueRef payload_at(struct translator *t, const struct page *p, LLVMValueRef in) {
  return offset(t, entry_field(t, p, t->ptr, offsetof(struct pv_tlb_entry, payload)), in);
}

static bool may_be_cached(const struct pv_edge *e, unsigned bytes) {
  return e->order == PV_ORDER_NONE && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
}

static LLVMValueRef fast_load(struct translator *t, LLVMValueRef address, unsigned bytes,
                              unsigned w, LLVMBasicBlockRef miss) {
  LLVMTypeRef type = LLVMIntTypeInContext(t->context, 8 * bytes);
  struct page p = find_page(t, address, bytes, 8, offsetof(struct pv_tlb_entry, load_page), miss);
  LLVMValueRef mine, shadow = shadow_at(t, &p, bytes, &mine);
  LLVMValueRef has = LLVMBuildAnd(t->at, load(t, t->i8, shadow, MEM_SHADOW), mine, "");
  LLVMBasicBlockRef is_set = new_block(t);
  branch_likely(t, LLVMBuildICmp(t->at, LLVMIntEQ, has, mine, ""), is_set, miss);
  LLVMPositionBuilderAtEnd(t->at, is_set);
  LLVMValueRef v = load(t, type, payload_at(t, &p, p.in), MEM_PAYLOAD);
  return masked(t, LLVMBuildZExt(t->at, v, t->i64, ""), w);
}

static void emit_load(struct translator *t, const struct pv_insn *i, const struct pv_edge *e) {
  LLVMValueRef address = get(t, i->a), fast = NULL;
  LLVMBasicBlockRef miss = new_block(t), on = new_block(t), from = NULL;
  unsigned bytes = pv_type_bytes(e->type), w = pv_type_bits(e->type);
  if (may_be_cached(e, bytes)) {
    fast = fast_load(t, address, bytes, w, miss);
    from = LLVMGetInsertBlock(t->at);
    LLVMBuildBr(t->at, on);
  } else {
    LLVMBuildBr(t->at, miss);
  }
  LLVMPositionBuilderAtEnd(t->at, miss);
  LLVMValueRef args[] = {t->vm, host(t, (uintptr_t)e), address};
  leave_unless_next(t, call_apart(t, (uintptr_t)pv_native_load, t->i32, args, 3));
  LLVMValueRef value = load(t, t->i64, field(t, offsetof(struct pv_vm, loaded[0])), MEM_MACHINE);
  if (w > 64) {
    LLVMValueRef high = field(t, offsetof(struct pv_vm, loaded[1]));
    set(t, upper(i->d), load(t, t->i64, high, MEM_MACHINE));
  }
  LLVMBasicBlockRef slow = LLVMGetInsertBlock(t->at);
  LLVMBuildBr(t->at, on);
  LLVMPositionBuilderAtEnd(t->at, on);
  if (fast) {
    LLVMValueRef phi = LLVMBuildPhi(t->at, t->i64, ""), values[] = {fast, value};
    LLVMBasicBlockRef blocks[] = {from, slow};
    LLVMAddIncoming(phi, values, blocks, 2);
    value = phi;
  }
  set(t, i->d, value);
}

/* Like published() of run.c: the word around the stored bytes, if it is inside of the object, may
 * be a pointer. Null and other small numbers are in slot 0, which contains no object. */
static void publish(struct translator *t, const struct page *p) {
  LLVMBuilderRef b = t->at;
  unsigned word = t->machine->program->pointer_bits / 8;
  LLVMTypeRef type = LLVMIntTypeInContext(t->context, 8 * word);
  LLVMBasicBlockRef shared = new_block(t), whole = new_block(t), pointer = new_block(t),
                    on = new_block(t);
  LLVMValueRef is = entry_field(t, p, t->i32, offsetof(struct pv_tlb_entry, shared));
  LLVMBuildCondBr(b, LLVMBuildIsNotNull(b, is, ""), shared, on);
  LLVMPositionBuilderAtEnd(b, shared);
  LLVMValueRef start = LLVMBuildAnd(b, p->in, number(t, PV_PAGE - word), "");
  LLVMValueRef last = LLVMBuildAdd(b, start, number(t, word), "");
  LLVMValueRef n = entry_field(t, p, t->i32, offsetof(struct pv_tlb_entry, n));
  LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntULE, last, LLVMBuildZExt(b, n, t->i64, ""), "");
  LLVMBuildCondBr(b, fits, whole, on);
  LLVMPositionBuilderAtEnd(b, whole);
  LLVMValueRef v = load(t, type, payload_at(t, p, start), MEM_PAYLOAD);
  v = LLVMBuildZExt(b, v, t->i64, "");
  LLVMValueRef slot = LLVMBuildLShr(b, v, number(t, t->machine->shift), "");
  LLVMValueRef slots = load(t, t->i32, field(t, offsetof(struct pv_vm, owner.n)), MEM_MACHINE);
  slots = LLVMBuildSub(b, LLVMBuildZExt(b, slots, t->i64, ""), number(t, 1), "");
  slot = LLVMBuildSub(b, slot, number(t, 1), "");
  branch_likely(t, LLVMBuildICmp(b, LLVMIntUGE, slot, slots, ""), on, pointer);
  LLVMPositionBuilderAtEnd(b, pointer);
  LLVMValueRef args[] = {t->vm, v};
  call_apart(t, (uintptr_t)pv_publish, LLVMVoidTypeInContext(t->context), args, 2);
  LLVMBuildBr(b, on);
  LLVMPositionBuilderAtEnd(b, on);
}

static void fast_store(struct translator *t, LLVMValueRef address, LLVMValueRef value,
                       unsigned bytes, LLVMBasicBlockRef miss) {
  unsigned word = t->machine->program->pointer_bits / 8;
  LLVMTypeRef type = LLVMIntTypeInContext(t->context, 8 * bytes);
  struct page p =
      find_page(t, address, bytes, word, offsetof(struct pv_tlb_entry, store_page), miss);
  LLVMValueRef mine, shadow = shadow_at(t, &p, bytes, &mine);
  LLVMValueRef has = LLVMBuildOr(t->at, load(t, t->i8, shadow, MEM_SHADOW), mine, "");
  store(t, has, shadow, MEM_SHADOW);
  store(t, LLVMBuildTrunc(t->at, value, type, ""), payload_at(t, &p, p.in), MEM_PAYLOAD);
  publish(t, &p);
}

static void emit_store(struct translator *t, const struct pv_insn *i, const struct pv_edge *e) {
  LLVMValueRef address = get(t, i->a), value = get(t, i->b);
  LLVMBasicBlockRef miss = new_block(t), on = new_block(t);
  unsigned bytes = pv_type_bytes(e->type), word = t->machine->program->pointer_bits / 8;
  if (may_be_cached(e, bytes) && bytes <= word && !e->e[2]) {
    fast_store(t, address, value, bytes, miss);
    LLVMBuildBr(t->at, on);
  } else {
    LLVMBuildBr(t->at, miss);
  }
  LLVMPositionBuilderAtEnd(t->at, miss);
  LLVMValueRef high = bytes > 8 ? get(t, upper(i->b)) : number(t, 0);
  LLVMValueRef args[] = {t->vm, host(t, (uintptr_t)e), address, value, high};
  leave_unless_next(t, call_apart(t, (uintptr_t)pv_native_store, t->i32, args, 5));
  LLVMBuildBr(t->at, on);
  LLVMPositionBuilderAtEnd(t->at, on);
}

/* ---- everything else ------------------------------------------------------------------------- */
static void emit_rare(struct translator *t, const struct pv_insn *i) {
  const struct pv_expr_node *n = pv_node(t->code->program, i->x);
  if (n->a) spill(t, i->a, is_wide(t, n->a));
  if (n->b) spill(t, i->b, is_wide(t, n->b));
  if (n->c) spill(t, i->c, is_wide(t, n->c));
  LLVMValueRef args[] = {t->vm, host(t, (uintptr_t)i)};
  leave_unless_next(t, call(t, (uintptr_t)pv_rare, t->i32, args, 2));
  if (i->d >= 0) return;
  set(t, i->d, load(t, t->i64, scratch(t, i->d), MEM_MACHINE));
  if (is_wide(t, i->x)) set(t, upper(i->d), load(t, t->i64, scratch(t, upper(i->d)), MEM_MACHINE));
}

static void emit_move(struct translator *t, const struct pv_insn *i) {
  LLVMValueRef low = get(t, i->a), high = i->w > 64 ? get(t, upper(i->a)) : NULL;
  set(t, i->d, low);
  if (high) set(t, upper(i->d), high);
}

static void emit_tls(struct translator *t, const struct pv_insn *i) {
  LLVMValueRef args[] = {t->vm, LLVMConstInt(t->i32, i->x, 0)};
  set(t, i->d, call_apart(t, (uintptr_t)pv_run_tls, t->i64, args, 2));
}

/* Counts down for pv_out_of_time and for the fuel of local loops. */
static void emit_loop(struct translator *t) {
  LLVMBuilderRef b = t->at;
  LLVMBasicBlockRef look = new_block(t), on = new_block(t), late = new_block(t),
                    empty = new_block(t), fuelled = new_block(t);
  LLVMValueRef until_limit_check = field(t, offsetof(struct pv_vm, until_limit_check));
  LLVMValueRef fuel = field(t, offsetof(struct pv_vm, fuel)), one = LLVMConstInt(t->i32, 1, 0);
  LLVMValueRef left = load(t, t->i32, until_limit_check, MEM_MACHINE);
  store(t, LLVMBuildSub(b, left, one, ""), until_limit_check, MEM_MACHINE);
  branch_likely(t, LLVMBuildIsNotNull(b, left, ""), on, look);

  LLVMPositionBuilderAtEnd(b, look); /* the runtime counts by itself */
  store(t, left, until_limit_check, MEM_MACHINE);
  LLVMValueRef over = call_apart(t, (uintptr_t)pv_native_late, t->i32, &t->vm, 1);
  LLVMBuildCondBr(b, LLVMBuildIsNotNull(b, over, ""), late, on);
  LLVMPositionBuilderAtEnd(b, late);
  leave_with(t, LLVMConstInt(t->i32, PV_FLOW_LEAVE, 0));

  LLVMPositionBuilderAtEnd(b, on);
  LLVMValueRef rest = LLVMBuildSub(b, load(t, t->i32, fuel, MEM_MACHINE), one, "");
  store(t, rest, fuel, MEM_MACHINE);
  branch_likely(t, LLVMBuildIsNotNull(b, rest, ""), fuelled, empty);
  LLVMPositionBuilderAtEnd(b, empty);
  call_apart(t, (uintptr_t)pv_native_park, LLVMVoidTypeInContext(t->context), &t->vm, 1);
  leave_with(t, LLVMConstInt(t->i32, PV_FLOW_LEAVE, 0));
  LLVMPositionBuilderAtEnd(b, fuelled);
}

/* A check that holds has no effect, except that it was executed. */
static void emit_check(struct translator *t, const struct pv_code_edge *ce,
                       LLVMBasicBlockRef *done) {
  LLVMBasicBlockRef fails = new_block(t);
  *done = new_block(t);
  LLVMBasicBlockRef holds = new_block(t);
  branch_likely(t, LLVMBuildIsNotNull(t->at, get(t, ce->e[0]), ""), holds, fails);
  LLVMPositionBuilderAtEnd(t->at, holds);
  store(t, LLVMConstInt(t->i8, 0, 0), field(t, offsetof(struct pv_vm, go)), MEM_MACHINE);
  LLVMBuildBr(t->at, *done);
  LLVMPositionBuilderAtEnd(t->at, fails);
}

static void emit_edge(struct translator *t, const struct pv_insn *i) {
  const struct pv_code_edge *ce = &t->code->edges.at[i->x];
  const struct pv_program *p = t->code->program;
  const struct pv_edge *e = ce->edge;
  LLVMBasicBlockRef done = NULL;
  if (e->op == PV_OP_CHECK) emit_check(t, ce, &done);
  for (int k = 0; k < 3; k++)
    if (e->e[k]) spill(t, ce->e[k], is_wide(t, e->e[k]));
  for (uint32_t k = 0; k < e->args.n; k++)
    spill(t, t->code->cells.at[ce->args + k], is_wide(t, pv_arg(p, e->args, k)));
  LLVMValueRef args[] = {t->vm, host(t, (uintptr_t)ce)};
  leave_unless_next(t, call(t, (uintptr_t)pv_native_edge, t->i32, args, 2));
  /* The frame may have moved. */
  LLVMValueRef frame = load(t, t->ptr, field(t, offsetof(struct pv_vm, regs)), MEM_MACHINE);
  LLVMBuildStore(t->at, frame, t->regs);
  if (!done) return;
  LLVMBuildBr(t->at, done);
  LLVMPositionBuilderAtEnd(t->at, done);
}

/* Leaves machine code; the interpreter continues at this pc. */
static void hand_over(struct translator *t, uint32_t pc) {
  set_pc(t, pc);
  leave_with(t, LLVMConstInt(t->i32, PV_FLOW_JUMP, 0));
}

/* Ends the current block with a jump to this pc. */
static void go_to(struct translator *t, uint32_t pc) {
  if (pc >= t->first && pc < t->end && t->block[pc - t->first]) {
    settle(t);
    LLVMBuildBr(t->at, t->block[pc - t->first]);
  } else {
    hand_over(t, pc);
  }
}

static void emit_jump_if_zero(struct translator *t, const struct pv_insn *i) {
  LLVMBasicBlockRef on = new_block(t), off = new_block(t);
  LLVMValueRef is_set = LLVMBuildIsNotNull(t->at, get(t, i->a), "");
  settle(t);
  LLVMBuildCondBr(t->at, is_set, on, off);
  LLVMPositionBuilderAtEnd(t->at, off);
  go_to(t, i->x);
  LLVMPositionBuilderAtEnd(t->at, on);
}

/* The value of an instruction that depends only on its operands. */
static LLVMValueRef value_of(struct translator *t, const struct pv_insn *i) {
  LLVMValueRef a = get(t, i->a);
  if (i->op == PV_I_TRUNC) return masked(t, a, i->w);
  if (i->op == PV_I_SEXT) return masked(t, extended(t, a, i->w), i->x);
  LLVMValueRef b = get(t, i->b);
  switch ((enum pv_insn_op)i->op) {
  case PV_I_ADD:
  case PV_I_SUB:
  case PV_I_MUL: return add_sub_mul(t, i, a, b);
  case PV_I_UDIV:
  case PV_I_SDIV:
  case PV_I_UREM:
  case PV_I_SREM: return divide(t, i, a, b);
  case PV_I_SHL:
  case PV_I_LSHR:
  case PV_I_ASHR: return shift(t, i, a, b);
  case PV_I_AND: return LLVMBuildAnd(t->at, a, b, "");
  case PV_I_OR: return LLVMBuildOr(t->at, a, b, "");
  case PV_I_XOR: return LLVMBuildXor(t->at, a, b, "");
  case PV_I_EQ: return compare(t, LLVMIntEQ, a, b);
  case PV_I_NE: return compare(t, LLVMIntNE, a, b);
  case PV_I_ULT: return compare(t, LLVMIntULT, a, b);
  case PV_I_ULE: return compare(t, LLVMIntULE, a, b);
  case PV_I_SLT: return compare_signed(t, LLVMIntSLT, i->w, a, b);
  case PV_I_SLE: return compare_signed(t, LLVMIntSLE, i->w, a, b);
  default: PV_REQUIRE(false, "an instruction without translation"); return NULL;
  }
}

/* Translates one instruction. Returns false for a jump, after which the builder has no position. */
static bool emit(struct translator *t) {
  const struct pv_insn *i = &t->code->insns.at[t->pc];
  const struct pv_edge *e = t->code->edges.at[t->code->where.at[t->pc]].edge;
  LLVMValueRef zero = number(t, 0);
  t->run++;
  switch ((enum pv_insn_op)i->op) {
  case PV_I_RARE: emit_rare(t, i); return true;
  case PV_I_ORDER:
  case PV_I_PROV: {
    LLVMValueRef a = get(t, i->a), b = get(t, i->b);
    event_unless(t, one_object(t, a, b), i, a, b);
    return true;
  }
  case PV_I_TLS: emit_tls(t, i); return true;
  case PV_I_SLOT: {
    LLVMValueRef a = get(t, i->a);
    event_unless(t, LLVMBuildIsNotNull(t->at, a, ""), i, zero, zero);
    set(t, i->d, a);
    return true;
  }
  case PV_I_JMP: go_to(t, i->x); return false;
  case PV_I_JZ: emit_jump_if_zero(t, i); return true;
  case PV_I_LOOP: emit_loop(t); return true;
  case PV_I_LOAD: emit_load(t, i, e); return true;
  case PV_I_STORE: emit_store(t, i, e); return true;
  case PV_I_EDGE: emit_edge(t, i); return true;
  case PV_I_MOV: emit_move(t, i); return true;
  default: set(t, i->d, value_of(t, i)); return true;
  }
}

/* ---- functions ------------------------------------------------------------------------------- */
uint32_t pv_native_end(const struct pv_code *code, uint32_t function) {
  uint32_t pc = code->functions[function].entry;
  while (pc < code->insns.n && code->edges.at[code->where.at[pc]].function == function) pc++;
  return pc;
}

void pv_native_entries(const struct pv_code *code, uint32_t function, uint32_t *entry) {
  uint32_t first = code->functions[function].entry, end = pv_native_end(code, function);
  entry[first] = 1;
  for (uint32_t pc = first; pc < end; pc++) {
    const struct pv_insn *i = &code->insns.at[pc];
    bool is_call = i->op == PV_I_EDGE && code->edges.at[i->x].edge->op == PV_OP_CALL;
    if (i->op == PV_I_LOOP) entry[pc] = pc - first + 1;
    if (is_call && pc + 1 < end) entry[pc + 1] = pc + 1 - first + 1;
  }
}

static void need_block(struct translator *t, uint32_t pc) {
  if (pc >= t->first && pc < t->end && !t->block[pc - t->first])
    t->block[pc - t->first] = new_block(t);
}

/* Creates a block for each jump target and each entry. */
static void make_blocks(struct translator *t) {
  for (uint32_t pc = t->first; pc < t->end; pc++) {
    const struct pv_insn *i = &t->code->insns.at[pc];
    if (i->op == PV_I_JMP || i->op == PV_I_JZ) need_block(t, i->x);
    if (t->entry[pc]) need_block(t, pc);
  }
}

/* Creates the stack slots, and the switch over the entries. */
static void emit_head(struct translator *t) {
  t->head = new_block(t);
  LLVMPositionBuilderAtEnd(t->at, t->head);
  t->regs = LLVMBuildAlloca(t->at, t->ptr, "");
  t->count = LLVMBuildAlloca(t->at, t->i64, "");
  t->flow = LLVMBuildAlloca(t->at, t->i32, "");
  LLVMBuildStore(t->at, load(t, t->ptr, field(t, offsetof(struct pv_vm, regs)), MEM_MACHINE),
                 t->regs);
  LLVMBuildStore(t->at, number(t, 0), t->count);
  make_blocks(t);
  LLVMBasicBlockRef nowhere = new_block(t);
  LLVMValueRef s = LLVMBuildSwitch(t->at, LLVMGetParam(t->function, 1), nowhere, 8);
  for (uint32_t pc = t->first; pc < t->end; pc++)
    if (t->entry[pc])
      LLVMAddCase(s, LLVMConstInt(t->i32, t->entry[pc], 0), t->block[pc - t->first]);
  LLVMPositionBuilderAtEnd(t->at, nowhere);
  LLVMBuildUnreachable(t->at);
}

static void emit_leave(struct translator *t) {
  LLVMPositionBuilderAtEnd(t->at, t->leave);
  LLVMValueRef at = field(t, offsetof(struct pv_vm, instructions));
  LLVMValueRef n = LLVMBuildLoad2(t->at, t->i64, t->count, "");
  store(t, LLVMBuildAdd(t->at, load(t, t->i64, at, MEM_MACHINE), n, ""), at, MEM_MACHINE);
  LLVMBuildRet(t->at, LLVMBuildLoad2(t->at, t->i32, t->flow, ""));
}

static void emit_function(struct translator *t, uint32_t index) {
  char name[PV_NATIVE_NAME];
  snprintf(name, sizeof name, "f%u", index);
  t->function = LLVMAddFunction(t->module, name, t->function_type);
  t->vm = LLVMGetParam(t->function, 0);
  t->first = t->code->functions[index].entry;
  t->end = pv_native_end(t->code, index);
  t->block = pv_alloc((t->end - t->first) * sizeof *t->block);
  memset(t->temp, 0, t->code->n_scratch * sizeof *t->temp);
  t->run = 0;
  emit_head(t);
  t->leave = new_block(t);
  bool open = false;
  for (t->pc = t->first; t->pc < t->end; t->pc++) {
    LLVMBasicBlockRef block = t->block[t->pc - t->first];
    if (block && open) go_to(t, t->pc);
    if (block) LLVMPositionBuilderAtEnd(t->at, block);
    if (block || open) open = emit(t);
    if (!open) t->run = 0;
  }
  if (open) hand_over(t, t->end);
  emit_leave(t);
  free(t->block);
}

/* ---- modules --------------------------------------------------------------------------------- */
static LLVMMetadataRef node(struct translator *t, LLVMMetadataRef *parts, size_t n) {
  return LLVMMDNodeInContext2(t->context, parts, n);
}

static LLVMMetadataRef text(struct translator *t, const char *s) {
  return LLVMMDStringInContext2(t->context, s, strlen(s));
}

static void make_scopes(struct translator *t) {
  static const char *const names[MEM_KINDS] = {"registers", "payload", "shadow", "machine"};
  LLVMMetadataRef domain = text(t, "memory"), scopes[MEM_KINDS];
  domain = node(t, &domain, 1);
  for (int k = 0; k < MEM_KINDS; k++) {
    LLVMMetadataRef parts[] = {text(t, names[k]), domain};
    scopes[k] = node(t, parts, 2);
  }
  for (int k = 0; k < MEM_KINDS; k++) {
    LLVMMetadataRef rest[MEM_KINDS];
    size_t n = 0;
    for (int o = 0; o < MEM_KINDS; o++)
      if (o != k) rest[n++] = scopes[o];
    t->scope[k] = LLVMMetadataAsValue(t->context, node(t, &scopes[k], 1));
    t->others[k] = LLVMMetadataAsValue(t->context, node(t, rest, n));
  }
  t->scope_kind = LLVMGetMDKindIDInContext(t->context, "alias.scope", 11);
  t->noalias_kind = LLVMGetMDKindIDInContext(t->context, "noalias", 7);
}

static void make_weights(struct translator *t) {
  LLVMMetadataRef parts[] = {text(t, "branch_weights"),
                             LLVMValueAsMetadata(LLVMConstInt(t->i32, 2000, 0)),
                             LLVMValueAsMetadata(LLVMConstInt(t->i32, 1, 0))};
  t->likely = LLVMMetadataAsValue(t->context, node(t, parts, 3));
  t->profile_kind = LLVMGetMDKindIDInContext(t->context, "prof", 4);
}

void pv_native_translate(LLVMModuleRef module, const struct pv_vm *vm, const uint32_t *functions,
                         uint32_t n, const uint32_t *entry) {
  LLVMContextRef c = LLVMGetModuleContext(module);
  struct translator t = {.machine = vm,
                         .code = vm->code,
                         .entry = entry,
                         .context = c,
                         .module = module,
                         .at = LLVMCreateBuilderInContext(c),
                         .i8 = LLVMInt8TypeInContext(c),
                         .i32 = LLVMInt32TypeInContext(c),
                         .i64 = LLVMInt64TypeInContext(c),
                         .ptr = LLVMPointerTypeInContext(c, 0)};
  LLVMTypeRef parameters[] = {t.ptr, t.i32};
  t.function_type = LLVMFunctionType(t.i32, parameters, 2, 0);
  t.temp = pv_alloc(vm->code->n_scratch * sizeof *t.temp);
  make_scopes(&t);
  make_weights(&t);
  for (uint32_t i = 0; i < n; i++) emit_function(&t, functions[i]);
  free(t.temp);
  LLVMDisposeBuilder(t.at);
}
