/* lifetimes.c -- lifetimes of stack objects for which clang has no lifetime markers: its own
 * temporaries, variables that it places in the memory of a result (C++), and everything in bitcode
 * from other compilers. In each iteration of a loop a new lifetime begins, in which the object is
 * uninitialised. The end of the lifetime is not known: if it should be before the end of the
 * function, a proviso says so. */
#include "frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

static void put_before(struct pv_fn *fn, LLVMValueRef i, struct pv_beginning b) {
  const uint32_t *last = pv_map_get(&fn->begins, &i, sizeof i);
  b.next = last ? *last : PV_NO_BEGINNING;
  *pv_map_put(&fn->begins, &i, sizeof i, 0, NULL) = fn->beginnings.n;
  pv_vec_push(&fn->beginnings, b);
}

/* again: the object stays and becomes uninitialised. */
static void begin_at(struct pv_fn *fn, LLVMValueRef i, uint32_t slot, bool again) {
  uint8_t flags = again ? PV_EF_AGAIN : 0;
  put_before(fn, i, (struct pv_beginning){.slot = slot, .op = PV_OP_LIVE, .flags = flags});
  fn->f.slots.at[slot].scoped = true;
}

/* Parameters are declared in the entry block, which is executed only once. (In bitcode they may
 * belong to an inlined function.) */
LLVMValueRef pv_fn_declares_anew(struct pv_fn *fn, LLVMValueRef i) {
  LLVMValueRef a = pv_fe_declared_at(i);
  LLVMMetadataRef at = a ? LLVMInstructionGetDebugLoc(i) : NULL;
  if (!a || LLVMGetInstructionParent(i) == LLVMGetEntryBasicBlock(fn->llvm)) return NULL;
  return at && LLVMDILocationGetInlinedAt(at) ? NULL : a;
}

void pv_fn_begin_lifetimes(struct pv_fn *fn, LLVMValueRef before) {
  LLVMValueRef a = pv_fn_declares_anew(fn, before);
  const struct pv_lowered_value *v = a ? pv_fn_find(fn, a) : NULL;
  if (v && v->promoted && v->init != PV_NO_VAR && !pv_fn_has_lifetime(a))
    pv_fn_assign(fn, v->init, pv_mk_const(fn->p, PV_INT(1), 0));
  const uint32_t *last = pv_map_get(&fn->begins, &before, sizeof before);
  for (uint32_t i = last ? *last : PV_NO_BEGINNING; i != PV_NO_BEGINNING && !fn->dead;
       i = fn->beginnings.at[i].next) {
    const struct pv_beginning *b = &fn->beginnings.at[i];
    struct pv_edge e = pv_edge_of(b->op, 0, 0);
    uint32_t span = fn->span;
    e.aux = b->slot;
    e.flags = b->flags;
    e.text = b->text;
    if (b->span) fn->span = b->span;
    pv_fn_emit(fn, e);
    fn->span = span;
  }
}

/* Does a path lead from the block to itself without passing `without` (NULL: none)? in_statement:
 * only by the back edge of a loop statement, which clang marks, not by a `goto`. */
static bool comes_back(struct pv_fn *fn, LLVMBasicBlockRef block, bool in_statement,
                       LLVMBasicBlockRef without) {
  struct step {
    LLVMBasicBlockRef block;
    uintptr_t back; /* was a back edge passed, if that is asked for? */
  };
  PV_VEC(struct step) todo = {0};
  struct pv_map seen = {0};
  bool found = false, is_new;
  unsigned mark = LLVMGetMDKindID("llvm.loop", 9);
  pv_vec_push(&todo, ((struct step){block, !in_statement}));
  while (todo.n && !found) {
    struct step at = pv_vec_pop(&todo);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(at.block);
    bool back = at.back || LLVMGetMetadata(end, mark);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end) && !found; s++) {
      struct step to = {LLVMGetSuccessor(end, s), back};
      if (to.block == without) continue;
      found = to.block == block && back;
      pv_map_put(&seen, &to, sizeof to, 1, &is_new);
      if (is_new && pv_fn_block(fn, to.block)) pv_vec_push(&todo, to);
    }
  }
  pv_vec_free(&todo);
  pv_map_free(&seen);
  return found;
}

static bool in_loop(struct pv_fn *fn, LLVMBasicBlockRef block) {
  return comes_back(fn, block, false, NULL);
}

/* The first instruction of the function that is not an alloca. */
static LLVMValueRef first_of(struct pv_fn *fn) {
  LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(fn->llvm));
  while (LLVMIsAAllocaInst(i)) i = LLVMGetNextInstruction(i);
  return i;
}

static bool is_argument(LLVMValueRef call, unsigned k, LLVMValueRef v, const char *attribute) {
  return k < LLVMGetNumArgOperands(call) && LLVMGetOperand(call, k) == v &&
         pv_fe_call_attribute(call, k + 1, attribute);
}

/* Is that the place of the call's result? */
static bool returns_to(LLVMValueRef call, LLVMValueRef at) {
  return LLVMIsACallInst(call) && is_argument(call, 0, at, "sret");
}

/* Does the call only use the place as an argument by value or for its result? */
static bool takes_value(LLVMValueRef call, LLVMValueRef at) {
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
    if (is_argument(call, k, at, "byval")) return true;
  return returns_to(call, at);
}

/* The only block with uses, or NULL. */
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

/* Does the instruction write the whole object, as the result of a call, by a copy or by a
 * constructor (C++)? If the first use is another one, it may be a variable with the name of a
 * temporary whose declaration a jump passes. */
static bool makes(struct pv_fn *fn, LLVMValueRef i, LLVMValueRef a) {
  if (!LLVMIsACallInst(i) || !LLVMGetNumArgOperands(i) || LLVMGetOperand(i, 0) != a) return false;
  return !fn->fe->all_c || LLVMIsAMemIntrinsic(i) || returns_to(i, a);
}

/* A temporary belongs to one expression, in which it is written before it is read. If all uses are
 * in one block, its lifetime begins with the first one. Otherwise it begins with the frame, and
 * wherever it receives the result of a call. */
static void place_temporary(struct pv_fn *fn, LLVMValueRef a, uint32_t slot) {
  LLVMBasicBlockRef block = block_of_uses(a);
  if (block) {
    LLVMValueRef first = first_use(a, block);
    if (makes(fn, first, a) && pv_fn_block(fn, block) && in_loop(fn, block))
      begin_at(fn, first, slot, false);
    return;
  }
  bool any = false;
  for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef call = LLVMGetUser(u);
    if (!returns_to(call, a) || !in_loop(fn, LLVMGetInstructionParent(call))) continue;
    begin_at(fn, call, slot, false);
    any = true;
  }
  if (any) begin_at(fn, first_of(fn), slot, false);
}

/* Is the place in a block inside of the function, or in an inlined function? */
static bool is_inside(LLVMValueRef i) {
  LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i),
                  scope = at ? LLVMDILocationGetScope(at) : NULL;
  return scope && (LLVMDILocationGetInlinedAt(at) ||
                   LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind);
}

static const char *name_at(struct pv_fn *fn, const char *what, LLVMValueRef at, const char *and) {
  uint32_t place = at ? pv_fe_span_of_location(fn->fe, LLVMInstructionGetDebugLoc(at)) : fn->f.span;
  const struct pv_span *span = pv_span_of(fn->p, place);
  const char *file = fn->p->files.at[span->file].path;
  char *text = pv_format("%s at %s:%u%s", what, file, span->line, and);
  const char *name = pv_program_string(fn->p, text);
  free(text);
  return name;
}

static void note_end(struct pv_fn *fn, const char *what, LLVMValueRef at, const char *and) {
  pv_vec_push(&fn->p->unended, name_at(fn, what, at, and));
}

/* Is the alloca a variable of the block that contains the instruction? Then it ends with that
 * block. (The body of a loop is a block even without braces, although debug information has
 * none.) */
static bool is_of_block(struct pv_fn *fn, LLVMValueRef a, LLVMValueRef in) {
  LLVMMetadataRef block = LLVMDILocationGetScope(LLVMInstructionGetDebugLoc(in));
  LLVMValueRef i = pv_fe_declaration(a);
  return i && LLVMDILocationGetScope(LLVMInstructionGetDebugLoc(i)) == block &&
         !comes_back(fn, LLVMGetInstructionParent(in), true, LLVMGetInstructionParent(i));
}

static bool is_new(struct pv_map *seen, LLVMValueRef v) {
  bool new;
  pv_map_put(seen, &v, sizeof v, 1, &new);
  return new;
}

/* Searches for code that stores an address where it may outlive the object (its block or its
 * expression). */
struct keeping {
  struct pv_fn *fn;
  bool expression;
  struct pv_map seen;
};

/* Is an instruction executed while the object is alive, and does its variable possibly
 * outlive it? */
static bool may_outlast(const struct keeping *k, LLVMValueRef i) {
  bool own = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)) == k->fn->llvm;
  return !own || k->expression || is_inside(i) ||
         comes_back(k->fn, LLVMGetInstructionParent(i), true, NULL);
}

static bool ends_with(const struct keeping *k, LLVMValueRef variable, LLVMValueRef store) {
  bool own = LLVMGetBasicBlockParent(LLVMGetInstructionParent(store)) == k->fn->llvm;
  return LLVMIsAAllocaInst(variable) &&
         (!own || (!k->expression && is_of_block(k->fn, variable, store)));
}

static LLVMValueRef keeper(struct keeping *k, LLVMValueRef address);

/* May the C library's function keep its argument? */
static bool library_keeps(LLVMValueRef f) {
  static const char *const names[] = {"pthread_create", "pthread_setspecific", "thrd_create",
                                      "tss_set", NULL};
  size_t n;
  const char *name = LLVMGetValueName2(f, &n);
  for (const char *const *known = names; *known; known++)
    if (strcmp(*known, name) == 0) return true;
  return false;
}

/* Does the call keep the address, its argument, or possibly return it? Where variable arguments go
 * is unknown. */
static LLVMValueRef keeper_called(struct keeping *k, LLVMValueRef call, LLVMValueRef address) {
  LLVMValueRef f = LLVMIsAFunction(LLVMGetCalledValue(call)), kept = NULL;
  if (takes_value(call, address)) return NULL;
  if (!f) return may_outlast(k, call) ? call : NULL;
  if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind) kept = keeper(k, call);
  bool own = !LLVMIsDeclaration(f) && !pv_fe_is_model(f);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && !kept; i++) {
    if (LLVMGetOperand(call, i) != address || (!own && !library_keeps(f))) continue;
    bool keeps = !own || i >= LLVMCountParams(f) || keeper(k, LLVMGetParam(f, i));
    if (keeps && may_outlast(k, call)) kept = call;
  }
  return kept;
}

static bool is_mark(LLVMValueRef call) {
  size_t n;
  LLVMValueRef f = LLVMIsACallInst(call) ? LLVMIsAFunction(LLVMGetCalledValue(call)) : NULL;
  const char *name = f ? LLVMGetValueName2(f, &n) : "";
  return strncmp(name, "llvm.lifetime.", 14) == 0 || strncmp(name, "llvm.dbg.", 9) == 0;
}

/* The same for an address stored in a variable that does not outlive the object: it may be read
 * from there, or through the variable's own address. */
static LLVMValueRef keeper_within(struct keeping *k, LLVMValueRef variable) {
  LLVMValueRef kept = NULL;
  for (LLVMUseRef u = LLVMGetFirstUse(variable); u && !kept; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsALoadInst(user))
      kept = keeper(k, user);
    else if (!is_mark(user) && may_outlast(k, user) &&
             !(LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable))
      kept = user;
  }
  return kept;
}

/* The instruction that keeps the address, or NULL. In a called function this is every instruction
 * that stores it anywhere except in the function's variables. */
static LLVMValueRef keeper(struct keeping *k, LLVMValueRef address) {
  LLVMValueRef kept = NULL;
  if (!is_new(&k->seen, address)) return NULL;
  for (LLVMUseRef u = LLVMGetFirstUse(address); u && !kept; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAGetElementPtrInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user) ||
        LLVMIsAIntToPtrInst(user))
      kept = keeper(k, user);
    else if (LLVMIsACallInst(user))
      kept = keeper_called(k, user, address);
    else if (LLVMIsAPtrToIntInst(user) && may_outlast(k, user))
      kept = user;
    if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != address || !may_outlast(k, user))
      continue;
    LLVMValueRef to = LLVMGetOperand(user, 1);
    if (!ends_with(k, to, user)) return user;
    kept = keeper_within(k, to);
  }
  return kept;
}

/* Are all instructions that use the address, or one computed from it, in one block, and does none
 * convert it to a number? */
static bool is_within_block(struct pv_map *seen, LLVMValueRef address, LLVMBasicBlockRef *block) {
  for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!is_new(seen, user)) continue;
    if (!*block) *block = LLVMGetInstructionParent(user);
    if (LLVMGetInstructionParent(user) != *block || LLVMIsAPHINode(user) ||
        LLVMIsAPtrToIntInst(user) || LLVMIsATerminatorInst(user))
      return false;
    bool derived = LLVMIsAGetElementPtrInst(user) || LLVMIsASelectInst(user);
    if (derived && !is_within_block(seen, user, block)) return false;
  }
  return true;
}

/* Adds a test after the last instruction that uses the address: does any pointer still refer to the
 * object? This is before the object ends; if no pointer exists, none can appear later. (In
 * unoptimised code, where everything in one block of instructions belongs to one expression.) */
static bool ask_at_end(struct pv_fn *fn, const struct pv_lowered_value *v, LLVMValueRef kept,
                       const char *what) {
  struct pv_map seen = {0};
  LLVMBasicBlockRef block = NULL;
  bool asks = !fn->foreign && !fn->jumps.n && is_within_block(&seen, v->llvm, &block) && block;
  LLVMValueRef last = asks ? LLVMGetLastInstruction(block) : NULL;
  while (last && !pv_map_get(&seen, &last, sizeof last)) last = LLVMGetPreviousInstruction(last);
  pv_map_free(&seen);
  if (!last) return false;
  put_before(fn, LLVMGetNextInstruction(last),
             (struct pv_beginning){
                 .slot = v->slot,
                 .op = PV_OP_DEAD,
                 .flags = PV_EF_HELD,
                 .text = name_at(fn, what, kept, ""),
                 .span = pv_fe_span_of_location(fn->fe, LLVMInstructionGetDebugLoc(kept))});
  return true;
}

/* A compound literal lives as long as its block (C11, 6.5.2.5, 5 and 16), the result of a function
 * as long as the expression (6.2.4, 8). */
static void look_for_keeper(struct pv_fn *fn, const struct pv_lowered_value *v, bool expression,
                            const char *what) {
  struct keeping k = {.fn = fn, .expression = expression};
  LLVMValueRef kept = keeper(&k, v->llvm);
  pv_map_free(&k.seen);
  if (kept && !ask_at_end(fn, v, kept, what)) note_end(fn, what, kept, "");
}

/* Is the name one of these, apart from a number at its end? */
static bool is_called(LLVMValueRef a, const char *const *names) {
  size_t n;
  const char *name = LLVMGetValueName2(a, &n);
  for (; *names; names++) {
    size_t k = strlen(*names);
    if (strncmp(name, *names, k) == 0 && strspn(name + k, "0123456789") == strlen(name + k))
      return true;
  }
  return false;
}

static bool is_temporary(LLVMValueRef a) {
  static const char *const names[] = {
      "tmp", "agg.tmp", "agg.tmp.ensured", "undef.agg.tmp", "temp", "ref.tmp", NULL};
  return is_called(a, names);
}

/* Is it named in the source? Clang's own names are not identifiers, except for these. */
static bool is_variable(LLVMValueRef a) {
  static const char *const own[] = {"retval", "tmp", "temp", "coerce", "nrvo", "cond", NULL};
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  size_t n;
  const char *name = LLVMGetValueName2(a, &n);
  return n && strspn(name, letters) == n && !is_called(a, own);
}

/* Does it receive a parameter, in words? */
static bool holds_parameter(LLVMValueRef a) {
  for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAGetElementPtrInst(user) && holds_parameter(user)) return true;
    if (LLVMIsAStoreInst(user) && LLVMIsAArgument(LLVMGetOperand(user, 0))) return true;
  }
  return false;
}

/* A jump passes the declaration, or returns to it, so clang gives it no markers. It should end
 * where its block is left, and begin again, uninitialised, where the block is entered. */
static void note_bypassed(struct pv_fn *fn, LLVMValueRef a, LLVMValueRef declare) {
  if (fn->foreign || fn->f.is_model || !LLVMGetSubprogram(fn->llvm)) return;
  if (declare && is_inside(declare))
    note_end(fn, "the variable", declare, ", which jumps lead past,");
  else if (!declare && is_variable(a) && !holds_parameter(a))
    note_end(fn, "what a jump leads past in the function", NULL, "");
}

void pv_fn_may_be_stale(struct pv_fn *fn, const struct pv_lowered_value *v) {
  if (!pv_fn_has_lifetime(v->llvm)) note_bypassed(fn, v->llvm, pv_fe_declaration(v->llvm));
}

static void place_variable(struct pv_fn *fn, const struct pv_lowered_value *v,
                           LLVMValueRef declare) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(declare);
  note_bypassed(fn, v->llvm, declare);
  if (fn->foreign && is_inside(declare) && !fn->p->unended.n)
    note_end(fn, "the variable", declare, ", and any other in bitcode,");
  if (!pv_fn_declares_anew(fn, declare) || !pv_fn_block(fn, block) || !in_loop(fn, block)) return;
  begin_at(fn, declare, v->slot, true);
  begin_at(fn, first_of(fn), v->slot, false);
}

void pv_fn_place_lifetime(struct pv_fn *fn, const struct pv_lowered_value *v,
                          LLVMValueRef declare) {
  size_t n;
  const char *name = LLVMGetValueName2(v->llvm, &n);
  if (v->slot == UINT32_MAX || fn->f.slots.at[v->slot].scoped) return;
  if (declare) {
    place_variable(fn, v, declare);
  } else if (strncmp(name, ".compoundliteral", 16) == 0) {
    look_for_keeper(fn, v, false, "the compound literal");
  } else if (!fn->foreign && is_temporary(v->llvm)) {
    place_temporary(fn, v->llvm, v->slot);
    if (fn->fe->all_c) look_for_keeper(fn, v, true, "what a call returns");
  } else {
    /* A result in registers that is stored to memory. */
    static const char *const words[] = {"coerce", NULL};
    if (fn->fe->all_c && !fn->foreign && is_called(v->llvm, words))
      look_for_keeper(fn, v, true, "what a call returns");
    note_bypassed(fn, v->llvm, NULL);
  }
}

void pv_fn_note_unknown_lifetimes(struct pv_fn *fn) {
  bool marked = false, any = false;
  if (!fn->foreign || LLVMGetSubprogram(fn->llvm) || fn->p->unended.n) return;
  for (uint32_t i = 0; i < fn->values.n; i++) {
    const struct pv_lowered_value *v = &fn->values.at[i];
    if (!LLVMIsAAllocaInst(v->llvm)) continue;
    marked |= pv_fn_has_lifetime(v->llvm);
    any |= v->slot != UINT32_MAX && !fn->f.slots.at[v->slot].scoped && !holds_parameter(v->llvm);
  }
  if (!any || marked) return;
  char *text = pv_format("what function `%s`, and any other in bitcode without debug information, "
                         "has on the stack",
                         fn->f.name);
  pv_vec_push(&fn->p->unended, pv_program_string(fn->p, text));
  free(text);
}
