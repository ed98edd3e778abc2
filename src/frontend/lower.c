/* lower.c -- lowers one function: lines of instructions become edges.
 *
 * A pure instruction makes no edge. Its expression waits (`pending`) until something with an effect
 * uses it, so an edge reads like its source statement. A waiting expression is saved in a temporary
 *  - before a variable in it is assigned;
 *  - before an operation after which control may not continue, if its evaluation may be undefined
 *    behaviour that no edge has evaluated yet: so no undefined behaviour is lost or reordered with
 *    control;
 *  - at once, if it is used outside of its line, or several times and is large.
 * Expressions never read memory, so nothing here depends on other threads. */
#include "frontend/frontend_internal.h"
#include "frontend/given.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL = 3, LARGE = 48 }; /* nodes: few enough to repeat; too many for one expression */

/* ---- variables and expressions --------------------------------------------------------------- */

uint32_t pv_fn_variable(struct pv_fn *fn, const char *name, pv_type t, bool is_temp) {
  struct pv_variable v = {.name = pv_program_string(fn->p, name), .type = t, .is_temp = is_temp};
  pv_vec_push(&fn->f.vars, v);
  pv_vec_push(&fn->is_mutable, false);
  return fn->f.vars.n - 1;
}

uint32_t pv_fn_temp(struct pv_fn *fn, pv_type t) {
  char *name = pv_format("t%u", ++fn->n_temps);
  uint32_t var = pv_fn_variable(fn, name, t, true);
  free(name);
  return var;
}

pv_expr pv_fn_var(struct pv_fn *fn, uint32_t var) {
  return pv_mk_var(fn->p, fn->f.vars.at[var].type, var);
}

pv_expr pv_fn_size(struct pv_fn *fn, uint64_t bytes) {
  return pv_mk_const(fn->p, fn->fe->word, bytes);
}

/* Does e read variable `var`, or with PV_NO_VAR any variable that changes? */
static bool reads(struct pv_fn *fn, pv_expr e, uint32_t var) {
  if (!e) return false;
  const struct pv_expr_node *n = pv_node(fn->p, e);
  if (n->op == PV_X_VAR) return var == PV_NO_VAR ? fn->is_mutable.at[n->lo] : n->lo == var;
  return reads(fn, n->a, var) || reads(fn, n->b, var) || reads(fn, n->c, var);
}

/* Is e a number that depends on the address of the slot, or (UINT32_MAX) of any slot whose
 * lifetime begins and ends within the function? (An address itself is the slot's, wherever it
 * is computed.) */
static bool depends_on_slot(struct pv_fn *fn, pv_expr e, uint32_t slot, bool within) {
  if (!e) return false;
  const struct pv_expr_node *n = pv_node(fn->p, e);
  if (n->op == PV_X_SLOT)
    return within && (slot == UINT32_MAX ? fn->f.slots.at[n->lo].scoped : n->lo == slot);
  within |= pv_type_kind(n->type) != PV_T_PTR;
  return depends_on_slot(fn, n->a, slot, within) || depends_on_slot(fn, n->b, slot, within) ||
         depends_on_slot(fn, n->c, slot, within);
}

/* Is `part` certainly evaluated when e is? (Not if it is in a branch of `?:`.) */
static bool evaluates(struct pv_fn *fn, pv_expr e, pv_expr part) {
  if (!e || e < part) return false; /* operands have smaller numbers */
  if (e == part) return true;
  const struct pv_expr_node *n = pv_node(fn->p, e);
  if (n->op == PV_X_SELECT) return evaluates(fn, n->a, part);
  return evaluates(fn, n->a, part) || evaluates(fn, n->b, part) || evaluates(fn, n->c, part);
}

static bool edge_evaluates(struct pv_fn *fn, const struct pv_edge *e,
                           const struct pv_lowered_value *v) {
  for (uint32_t k = 0; k < v->n; k++) {
    pv_expr part = fn->parts.at[v->at + k];
    if (!pv_fe_info(fn->fe, part)->ub) continue;
    bool found = false;
    for (int i = 0; i < 3 && !found; i++) found = evaluates(fn, e->e[i], part);
    for (uint32_t i = 0; i < e->args.n && !found; i++)
      found = evaluates(fn, pv_arg(fn->p, e->args, i), part);
    if (!found) return false;
  }
  return true;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static void push(struct pv_fn *fn, struct pv_edge e) {
  e.from = fn->cur;
  e.span = fn->span;
  e.stmt = pv_fe_statement(fn->fe, fn->index, fn->span);
  e.to = e.op == PV_OP_RETURN || e.op == PV_OP_STOP ? fn->f.exit : pv_loc_add(&fn->f);
  pv_vec_push(&fn->f.edges, e);
  fn->cur = e.to;
}

/* Saves a value into temporaries. */
static void save(struct pv_fn *fn, uint32_t value) {
  for (uint32_t k = 0; k < fn->values.at[value].n; k++) {
    uint32_t at = fn->values.at[value].at + k;
    pv_expr e = fn->parts.at[at];
    const struct pv_expr_node *n = pv_node(fn->p, e);
    if (n->op == PV_X_CONST || (n->op == PV_X_VAR && !fn->is_mutable.at[n->lo])) continue;
    uint32_t t = pv_fn_temp(fn, n->type);
    struct pv_edge assign = pv_edge_of(PV_OP_ASSIGN, 0, 0);
    assign.dst = t;
    assign.e[0] = e;
    push(fn, assign);
    fn->parts.at[at] = pv_fn_var(fn, t);
  }
  fn->values.at[value].ub = false;
}

void pv_fn_flush(struct pv_fn *fn, const struct pv_edge *e) {
  for (uint32_t i = 0; i < fn->pending.n && !fn->dead; i++) {
    uint32_t v = fn->pending.at[i];
    const struct pv_lowered_value *value = &fn->values.at[v];
    if (value->ub && value->remaining && !(e && edge_evaluates(fn, e, value))) save(fn, v);
  }
}

/* Saves the pending values that read `var`, which is about to change. */
static void save_readers(struct pv_fn *fn, uint32_t var) {
  if (var == PV_NO_VAR || !fn->is_mutable.at[var]) return;
  for (uint32_t i = 0; i < fn->pending.n; i++) {
    uint32_t v = fn->pending.at[i];
    const struct pv_lowered_value *value = &fn->values.at[v];
    bool hit = false;
    for (uint32_t k = 0; value->remaining && k < value->n && !hit; k++)
      hit = reads(fn, fn->parts.at[value->at + k], var);
    if (hit) save(fn, v);
  }
}

/* Saves the pending values that depend on the slot's address; its lifetime is about to begin or
 * end. */
static void save_places(struct pv_fn *fn, uint32_t slot) {
  for (uint32_t i = 0; i < fn->pending.n; i++) {
    uint32_t v = fn->pending.at[i];
    const struct pv_lowered_value *value = &fn->values.at[v];
    bool hit = false;
    for (uint32_t k = 0; value->remaining && k < value->n && !hit; k++)
      hit = depends_on_slot(fn, fn->parts.at[value->at + k], slot, false);
    if (hit) save(fn, v);
  }
}

static bool falls_through(enum pv_op op) {
  return op == PV_OP_ASSIGN || op == PV_OP_SKIP || op == PV_OP_LIVE || op == PV_OP_DEAD;
}

/* Removes pending values whose last use was lowered. */
static void prune(struct pv_fn *fn) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < fn->pending.n; i++)
    if (fn->values.at[fn->pending.at[i]].remaining) fn->pending.at[kept++] = fn->pending.at[i];
  fn->pending.n = kept;
}

void pv_fn_emit(struct pv_fn *fn, struct pv_edge e) {
  if (fn->dead) return;
  if (fn->pending.n > 16) prune(fn);
  if (!falls_through(e.op)) pv_fn_flush(fn, &e);
  save_readers(fn, e.dst);
  save_readers(fn, e.dst2);
  if (e.op == PV_OP_LIVE || e.op == PV_OP_DEAD) save_places(fn, e.aux);
  push(fn, e);
  for (uint32_t i = 0; i < fn->pending.n; i++) {
    struct pv_lowered_value *v = &fn->values.at[fn->pending.at[i]];
    if (v->ub && edge_evaluates(fn, &e, v)) v->ub = false;
  }
  if (e.op == PV_OP_RETURN || e.op == PV_OP_STOP) fn->dead = true;
}

/* Can the last edge assign its result directly to `var`? */
static bool retarget(struct pv_fn *fn, uint32_t var, pv_expr e) {
  if (!fn->f.edges.n) return false;
  struct pv_edge *last = &fn->f.edges.at[fn->f.edges.n - 1];
  const struct pv_expr_node *n = pv_node(fn->p, e);
  if (last->to != fn->cur || n->op != PV_X_VAR || n->lo != fn->single) return false;
  for (uint32_t i = 0; i < fn->pending.n; i++) { /* the old value is still needed */
    const struct pv_lowered_value *v = &fn->values.at[fn->pending.at[i]];
    for (uint32_t k = 0; v->remaining && k < v->n; k++)
      if (reads(fn, fn->parts.at[v->at + k], var)) return false;
  }
  if (last->op == PV_OP_CALL && last->dsts.n == 1 && fn->p->arg_pool.at[last->dsts.at] == n->lo) {
    fn->p->arg_pool.at[last->dsts.at] = var;
    return true;
  }
  if (last->dst != n->lo || last->op == PV_OP_ASSIGN) return false;
  last->dst = var;
  return true;
}

void pv_fn_assign(struct pv_fn *fn, uint32_t var, pv_expr e) {
  if (fn->dead || retarget(fn, var, e)) return;
  struct pv_edge assign = pv_edge_of(PV_OP_ASSIGN, 0, 0);
  assign.dst = var;
  assign.e[0] = e;
  pv_fn_emit(fn, assign);
}

void pv_fn_stop(struct pv_fn *fn, enum pv_stop why, const char *text) {
  struct pv_edge e = pv_edge_of(PV_OP_STOP, 0, 0);
  e.aux = why;
  e.text = text ? pv_program_string(fn->p, text) : NULL;
  pv_fn_emit(fn, e);
}

void pv_fn_unsupported(struct pv_fn *fn, const char *what) {
  pv_fn_stop(fn, PV_STOP_UNSUPPORTED, what);
}

void pv_fn_goto(struct pv_fn *fn, pv_loc to) {
  if (fn->dead) return;
  push(fn, pv_edge_of(PV_OP_SKIP, 0, 0));
  fn->f.edges.at[fn->f.edges.n - 1].to = to;
  fn->dead = true;
}

void pv_fn_mark(struct pv_fn *fn, const char *kind, const char *name, size_t length) {
  const struct pv_options *o = fn->fe->options;
  bool places = o->mutex_region.n || (o->properties & PV_PROP_TEMPORAL);
  bool region = places && strcmp(kind, "label") == 0;
  if ((!o->observer.n && !o->marks && !region) || fn->dead) return;
  struct pv_edge e = pv_edge_of(PV_OP_SKIP, 0, 0);
  char *text = pv_format("%s %.*s", kind, (int)length, name);
  e.text = pv_program_string(fn->p, text);
  free(text);
  pv_fn_emit(fn, e);
}

void pv_fn_condition(struct pv_fn *fn, LLVMValueRef condition) {
  fn->where = 0;
  if (LLVMIsAInstruction(condition) && !LLVMIsAPHINode(condition))
    fn->where = pv_fe_span_of_location(fn->fe, LLVMInstructionGetDebugLoc(condition));
}

pv_loc pv_fn_branch(struct pv_fn *fn, pv_expr cond) {
  struct pv_edge yes = pv_edge_of(PV_OP_ASSUME, 0, 0), no = yes;
  yes.e[0] = cond;
  yes.where = no.where = fn->where;
  fn->where = 0;
  no.e[0] = pv_mk_not(fn->p, cond);
  if (fn->dead) return fn->cur;
  pv_fn_flush(fn, &yes);
  pv_loc at = fn->cur;
  push(fn, no);
  pv_loc otherwise = fn->cur;
  fn->cur = at;
  push(fn, yes);
  /* the true branch first: it is easier to read, and depth-first engines take it first */
  struct pv_edge *last = &fn->f.edges.at[fn->f.edges.n - 2], swap = last[0];
  last[0] = last[1];
  last[1] = swap;
  return otherwise;
}

/* ---- values ---------------------------------------------------------------------------------- */

static pv_expr undef(struct pv_fn *fn, pv_type t) {
  return pv_mk(fn->p, (struct pv_expr_node){.op = PV_X_UNDEF, .type = t});
}

unsigned pv_fn_operand(struct pv_fn *fn, LLVMValueRef v, pv_expr *out) {
  unsigned n = 0;
  const char *what = "value";
  struct pv_lowered_value *value = pv_fn_find(fn, v);
  if (value) {
    if (value->remaining) value->remaining--;
    if (value->known) {
      memcpy(out, &fn->parts.at[value->at], value->n * sizeof *out);
      return value->n;
    }
  } else if (LLVMIsAInlineAsm(v)) {
    what = "inline assembly";
  } else if (LLVMIsConstant(v) && pv_fe_constant(fn->fe, v, out, &n, &what)) {
    return n;
  }
  /* Unreachable (its definition ended the line), or a constant that the ir cannot represent. */
  struct pv_part parts[PV_MAX_PARTS];
  if (!value) pv_fn_unsupported(fn, what);
  if (!pv_fe_flatten(fn->fe, LLVMTypeOf(v), parts, &n, &what)) n = 0;
  for (unsigned i = 0; i < n; i++) out[i] = undef(fn, parts[i].type);
  return n;
}

pv_expr pv_fn_scalar(struct pv_fn *fn, LLVMValueRef v) {
  pv_expr parts[PV_MAX_PARTS];
  unsigned n = pv_fn_operand(fn, v, parts);
  if (n == 1) return parts[0];
  pv_fn_unsupported(fn, n ? "vector operation" : "value without parts");
  return pv_mk_const(fn->p, PV_INT(1), 0);
}

void pv_fn_define(struct pv_fn *fn, LLVMValueRef v, const pv_expr *parts, unsigned n) {
  const uint32_t *found = pv_map_get(&fn->value_of, &v, sizeof v);
  if (!found) return;
  uint32_t index = *found;
  struct pv_lowered_value *value = &fn->values.at[index];
  value->at = fn->parts.n;
  value->n = n;
  value->known = true;
  if (n == 1 && parts[0] == pv_mk_var(fn->p, pv_node(fn->p, parts[0])->type, fn->single))
    fn->single = PV_NO_VAR; /* it has a second name now */
  bool stable = true;
  unsigned size = 0;
  for (unsigned k = 0; k < n; k++) {
    const struct pv_expr_info *info = pv_fe_info(fn->fe, parts[k]);
    value->ub |= info->ub;
    if (info->size > size) size = info->size;
    stable &= !reads(fn, parts[k], PV_NO_VAR) && !depends_on_slot(fn, parts[k], UINT32_MAX, false);
    pv_vec_push(&fn->parts, parts[k]);
  }
  if (fn->dead) return;
  bool keep = value->remaining == 0
                  ? !value->ub
                  : (value->remaining == 1 || size <= SMALL) && size <= LARGE &&
                        (!value->cross || (stable && !value->ub && size <= SMALL));
  if (!keep) {
    save(fn, index);
    return;
  }
  if (value->remaining && (!stable || value->ub)) pv_vec_push(&fn->pending, index);
}

void pv_fn_define_vars(struct pv_fn *fn, LLVMValueRef v, const uint32_t *vars, unsigned n) {
  pv_expr parts[PV_MAX_PARTS] = {0};
  for (unsigned i = 0; i < n; i++) parts[i] = pv_fn_var(fn, vars[i]);
  pv_fn_define(fn, v, parts, n);
  const struct pv_lowered_value *value = pv_fn_find(fn, v);
  fn->single = n == 1 && value && value->remaining == 1 ? vars[0] : PV_NO_VAR;
}

/* ---- functions ------------------------------------------------------------------------------- */

void pv_fn_begin(struct pv_fn *fn, struct pv_fe *fe, uint32_t index) {
  *fn =
      (struct pv_fn){.fe = fe, .p = fe->p, .index = index, .area = PV_NO_VAR, .single = PV_NO_VAR};
  fn->llvm = fe->source.at[index].llvm;
  fn->f = fe->p->functions.at[index];
  fn->foreign = fe->foreign && !fn->f.is_model;
  /* Owned by fn->f until it is finished. */
  fe->p->functions.at[index].vars = (__typeof__(fn->f.vars)){0};
  for (uint32_t i = 0; i < fn->f.vars.n; i++) {
    if (!*fn->f.vars.at[i].name) fn->f.vars.at[i].name = pv_program_string(fe->p, "arg");
    pv_vec_push(&fn->is_mutable, false);
  }
  fn->f.entry = pv_loc_add(&fn->f);
  fn->f.exit = pv_loc_add(&fn->f);
  fn->cur = fn->f.entry;
  fn->f.atomic = strncmp(fn->f.name, "__VERIFIER_atomic_", 18) == 0 &&
                 strcmp(fn->f.name + 18, "begin") != 0 && strcmp(fn->f.name + 18, "end") != 0;
}

void pv_fn_finish(struct pv_fn *fn) {
  pv_function_shorten(&fn->f);
  pv_function_finish(fn->p, &fn->f);
  pv_function_share(fn->p, &fn->f);
  fn->p->functions.at[fn->index] = fn->f;
  pv_map_free(&fn->value_of);
  pv_map_free(&fn->block_of);
  pv_map_free(&fn->unassigned);
  pv_map_free(&fn->begins);
  pv_vec_free(&fn->beginnings);
  pv_vec_free(&fn->vlas);
  pv_vec_free(&fn->jumps);
  pv_vec_free(&fn->values);
  pv_vec_free(&fn->parts);
  pv_vec_free(&fn->blocks);
  pv_vec_free(&fn->pending);
  pv_vec_free(&fn->is_mutable);
}

/* Lowers a stub: it does what a call of the function by name does; pointers to the function refer
 * to it. */
static void lower_stub(struct pv_fn *fn, const struct pv_source_function *s) {
  PV_VEC(pv_expr) args = {0};
  uint32_t n = fn->f.n_params;
  for (uint32_t i = 0; i < n; i++) pv_vec_push(&args, pv_fn_var(fn, i));
  pv_expr result[PV_MAX_RESULTS];
  if (s->kind == PV_SOURCE_REPORT) {
    struct pv_edge e = pv_edge_of(PV_OP_ERROR, 0, 0), call = pv_edge_of(PV_OP_CALL, 0, 0);
    char *text = pv_format("`%s` is called", fn->f.name);
    e.aux = PV_ERROR_CALL;
    e.text = pv_program_string(fn->p, text);
    free(text);
    pv_fn_emit(fn, e);
    if (fn->f.variadic) call.e[1] = pv_fn_var(fn, n);
    call.callee = s->body;
    call.args = pv_mk_args(fn->p, args.at, args.n);
    uint32_t dst[PV_MAX_RESULTS];
    for (uint32_t i = 0; i < fn->f.n_results; i++)
      result[i] = pv_fn_var(fn, dst[i] = pv_fn_temp(fn, fn->f.result[i]));
    call.dsts = pv_mk_args(fn->p, dst, fn->f.n_results);
    pv_fn_emit(fn, call);
  } else {
    struct pv_call call = {.name = fn->f.name, .args = args.at, .n_args = args.n, .wanted = true};
    call.results = fn->f.result;
    call.n_results = fn->f.n_results;
    pv_fn_external(fn, &call);
    for (uint32_t i = 0; i < fn->f.n_results && !fn->dead; i++)
      result[i] =
          call.dst[i] == PV_NO_VAR ? undef(fn, fn->f.result[i]) : pv_fn_var(fn, call.dst[i]);
  }
  if (!fn->dead) {
    struct pv_edge e = pv_edge_of(PV_OP_RETURN, 0, 0);
    e.args = pv_mk_args(fn->p, result, fn->f.n_results);
    pv_fn_emit(fn, e);
  }
  pv_vec_free(&args);
}

static void line_span(struct pv_fn *fn, LLVMValueRef i) {
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i);
  uint32_t span = pv_fe_span_of_location(fn->fe, location);
  if (span) fn->span = span;
}

static bool is_error_label(LLVMBasicBlockRef b) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
    if (LLVMIsADbgLabelInst(i)) return false; /* the label's own record is used */
  return strcmp(LLVMGetBasicBlockName(b), "ERROR") == 0;
}

void pv_fn_error_label(struct pv_fn *fn, LLVMValueRef at) {
  struct pv_edge e = pv_edge_of(PV_OP_ERROR, 0, 0);
  e.aux = PV_ERROR_LABEL;
  e.text = pv_program_string(fn->p, "label `ERROR` is reached");
  line_span(fn, at);
  pv_fn_emit(fn, e);
}

/* Lowers one block of a line. Returns the next one of the line, or NULL. */
static LLVMBasicBlockRef lower_block(struct pv_fn *fn, LLVMBasicBlockRef b) {
  LLVMBasicBlockRef next = NULL;
  if (is_error_label(b)) pv_fn_error_label(fn, LLVMGetFirstInstruction(b));
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !fn->dead; i = LLVMGetNextInstruction(i)) {
    line_span(fn, i);
    pv_fn_begin_lifetimes(fn, i);
    if (fn->dead) break;
    if (LLVMIsATerminatorInst(i))
      pv_fn_terminator(fn, i, &next);
    else
      pv_fn_instruction(fn, i);
  }
  return fn->dead ? NULL : next;
}

/* ---- parts of models that are left out ------------------------------------------------------- */
/* Is the condition decided by a constant of the models? */
static bool is_decided(LLVMValueRef condition, bool *value) {
  uint64_t flag;
  LLVMValueRef v = condition;
  if (LLVMIsATruncInst(v)) v = LLVMGetOperand(v, 0);
  if (!LLVMIsALoadInst(v) || !pv_fe_flag(LLVMGetOperand(v, 0), &flag)) return false;
  *value = flag & 1;
  return true;
}

static void visit(struct pv_fn *fn, LLVMBasicBlockRef b, bool *reached) {
  struct pv_block *block = pv_fn_block(fn, b);
  LLVMValueRef t = LLVMGetBasicBlockTerminator(b);
  bool value;
  if (!block || reached[block - fn->blocks.at]) return;
  reached[block - fn->blocks.at] = true;
  if (LLVMIsABranchInst(t) && LLVMIsConditional(t) && is_decided(LLVMGetCondition(t), &value)) {
    visit(fn, LLVMGetSuccessor(t, value ? 0 : 1), reached);
    return;
  }
  for (unsigned i = 0; i < LLVMGetNumSuccessors(t); i++) visit(fn, LLVMGetSuccessor(t, i), reached);
}

/* Finds the reachable blocks of a model function, if constants of the models decide branches. What
 * only applies to other kinds of programs is not lowered. NULL: all blocks; else the caller frees
 * the result. */
static bool *reached_blocks(struct pv_fn *fn) {
  if (!pv_fe_is_model(fn->llvm)) return NULL;
  bool *reached = pv_alloc(fn->blocks.n * sizeof *reached);
  visit(fn, LLVMGetEntryBasicBlock(fn->llvm), reached);
  return reached;
}

static void lower_lines(struct pv_fn *fn) {
  for (uint32_t i = 0; i < fn->blocks.n; i++) fn->blocks.at[i].loc = pv_loc_add(&fn->f);
  for (uint32_t i = 0; i < fn->blocks.n; i++)
    if (fn->blocks.at[i].leader == i) pv_fn_make_phis(fn, fn->blocks.at[i].llvm);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn->llvm); b; b = LLVMGetNextBasicBlock(b)) {
    struct pv_block *block = pv_fn_block(fn, b);
    if (pv_fe_label_taken(b)) pv_vec_push(&fn->f.labels, block ? block->loc : fn->f.exit);
  }
  pv_fn_goto(fn, fn->blocks.at[0].loc);
  bool *reached = reached_blocks(fn);
  for (uint32_t i = 0; i < fn->blocks.n; i++) {
    if (fn->blocks.at[i].leader != i || (reached && !reached[i])) continue;
    fn->cur = fn->blocks.at[i].loc;
    fn->dead = false;
    fn->pending.n = 0;
    LLVMBasicBlockRef b = fn->blocks.at[i].llvm;
    while (b) b = lower_block(fn, b);
  }
  free(reached);
}

/* Initialises the "is assigned" companions of variables with false. */
static void init_companions(struct pv_fn *fn) {
  for (uint32_t i = 0; i < fn->values.n; i++) {
    const struct pv_lowered_value *v = &fn->values.at[i];
    uint32_t var = v->zeroed ? v->var : v->init;
    if (v->promoted && var != PV_NO_VAR)
      pv_fn_assign(fn, var, pv_mk_const(fn->p, fn->f.vars.at[var].type, 0));
  }
}

/* Is the file a header of libstdc++ or libc++? */
static bool is_of_cxx_library(const char *file) {
  const char *headers = strstr(file, "/include/");
  return headers && strstr(headers, "/c++/");
}

void pv_fe_lower_function(struct pv_fe *fe, uint32_t index) {
  const struct pv_source_function s = fe->source.at[index];
  if (s.kind == PV_SOURCE_OWN) return;
  struct pv_fn fn;
  struct pv_function ignored = {0};
  const char *what;
  pv_fn_begin(&fn, fe, index);
  if (s.kind != PV_SOURCE_BODY) {
    lower_stub(&fn, &s);
    pv_fn_finish(&fn);
    return;
  }
  pv_fe_di_function(fe, fn.llvm, &fn.f);
  fn.f.is_library = fn.f.is_model || is_of_cxx_library(pv_span_file(fe->p, fn.f.span));
  fn.span = fn.f.span;
  bool known = pv_fe_signature(fe, LLVMGlobalGetValueType(fn.llvm), &ignored, &what);
  pv_vec_free(&ignored.vars);
  if (!known) {
    pv_fn_unsupported(&fn, what);
  } else {
    pv_fn_analyse(&fn);
    pv_fn_find_vlas(&fn);
    if (fn.f.atomic) pv_fn_emit(&fn, pv_edge_of(PV_OP_ATOMIC_BEGIN, 0, 0));
    init_companions(&fn);
    pv_fn_begin_jumps(&fn);
    pv_fn_begin_vlas(&fn);
    lower_lines(&fn);
  }
  pv_fn_finish(&fn);
}
