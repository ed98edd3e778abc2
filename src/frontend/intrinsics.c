/* intrinsics.c -- calls of llvm.*: clang's translation of builtins. */
#include "frontend/frontend_internal.h"

#include <string.h>

static bool starts(const char *s, const char *with) {
  return strncmp(s, with, strlen(with)) == 0;
}

static pv_type type_of(struct pv_fn *fn, pv_expr e) {
  return pv_node(fn->p, e)->type;
}

static void define(struct pv_fn *fn, LLVMValueRef i, pv_expr e) {
  if (!fn->dead) pv_fn_define(fn, i, &e, 1);
}

static pv_expr operand(struct pv_fn *fn, LLVMValueRef i, unsigned k) {
  return pv_fn_scalar(fn, LLVMGetOperand(i, k));
}

static bool is_true(LLVMValueRef v) {
  return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* memcpy and similar functions need valid pointers even for zero bytes (C11, 7.24.1; not in the
 * next standard). A constant length belongs to a structure, or is checked by the access. */
static void check_given(struct pv_fn *fn, const struct pv_edge *block, int pointers) {
  if (pv_node(fn->p, block->e[2])->op == PV_X_CONST) return;
  struct pv_edge e = pv_edge_of(PV_OP_CHECK, 0, 0);
  pv_expr given = 0;
  for (int k = 0; k < pointers; k++) {
    pv_type t = type_of(fn, block->e[k]);
    pv_expr one = pv_mk_binary(fn->p, PV_X_NE, 0, PV_INT(1), block->e[k], pv_mk_const(fn->p, t, 0));
    given = given ? pv_mk_binary(fn->p, PV_X_AND, 0, PV_INT(1), given, one) : one;
  }
  pv_expr some = pv_mk_binary(fn->p, PV_X_NE, 0, PV_INT(1), block->e[2], pv_fn_size(fn, 0));
  e.aux = PV_CHECK_ARGUMENT;
  e.e[0] = pv_mk_binary(fn->p, PV_X_OR, 0, PV_INT(1), some, given);
  e.text = pv_program_string(fn->p, "a null pointer is passed to a function of string.h");
  pv_fn_emit(fn, e);
}

static void copy(struct pv_fn *fn, LLVMValueRef i, bool disjoint) {
  struct pv_edge e = pv_edge_of(PV_OP_COPY, 0, 0);
  for (unsigned k = 0; k < 3; k++) e.e[k] = operand(fn, i, k);
  if (fn->dead) return;
  e.e[2] = pv_fn_convert(fn, e.e[2], fn->fe->word);
  check_given(fn, &e, 2);
  e.aux = disjoint;
  e.flags = is_true(LLVMGetOperand(i, 3)) ? PV_EF_VOLATILE : 0;
  pv_fn_emit(fn, e);
}

static void fill(struct pv_fn *fn, LLVMValueRef i) {
  struct pv_edge e = pv_edge_of(PV_OP_FILL, 0, 0);
  for (unsigned k = 0; k < 3; k++) e.e[k] = operand(fn, i, k);
  if (fn->dead) return;
  e.e[2] = pv_fn_convert(fn, e.e[2], fn->fe->word);
  check_given(fn, &e, 1);
  e.flags = is_true(LLVMGetOperand(i, 3)) ? PV_EF_VOLATILE : 0;
  pv_fn_emit(fn, e);
}

/* Marks begin or end of a slot's lifetime; a variable becomes unassigned. */
static void lifetime(struct pv_fn *fn, LLVMValueRef i, bool start) {
  const struct pv_lowered_value *v = pv_fn_find(fn, LLVMGetOperand(i, 1));
  if (!v) return;
  if (v->promoted) {
    if (start && v->init != PV_NO_VAR) pv_fn_assign(fn, v->init, pv_mk_const(fn->p, PV_INT(1), 0));
  } else if (v->slot != UINT32_MAX) {
    struct pv_edge e = pv_edge_of(start ? PV_OP_LIVE : PV_OP_DEAD, 0, 0);
    e.aux = v->slot;
    pv_fn_emit(fn, e);
  }
}

static void store(struct pv_fn *fn, pv_expr at, uint64_t offset, pv_expr value) {
  struct pv_edge e = pv_edge_of(PV_OP_STORE, 0, 0);
  e.e[0] =
      pv_mk_binary(fn->p, PV_X_PTRADD, PV_XF_INBOUNDS, fn->fe->ptr, at, pv_fn_size(fn, offset));
  e.e[1] = value;
  e.type = type_of(fn, value);
  e.align = 1;
  pv_fn_emit(fn, e);
}

/* On x86-64 the register counters are set such that all registers count as used: va_arg then reads
 * the memory area. */
static void va_start(struct pv_fn *fn, LLVMValueRef i) {
  pv_expr at = operand(fn, i, 0);
  if (fn->dead) return;
  if (fn->area == PV_NO_VAR) {
    pv_fn_unsupported(fn, "va_start outside a variadic function");
    return;
  }
  pv_expr area = pv_fn_var(fn, fn->area);
  if (fn->p->pointer_bits == 32) {
    store(fn, at, 0, area);
    return;
  }
  store(fn, at, 0, pv_mk_const(fn->p, PV_INT(32), 48));
  store(fn, at, 4, pv_mk_const(fn->p, PV_INT(32), 176));
  store(fn, at, 8, area);
  store(fn, at, 16, pv_mk_const(fn->p, fn->fe->ptr, 0));
}

static void va_copy(struct pv_fn *fn, LLVMValueRef i) {
  struct pv_edge e = pv_edge_of(PV_OP_COPY, 0, 0);
  e.e[0] = operand(fn, i, 0);
  e.e[1] = operand(fn, i, 1);
  e.e[2] = pv_fn_size(fn, fn->p->pointer_bits == 64 ? 24 : 4);
  pv_fn_emit(fn, e);
}

static bool lower_memory(struct pv_fn *fn, LLVMValueRef i, const char *name) {
  if (starts(name, "memcpy.") || starts(name, "memcpy.inline."))
    copy(fn, i, true);
  else if (starts(name, "memmove."))
    copy(fn, i, false);
  else if (starts(name, "memset."))
    fill(fn, i);
  else if (starts(name, "lifetime.start"))
    lifetime(fn, i, true);
  else if (starts(name, "lifetime.end"))
    lifetime(fn, i, false);
  else if (starts(name, "va_start"))
    va_start(fn, i);
  else if (starts(name, "va_copy"))
    va_copy(fn, i);
  else
    return false;
  return true;
}

/* ---- integers -------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  enum pv_intop op;
  unsigned arity;
} integer_table[] = {
    {"ctpop.", PV_INTOP_CTPOP, 1},
    {"ctlz.", PV_INTOP_CTLZ, 1},
    {"cttz.", PV_INTOP_CTTZ, 1},
    {"bswap.", PV_INTOP_BSWAP, 1},
    {"bitreverse.", PV_INTOP_BITREVERSE, 1},
    {"smin.", PV_INTOP_SMIN, 2},
    {"smax.", PV_INTOP_SMAX, 2},
    {"umin.", PV_INTOP_UMIN, 2},
    {"umax.", PV_INTOP_UMAX, 2},
    {"fshl.", PV_INTOP_FSHL, 3},
    {"fshr.", PV_INTOP_FSHR, 3},
    {"sadd.sat.", PV_INTOP_SADD_SAT, 2},
    {"uadd.sat.", PV_INTOP_UADD_SAT, 2},
    {"ssub.sat.", PV_INTOP_SSUB_SAT, 2},
    {"usub.sat.", PV_INTOP_USUB_SAT, 2},
};

static const struct {
  const char *name;
  enum pv_overflow kind;
  enum pv_expr_op op;
} overflow_table[] = {
    {"sadd.with.overflow.", PV_OVF_SADD, PV_X_ADD}, {"uadd.with.overflow.", PV_OVF_UADD, PV_X_ADD},
    {"ssub.with.overflow.", PV_OVF_SSUB, PV_X_SUB}, {"usub.with.overflow.", PV_OVF_USUB, PV_X_SUB},
    {"smul.with.overflow.", PV_OVF_SMUL, PV_X_MUL}, {"umul.with.overflow.", PV_OVF_UMUL, PV_X_MUL},
};

static pv_expr integer(struct pv_fn *fn, enum pv_intop op, pv_expr a, pv_expr b, pv_expr c) {
  return pv_mk(
      fn->p,
      (struct pv_expr_node){
          .op = PV_X_INTOP, .aux = (uint16_t)op, .type = type_of(fn, a), .a = a, .b = b, .c = c});
}

/* __builtin_clz and __builtin_ctz of zero are undefined. */
static void check_not_zero(struct pv_fn *fn, pv_expr x) {
  struct pv_edge e = pv_edge_of(PV_OP_CHECK, 0, 0);
  e.aux = PV_CHECK_ARGUMENT;
  e.e[0] = pv_mk_binary(fn->p, PV_X_NE, 0, PV_INT(1), x, pv_mk_const(fn->p, type_of(fn, x), 0));
  e.text = pv_program_string(fn->p, "counting the leading or trailing zeros of 0");
  pv_fn_emit(fn, e);
}

/* abs(INT_MIN) overflows: it is written as -x, so that this is detected like any other overflow. */
static void absolute(struct pv_fn *fn, LLVMValueRef i) {
  pv_expr x = operand(fn, i, 0);
  if (fn->dead) return;
  pv_type t = type_of(fn, x);
  if (!is_true(LLVMGetOperand(i, 1))) {
    define(fn, i, integer(fn, PV_INTOP_ABS, x, 0, 0));
    return;
  }
  pv_expr zero = pv_mk_const(fn->p, t, 0);
  struct pv_expr_node n = {.op = PV_X_SELECT, .type = t, .c = x};
  n.a = pv_mk_binary(fn->p, PV_X_SLT, 0, PV_INT(1), x, zero);
  n.b = pv_mk_binary(fn->p, PV_X_SUB, PV_XF_NSW, t, zero, x);
  define(fn, i, pv_mk(fn->p, n));
}

static bool lower_integer(struct pv_fn *fn, LLVMValueRef i, const char *name) {
  for (size_t k = 0; k < sizeof integer_table / sizeof integer_table[0]; k++) {
    if (!starts(name, integer_table[k].name)) continue;
    pv_expr x[3] = {0};
    for (unsigned j = 0; j < integer_table[k].arity; j++) x[j] = operand(fn, i, j);
    if (fn->dead) return true;
    enum pv_intop op = integer_table[k].op;
    if ((op == PV_INTOP_CTLZ || op == PV_INTOP_CTTZ) && is_true(LLVMGetOperand(i, 1)))
      check_not_zero(fn, x[0]);
    define(fn, i, integer(fn, op, x[0], x[1], x[2]));
    return true;
  }
  for (size_t k = 0; k < sizeof overflow_table / sizeof overflow_table[0]; k++) {
    if (!starts(name, overflow_table[k].name)) continue;
    pv_expr a = operand(fn, i, 0), b = operand(fn, i, 1);
    if (fn->dead) return true;
    pv_expr parts[2] = {pv_mk_binary(fn->p, overflow_table[k].op, 0, type_of(fn, a), a, b)};
    parts[1] = pv_mk(fn->p, (struct pv_expr_node){.op = PV_X_OVERFLOWS,
                                                  .aux = (uint16_t)overflow_table[k].kind,
                                                  .type = PV_INT(1),
                                                  .a = a,
                                                  .b = b});
    pv_fn_define(fn, i, parts, 2);
    return true;
  }
  if (!starts(name, "abs.")) return false;
  absolute(fn, i);
  return true;
}

/* ---- floats ---------------------------------------------------------------------------------- */

/* "minnum.f64" -> fmin; the others have their names in C. */
static bool float_function(const char *name, enum pv_math *math, unsigned *arity) {
  char base[32];
  size_t n = strcspn(name, ".");
  if (n >= sizeof base || name[n] != '.' || name[n + 1] != 'f') return false;
  memcpy(base, name, n);
  base[n] = '\0';
  const char *c_name = strcmp(base, "minnum") == 0   ? "fmin"
                       : strcmp(base, "maxnum") == 0 ? "fmax"
                                                     : base;
  return pv_fe_math(c_name, math, arity);
}

struct classes { /* a float is classified by its bits without the sign */
  pv_expr bits, magnitude, infinity, normal, negative;
};

static pv_expr binary(struct pv_fn *fn, enum pv_expr_op op, pv_expr a, pv_expr b) {
  return pv_mk_binary(fn->p, op, 0, PV_INT(1), a, b);
}

static pv_expr wide(struct pv_fn *fn, pv_type t, uint64_t hi, uint64_t lo) {
  return pv_mk(fn->p, (struct pv_expr_node){.op = PV_X_CONST, .type = t, .lo = lo, .hi = hi});
}

static void class_bounds(struct pv_fn *fn, unsigned bits, struct classes *c) {
  pv_type t = PV_INT(bits);
  uint64_t top = UINT64_C(1) << 63;
  pv_expr sign = bits == 32   ? wide(fn, t, 0, UINT64_C(1) << 31)
                 : bits == 64 ? wide(fn, t, 0, top)
                              : wide(fn, t, 0x8000, 0);
  pv_expr all = wide(fn, t, UINT64_MAX, UINT64_MAX);
  c->infinity = bits == 32   ? wide(fn, t, 0, 0x7f800000)
                : bits == 64 ? wide(fn, t, 0, UINT64_C(0x7ff) << 52)
                             : wide(fn, t, 0x7fff, top);
  c->normal = bits == 32   ? wide(fn, t, 0, 0x800000)
              : bits == 64 ? wide(fn, t, 0, UINT64_C(1) << 52)
                           : wide(fn, t, 1, top);
  c->magnitude =
      pv_mk_binary(fn->p, PV_X_AND, 0, t, c->bits, pv_mk_binary(fn->p, PV_X_XOR, 0, t, sign, all));
  c->negative = binary(fn, PV_X_SLT, c->bits, wide(fn, t, 0, 0));
}

/* The class: 0 nan, 1 infinite, 2 normal, 3 subnormal, 4 zero. */
static pv_expr in_class(struct pv_fn *fn, const struct classes *c, int class) {
  pv_expr zero = pv_mk_const(fn->p, type_of(fn, c->bits), 0), m = c->magnitude;
  switch (class) {
  case 0: return binary(fn, PV_X_ULT, c->infinity, m);
  case 1: return binary(fn, PV_X_EQ, m, c->infinity);
  case 2:
    return binary(fn, PV_X_AND, binary(fn, PV_X_ULE, c->normal, m),
                  binary(fn, PV_X_ULT, m, c->infinity));
  case 3:
    return binary(fn, PV_X_AND, binary(fn, PV_X_NE, m, zero), binary(fn, PV_X_ULT, m, c->normal));
  default: return binary(fn, PV_X_EQ, m, zero);
  }
}

/* llvm.is.fpclass: a mask over the classes, from negative infinity to positive infinity. */
static void float_class(struct pv_fn *fn, LLVMValueRef i) {
  static const unsigned negative[] = {0, 1 << 2, 1 << 3, 1 << 4, 1 << 5};
  static const unsigned positive[] = {3, 1 << 9, 1 << 8, 1 << 7, 1 << 6};
  unsigned mask = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
  pv_expr x = operand(fn, i, 0), any = pv_mk_const(fn->p, PV_INT(1), 0);
  if (fn->dead) return;
  if ((mask & 3) == 1 || (mask & 3) == 2) {
    pv_fn_unsupported(fn, "test for a signalling NaN");
    return;
  }
  unsigned bits = pv_type_bits(type_of(fn, x));
  struct classes c = {.bits = pv_mk_unary(fn->p, PV_X_BITCAST, PV_INT(bits), x)};
  class_bounds(fn, bits, &c);
  for (int k = 0; k < 5; k++) {
    bool minus = mask & negative[k], plus = mask & positive[k];
    if (!minus && !plus) continue;
    pv_expr in = in_class(fn, &c, k);
    if (k > 0 && !(minus && plus))
      in = binary(fn, PV_X_AND, in, minus ? c.negative : pv_mk_not(fn->p, c.negative));
    any = binary(fn, PV_X_OR, any, in);
  }
  define(fn, i, any);
}

static bool lower_float(struct pv_fn *fn, LLVMValueRef i, const char *name) {
  enum pv_math math;
  unsigned arity;
  if (starts(name, "is.fpclass.")) {
    float_class(fn, i);
    return true;
  }
  if (starts(name, "fmuladd.")) { /* fused or not, both are allowed: not fused */
    pv_expr a = operand(fn, i, 0), b = operand(fn, i, 1), c = operand(fn, i, 2);
    if (fn->dead) return true;
    pv_type t = type_of(fn, a);
    define(fn, i,
           pv_mk_binary(fn->p, PV_X_FADD, 0, t, pv_mk_binary(fn->p, PV_X_FMUL, 0, t, a, b), c));
    return true;
  }
  if (!float_function(name, &math, &arity)) return false;
  struct pv_expr_node n = {.op = PV_X_MATH, .aux = (uint16_t)math};
  n.a = operand(fn, i, 0);
  if (arity == 2) n.b = operand(fn, i, 1);
  if (fn->dead) return true;
  n.type = type_of(fn, n.a);
  define(fn, i, pv_mk(fn->p, n));
  return true;
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void label(struct pv_fn *fn, LLVMValueRef i) {
  LLVMValueRef name = pv_fe_di_operand(fn->fe, LLVMValueAsMetadata(LLVMGetOperand(i, 0)), 1);
  if (!name || !LLVMIsAMDString(name)) return;
  unsigned n;
  const char *text = LLVMGetMDString(name, &n);
  pv_fn_mark(fn, "label", text, n);
  if (n == 5 && strncmp(text, "ERROR", n) == 0) pv_fn_error_label(fn, i);
}

static void trap(struct pv_fn *fn) {
  pv_fn_stop(fn, PV_STOP_ABORT, NULL);
}

static void alias(struct pv_fn *fn, LLVMValueRef i) {
  pv_expr parts[PV_MAX_PARTS];
  unsigned n = pv_fn_operand(fn, LLVMGetOperand(i, 0), parts);
  if (!fn->dead) pv_fn_define(fn, i, parts, n);
}

static bool is_one_of(const char *name, const char *const *list) {
  for (; *list; list++)
    if (starts(name, *list)) return true;
  return false;
}

/* Fences of <immintrin.h>. Returns false for other names. */
static bool fence(struct pv_fn *fn, const char *name) {
  struct pv_edge e = pv_edge_of(PV_OP_FENCE, 0, 0);
  if (strcmp(name, "x86.sse2.mfence") == 0)
    e.order = PV_ORDER_SEQ_CST;
  else if (strcmp(name, "x86.sse2.lfence") == 0)
    e.order = PV_ORDER_ACQUIRE;
  else if (strcmp(name, "x86.sse.sfence") == 0)
    e.order = PV_ORDER_RELEASE;
  else
    return false;
  pv_fn_emit(fn, e);
  return true;
}

static bool lower_other(struct pv_fn *fn, LLVMValueRef i, const char *name) {
  static const char *const aliases[] = {"expect.",
                                        "threadlocal.address",
                                        "launder.invariant.group",
                                        "strip.invariant.group",
                                        "ptr.annotation",
                                        "annotation.",
                                        "ssa.copy",
                                        "arithmetic.fence",
                                        NULL};
  static const char *const nothing[] = {
      "assume",         "prefetch", "donothing",  "sideeffect",  "experimental.noalias.scope.decl",
      "var.annotation", "va_end",   "invariant.", "pseudoprobe", "instrprof.",
      "x86.sse2.pause", NULL};
  pv_type t;
  const char *what;
  if (is_one_of(name, aliases)) {
    alias(fn, i);
  } else if (is_one_of(name, nothing)) {
    pv_fn_flush(fn, NULL); /* operands that are not used must still be evaluated */
  } else if (starts(name, "stackrestore")) {
    pv_fn_stackrestore(fn, i);
  } else if (starts(name, "stacksave")) {
    define(fn, i, pv_mk_const(fn->p, fn->fe->ptr, 0));
  } else if (starts(name, "objectsize.")) {
    if (!pv_fe_scalar(fn->fe, LLVMTypeOf(i), &t, &what)) return false;
    bool least = is_true(LLVMGetOperand(i, 1));
    define(fn, i, pv_mk_const(fn->p, t, least ? 0 : UINT64_MAX));
  } else if (starts(name, "is.constant.")) {
    define(fn, i, pv_mk_const(fn->p, PV_INT(1), 0));
  } else if (starts(name, "ptrmask.")) {
    pv_expr p = operand(fn, i, 0), mask = operand(fn, i, 1);
    if (fn->dead) return true;
    p = pv_mk_unary(fn->p, PV_X_BITCAST, fn->fe->word, p);
    p = pv_mk_binary(fn->p, PV_X_AND, 0, fn->fe->word, p, pv_fn_convert(fn, mask, fn->fe->word));
    define(fn, i, pv_mk_unary(fn->p, PV_X_BITCAST, fn->fe->ptr, p));
  } else if (strcmp(name, "trap") == 0) {
    trap(fn);
  } else if (strcmp(name, "ubsantrap") == 0) {
    trap(fn);
  } else if (strcmp(name, "get.rounding") == 0) {
    define(fn, i, pv_mk_const(fn->p, PV_INT(32), 1));
  } else {
    return fence(fn, name) || strcmp(name, "debugtrap") == 0;
  }
  return true;
}

void pv_fn_intrinsic(struct pv_fn *fn, LLVMValueRef i, const char *name) {
  const char *rest = name + strlen("llvm.");
  if (starts(rest, "dbg.")) {
    if (strcmp(rest, "dbg.label") == 0) label(fn, i);
    return;
  }
  if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind) {
    pv_fn_unsupported(fn, "vector operation");
    return;
  }
  pv_fn_mark(fn, "intrinsic", rest, strcspn(rest, "."));
  if (lower_memory(fn, i, rest) || lower_integer(fn, i, rest) || lower_float(fn, i, rest) ||
      lower_other(fn, i, rest))
    return;
  pv_fn_unsupported(fn, name);
}
