/* lower_call.c -- calls: finding the callee, passing arguments.
 *
 * Arguments are matched by position with the parameters of the function that is called, even if its
 * prototype does not fit (old-style declarations): a missing argument, or a float for something
 * else, is undefined, a surplus one is dropped. Variadic arguments are stored in a temporary object
 * as on the stack of the data model; va_start returns its address. The caller copies a structure
 * that is passed `byval`. */
#include "frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

struct arguments {
  PV_VEC(pv_expr) fixed;
  PV_VEC(uint32_t) temps; /* variables with objects that end after the call */
  pv_expr area;
};

static LLVMTypeRef byval_type(LLVMValueRef call, unsigned k) {
  LLVMAttributeRef a = pv_fe_call_attribute(call, k + 1, "byval");
  return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

/* The alignment that the caller guarantees: more than that of the type if the source asks for it
 * (`_Alignas`). */
static unsigned byval_align(struct pv_fn *fn, LLVMValueRef call, unsigned k) {
  LLVMAttributeRef a = pv_fe_call_attribute(call, k + 1, "align");
  return a ? (unsigned)LLVMGetEnumAttributeValue(a)
           : LLVMABIAlignmentOfType(fn->fe->layout, byval_type(call, k));
}

static uint32_t temp_object(struct pv_fn *fn, struct arguments *args, uint64_t size,
                            unsigned align) {
  struct pv_edge e = pv_edge_of(PV_OP_ALLOC, 0, 0);
  e.e[0] = pv_fn_size(fn, size);
  e.aux = PV_STORAGE_TEMP;
  e.align = align;
  e.site = fn->p->n_sites++;
  e.dst = pv_fn_temp(fn, fn->fe->ptr);
  pv_fn_emit(fn, e);
  pv_vec_push(&args->temps, e.dst);
  return e.dst;
}

static void copy_object(struct pv_fn *fn, pv_expr to, pv_expr from, uint64_t size) {
  struct pv_edge e = pv_edge_of(PV_OP_COPY, 0, 0);
  e.e[0] = to;
  e.e[1] = from;
  e.e[2] = pv_fn_size(fn, size);
  pv_fn_emit(fn, e);
}

static pv_expr at_offset(struct pv_fn *fn, uint32_t object, uint64_t offset) {
  return pv_mk_binary(fn->p, PV_X_PTRADD, PV_XF_INBOUNDS, fn->fe->ptr, pv_fn_var(fn, object),
                      pv_fn_size(fn, offset));
}

/* ---- variadic arguments ---------------------------------------------------------------------- */

struct layout {
  uint64_t size;
  unsigned slot, align; /* align: the largest of all arguments */
};

/* The offset of the next argument of `size` bytes. */
static uint64_t place(struct layout *l, uint64_t size, unsigned align) {
  if (align > l->slot) l->size = (l->size + align - 1) / align * align;
  if (align > l->align) l->align = align;
  uint64_t at = l->size;
  l->size += (size + l->slot - 1) / l->slot * l->slot;
  return at;
}

static uint64_t place_of(struct pv_fn *fn, LLVMValueRef call, unsigned k, struct layout *l) {
  LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(call, k)), byval = byval_type(call, k);
  bool wide = fn->fe->p->pointer_bits == 64;
  if (byval)
    return place(l, LLVMABISizeOfType(fn->fe->layout, byval),
                 wide ? byval_align(fn, call, k) : l->slot);
  bool aligned =
      wide && (LLVMGetTypeKind(t) == LLVMX86_FP80TypeKind ||
               (LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) > 64));
  return place(l, LLVMABISizeOfType(fn->fe->layout, t), aligned ? 16 : 1);
}

static void store_parts(struct pv_fn *fn, LLVMValueRef v, uint32_t object, uint64_t at) {
  struct pv_part parts[PV_MAX_PARTS];
  pv_expr value[PV_MAX_PARTS];
  unsigned n = 0;
  const char *what = "argument";
  if (!pv_fe_flatten(fn->fe, LLVMTypeOf(v), parts, &n, &what)) {
    pv_fn_unsupported(fn, what);
    return;
  }
  unsigned m = pv_fn_operand(fn, v, value);
  for (unsigned i = 0; i < n && i < m && !fn->dead; i++) {
    struct pv_edge e = pv_edge_of(PV_OP_STORE, 0, 0);
    e.type = parts[i].type;
    e.e[0] = at_offset(fn, object, at + parts[i].offset);
    e.e[1] = value[i];
    e.align = 1;
    pv_fn_emit(fn, e);
  }
}

static void make_area(struct pv_fn *fn, LLVMValueRef call, unsigned first, struct arguments *args) {
  unsigned n = LLVMGetNumArgOperands(call);
  struct layout l = {0, fn->p->pointer_bits / 8, 16}, again = l;
  for (unsigned k = first; k < n; k++) place_of(fn, call, k, &l);
  args->area = pv_mk_const(fn->p, fn->fe->ptr, 0);
  if (!l.size || fn->dead) return;
  uint32_t object = temp_object(fn, args, l.size, l.align);
  for (unsigned k = first; k < n && !fn->dead; k++) {
    uint64_t at = place_of(fn, call, k, &again);
    LLVMValueRef v = LLVMGetOperand(call, k);
    LLVMTypeRef byval = byval_type(call, k);
    if (byval)
      copy_object(fn, at_offset(fn, object, at), pv_fn_scalar(fn, v),
                  LLVMABISizeOfType(fn->fe->layout, byval));
    else
      store_parts(fn, v, object, at);
  }
  args->area = pv_fn_var(fn, object);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void add_fixed(struct pv_fn *fn, LLVMValueRef call, unsigned k, struct arguments *args) {
  LLVMValueRef v = LLVMGetOperand(call, k);
  LLVMTypeRef byval = byval_type(call, k);
  pv_expr parts[PV_MAX_PARTS];
  unsigned n = pv_fn_operand(fn, v, parts);
  if (byval && n == 1 && !fn->dead) {
    uint64_t size = LLVMABISizeOfType(fn->fe->layout, byval);
    uint32_t t = temp_object(fn, args, size, byval_align(fn, call, k));
    copy_object(fn, pv_fn_var(fn, t), parts[0], size);
    parts[0] = pv_fn_var(fn, t);
  }
  for (unsigned i = 0; i < n; i++) pv_vec_push(&args->fixed, parts[i]);
}

static void end_temps(struct pv_fn *fn, struct arguments *args) {
  for (uint32_t i = args->temps.n; i-- > 0;) {
    struct pv_edge e = pv_edge_of(PV_OP_FREE, 0, 0);
    e.aux = PV_STORAGE_TEMP;
    e.e[0] = pv_fn_var(fn, args->temps.at[i]);
    pv_fn_emit(fn, e);
  }
}

/* What is found where a value of another type was passed. Floats are passed elsewhere than other
 * values, so it is indeterminate if only one of the two types is a float. */
static pv_expr passed_as(struct pv_fn *fn, pv_expr e, pv_type to) {
  bool is_float = pv_type_kind(pv_node(fn->p, e)->type) == PV_T_FLOAT;
  struct pv_expr_node any = {.op = PV_X_UNDEF, .type = to};
  return is_float == (pv_type_kind(to) == PV_T_FLOAT) ? pv_fn_convert(fn, e, to)
                                                      : pv_mk(fn->p, any);
}

/* Converts the arguments to the parameter types of the callee. */
static void fit(struct pv_fn *fn, struct arguments *args, const struct pv_variable *params,
                uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (i < args->fixed.n) {
      args->fixed.at[i] = passed_as(fn, args->fixed.at[i], params[i].type);
    } else {
      struct pv_expr_node any = {.op = PV_X_UNDEF, .type = params[i].type};
      pv_vec_push(&args->fixed, pv_mk(fn->p, any));
    }
  }
  args->fixed.n = n;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Assigns the call's results; `have` are the variables that contain them. */
static void bind(struct pv_fn *fn, LLVMValueRef call, const uint32_t *have, uint32_t n) {
  struct pv_part parts[PV_MAX_PARTS];
  pv_expr value[PV_MAX_PARTS];
  unsigned want;
  const char *what;
  bool exact = true;
  if (fn->dead || !LLVMGetFirstUse(call)) return;
  if (!pv_fe_flatten(fn->fe, LLVMTypeOf(call), parts, &want, &what)) {
    pv_fn_unsupported(fn, what);
    return;
  }
  for (unsigned i = 0; i < want; i++) {
    struct pv_expr_node any = {.op = PV_X_UNDEF, .type = parts[i].type};
    bool known = i < n && have[i] != PV_NO_VAR;
    value[i] = known ? passed_as(fn, pv_fn_var(fn, have[i]), parts[i].type) : pv_mk(fn->p, any);
    exact &= known && value[i] == pv_fn_var(fn, have[i]);
  }
  if (exact)
    pv_fn_define_vars(fn, call, have, want);
  else
    pv_fn_define(fn, call, value, want);
}

static void emit_one_call(struct pv_fn *fn, LLVMValueRef i, struct pv_edge e,
                          struct arguments *args, const pv_type *results, uint32_t n_results) {
  uint32_t dst[PV_MAX_RESULTS];
  bool wanted = LLVMGetFirstUse(i) != NULL;
  e.e[1] = args->area;
  e.args = pv_mk_args(fn->p, args->fixed.at, args->fixed.n);
  for (uint32_t k = 0; k < n_results && wanted; k++) dst[k] = pv_fn_temp(fn, results[k]);
  if (wanted) e.dsts = pv_mk_args(fn->p, dst, n_results);
  pv_fn_emit(fn, e);
  if (!args->temps.n) {
    bind(fn, i, dst, n_results);
    return;
  }
  end_temps(fn, args);
  bind(fn, i, dst, n_results);
  fn->single = PV_NO_VAR;
}

static void emit_call(struct pv_fn *fn, LLVMValueRef i, struct pv_edge e, struct arguments *args,
                      const pv_type *results, uint32_t n_results) {
  pv_fn_may_come_back(fn);
  emit_one_call(fn, i, e, args, results, n_results);
  if (fn->jumps.n) fn->single = PV_NO_VAR;
  pv_fn_may_come_back(fn);
}

/* ---- kinds of calls -------------------------------------------------------------------------- */

static void call_body(struct pv_fn *fn, LLVMValueRef i, LLVMValueRef callee) {
  struct pv_function g = {0};
  struct arguments args = {0};
  const char *what;
  LLVMTypeRef real = LLVMGlobalGetValueType(callee);
  if (!pv_fe_signature(fn->fe, real, &g, &what)) {
    pv_fn_unsupported(fn, what);
    pv_vec_free(&g.vars);
    return;
  }
  unsigned n = LLVMGetNumArgOperands(i);
  unsigned fixed = g.variadic ? LLVMCountParamTypes(real) : n;
  for (unsigned k = 0; k < n && k < fixed && !fn->dead; k++) add_fixed(fn, i, k, &args);
  if (g.variadic && !fn->dead) make_area(fn, i, fixed, &args);
  if (!fn->dead) {
    struct pv_edge e = pv_edge_of(PV_OP_CALL, 0, 0);
    e.callee = pv_fe_function_body(fn->fe, callee);
    fit(fn, &args, g.vars.at, g.n_params);
    emit_call(fn, i, e, &args, g.result, g.n_results);
  }
  pv_vec_free(&g.vars);
  pv_vec_free(&args.fixed);
  pv_vec_free(&args.temps);
}

/* A call through an address. An old-style type `f(...)` without fixed parameters may lead to a
 * variadic function or another one: all arguments are passed in both ways. */
static void call_address(struct pv_fn *fn, LLVMValueRef i) {
  struct arguments args = {0};
  struct pv_function g = {0};
  const char *what;
  LLVMTypeRef type = LLVMGetCalledFunctionType(i);
  bool known = pv_fe_signature(fn->fe, type, &g, &what);
  if (!known) pv_fn_unsupported(fn, what);
  struct pv_edge e = pv_edge_of(PV_OP_CALL, 0, 0);
  e.e[0] = known ? pv_fn_scalar(fn, LLVMGetCalledValue(i)) : 0;
  unsigned n = LLVMGetNumArgOperands(i), fixed = LLVMCountParamTypes(type);
  bool old_style = g.variadic && fixed == 0;
  for (unsigned k = 0; k < n && (k < fixed || old_style) && !fn->dead; k++)
    add_fixed(fn, i, k, &args);
  if (g.variadic && !old_style && !fn->dead) make_area(fn, i, fixed, &args);
  if (!fn->dead) emit_call(fn, i, e, &args, g.result, g.n_results);
  pv_vec_free(&g.vars);
  pv_vec_free(&args.fixed);
  pv_vec_free(&args.temps);
}

/* After a call of a function that never returns clang has `unreachable`, or its check, a branch on
 * false; the attribute of the function may be gone. */
static bool comes_back(LLVMValueRef call) {
  LLVMValueRef next = LLVMGetNextInstruction(call);
  if (!next) return true;
  if (LLVMGetInstructionOpcode(next) == LLVMUnreachable) return false;
  bool branches = LLVMGetInstructionOpcode(next) == LLVMBr && LLVMIsConditional(next);
  LLVMValueRef on = branches ? LLVMIsAConstantInt(LLVMGetCondition(next)) : NULL;
  return !on || LLVMConstIntGetZExtValue(on) != 0;
}

/* The structure whose members are accessed through the pointer. */
static LLVMTypeRef structure_at(LLVMValueRef pointer, bool follow) {
  LLVMTypeRef found = NULL;
  for (LLVMUseRef u = LLVMGetFirstUse(pointer); u && !found; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == pointer) {
      LLVMTypeRef t = LLVMGetGEPSourceElementType(user);
      if (LLVMGetTypeKind(t) == LLVMStructTypeKind) found = t;
    } else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == pointer && follow) {
      LLVMValueRef variable = LLVMGetOperand(user, 1);
      for (LLVMUseRef w = LLVMGetFirstUse(variable); w && !found; w = LLVMGetNextUse(w))
        if (LLVMIsALoadInst(LLVMGetUser(w))) found = structure_at(LLVMGetUser(w), false);
    }
  }
  return found;
}

static void call_external(struct pv_fn *fn, LLVMValueRef i, const char *name) {
  struct arguments args = {0};
  struct pv_function g = {0};
  const char *what;
  if (!pv_fe_signature(fn->fe, LLVMGetCalledFunctionType(i), &g, &what)) {
    /* An undefined function without a prototype: reported by its name. */
    pv_fn_unsupported(fn, name);
  } else {
    for (unsigned k = 0; k < LLVMGetNumArgOperands(i) && !fn->dead; k++) add_fixed(fn, i, k, &args);
    struct pv_call call = {.name = name, .args = args.fixed.at, .n_args = args.fixed.n};
    call.results = g.result;
    call.n_results = g.n_results;
    call.wanted = LLVMGetFirstUse(i) != NULL;
    call.comes_back = comes_back(i);
    call.structure = structure_at(i, true);
    if (!fn->dead) pv_fn_external(fn, &call);
    end_temps(fn, &args);
    bind(fn, i, call.dst, g.n_results);
    if (args.temps.n) fn->single = PV_NO_VAR;
  }
  pv_vec_free(&g.vars);
  pv_vec_free(&args.fixed);
  pv_vec_free(&args.temps);
}

static void report_error(struct pv_fn *fn, const char *name) {
  struct pv_edge e = pv_edge_of(PV_OP_ERROR, 0, 0);
  char *text = pv_format("`%s` is called", name);
  e.aux = PV_ERROR_CALL;
  e.text = pv_program_string(fn->p, text);
  free(text);
  pv_fn_emit(fn, e);
}

void pv_fn_call(struct pv_fn *fn, LLVMValueRef i) {
  LLVMValueRef callee = pv_fe_strip(LLVMGetCalledValue(i));
  if (LLVMIsAInlineAsm(callee)) {
    pv_fn_assembly(fn, i, callee);
    return;
  }
  if (!LLVMIsAFunction(callee)) {
    call_address(fn, i);
    return;
  }
  size_t n;
  const char *name = LLVMGetValueName2(callee, &n);
  if (strncmp(name, "llvm.", 5) != 0) pv_fn_mark(fn, "call", name, n);
  if (strncmp(name, "llvm.", 5) == 0) {
    pv_fn_intrinsic(fn, i, name);
    return;
  }
  bool body = !LLVMIsDeclaration(callee);
  LLVMValueRef other;
  if (body && !pv_fe_is_model(callee)) {
    if (pv_fe_is_error_function(name)) report_error(fn, name);
    call_body(fn, i, callee);
  } else if (body && !pv_fe_is_builtin(fn->fe, name)) {
    pv_fn_check_format(fn, i, name);
    if (!pv_fn_setjmp(fn, i)) call_body(fn, i, callee);
  } else if (!body && (other = pv_fe_alias_body(fn->fe->module, name))) {
    call_body(fn, i, other);
  } else {
    call_external(fn, i, name);
  }
}
