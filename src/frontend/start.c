/* start.c -- builds the start function: constructors by priority, main (or the requested function),
 * exit with its result. Destructors are registered first, so that they run last. */
#include "frontend/frontend_internal.h"
#include "frontend/texts.h"

#include <stdlib.h>
#include <string.h>

struct hook { /* a constructor or destructor */
  uint64_t priority;
  LLVMValueRef function;
};
typedef PV_VEC(struct hook) hooks;

/* The entries of llvm.global_ctors or llvm.global_dtors, sorted by priority, otherwise in their
 * order. */
static void find_hooks(struct pv_fe *fe, const char *name, hooks *out) {
  LLVMValueRef g = LLVMGetNamedGlobal(fe->module, name);
  LLVMValueRef init = g ? LLVMGetInitializer(g) : NULL;
  if (!init || LLVMGetTypeKind(LLVMTypeOf(init)) != LLVMArrayTypeKind) return;
  for (unsigned i = 0; i < LLVMGetArrayLength2(LLVMTypeOf(init)); i++) {
    LLVMValueRef e = LLVMGetAggregateElement(init, i);
    LLVMValueRef priority = e ? LLVMGetAggregateElement(e, 0) : NULL;
    LLVMValueRef f = e ? pv_fe_strip(LLVMGetAggregateElement(e, 1)) : NULL;
    if (!f || !LLVMIsAFunction(f) || LLVMIsDeclaration(f)) continue;
    struct hook h = {LLVMConstIntGetZExtValue(priority), f};
    pv_vec_push(out, h);
    for (uint32_t k = out->n - 1; k > 0 && out->at[k].priority < out->at[k - 1].priority; k--) {
      struct hook swap = out->at[k];
      out->at[k] = out->at[k - 1];
      out->at[k - 1] = swap;
    }
  }
}

static void call(struct pv_fn *fn, uint32_t callee, const pv_expr *args, unsigned n,
                 uint32_t *result) {
  struct pv_edge e = pv_edge_of(PV_OP_CALL, 0, 0);
  e.callee = callee;
  e.args = pv_mk_args(fn->p, args, n);
  const struct pv_function *g = &fn->p->functions.at[callee];
  if (g->variadic) e.e[1] = pv_mk_const(fn->p, fn->fe->ptr, 0);
  *result = g->n_results ? pv_fn_temp(fn, g->result[0]) : PV_NO_VAR;
  if (g->n_results == 1) e.dsts = pv_mk_args(fn->p, result, 1);
  pv_fn_emit(fn, e);
}

static pv_expr load_global(struct pv_fn *fn, const char *name, pv_type type) {
  LLVMValueRef g = LLVMGetNamedGlobal(fn->fe->module, name);
  if (!g) return pv_mk_const(fn->p, type, 0);
  struct pv_edge e = pv_edge_of(PV_OP_LOAD, 0, 0);
  e.e[0] = pv_mk(fn->p, (struct pv_expr_node){
                            .op = PV_X_GLOBAL, .type = fn->fe->ptr, .lo = pv_fe_global(fn->fe, g)});
  e.type = type;
  e.align = 1;
  e.dst = pv_fn_temp(fn, type);
  pv_fn_emit(fn, e);
  return pv_fn_var(fn, e.dst);
}

static uint32_t model(struct pv_fe *fe, const char *name) {
  LLVMValueRef f = LLVMGetNamedFunction(fe->module, name);
  return f && !LLVMIsDeclaration(f) ? pv_fe_function_body(fe, f) : PV_NO_FUNC;
}

static void call_constructors(struct pv_fn *fn) {
  hooks list = {0};
  uint32_t ignored, atexit = model(fn->fe, "atexit");
  find_hooks(fn->fe, "llvm.global_dtors", &list);
  /* Lowest priority last, because handlers run in reverse order. */
  for (uint32_t i = 0; i < list.n; i++) {
    struct pv_expr_node f = {.op = PV_X_FUNC, .type = fn->fe->ptr};
    f.lo = pv_fe_function_address(fn->fe, list.at[i].function);
    pv_expr e = pv_mk(fn->p, f);
    if (atexit == PV_NO_FUNC) {
      pv_fn_unsupported(fn, "destructor function");
      break;
    }
    call(fn, atexit, &e, 1, &ignored);
  }
  list.n = 0;
  find_hooks(fn->fe, "llvm.global_ctors", &list);
  for (uint32_t i = 0; i < list.n; i++)
    if (fn->p && LLVMCountParams(list.at[i].function) == 0)
      call(fn, pv_fe_function_body(fn->fe, list.at[i].function), NULL, 0, &ignored);
  pv_vec_free(&list);
}

/* The arguments of main as declared: (), (argc, argv) or (argc, argv, environ). */
static void main_arguments(struct pv_fn *fn, const struct pv_variable *params, uint32_t n,
                           pv_expr *args) {
  struct pv_main_uses uses = pv_fe_main_uses(fn->fe);
  const char *chooses = uses.strings ? "__proviso_any_arguments" : "__proviso_any_count";
  uint32_t ignored, choice = model(fn->fe, chooses);
  bool free = !fn->fe->options->args.n && (uses.strings || uses.count);
  if (free && choice != PV_NO_FUNC) call(fn, choice, NULL, 0, &ignored);
  static const char *const names[] = {"__proviso_argc", "__proviso_argv", "environ"};
  for (uint32_t i = 0; i < n; i++) {
    pv_type own = i == 0 ? PV_INT(32) : fn->fe->ptr;
    args[i] = i < 3 ? load_global(fn, names[i], own) : pv_mk_const(fn->p, params[i].type, 0);
    args[i] = pv_fn_convert(fn, args[i], params[i].type);
  }
}

static void any_arguments(struct pv_fn *fn, const char *name, const struct pv_variable *params,
                          uint32_t n, pv_expr *args) {
  for (uint32_t i = 0; i < n; i++) {
    char *text = pv_format("parameter %u of %s", i + 1, name);
    struct pv_edge e = pv_edge_of(PV_OP_HAVOC, 0, 0);
    e.type = params[i].type;
    e.text = pv_program_string(fn->p, text);
    e.site = fn->p->n_sites++;
    e.dst = pv_fn_temp(fn, e.type);
    pv_fn_emit(fn, e);
    args[i] = pv_fn_var(fn, e.dst);
    free(text);
  }
}

static void finish(struct pv_fn *fn, uint32_t result) {
  uint32_t leave = model(fn->fe, "exit"), ignored;
  pv_expr code = pv_mk_const(fn->p, PV_INT(32), 0);
  if (result != PV_NO_VAR && pv_type_kind(fn->f.vars.at[result].type) == PV_T_INT)
    code = pv_fn_convert(fn, pv_fn_var(fn, result), PV_INT(32));
  if (leave != PV_NO_FUNC) {
    call(fn, leave, &code, 1, &ignored);
    pv_fn_stop(fn, PV_STOP_UNREACHABLE, NULL);
    return;
  }
  struct pv_edge e = pv_edge_of(PV_OP_STOP, 0, 0);
  e.aux = PV_STOP_EXIT;
  e.e[0] = code;
  pv_fn_emit(fn, e);
}

/* Do the options ask for something that needs a whole program, not only its text? */
static bool needs_start(const struct pv_options *o) {
  return o->mark_slice.n || o->observer.n || o->marks || o->invariant.n || o->ltl.n;
}

/* For the printed form of a library: takes all its functions, without a start. */
static void take_all(struct pv_fe *fe) {
  for (LLVMValueRef f = LLVMGetFirstFunction(fe->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !pv_fe_is_model(f)) pv_fe_function_body(fe, f);
}

enum pv_status pv_fe_make_start(struct pv_fe *fe) {
  const struct pv_options *o = fe->options;
  const char *name = o->entry.n ? o->entry.at[o->entry.n - 1] : "main";
  LLVMValueRef f = LLVMGetNamedFunction(fe->module, name);
  struct pv_function g = {0};
  const char *what = "";
  if ((!f || LLVMIsDeclaration(f)) && !o->entry.n && o->command == PV_FOR_IR && !needs_start(o)) {
    take_all(fe);
    return PV_OK;
  }
  if (!f || LLVMIsDeclaration(f)) {
    pv_str_addf(fe->err, "no function `%s` in", name);
    for (uint32_t i = 0; i < o->files.n; i++)
      pv_str_addf(fe->err, "%s %s", i ? "," : "", o->files.at[i]);
    return PV_E_INPUT;
  }
  if (!pv_fe_signature(fe, LLVMGlobalGetValueType(f), &g, &what)) {
    pv_str_addf(fe->err, "`%s` cannot be the start: %s among its parameters", name, what);
    pv_vec_free(&g.vars);
    return PV_E_INPUT;
  }
  struct pv_fn fn;
  uint32_t result, index = pv_fe_own_function(fe, "__proviso_entry");
  fe->p->functions.at[index].is_model = fe->p->functions.at[index].is_library = true;
  fe->p->start = index;
  pv_fn_begin(&fn, fe, index);
  if (pv_fe_may_have_undefined(fe)) {
    fe->undefined = pv_fe_own_function(fe, "__proviso_undefined");
    fe->p->functions.at[fe->undefined].is_model = true;
    call(&fn, fe->undefined, NULL, 0, &result);
  }
  call_constructors(&fn);
  pv_expr *args = pv_alloc((g.n_params + 1) * sizeof *args);
  if (o->entry.n)
    any_arguments(&fn, name, g.vars.at, g.n_params, args);
  else
    main_arguments(&fn, g.vars.at, g.n_params, args);
  call(&fn, pv_fe_function_body(fe, f), args, g.n_params, &result);
  finish(&fn, result);
  pv_fn_finish(&fn);
  free(args);
  pv_vec_free(&g.vars);
  return PV_OK;
}
