/* lives.c -- where objects on the stack begin that clang marks no life of: its own temporaries,
 * variables that it puts where a result goes (C++), and all that is in bitcode from elsewhere. In a
 * loop each round has a new one, in which nothing is set. Where they end is not known: if it should
 * be before the function does, a proviso says so. */
#include "frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

static void begin_at(struct pv_fn *fn, LLVMValueRef i, uint32_t slot) {
  const uint32_t *last = pv_map_get(&fn->begins, &i, sizeof i);
  struct pv_beginning b = {slot, last ? *last : PV_NO_BEGINNING};
  *pv_map_put(&fn->begins, &i, sizeof i, 0, NULL) = fn->beginnings.n;
  pv_vec_push(&fn->beginnings, b);
  fn->f.slots.at[slot].scoped = true;
}

/* Parameters are declared in the entry block, which is never come to again. (In bitcode they may be
 * those of a function that was put in.) */
LLVMValueRef pv_fn_declares_anew(struct pv_fn *fn, LLVMValueRef i) {
  LLVMValueRef a = pv_fe_declared_at(i);
  LLVMMetadataRef at = a ? LLVMInstructionGetDebugLoc(i) : NULL;
  if (!a || LLVMGetInstructionParent(i) == LLVMGetEntryBasicBlock(fn->llvm)) return NULL;
  return at && LLVMDILocationGetInlinedAt(at) ? NULL : a;
}

void pv_fn_begin_lives(struct pv_fn *fn, LLVMValueRef before) {
  LLVMValueRef a = pv_fn_declares_anew(fn, before);
  const struct pv_value *v = a ? pv_fn_find(fn, a) : NULL;
  if (v && v->promoted && v->init != PV_NO_VAR && !pv_fn_has_lifetime(a))
    pv_fn_assign(fn, v->init, pv_mk_const(fn->p, PV_INT(1), 0));
  const uint32_t *last = pv_map_get(&fn->begins, &before, sizeof before);
  for (uint32_t i = last ? *last : PV_NO_BEGINNING; i != PV_NO_BEGINNING && !fn->dead;
       i = fn->beginnings.at[i].next) {
    struct pv_edge e = pv_edge_of(PV_OP_LIVE, 0, 0);
    e.aux = fn->beginnings.at[i].slot;
    pv_fn_emit(fn, e);
  }
}

/* Does a way lead from the block to itself? */
static bool in_loop(struct pv_fn *fn, LLVMBasicBlockRef block) {
  PV_VEC(LLVMBasicBlockRef) todo = {0};
  struct pv_map seen = {0};
  bool found = false, is_new;
  pv_vec_push(&todo, block);
  while (todo.n && !found) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(pv_vec_pop(&todo));
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end) && !found; s++) {
      LLVMBasicBlockRef to = LLVMGetSuccessor(end, s);
      found = to == block;
      pv_map_put(&seen, &to, sizeof to, 1, &is_new);
      if (is_new && pv_fn_block(fn, to)) pv_vec_push(&todo, to);
    }
  }
  pv_vec_free(&todo);
  pv_map_free(&seen);
  return found;
}

/* The first instruction that may come behind something. */
static LLVMValueRef first_of(struct pv_fn *fn) {
  LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(fn->llvm));
  while (LLVMIsAAllocaInst(i)) i = LLVMGetNextInstruction(i);
  return i;
}

/* Does the call put its result there? */
static bool returns_to(LLVMValueRef call, LLVMValueRef at) {
  unsigned sret = LLVMGetEnumAttributeKindForName("sret", 4);
  return LLVMIsACallInst(call) && LLVMGetNumArgOperands(call) && LLVMGetOperand(call, 0) == at &&
         LLVMGetCallSiteEnumAttribute(call, 1, sret);
}

/* The block that has all uses, or NULL. */
static LLVMBasicBlockRef block_of_uses(LLVMValueRef a) {
  LLVMBasicBlockRef block = NULL;
  for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u)) {
    LLVMBasicBlockRef of_user = LLVMGetInstructionParent(LLVMGetUser(u));
    if (block && block != of_user) return NULL;
    block = of_user;
  }
  return block;
}

static LLVMValueRef first_use(LLVMValueRef a, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
      if (LLVMGetOperand(i, (unsigned)k) == a) return i;
  return NULL;
}

/* A temporary is of one expression, in which it is written before it is read. If all that is done
 * with it is in one block, it begins with that; else as the frame does, and where it gets the
 * result of a call. */
static void place_temporary(struct pv_fn *fn, LLVMValueRef a, uint32_t slot) {
  LLVMBasicBlockRef block = block_of_uses(a);
  if (block) {
    if (pv_fn_block(fn, block) && in_loop(fn, block)) begin_at(fn, first_use(a, block), slot);
    return;
  }
  bool any = false;
  for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef call = LLVMGetUser(u);
    if (!returns_to(call, a) || !in_loop(fn, LLVMGetInstructionParent(call))) continue;
    begin_at(fn, call, slot);
    any = true;
  }
  if (any) begin_at(fn, first_of(fn), slot);
}

/* Is the place in a block within the function, or in another one that was put in? */
static bool is_inside(LLVMValueRef i) {
  LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i),
                  scope = at ? LLVMDILocationGetScope(at) : NULL;
  return scope && (LLVMDILocationGetInlinedAt(at) ||
                   LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind);
}

static void note_end(struct pv_fn *fn, const char *what, LLVMValueRef at, const char *and) {
  const struct pv_span *span =
      pv_span_of(fn->p, pv_fe_span_of_location(fn->fe, LLVMInstructionGetDebugLoc(at)));
  const char *file = fn->p->files.at[span->file].path;
  char *text = pv_format("%s at %s:%u%s", what, file, span->line, and);
  pv_vec_push(&fn->p->unended, pv_program_string(fn->p, text));
  free(text);
}

/* Is the alloca a variable of the block that the instruction is in? Then it ends with that. */
static bool is_of_block(struct pv_fn *fn, LLVMValueRef a, LLVMValueRef in) {
  LLVMMetadataRef block = LLVMDILocationGetScope(LLVMInstructionGetDebugLoc(in));
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn->llvm); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (pv_fe_declared_at(i) == a)
        return LLVMDILocationGetScope(LLVMInstructionGetDebugLoc(i)) == block;
  return false;
}

static bool is_new(struct pv_map *seen, LLVMValueRef v) {
  bool new;
  pv_map_put(seen, &v, sizeof v, 1, &new);
  return new;
}

/* The instruction, within the function's blocks, that keeps an address in what may last longer than
 * the block, or NULL. (Who is called is not looked at.) */
static LLVMValueRef kept_inside(struct pv_fn *fn, LLVMValueRef address, struct pv_map *seen) {
  LLVMValueRef kept = NULL;
  if (!is_new(seen, address)) return NULL;
  for (LLVMUseRef u = LLVMGetFirstUse(address); u && !kept; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAGetElementPtrInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user))
      kept = kept_inside(fn, user, seen);
    if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != address || !is_inside(user)) continue;
    LLVMValueRef to = LLVMGetOperand(user, 1);
    if (!LLVMIsAAllocaInst(to) || !is_of_block(fn, to, user)) return user;
    for (LLVMUseRef v = LLVMGetFirstUse(to); v && !kept; v = LLVMGetNextUse(v)) {
      LLVMValueRef copy = LLVMGetUser(v);
      if (LLVMIsALoadInst(copy)) kept = kept_inside(fn, copy, seen);
    }
  }
  return kept;
}

/* A compound literal lives as long as the block that it is in (C11, 6.5.2.5, 5 and 16). */
static void look_at_literal(struct pv_fn *fn, LLVMValueRef a) {
  struct pv_map seen = {0};
  LLVMValueRef kept = kept_inside(fn, a, &seen);
  pv_map_free(&seen);
  if (kept) note_end(fn, "the compound literal", kept, "");
}

static void place_variable(struct pv_fn *fn, uint32_t slot, LLVMValueRef declare) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(declare);
  if (fn->foreign && is_inside(declare) && !fn->p->unended.n)
    note_end(fn, "the variable", declare, ", and any other in bitcode,");
  if (!pv_fn_declares_anew(fn, declare) || !pv_fn_block(fn, block) || !in_loop(fn, block)) return;
  begin_at(fn, declare, slot);
  begin_at(fn, first_of(fn), slot); /* who jumps behind it has one, too */
}

void pv_fn_place_life(struct pv_fn *fn, const struct pv_value *v, LLVMValueRef declare) {
  size_t n;
  const char *name = LLVMGetValueName2(v->llvm, &n);
  if (v->slot == UINT32_MAX || fn->f.slots.at[v->slot].scoped) return;
  if (declare)
    place_variable(fn, v->slot, declare);
  else if (strncmp(name, ".compoundliteral", 16) == 0)
    look_at_literal(fn, v->llvm);
  else if (!fn->foreign)
    place_temporary(fn, v->llvm, v->slot);
}
