/* promote.c -- analyses a function before it is lowered: its blocks in reverse postorder, the lines
 * they form, which allocas become variables, which of their loads may find them unassigned, and how
 * often each value is used.
 *
 * A line is a chain of blocks that are connected only by clang's checks: branches whose other side
 * is a trap. Expressions are folded only within a line. */
#include "frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

struct pv_lowered_value *pv_fn_find(struct pv_fn *fn, LLVMValueRef v) {
  const uint32_t *i = pv_map_get(&fn->value_of, &v, sizeof v);
  return i ? &fn->values.at[*i] : NULL;
}

struct pv_block *pv_fn_block(struct pv_fn *fn, LLVMBasicBlockRef b) {
  const uint32_t *i = pv_map_get(&fn->block_of, &b, sizeof b);
  return i ? &fn->blocks.at[*i] : NULL;
}

static bool is_debug(LLVMValueRef i) {
  return LLVMIsADbgInfoIntrinsic(i) != NULL;
}

static LLVMValueRef first_real(LLVMBasicBlockRef b) {
  LLVMValueRef i = LLVMGetFirstInstruction(b);
  while (i && is_debug(i)) i = LLVMGetNextInstruction(i);
  return i;
}

static LLVMValueRef next_real(LLVMValueRef i) {
  do i = LLVMGetNextInstruction(i);
  while (i && is_debug(i));
  return i;
}

static unsigned uses(LLVMValueRef v) {
  unsigned n = 0;
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) n++;
  return n;
}

static const char *intrinsic(LLVMValueRef i) {
  if (!LLVMIsACallInst(i)) return "";
  LLVMValueRef callee = LLVMGetCalledValue(i);
  if (!LLVMIsAFunction(callee)) return "";
  size_t n;
  const char *name = LLVMGetValueName2(callee, &n);
  return strncmp(name, "llvm.", 5) == 0 ? name : "";
}

static bool starts(const char *s, const char *with) {
  return strncmp(s, with, strlen(with)) == 0;
}

bool pv_fe_is_lifetime(LLVMValueRef i, bool *start) {
  const char *name = intrinsic(i);
  *start = starts(name, "llvm.lifetime.start");
  return *start || starts(name, "llvm.lifetime.end");
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void classify(struct pv_block *b) {
  LLVMValueRef i = first_real(b->llvm);
  if (i && strcmp(intrinsic(i), "llvm.ubsantrap") == 0) {
    LLVMValueRef code = LLVMGetOperand(i, 0), end = next_real(i);
    if (LLVMIsAConstantInt(code) && end && LLVMIsAUnreachableInst(end)) {
      b->kind = PV_BLOCK_TRAP;
      b->trap = (unsigned)LLVMConstIntGetZExtValue(code);
    }
    return;
  }
  if (!i || !LLVMIsAPHINode(i) || uses(i) != 1) return;
  LLVMValueRef end = next_real(i);
  if (end && LLVMIsABranchInst(end) && LLVMIsConditional(end) && LLVMGetCondition(end) == i &&
      !pv_fe_label_taken(b->llvm))
    b->kind = PV_BLOCK_TEST;
}

/* Depth-first search with an explicit stack; the postorder is reversed at the end. */
static void find_blocks(struct pv_fn *fn) {
  struct frame {
    LLVMBasicBlockRef b;
    unsigned next;
  };
  PV_VEC(struct frame) path = {0};
  PV_VEC(LLVMBasicBlockRef) order = {0};
  struct pv_map seen = {0};
  LLVMBasicBlockRef b = LLVMGetEntryBasicBlock(fn->llvm);
  pv_map_put(&seen, &b, sizeof b, 0, NULL);
  pv_vec_push(&path, ((struct frame){b, 0}));
  while (path.n) {
    struct frame *top = &pv_vec_last(&path);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(top->b);
    unsigned n = LLVMGetNumSuccessors(end);
    if (top->next == n) {
      pv_vec_push(&order, top->b);
      path.n--;
      continue;
    }
    b = LLVMGetSuccessor(end, n - 1 - top->next++); /* so that the first one is numbered first */
    bool is_new;
    pv_map_put(&seen, &b, sizeof b, 0, &is_new);
    if (is_new) pv_vec_push(&path, ((struct frame){b, 0}));
  }
  for (uint32_t i = order.n; i-- > 0;) {
    struct pv_block block = {.llvm = order.at[i], .leader = fn->blocks.n};
    classify(&block);
    pv_map_put(&fn->block_of, &block.llvm, sizeof block.llvm, fn->blocks.n, NULL);
    pv_vec_push(&fn->blocks, block);
  }
  pv_vec_free(&path);
  pv_vec_free(&order);
  pv_map_free(&seen);
}

/* The only predecessor of b (a terminator may name it twice), or NULL. */
static LLVMBasicBlockRef single_predecessor(LLVMBasicBlockRef b) {
  LLVMBasicBlockRef p = NULL;
  for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsATerminatorInst(user)) return NULL;
    LLVMBasicBlockRef q = LLVMGetInstructionParent(user);
    if (p && q != p) return NULL;
    p = q;
  }
  return p;
}

static unsigned trap_of(struct pv_fn *fn, LLVMBasicBlockRef b) {
  struct pv_block *block = pv_fn_block(fn, b);
  return block && block->kind == PV_BLOCK_TRAP ? block->trap + 1 : 0;
}

/* br exponent, check, join;  check: ...; br join;  join: phi [true], [base]; and; br go_on, trap 20
 */
bool pv_fn_shift(struct pv_fn *fn, LLVMBasicBlockRef b, struct pv_shift *s) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
  if (!end || !LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return false;
  s->check = LLVMGetSuccessor(end, 0);
  s->join = LLVMGetSuccessor(end, 1);
  s->exponent = LLVMGetCondition(end);
  LLVMValueRef back = LLVMGetBasicBlockTerminator(s->check), phi = first_real(s->join);
  if (s->check == s->join || single_predecessor(s->check) != b || !LLVMIsABranchInst(back) ||
      LLVMIsConditional(back) || LLVMGetSuccessor(back, 0) != s->join)
    return false;
  if (!phi || !LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2 || uses(phi) != 1) return false;
  unsigned from_check = LLVMGetIncomingBlock(phi, 0) == s->check ? 0 : 1;
  LLVMValueRef other = LLVMGetIncomingValue(phi, 1 - from_check);
  if (LLVMGetIncomingBlock(phi, from_check) != s->check ||
      LLVMGetIncomingBlock(phi, 1 - from_check) != b || !LLVMIsAConstantInt(other) ||
      !LLVMConstIntGetZExtValue(other))
    return false;
  s->base = LLVMGetIncomingValue(phi, from_check);
  LLVMValueRef both = next_real(phi);
  LLVMValueRef test = both;
  if (both && LLVMGetInstructionOpcode(both) == LLVMAnd) test = next_real(both);
  if (!test || !LLVMIsABranchInst(test) || !LLVMIsConditional(test)) return false;
  LLVMValueRef cond = LLVMGetCondition(test);
  if (cond != phi && cond != both) return false;
  if (both != test && LLVMGetOperand(both, 0) != s->exponent &&
      LLVMGetOperand(both, 1) != s->exponent)
    return false;
  s->go_on = LLVMGetSuccessor(test, 0);
  return trap_of(fn, LLVMGetSuccessor(test, 1)) == 20 + 1 && !trap_of(fn, s->go_on);
}

static void join(struct pv_fn *fn, LLVMBasicBlockRef b, uint32_t leader) {
  struct pv_block *block = pv_fn_block(fn, b);
  if (block) block->leader = leader;
}

static void find_lines(struct pv_fn *fn) {
  for (uint32_t i = 0; i < fn->blocks.n; i++) {
    struct pv_block *b = &fn->blocks.at[i];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b->llvm);
    struct pv_shift s;
    if (!LLVMIsABranchInst(end) || b->kind != PV_BLOCK_PLAIN) continue;
    if (pv_fn_shift(fn, b->llvm, &s)) {
      b->shift = true;
      join(fn, s.check, b->leader);
      join(fn, s.join, b->leader);
      pv_fn_block(fn, s.join)->kind = PV_BLOCK_PLAIN;
      if (single_predecessor(s.go_on) == s.join) join(fn, s.go_on, b->leader);
      continue;
    }
    LLVMBasicBlockRef next = LLVMGetSuccessor(end, 0);
    if (LLVMIsConditional(end)) {
      LLVMBasicBlockRef other = LLVMGetSuccessor(end, 1);
      if (trap_of(fn, next))
        next = other;
      else if (!trap_of(fn, other))
        continue;
    }
    if (single_predecessor(next) == b->llvm && next != b->llvm &&
        pv_fn_block(fn, next)->kind == PV_BLOCK_PLAIN && !pv_fe_label_taken(next))
      join(fn, next, b->leader);
  }
}

/* ---- allocas --------------------------------------------------------------------------------- */

static bool is_static(LLVMValueRef alloca, LLVMBasicBlockRef entry) {
  return LLVMGetInstructionParent(alloca) == entry && LLVMIsAConstantInt(LLVMGetOperand(alloca, 0));
}

static bool can_promote(struct pv_fn *fn, LLVMValueRef a, pv_type *type) {
  LLVMTypeRef t = LLVMGetAllocatedType(a);
  const char *what;
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind)
    return false;
  if (!pv_fe_scalar(fn->fe, t, type, &what)) return false;
  if (LLVMConstIntGetZExtValue(LLVMGetOperand(a, 0)) != 1) return false;
  for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool start;
    if (LLVMIsALoadInst(user)) {
      if (LLVMTypeOf(user) != t || LLVMGetVolatile(user) ||
          LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic)
        return false;
    } else if (LLVMIsAStoreInst(user)) {
      if (LLVMGetOperand(user, 0) == a || LLVMTypeOf(LLVMGetOperand(user, 0)) != t ||
          LLVMGetVolatile(user) || LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic)
        return false;
    } else if (!pv_fe_is_lifetime(user, &start)) {
      return false;
    }
  }
  return true;
}

bool pv_fn_has_lifetime(LLVMValueRef a) {
  bool start;
  for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u))
    if (pv_fe_is_lifetime(LLVMGetUser(u), &start)) return true;
  return false;
}

/* The parameter that is stored in `a` at the entry and used nowhere else, or -1. */
static int spilled_parameter(struct pv_fn *fn, LLVMValueRef a) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(fn->llvm);
  for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsAStoreInst(user) || LLVMGetInstructionParent(user) != entry) continue;
    LLVMValueRef v = LLVMGetOperand(user, 0);
    if (!LLVMIsAArgument(v) || uses(v) != 1) continue;
    for (unsigned i = 0; i < LLVMCountParams(fn->llvm); i++)
      if (LLVMGetParam(fn->llvm, i) == v) return (int)i;
  }
  return -1;
}

static unsigned count_stores(LLVMValueRef a) {
  unsigned n = 0;
  for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u))
    n += LLVMIsAStoreInst(LLVMGetUser(u)) != NULL;
  return n;
}

static const char *plain_name(struct pv_fn *fn, LLVMValueRef v) {
  size_t n;
  const char *name = LLVMGetValueName2(v, &n);
  return *name ? pv_program_string(fn->p, name) : NULL;
}

/* dbg.declare(metadata alloca, metadata DILocalVariable, ...): alloca -> DILocalVariable. */
static void find_names(struct pv_fn *fn, struct pv_map *names, LLVMValueRef **nodes) {
  PV_VEC(LLVMValueRef) found = {0};
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn->llvm); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      LLVMValueRef address = pv_fe_declared_at(i);
      if (!address) continue;
      bool is_new;
      pv_map_put(names, &address, sizeof address, found.n, &is_new);
      if (is_new) pv_vec_push(&found, i);
    }
  *nodes = found.at;
}

static void make_slot(struct pv_fn *fn, struct pv_lowered_value *v, const char *name,
                      const struct pv_di_variable *di) {
  LLVMTypeRef t = LLVMGetAllocatedType(v->llvm);
  struct pv_slot s = {.name = name ? name : pv_program_string(fn->p, "tmp")};
  uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(v->llvm, 0));
  s.size = LLVMABISizeOfType(fn->fe->layout, t) * count;
  s.align = LLVMGetAlignment(v->llvm);
  s.srctype = di->type;
  s.span = di->span;
  s.site = fn->p->n_sites++;
  s.scoped = pv_fn_has_lifetime(v->llvm);
  v->slot = fn->f.slots.n;
  pv_vec_push(&fn->f.slots, s);
}

static void make_variable(struct pv_fn *fn, struct pv_lowered_value *v, pv_type type,
                          const char *name, const struct pv_di_variable *di) {
  int param = spilled_parameter(fn, v->llvm);
  struct pv_lowered_value *p =
      param < 0 ? NULL : pv_fn_find(fn, LLVMGetParam(fn->llvm, (unsigned)param));
  v->promoted = true;
  v->init = PV_NO_VAR;
  if (p && p->n == 1 && !p->promoted) {
    v->var = (uint32_t)pv_node(fn->p, fn->parts.at[p->at])->lo;
    p->promoted = true; /* the store of the parameter makes no edge */
    p->var = v->var;
    fn->is_mutable.at[v->var] = count_stores(v->llvm) > 1;
  } else {
    v->var = pv_fn_variable(fn, name ? name : "tmp", type, !di->name);
    fn->is_mutable.at[v->var] = true;
  }
  struct pv_variable *var = &fn->f.vars.at[v->var];
  if (name && di->name) {
    var->name = name;
    var->is_temp = false;
  }
  var->srctype = di->type;
  var->span = di->span;
}

static void place_allocas(struct pv_fn *fn) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(fn->llvm);
  struct pv_map names = {0};
  LLVMValueRef *nodes = NULL;
  find_names(fn, &names, &nodes);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
    if (!LLVMIsAAllocaInst(i) || !is_static(i, entry)) continue;
    struct pv_di_variable di = {0};
    const uint32_t *at = pv_map_get(&names, &i, sizeof i);
    const char *name = NULL;
    if (at && pv_fe_di_declared(fn->fe, nodes[*at], &di) && di.name && *di.name) name = di.name;
    if (!name) {
      size_t n;
      di.name = NULL;
      if (strcmp(LLVMGetValueName2(i, &n), "retval") == 0)
        di.type = pv_fe_di_returned(fn->fe, fn->llvm);
      name = plain_name(fn, i);
    }
    pv_type type;
    struct pv_lowered_value *v = pv_fn_find(fn, i);
    bool stays = fn->jumps.n; /* they stay in memory, undivided */
    if (!stays && can_promote(fn, i, &type))
      make_variable(fn, v, type, name, &di);
    else if (stays || di.name || !pv_fn_split(fn, i))
      make_slot(fn, v, name, &di);
    pv_fn_place_lifetime(fn, v, di.name ? nodes[*at] : NULL);
  }
  for (unsigned i = 0; i < LLVMCountParams(fn->llvm);
       i++) { /* parameters passed `byval` are named directly */
    LLVMValueRef a = LLVMGetParam(fn->llvm, i);
    struct pv_lowered_value *v = pv_fn_find(fn, a);
    const uint32_t *at = pv_map_get(&names, &a, sizeof a);
    struct pv_di_variable di;
    if (!at || v->n != 1 || v->promoted || !pv_fe_di_declared(fn->fe, nodes[*at], &di)) continue;
    fn->f.vars.at[pv_node(fn->p, fn->parts.at[v->at])->lo].name = di.name;
  }
  pv_map_free(&names);
  free(nodes);
}

/* ---- variables that may be unassigned --------------------------------------------------------
 */
/* May a call of that type through a pointer call a function of the other type? The prototype may be
 * missing. */
static bool may_call(LLVMTypeRef called, LLVMTypeRef type) {
  bool any = LLVMIsFunctionVarArg(called);
  return called == type || (any && LLVMGetReturnType(called) == LLVMGetReturnType(type));
}

/* Does a call through a pointer, in the program's own code, use the result of functions of the
 * type? */
static bool is_used_through_pointer(struct pv_fn *fn, LLVMTypeRef type) {
  LLVMValueRef f = LLVMGetFirstFunction(fn->fe->module);
  for (; f; f = LLVMGetNextFunction(f)) {
    LLVMBasicBlockRef b = pv_fe_is_model(f) ? NULL : LLVMGetFirstBasicBlock(f);
    for (; b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i) && !LLVMIsAFunction(LLVMGetCalledValue(i)) &&
            may_call(LLVMGetCalledFunctionType(i), type) && LLVMGetFirstUse(i))
          return true;
  }
  return false;
}

/* Does the call pass the function to a model that uses its result (`qsort`)? The result of a thread
 * is only delivered, to threads that join it. */
static bool hands_to_model(const struct pv_fn *fn, LLVMValueRef call) {
  static const char *const threads[] = {"pthread_create", "thrd_create"};
  size_t n;
  LLVMValueRef f = LLVMIsACallInst(call) ? LLVMIsAFunction(LLVMGetCalledValue(call)) : NULL;
  const char *name = f ? LLVMGetValueName2(f, &n) : "";
  bool creates = strcmp(name, threads[0]) == 0 || strcmp(name, threads[1]) == 0;
  return f && pv_fe_is_model(f) && (!creates || fn->p->reads_thread_results);
}

/* Does some call use the function's result? */
static bool result_is_used(struct pv_fn *fn) {
  bool taken = false;
  for (LLVMUseRef u = LLVMGetFirstUse(fn->llvm); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool calls = LLVMIsACallInst(user) && LLVMGetCalledValue(user) == fn->llvm;
    if (calls && LLVMGetFirstUse(user)) return true;
    if (!calls && hands_to_model(fn, user)) return true;
    taken |= !calls;
  }
  return taken && is_used_through_pointer(fn, LLVMGlobalGetValueType(fn->llvm));
}

/* A function that ends without a return value is an error only if a caller uses the value. */
static bool is_unused_result(struct pv_fn *fn, const struct pv_lowered_value *v) {
  const struct pv_variable *var = &fn->f.vars.at[v->var];
  return var->is_temp && strcmp(var->name, "retval") == 0 && !result_is_used(fn);
}

/* Creates companions for variables that some load may find unassigned. A companion says whether its
 * variable is assigned. */
static void make_companions(struct pv_fn *fn) {
  for (uint32_t i = 0; i < fn->unassigned.n; i++) {
    LLVMValueRef load = *(const LLVMValueRef *)fn->unassigned.entry[i].key;
    struct pv_lowered_value *v = pv_fn_find(fn, LLVMGetOperand(load, 0));
    if (v->init != PV_NO_VAR || v->zeroed) continue;
    if (is_unused_result(fn, v)) {
      v->zeroed = true;
      continue;
    }
    pv_fn_may_be_stale(fn, v);
    char *name = pv_format("%s.init", fn->f.vars.at[v->var].name);
    v->init = pv_fn_variable(fn, pv_program_string(fn->p, name), PV_INT(1), true);
    fn->is_mutable.at[v->init] = true;
    free(name);
  }
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint32_t line_of(struct pv_fn *fn, LLVMBasicBlockRef b) {
  struct pv_block *block = pv_fn_block(fn, b);
  return block ? block->leader : UINT32_MAX;
}

static void count_uses(struct pv_fn *fn, struct pv_lowered_value *v, uint32_t home) {
  for (LLVMUseRef u = LLVMGetFirstUse(v->llvm); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    v->remaining++;
    if (!LLVMIsAInstruction(user)) continue;
    if (!LLVMIsAPHINode(user)) {
      v->cross |= line_of(fn, LLVMGetInstructionParent(user)) != home;
      continue;
    }
    for (unsigned k = 0; k < LLVMCountIncoming(user); k++)
      if (LLVMGetIncomingValue(user, k) == v->llvm)
        v->cross |= line_of(fn, LLVMGetIncomingBlock(user, k)) != home;
  }
}

static void add_value(struct pv_fn *fn, LLVMValueRef v, uint32_t home) {
  struct pv_lowered_value new = {
      .llvm = v, .var = PV_NO_VAR, .init = PV_NO_VAR, .slot = UINT32_MAX};
  count_uses(fn, &new, home);
  pv_map_put(&fn->value_of, &v, sizeof v, fn->values.n, NULL);
  pv_vec_push(&fn->values, new);
}

static void add_parameters(struct pv_fn *fn) {
  uint32_t var = 0;
  for (unsigned i = 0; i < LLVMCountParams(fn->llvm); i++) {
    LLVMValueRef a = LLVMGetParam(fn->llvm, i);
    struct pv_part parts[PV_MAX_PARTS];
    unsigned n = 0;
    const char *what, *name = plain_name(fn, a);
    if (!pv_fe_flatten(fn->fe, LLVMTypeOf(a), parts, &n, &what)) n = 0;
    add_value(fn, a, 0);
    struct pv_lowered_value *v = &pv_vec_last(&fn->values);
    v->at = fn->parts.n;
    v->n = n;
    v->known = true;
    for (unsigned k = 0; k < n && var < fn->f.n_params; k++, var++) {
      fn->f.vars.at[var].name = name ? name : pv_program_string(fn->p, "arg");
      pv_vec_push(&fn->parts, pv_fn_var(fn, var));
    }
  }
  fn->area = fn->f.variadic ? fn->f.n_params : PV_NO_VAR;
}

void pv_fn_analyse(struct pv_fn *fn) {
  find_blocks(fn);
  find_lines(fn);
  add_parameters(fn);
  for (uint32_t b = 0; b < fn->blocks.n; b++) {
    LLVMValueRef i = LLVMGetFirstInstruction(fn->blocks.at[b].llvm);
    for (; i; i = LLVMGetNextInstruction(i)) add_value(fn, i, fn->blocks.at[b].leader);
  }
  pv_fn_find_jumps(fn);
  place_allocas(fn);
  pv_fn_place_jumps(fn);
  pv_fn_note_unknown_lifetimes(fn);
  pv_fn_find_unassigned(fn);
  make_companions(fn);
}
