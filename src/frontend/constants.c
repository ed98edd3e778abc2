/* constants.c -- translates LLVM's constants and globals to expressions, bytes and relocations, and
 * references to functions. Globals and functions are added to the program when something reachable
 * refers to them first. So the program contains nothing unreachable, and is numbered in the order
 * of the text. */
#include "frontend/frontend_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions ------------------------------------------------------------------------------- */

struct function_key {
  LLVMValueRef llvm;
  uint64_t kind;
};

static const char *value_name(LLVMValueRef v) {
  size_t n;
  return LLVMGetValueName2(v, &n);
}

LLVMValueRef pv_fe_strip(LLVMValueRef v) {
  for (int i = 0; i < 64 && LLVMIsAGlobalAlias(v); i++) v = LLVMAliasGetAliasee(v);
  return v;
}

bool pv_fe_is_model(LLVMValueRef global) {
  const char *section = LLVMGetSection(global);
  return section && strcmp(section, "proviso-model") == 0;
}

static uint32_t function(struct pv_fe *fe, LLVMValueRef f, enum pv_source_kind kind,
                         const char *name) {
  struct function_key key = {f, kind};
  bool is_new = true;
  uint32_t index = fe->p->functions.n;
  if (f) index = *pv_map_put(&fe->function_of, &key, sizeof key, index, &is_new);
  if (!is_new) return index;
  pv_function_add(fe->p, name);
  struct pv_source_function s = {.llvm = f, .kind = kind, .body = PV_NO_FUNC};
  pv_vec_push(&fe->source, s);
  struct pv_function *g = &fe->p->functions.at[index];
  const char *what;
  if (f) {
    pv_fe_signature(fe, LLVMGlobalGetValueType(f), g, &what);
    g->is_model = g->is_library = pv_fe_is_model(f);
  }
  g->defined = true;
  return index;
}

uint32_t pv_fe_own_function(struct pv_fe *fe, const char *name) {
  return function(fe, NULL, PV_SOURCE_OWN, name);
}

uint32_t pv_fe_function_body(struct pv_fe *fe, LLVMValueRef f) {
  return function(fe, f, LLVMIsDeclaration(f) ? PV_SOURCE_EXTERN : PV_SOURCE_BODY, value_name(f));
}

uint32_t pv_fe_function_address(struct pv_fe *fe, LLVMValueRef f) {
  uint32_t body = pv_fe_function_body(fe, f);
  if (LLVMIsDeclaration(f) || !pv_fe_is_error_function(value_name(f))) return body;
  uint32_t stub = function(fe, f, PV_SOURCE_REPORT, value_name(f));
  fe->source.at[stub].body = body;
  return stub;
}

static bool names_block(LLVMBasicBlockRef b) {
  for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u; u = LLVMGetNextUse(u))
    if (LLVMIsABlockAddress(LLVMGetUser(u))) return true;
  return false;
}

bool pv_fe_label_taken(LLVMBasicBlockRef b) {
  return names_block(b);
}

uint32_t pv_fe_label_number(LLVMBasicBlockRef b) {
  uint32_t n = 0;
  LLVMValueRef f = LLVMGetBasicBlockParent(b);
  for (LLVMBasicBlockRef c = LLVMGetFirstBasicBlock(f); c && c != b; c = LLVMGetNextBasicBlock(c))
    n += names_block(c);
  return n;
}

/* ---- scalars --------------------------------------------------------------------------------- */

static pv_expr wide_const(struct pv_fe *fe, pv_type t, uint64_t lo, uint64_t hi) {
  return pv_mk(fe->p, (struct pv_expr_node){.op = PV_X_CONST, .type = t, .lo = lo, .hi = hi});
}

/* The C API returns integers of more than 64 bits only as text: "i128 -5". */
static pv_expr wide_integer(struct pv_fe *fe, LLVMValueRef c, pv_type t) {
  char *text = LLVMPrintValueToString(c);
  const char *digits = strchr(text, ' ');
  digits = digits ? digits + 1 : "0";
  bool negative = *digits == '-';
  pv_u128 v = 0;
  for (digits += negative; *digits >= '0' && *digits <= '9'; digits++)
    v = v * 10 + (unsigned)(*digits - '0');
  if (negative) v = -v;
  LLVMDisposeMessage(text);
  return wide_const(fe, t, (uint64_t)v, (uint64_t)(v >> 64));
}

static pv_expr real(struct pv_fe *fe, LLVMValueRef c, pv_type t) {
  if (pv_type_bits(t) == 80) { /* "x86_fp80 0xK" and 20 hexadecimal digits */
    char *text = LLVMPrintValueToString(c), head[5] = {0};
    const char *hex = strstr(text, "0xK");
    uint64_t lo = 0, hi = 0;
    if (hex && strlen(hex) >= 23) {
      memcpy(head, hex + 3, 4);
      hi = strtoull(head, NULL, 16);
      lo = strtoull(hex + 7, NULL, 16);
    }
    LLVMDisposeMessage(text);
    return wide_const(fe, t, lo, hi);
  }
  LLVMBool loses;
  double d = LLVMConstRealGetDouble(c, &loses);
  uint64_t bits = 0;
  if (pv_type_bits(t) == 32) {
    float f = (float)d;
    memcpy(&bits, &f, sizeof f);
  } else {
    memcpy(&bits, &d, sizeof d);
  }
  return pv_mk_const(fe->p, t, bits);
}

static pv_expr address(struct pv_fe *fe, enum pv_expr_op op, uint64_t lo, uint64_t hi) {
  return pv_mk(fe->p,
               (struct pv_expr_node){.op = (uint8_t)op, .type = fe->ptr, .lo = lo, .hi = hi});
}

static bool scalar(struct pv_fe *fe, LLVMValueRef c, pv_expr *out, const char **what);

static bool constant_gep(struct pv_fe *fe, LLVMValueRef c, pv_expr *out, const char **what) {
  LLVMTypeRef t = LLVMGetGEPSourceElementType(c);
  uint64_t offset = 0;
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(c); i++) {
    LLVMValueRef index = LLVMGetOperand(c, i);
    if (!LLVMIsAConstantInt(index)) {
      *what = "address computed in an initialiser";
      return false;
    }
    int64_t k = LLVMConstIntGetSExtValue(index);
    if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
      offset += LLVMOffsetOfElement(fe->layout, t, (unsigned)k);
      t = LLVMStructGetTypeAtIndex(t, (unsigned)k);
      continue;
    }
    if (i > 1) t = LLVMGetElementType(t);
    offset += (uint64_t)k * LLVMABISizeOfType(fe->layout, t);
  }
  pv_expr base;
  if (!scalar(fe, LLVMGetOperand(c, 0), &base, what)) return false;
  unsigned flags = LLVMIsInBounds(c) ? PV_XF_INBOUNDS : 0;
  *out =
      pv_mk_binary(fe->p, PV_X_PTRADD, flags, fe->ptr, base, pv_mk_const(fe->p, fe->word, offset));
  return true;
}

/* Converts between pointers and integers of any width. */
static pv_expr resize(struct pv_fe *fe, pv_expr e, pv_type to) {
  pv_type from = pv_node(fe->p, e)->type;
  if (pv_type_kind(from) == PV_T_PTR && from != to) {
    e = pv_mk_unary(fe->p, PV_X_BITCAST, fe->word, e);
    from = fe->word;
  }
  pv_type whole = pv_type_kind(to) == PV_T_PTR ? fe->word : to;
  if (pv_type_bits(from) < pv_type_bits(whole)) e = pv_mk_unary(fe->p, PV_X_ZEXT, whole, e);
  if (pv_type_bits(from) > pv_type_bits(whole)) e = pv_mk_unary(fe->p, PV_X_TRUNC, whole, e);
  return whole == to ? e : pv_mk_unary(fe->p, PV_X_BITCAST, to, e);
}

static bool constant_expression(struct pv_fe *fe, LLVMValueRef c, pv_expr *out, const char **what) {
  pv_type t;
  pv_expr a, b;
  LLVMOpcode op = LLVMGetConstOpcode(c);
  if (op == LLVMGetElementPtr) return constant_gep(fe, c, out, what);
  if (!pv_fe_scalar(fe, LLVMTypeOf(c), &t, what)) return false;
  if (!scalar(fe, LLVMGetOperand(c, 0), &a, what)) return false;
  switch (op) {
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMBitCast:
  case LLVMTrunc: *out = resize(fe, a, t); return true;
  case LLVMAdd:
  case LLVMSub:
  case LLVMXor:
    if (!scalar(fe, LLVMGetOperand(c, 1), &b, what)) return false;
    *out = pv_mk_binary(fe->p,
                        op == LLVMAdd   ? PV_X_ADD
                        : op == LLVMSub ? PV_X_SUB
                                        : PV_X_XOR,
                        0, t, a, b);
    return true;
  default: *what = "constant expression"; return false;
  }
}

static bool scalar(struct pv_fe *fe, LLVMValueRef c, pv_expr *out, const char **what) {
  c = pv_fe_strip(c);
  pv_type t;
  if (!pv_fe_scalar(fe, LLVMTypeOf(c), &t, what)) return false;
  if (LLVMIsAConstantInt(c))
    *out = pv_type_bits(t) <= 64 ? pv_mk_const(fe->p, t, LLVMConstIntGetZExtValue(c))
                                 : wide_integer(fe, c, t);
  else if (LLVMIsAConstantFP(c))
    *out = real(fe, c, t);
  else if (LLVMIsNull(c))
    *out = pv_mk_const(fe->p, t, 0);
  else if (LLVMIsUndef(c) || LLVMIsPoison(c))
    *out = pv_mk(fe->p, (struct pv_expr_node){.op = PV_X_UNDEF, .type = t});
  else if (LLVMIsAGlobalValue(c) && LLVMIsDeclaration(c) &&
           LLVMGetLinkage(c) == LLVMExternalWeakLinkage)
    *out = pv_mk_const(fe->p, t, 0); /* a weak function or variable without a definition */
  else if (LLVMIsAFunction(c))
    *out = address(fe, PV_X_FUNC, pv_fe_function_address(fe, c), 0);
  else if (LLVMIsAGlobalVariable(c))
    *out = address(fe, PV_X_GLOBAL, pv_fe_global(fe, c), 0);
  else if (LLVMIsABlockAddress(c)) {
    LLVMBasicBlockRef b = LLVMGetBlockAddressBasicBlock(c);
    uint32_t f = pv_fe_function_body(fe, LLVMGetBlockAddressFunction(c));
    *out = address(fe, PV_X_LABEL, f, pv_fe_label_number(b));
  } else if (LLVMIsAConstantExpr(c))
    return constant_expression(fe, c, out, what);
  else {
    *what = LLVMIsAGlobalIFunc(c) ? "indirect function (ifunc)" : "constant";
    return false;
  }
  return true;
}

static bool aggregate(struct pv_fe *fe, LLVMValueRef c, pv_expr *out, unsigned *n,
                      const char **what) {
  LLVMTypeRef t = LLVMTypeOf(c);
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  bool is_struct = kind == LLVMStructTypeKind, is_array = kind == LLVMArrayTypeKind;
  if (!is_struct && !is_array && kind != LLVMVectorTypeKind) {
    if (*n >= PV_MAX_PARTS) return false;
    return scalar(fe, c, &out[(*n)++], what);
  }
  unsigned k = is_struct  ? LLVMCountStructElementTypes(t)
               : is_array ? (unsigned)LLVMGetArrayLength2(t)
                          : LLVMGetVectorSize(t);
  for (unsigned i = 0; i < k; i++) {
    LLVMValueRef e = LLVMGetAggregateElement(c, i);
    if (!e) {
      *what = "constant";
      return false;
    }
    if (!aggregate(fe, e, out, n, what)) return false;
  }
  return true;
}

bool pv_fe_constant(struct pv_fe *fe, LLVMValueRef c, pv_expr *out, unsigned *n,
                    const char **what) {
  struct pv_part parts[PV_MAX_PARTS]; /* rejects values that are too large */
  *n = 0;
  if (!pv_fe_flatten(fe, LLVMTypeOf(c), parts, n, what)) return false;
  *n = 0;
  return aggregate(fe, c, out, n, what);
}

/* ---- globals --------------------------------------------------------------------------------- */

uint32_t pv_fe_global(struct pv_fe *fe, LLVMValueRef g) {
  bool is_new;
  uint32_t index = *pv_map_put(&fe->global_of, &g, sizeof g, fe->p->globals.n, &is_new);
  if (!is_new) return index;
  LLVMTypeRef t = LLVMGlobalGetValueType(g);
  struct pv_global new = {.name = pv_program_string(fe->p, value_name(g))};
  struct pv_di_variable di;
  if (pv_fe_di_global(fe, g, &di)) {
    if (di.name && *di.name) new.name = pv_program_string(fe->p, di.name);
    new.srctype = di.type;
    new.span = di.span;
  }
  new.size = LLVMTypeIsSized(t) ? LLVMABISizeOfType(fe->layout, t) : 0;
  new.align = LLVMGetAlignment(g);
  if (!new.align && LLVMTypeIsSized(t)) new.align = LLVMABIAlignmentOfType(fe->layout, t);
  new.is_const = LLVMIsGlobalConstant(g);
  new.is_thread_local = LLVMIsThreadLocal(g);
  new.is_external = !LLVMGetInitializer(g);
  new.is_model = pv_fe_is_model(g);
  pv_vec_push(&fe->p->globals, new);
  pv_vec_push(&fe->global_source, g);
  return index;
}

struct image { /* the bytes of a global under construction */
  struct pv_fe *fe;
  uint8_t *bytes;
  uint64_t size;
  PV_VEC(struct pv_reloc) relocs;
  const char *what;
};

static bool put_scalar(struct image *im, LLVMValueRef c, uint64_t at) {
  pv_expr e;
  if (!scalar(im->fe, c, &e, &im->what)) return false;
  const struct pv_expr_node n = *pv_node(im->fe->p, e);
  unsigned bytes = pv_type_bytes(n.type);
  if (n.op == PV_X_UNDEF) return true; /* static storage: any value is allowed, so zero */
  if (at + bytes > im->size) return false;
  if (n.op != PV_X_CONST) {
    im->what = "address of another width";
    if (pv_type_bits(n.type) != im->fe->p->pointer_bits) return false;
    pv_vec_push(&im->relocs, ((struct pv_reloc){at, e}));
    return true;
  }
  for (unsigned i = 0; i < bytes; i++)
    im->bytes[at + i] = (uint8_t)(i < 8 ? n.lo >> 8 * i : n.hi >> 8 * (i - 8));
  return true;
}

static bool put(struct image *im, LLVMValueRef c, uint64_t at) {
  LLVMTypeRef t = LLVMTypeOf(c);
  LLVMTargetDataRef layout = im->fe->layout;
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  bool is_struct = kind == LLVMStructTypeKind, is_array = kind == LLVMArrayTypeKind;
  if (LLVMIsNull(c) || LLVMIsUndef(c)) return true;
  if (!is_struct && !is_array && kind != LLVMVectorTypeKind) return put_scalar(im, c, at);
  if (LLVMIsConstantString(c)) {
    size_t n;
    const char *text = LLVMGetAsString(c, &n);
    if (at + n > im->size) return false;
    memcpy(im->bytes + at, text, n);
    return true;
  }
  uint64_t k = is_struct  ? LLVMCountStructElementTypes(t)
               : is_array ? LLVMGetArrayLength2(t)
                          : LLVMGetVectorSize(t);
  uint64_t step = is_struct || !k ? 0 : LLVMABISizeOfType(layout, LLVMGetElementType(t));
  for (uint64_t i = 0; i < k; i++) {
    LLVMValueRef e = LLVMGetAggregateElement(c, (unsigned)i);
    uint64_t offset = is_struct ? LLVMOffsetOfElement(layout, t, (unsigned)i) : i * step;
    if (!e || !put(im, e, at + offset)) return false;
  }
  return true;
}

void pv_fe_lower_global(struct pv_fe *fe, uint32_t index) {
  LLVMValueRef init = LLVMGetInitializer(fe->global_source.at[index]);
  uint64_t size = fe->p->globals.at[index].size;
  if (!init || LLVMIsNull(init) || !size) return;
  struct image im = {.fe = fe, .bytes = pv_alloc(size), .size = size, .what = "initialiser"};
  if (!put(&im, init, 0) && !fe->cannot_start) {
    char *text = pv_format("%s in the initialiser of `%s`", im.what, fe->p->globals.at[index].name);
    fe->cannot_start = pv_program_string(fe->p, text);
    free(text);
  }
  struct pv_global *g = &fe->p->globals.at[index]; /* globals may have moved */
  g->init = im.bytes;
  for (uint32_t i = 0; i < im.relocs.n; i++) pv_vec_push(&g->relocs, im.relocs.at[i]);
  pv_vec_free(&im.relocs);
}

char *pv_fe_string(struct pv_fe *fe, pv_expr e) {
  struct pv_expr_node n = *pv_node(fe->p, e);
  uint64_t offset = 0;
  if (n.op == PV_X_PTRADD && pv_node(fe->p, n.b)->op == PV_X_CONST) {
    offset = pv_node(fe->p, n.b)->lo;
    n = *pv_node(fe->p, n.a);
  }
  if (n.op != PV_X_GLOBAL || !fe->global_source.at[n.lo]) return NULL;
  LLVMValueRef init = LLVMGetInitializer(fe->global_source.at[n.lo]);
  if (!init || !LLVMIsConstantString(init)) return NULL;
  size_t length;
  const char *text = LLVMGetAsString(init, &length);
  if (offset >= length) return NULL;
  size_t k = strnlen(text + offset, length - offset);
  char *copy = pv_alloc(k + 1);
  memcpy(copy, text + offset, k);
  return copy;
}
