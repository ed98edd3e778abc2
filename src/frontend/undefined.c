/* undefined.c -- variables that the program uses and no file defines. They may begin with anything:
 * numbers are inputs. What the ir cannot choose as an input (pointers, structures, long arrays) is
 * left external; reading it before it was written ends the path with a proviso (vm/undefined.c). */
#include "frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_ELEMENTS = 8,        /* of an array whose elements are inputs */
  MOST_FOLLOWED = 64 * 1024 /* bytes of a variable of which the machine knows what was written */
};

static bool is_number(LLVMTypeRef t) {
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  if (kind == LLVMIntegerTypeKind) return LLVMGetIntTypeWidth(t) <= 64;
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* The type of the elements that are inputs, and how many there are; NULL: they cannot be. */
static LLVMTypeRef elements(LLVMTypeRef t, uint64_t *n) {
  *n = 1;
  while (LLVMGetTypeKind(t) == LLVMArrayTypeKind) {
    *n *= LLVMGetArrayLength2(t);
    t = LLVMGetElementType(t);
  }
  return is_number(t) && *n && *n <= MOST_ELEMENTS ? t : NULL;
}

static bool is_undefined(const struct pv_global *g) {
  if (!strncmp(g->name, PV_LOCAL_GLOBAL, strlen(PV_LOCAL_GLOBAL))) return false;
  /* Tables of C++'s library are not read but for pointers to functions, whose call is an error. */
  return g->is_external && !g->is_model && g->size && strncmp(g->name, "_ZT", 3) != 0;
}

/* The place of an instruction that uses the global; 0: none is known. */
static uint32_t place_of(struct pv_fe *fe, LLVMValueRef g) {
  uint32_t span = 0;
  for (LLVMUseRef u = LLVMGetFirstUse(g); u && !span; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAInstruction(user))
      span = pv_fe_span_of_location(fe, LLVMInstructionGetDebugLoc(user));
    else if (LLVMIsAConstantExpr(user))
      span = place_of(fe, user);
  }
  return span;
}

static void choose(struct pv_fn *fn, uint32_t global, LLVMTypeRef t, uint64_t n) {
  fn->span = place_of(fn->fe, fn->fe->global_source.at[global]);
  const char *what, *name = fn->p->globals.at[global].name;
  struct pv_expr_node address = {.op = PV_X_GLOBAL, .type = fn->fe->ptr, .lo = global};
  pv_type type;
  if (!pv_fe_scalar(fn->fe, t, &type, &what)) return;
  for (uint64_t i = 0; i < n; i++) {
    struct pv_edge e = pv_edge_of(PV_OP_HAVOC, 0, 0), s = pv_edge_of(PV_OP_STORE, 0, 0);
    char *text = n == 1 ? pv_format("variable %s", name)
                        : pv_format("variable %s[%llu]", name, (unsigned long long)i);
    e.type = s.type = type;
    e.text = pv_program_string(fn->p, text);
    e.site = fn->p->n_sites++;
    e.aux = pv_type_kind(type) == PV_T_INT ? PV_HAVOC_SIGNED : PV_HAVOC_UNSIGNED;
    e.dst = pv_fn_temp(fn, type);
    pv_fn_emit(fn, e);
    pv_expr offset = pv_mk_const(fn->p, fn->fe->word, i * pv_type_bytes(type));
    s.e[0] = pv_mk(fn->p, address);
    if (i) s.e[0] = pv_mk_binary(fn->p, PV_X_PTRADD, 0, fn->fe->ptr, s.e[0], offset);
    s.e[1] = pv_fn_var(fn, e.dst);
    s.align = 1;
    pv_fn_emit(fn, s);
    free(text);
  }
}

/* Clears the bytes of scalars, from `at` on. */
static void clear_scalars(struct pv_fe *fe, LLVMTypeRef t, uint64_t at, uint8_t *bytes) {
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  if (kind == LLVMStructTypeKind) {
    for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
      clear_scalars(fe, LLVMStructGetTypeAtIndex(t, i), at + LLVMOffsetOfElement(fe->layout, t, i),
                    bytes);
  } else if (kind == LLVMArrayTypeKind) {
    uint64_t step = LLVMABISizeOfType(fe->layout, LLVMGetElementType(t));
    for (uint64_t i = 0; i < LLVMGetArrayLength2(t); i++)
      clear_scalars(fe, LLVMGetElementType(t), at + i * step, bytes);
  } else {
    memset(bytes + at, 0, LLVMStoreSizeOfType(fe->layout, t));
  }
}

/* Keeps which bytes are padding: whoever copies a structure may read them. */
static void keep_padding(struct pv_fe *fe, struct pv_global *g, LLVMTypeRef t) {
  g->init = pv_alloc(g->size);
  memset(g->init, 1, g->size);
  clear_scalars(fe, t, 0, g->init);
}

bool pv_fe_may_have_undefined(struct pv_fe *fe) {
  uint64_t n;
  for (LLVMValueRef g = LLVMGetFirstGlobal(fe->module); g; g = LLVMGetNextGlobal(g))
    if (!LLVMGetInitializer(g) && !LLVMIsThreadLocal(g) && !LLVMIsGlobalConstant(g) &&
        LLVMTypeIsSized(LLVMGlobalGetValueType(g)) && elements(LLVMGlobalGetValueType(g), &n) &&
        !pv_fe_is_model(g) && LLVMGetFirstUse(g) &&
        strncmp(LLVMGetValueName(g), PV_LOCAL_GLOBAL, strlen(PV_LOCAL_GLOBAL)) != 0)
      return true;
  return false;
}

void pv_fe_choose_undefined(struct pv_fe *fe, uint32_t function) {
  struct pv_fn fn;
  if (function != PV_NO_FUNC) pv_fn_begin(&fn, fe, function);
  for (uint32_t i = 0; i < fe->p->globals.n; i++) {
    struct pv_global *g = &fe->p->globals.at[i];
    uint64_t n;
    if (!is_undefined(g)) continue;
    bool fixed = g->is_const || g->is_thread_local;
    LLVMTypeRef t = fixed ? NULL : elements(LLVMGlobalGetValueType(fe->global_source.at[i]), &n);
    if (t && function != PV_NO_FUNC) {
      g->is_external = false;
      choose(&fn, i, t, n);
    } else if (fixed || g->size > MOST_FOLLOWED) {
      g->size = 0; /* every access is a proviso */
    } else {
      keep_padding(fe, g, LLVMGlobalGetValueType(fe->global_source.at[i]));
    }
  }
  if (function == PV_NO_FUNC) return;
  pv_fn_emit(&fn, pv_edge_of(PV_OP_RETURN, 0, 0));
  pv_fn_finish(&fn);
}
