/* print_c_expr.c -- expressions and typed memory access in the printed C.
 *
 * Invariant: the text of an int expression of 17 bits or more has exactly the C type of its
 * container (u32, u64, u128); that of a narrower one has any C type that promotes to int without
 * loss. Its value is the ir's, zero-extended. */
#include "ir/print_c_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- types ----------------------------------------------------------------------------------- */
unsigned pvc_container(pv_type type) {
  unsigned bits = pv_type_bits(type);
  return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : bits <= 64 ? 64 : 128;
}

const char *pvc_type(pv_type type) {
  switch (pv_type_kind(type)) {
  case PV_T_VOID: return "void";
  case PV_T_PTR: return "ptr";
  case PV_T_FLOAT:
    return pv_type_bits(type) == 32 ? "float" : pv_type_bits(type) == 64 ? "double" : "long double";
  case PV_T_INT: break;
  }
  switch (pvc_container(type)) {
  case 8: return "u8";
  case 16: return "u16";
  case 32: return "u32";
  case 64: return "u64";
  default: return "u128";
  }
}

bool pvc_exact(pv_type type) {
  return pv_type_kind(type) == PV_T_INT && pvc_container(type) == pv_type_bits(type);
}

/* The C type in which values of this int type are computed; at least int. */
static unsigned working_bits(pv_type type) {
  unsigned bits = pvc_container(type);
  return bits < 32 ? 32 : bits;
}

static void need_type(struct pvc *c, pv_type type) {
  if (pv_type_kind(type) == PV_T_INT && pv_type_bits(type) > 64) pvc_need(c, "u128");
}

static bool is_kind(struct pvc *c, pv_expr e, enum pv_type_kind kind) {
  return pv_type_kind(pv_node(c->p, e)->type) == kind;
}

/* ---- results that must be cut to their width ------------------------------------------------- */
void pvc_mask(pv_type type, struct pv_str *out) {
  unsigned bits = pv_type_bits(type);
  uint64_t low = bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;
  if (bits <= 64)
    pv_str_addf(out, bits <= 32 ? "0x%llxu" : "0x%llxull", (unsigned long long)low);
  else
    pv_str_addf(out, "((u128)0x%llxull << 64 | 0xffffffffffffffffull)",
                (unsigned long long)(UINT64_MAX >> (128 - bits)));
}

enum cut { CUT_NONE, CUT_CAST, CUT_MASK };
static enum cut cut_kind(pv_type type) {
  unsigned bits = pv_type_bits(type);
  return bits == 32 || bits == 64 || bits == 128 ? CUT_NONE
         : bits == 8 || bits == 16               ? CUT_CAST
                                                 : CUT_MASK;
}

/* Opens a truncation around an operation of precedence `prec` whose result may exceed the type. */
static void cut_open(struct pvc *c, pv_type type, int prec, int outer) {
  enum cut cut = cut_kind(type);
  int whole = cut == CUT_NONE ? prec : cut == CUT_CAST ? P_UNARY : P_AND;
  if (whole < outer) pv_str_addc(c->out, '(');
  if (cut == CUT_CAST) pv_str_addf(c->out, "(%s)(", pvc_type(type));
  if (cut == CUT_MASK) pv_str_addc(c->out, '(');
}

static void cut_close(struct pvc *c, pv_type type, int prec, int outer) {
  enum cut cut = cut_kind(type);
  int whole = cut == CUT_NONE ? prec : cut == CUT_CAST ? P_UNARY : P_AND;
  if (cut != CUT_NONE) pv_str_addc(c->out, ')');
  if (cut == CUT_MASK) {
    pv_str_add(c->out, " & ");
    pvc_mask(type, c->out);
  }
  if (whole < outer) pv_str_addc(c->out, ')');
}

static void paren(struct pvc *c, int prec, int outer, char which) {
  if (prec < outer) pv_str_addc(c->out, which);
}

/* ---- constants ------------------------------------------------------------------------------- */
static void wide_const(struct pvc *c, uint64_t lo, uint64_t hi) {
  if (hi == 0)
    pv_str_addf(c->out, "(u128)%lluull", (unsigned long long)lo);
  else
    pv_str_addf(c->out, "((u128)0x%llxull << 64 | 0x%llxull)", (unsigned long long)hi,
                (unsigned long long)lo);
}

static void int_const(struct pvc *c, const struct pv_expr_node *n, int outer) {
  unsigned bits = pv_type_bits(n->type);
  int64_t v = pv_sign_extend(n->lo, bits);
  bool small = v < 0 && v >= -0x10000;
  if (bits > 64)
    wide_const(c, n->lo, n->hi);
  else if (pvc_container(n->type) < 32)
    pv_str_addf(c->out, "%llu", (unsigned long long)n->lo);
  else if (small && pvc_exact(n->type)) {
    paren(c, P_UNARY, outer, '(');
    pv_str_addf(c->out, "(%s)%lld", pvc_type(n->type), (long long)v);
    paren(c, P_UNARY, outer, ')');
  } else {
    const char *suffix = pvc_container(n->type) == 32 ? "u" : "ull";
    pv_str_addf(c->out, n->lo > 0xffffff ? "0x%llx%s" : "%llu%s", (unsigned long long)n->lo,
                suffix);
  }
}

static void float_const(struct pvc *c, const struct pv_expr_node *n, int outer) {
  unsigned bits = pv_type_bits(n->type);
  struct pv_str text = {0};
  if (pv_print_float(n->type, n->lo, n->hi, &text)) {
    bool negative = text.at[0] == '-' && outer > P_UNARY;
    pv_str_addf(c->out, "%s%s%s%s", negative ? "(" : "", text.at,
                bits == 32   ? "f"
                : bits == 80 ? "L"
                             : "",
                negative ? ")" : "");
  } else {
    pvc_need(c, bits == 80 ? "float80" : "float");
    if (bits == 80)
      pv_str_addf(c->out, "pv_float80(0x%llxull, 0x%llxu)", (unsigned long long)n->lo,
                  (unsigned long long)(n->hi & 0xffff));
    else
      pv_str_addf(c->out, bits == 32 ? "pv_float(0x%llxu)" : "pv_double(0x%llxull)",
                  (unsigned long long)n->lo);
  }
  pv_str_free(&text);
}

static void constant(struct pvc *c, const struct pv_expr_node *n, int outer) {
  switch (pv_type_kind(n->type)) {
  case PV_T_INT: int_const(c, n, outer); return;
  case PV_T_FLOAT: float_const(c, n, outer); return;
  default:
    paren(c, P_UNARY, outer, '(');
    pv_str_addf(c->out, n->lo ? "(ptr)0x%llxull" : "(ptr)%llu", (unsigned long long)n->lo);
    paren(c, P_UNARY, outer, ')');
  }
}

void pvc_signed(struct pvc *c, pv_expr e, int outer) {
  const struct pv_expr_node *n = pv_node(c->p, e);
  unsigned bits = pv_type_bits(n->type), work = working_bits(n->type);
  if (n->op == PV_X_CONST && bits <= 64) {
    int64_t v = pv_sign_extend(n->lo, bits);
    bool parens = v < 0 && outer > P_UNARY;
    if (v == INT64_MIN || (work == 32 && v == INT32_MIN)) /* there is no literal for this value */
      pv_str_addf(c->out, "(i%u)0x%llx%s", work, (unsigned long long)n->lo,
                  work == 32 ? "u" : "ull");
    else
      pv_str_addf(c->out, "%s%lld%s%s", parens ? "(" : "", (long long)v, work == 32 ? "" : "ll",
                  parens ? ")" : "");
    return;
  }
  need_type(c, n->type);
  if (pvc_exact(n->type)) {
    paren(c, P_UNARY, outer, '(');
    pv_str_addf(c->out, "(i%u)", bits);
    pvc_expr(c, e, P_UNARY);
    paren(c, P_UNARY, outer, ')');
    return;
  }
  paren(c, P_SHIFT, outer, '('); /* shifts the sign bit to the top and back */
  pv_str_addf(c->out, "(i%u)((u%u)", work, work);
  pvc_expr(c, e, P_UNARY);
  pv_str_addf(c->out, " << %u) >> %u", work - bits, work - bits);
  paren(c, P_SHIFT, outer, ')');
}

/* ---- operators ------------------------------------------------------------------------------- */
static void binary(struct pvc *c, const struct pv_expr_node *n, const char *op, int prec, int outer,
                   bool cut) {
  bool bitwise = prec <= P_AND || prec == P_SHIFT;
  int left = pv_node(c->p, n->a)->op == n->op ? prec : bitwise ? P_UNARY : prec;
  if (cut)
    cut_open(c, n->type, prec, outer);
  else
    paren(c, prec, outer, '(');
  if (n->op == PV_X_MUL && pvc_container(n->type) == 16) { /* int would overflow */
    pv_str_add(c->out, "(u32)");
    left = P_UNARY;
  }
  pvc_expr(c, n->a, left);
  pv_str_addf(c->out, " %s ", op);
  pvc_expr(c, n->b, bitwise ? P_UNARY : prec + 1);
  if (cut)
    cut_close(c, n->type, prec, outer);
  else
    paren(c, prec, outer, ')');
}

/* Prints x + -1 as x - 1. */
static void addition(struct pvc *c, const struct pv_expr_node *n, int outer) {
  const struct pv_expr_node *b = pv_node(c->p, n->b);
  unsigned bits = pv_type_bits(n->type);
  int64_t v = pv_sign_extend(b->lo, bits);
  if (b->op != PV_X_CONST || bits < 8 || bits > 64 || v >= 0 || v < -0x10000) {
    binary(c, n, "+", P_ADD, outer, true);
    return;
  }
  cut_open(c, n->type, P_ADD, outer);
  pvc_expr(c, n->a, P_ADD);
  pv_str_addf(c->out, " - %lld%s", (long long)-v,
              pvc_container(n->type) == 64   ? "ull"
              : pvc_container(n->type) == 32 ? "u"
                                             : "");
  cut_close(c, n->type, P_ADD, outer);
}

/* Signed division, remainder, shift right: computed on signed values, converted to the
 * container. */
static void signed_binary(struct pvc *c, const struct pv_expr_node *n, const char *op, int prec,
                          int outer) {
  bool odd = cut_kind(n->type) == CUT_MASK;
  paren(c, odd ? P_AND : P_UNARY, outer, '(');
  pv_str_addf(c->out, "(%s)(", pvc_type(n->type));
  pvc_signed(c, n->a, prec == P_SHIFT ? P_UNARY : prec);
  pv_str_addf(c->out, " %s ", op);
  if (n->op == PV_X_ASHR)
    pvc_expr(c, n->b, P_UNARY);
  else
    pvc_signed(c, n->b, prec + 1);
  pv_str_addc(c->out, ')');
  if (odd) pv_str_add(c->out, " & ");
  if (odd) pvc_mask(n->type, c->out);
  paren(c, odd ? P_AND : P_UNARY, outer, ')');
}

static void comparison(struct pvc *c, const struct pv_expr_node *n, const char *op, int prec,
                       bool is_signed, int outer) {
  /* pointers are ordered by value, whatever objects they refer to */
  const char *cast = !is_signed && prec == P_REL && is_kind(c, n->a, PV_T_PTR) ? "(uptr)" : "";
  paren(c, prec, outer, '(');
  pv_str_add(c->out, cast);
  (is_signed ? pvc_signed : pvc_expr)(c, n->a, *cast ? P_UNARY : prec + 1);
  pv_str_addf(c->out, " %s %s", op, cast);
  (is_signed ? pvc_signed : pvc_expr)(c, n->b, *cast ? P_UNARY : prec + 1);
  paren(c, prec, outer, ')');
}

static void call2(struct pvc *c, const char *name, pv_expr a, pv_expr b) {
  pv_str_addf(c->out, "%s(", name);
  pvc_expr(c, a, P_COND);
  if (b) pv_str_add(c->out, ", ");
  if (b) pvc_expr(c, b, P_COND);
  pv_str_addc(c->out, ')');
}

/* Unordered comparisons are negated ordered ones; printed programs must not be compiled with
 * -ffast-math. */
static void fcmp(struct pvc *c, const struct pv_expr_node *n, int outer) {
  static const char *const op[] = {
      [PV_FCMP_OEQ] = "==", [PV_FCMP_OGT] = ">",  [PV_FCMP_OGE] = ">=", [PV_FCMP_OLT] = "<",
      [PV_FCMP_OLE] = "<=", [PV_FCMP_UNE] = "!=", [PV_FCMP_UGT] = "<=", [PV_FCMP_UGE] = "<",
      [PV_FCMP_ULT] = ">=", [PV_FCMP_ULE] = ">"};
  switch ((enum pv_fcmp)n->aux) {
  case PV_FCMP_UEQ: pv_str_addc(c->out, '!'); /* fall through */
  case PV_FCMP_ONE: call2(c, "__builtin_islessgreater", n->a, n->b); return;
  case PV_FCMP_ORD: pv_str_addc(c->out, '!'); /* fall through */
  case PV_FCMP_UNO: call2(c, "__builtin_isunordered", n->a, n->b); return;
  case PV_FCMP_OEQ:
  case PV_FCMP_UNE: comparison(c, n, op[n->aux], P_EQ, false, outer); return;
  case PV_FCMP_OGT:
  case PV_FCMP_OGE:
  case PV_FCMP_OLT:
  case PV_FCMP_OLE: comparison(c, n, op[n->aux], P_REL, false, outer); return;
  case PV_FCMP_UGT:
  case PV_FCMP_UGE:
  case PV_FCMP_ULT:
  case PV_FCMP_ULE:
    pv_str_addc(c->out, '!');
    comparison(c, n, op[n->aux], P_REL, false, P_POST);
    return;
  }
}

static void cast(struct pvc *c, const char *to, pv_expr a, int outer) {
  paren(c, P_UNARY, outer, '(');
  pv_str_addf(c->out, "(%s)", to);
  pvc_expr(c, a, P_UNARY);
  paren(c, P_UNARY, outer, ')');
}

/* "(u32)(i32)x": an int result made from a signed view of the operand. */
static void sign_extension(struct pvc *c, const struct pv_expr_node *n, int outer) {
  bool odd = !pvc_exact(n->type);
  paren(c, odd ? P_AND : P_UNARY, outer, '(');
  pv_str_addf(c->out, "(%s)", pvc_type(n->type));
  pvc_signed(c, n->a, P_UNARY);
  if (odd) pv_str_add(c->out, " & ");
  if (odd) pvc_mask(n->type, c->out);
  paren(c, odd ? P_AND : P_UNARY, outer, ')');
}

static void truncation(struct pvc *c, const struct pv_expr_node *n, int outer) {
  if (pvc_exact(n->type)) {
    cast(c, pvc_type(n->type), n->a, outer);
    return;
  }
  paren(c, P_UNARY, outer, '(');
  pv_str_addf(c->out, "(%s)(", pvc_type(n->type));
  pvc_expr(c, n->a, P_UNARY);
  pv_str_add(c->out, " & ");
  pvc_mask(n->type, c->out);
  pv_str_addc(c->out, ')');
  paren(c, P_UNARY, outer, ')');
}

static void float_to_int(struct pvc *c, const struct pv_expr_node *n, bool is_signed, int outer) {
  bool odd = !pvc_exact(n->type);
  paren(c, odd ? P_AND : P_UNARY, outer, '(');
  pv_str_addf(c->out, "(%s)", pvc_type(n->type));
  if (is_signed) pv_str_addf(c->out, "(i%u)", pvc_container(n->type));
  pvc_expr(c, n->a, P_UNARY);
  if (odd) pv_str_add(c->out, " & ");
  if (odd) pvc_mask(n->type, c->out);
  paren(c, odd ? P_AND : P_UNARY, outer, ')');
}

static void int_to_float(struct pvc *c, const struct pv_expr_node *n, bool is_signed, int outer) {
  paren(c, P_UNARY, outer, '(');
  pv_str_addf(c->out, "(%s)", pvc_type(n->type));
  (is_signed ? pvc_signed : pvc_expr)(c, n->a, P_UNARY);
  paren(c, P_UNARY, outer, ')');
}

static void bitcast(struct pvc *c, const struct pv_expr_node *n, int outer) {
  enum pv_type_kind to = pv_type_kind(n->type), from = pv_type_kind(pv_node(c->p, n->a)->type);
  unsigned bits = pv_type_bits(n->type);
  if (to == from) {
    pvc_expr(c, n->a, outer);
  } else if (to == PV_T_FLOAT || from == PV_T_FLOAT) {
    pvc_need(c, bits == 80 ? "float80_bits" : "float");
    const char *name = to == PV_T_FLOAT ? (bits == 32   ? "pv_float"
                                           : bits == 64 ? "pv_double"
                                                        : "pv_float80_of")
                                        : (bits == 32   ? "pv_float_bits"
                                           : bits == 64 ? "pv_double_bits"
                                                        : "pv_float80_bits");
    bool pointer = to == PV_T_PTR || from == PV_T_PTR; /* float <-> pointer: through an integer */
    if (to == PV_T_PTR) pv_str_add(c->out, "(ptr)(uptr)");
    pv_str_addf(c->out, "%s(%s", name, pointer && from == PV_T_PTR ? "(uptr)" : "");
    pvc_expr(c, n->a, P_UNARY);
    pv_str_addc(c->out, ')');
  } else if (to == PV_T_PTR) {
    cast(c, "ptr)(uptr", n->a, outer);
  } else {
    paren(c, P_UNARY, outer, '(');
    pv_str_addf(c->out, "(%s)(uptr)", pvc_type(n->type));
    pvc_expr(c, n->a, P_UNARY);
    paren(c, P_UNARY, outer, ')');
  }
}

static void pointer_addition(struct pvc *c, const struct pv_expr_node *n) {
  const struct pv_expr_node *b = pv_node(c->p, n->b);
  pv_str_add(c->out, "AT(");
  pvc_expr(c, n->a, P_COND);
  pv_str_add(c->out, ", ");
  if (b->op == PV_X_CONST)
    pv_str_addf(c->out, "%lld", (long long)pv_sign_extend(b->lo, pv_type_bits(b->type)));
  else
    pvc_expr(c, n->b, P_COND);
  pv_str_addc(c->out, ')');
}

static void math(struct pvc *c, const struct pv_expr_node *n) {
  unsigned bits = pv_type_bits(n->type);
  bool two = false;
  switch ((enum pv_math)n->aux) {
#define X(N, A)                                                                                    \
  case PV_MATH_##N: two = (A) == 2; break;
    PV_MATH_FUNCTIONS(X)
#undef X
  case PV_MATH_COUNT: break;
  }
  pv_str_addf(c->out, "__builtin_%s%s(", pv_math_text(n->aux),
              bits == 32   ? "f"
              : bits == 80 ? "l"
                           : "");
  pvc_expr(c, n->a, P_COND);
  if (two) {
    pv_str_add(c->out, n->aux == PV_MATH_ldexp ? ", (int)" : ", ");
    pvc_expr(c, n->b, P_UNARY);
  }
  pv_str_addc(c->out, ')');
}

/* ---- integer intrinsics ---------------------------------------------------------------------- */
/* a < b ? a : b and its kin. */
static void min_max(struct pvc *c, const struct pv_expr_node *n, const char *op, bool is_signed,
                    int outer) {
  paren(c, P_COND, outer, '(');
  (is_signed ? pvc_signed : pvc_expr)(c, n->a, P_SHIFT);
  pv_str_addf(c->out, " %s ", op);
  (is_signed ? pvc_signed : pvc_expr)(c, n->b, P_SHIFT);
  pv_str_add(c->out, " ? ");
  pvc_expr(c, n->a, P_COND + 1);
  pv_str_add(c->out, " : ");
  pvc_expr(c, n->b, P_COND + 1);
  paren(c, P_COND, outer, ')');
}

/* The overflow builtins compute in the container; a narrower type overflows if truncation changes
 * its value. Leaves the value in pv_o. */
static void overflow_test(struct pvc *c, const struct pv_expr_node *n, const char *op,
                          bool is_signed) {
  pv_type type = pv_node(c->p, n->a)->type;
  unsigned bits = pv_type_bits(type), container = pvc_container(type);
  need_type(c, type);
  pv_str_addf(c->out, "%c%u pv_o; u8 pv_v = __builtin_%s_overflow((%c%u)", is_signed ? 'i' : 'u',
              container, op, is_signed ? 'i' : 'u', container);
  (is_signed ? pvc_signed : pvc_expr)(c, n->a, P_UNARY);
  pv_str_addf(c->out, ", (%c%u)", is_signed ? 'i' : 'u', container);
  (is_signed ? pvc_signed : pvc_expr)(c, n->b, P_UNARY);
  pv_str_add(c->out, ", &pv_o)");
  if (bits != container && is_signed)
    pv_str_addf(c->out, " || pv_o >> %u != pv_o >> %u", bits - 1, container - 1);
  else if (bits != container)
    pv_str_addf(c->out, " || pv_o >> %u", bits);
  pv_str_add(c->out, "; ");
}

static void overflows(struct pvc *c, const struct pv_expr_node *n) {
  static const char *const op[] = {"add", "add", "sub", "sub", "mul", "mul"};
  bool is_signed = n->aux == PV_OVF_SADD || n->aux == PV_OVF_SSUB || n->aux == PV_OVF_SMUL;
  pv_str_add(c->out, "({ ");
  overflow_test(c, n, op[n->aux], is_signed);
  pv_str_add(c->out, "pv_v; })");
}

static void saturated(struct pvc *c, const struct pv_expr_node *n) {
  bool is_signed = n->aux == PV_INTOP_SADD_SAT || n->aux == PV_INTOP_SSUB_SAT;
  bool add = n->aux == PV_INTOP_SADD_SAT || n->aux == PV_INTOP_UADD_SAT;
  unsigned bits = pv_type_bits(n->type);
  pv_str_addf(c->out, "({ ");
  overflow_test(c, n, add ? "add" : "sub", is_signed);
  pv_str_addf(c->out, "(%s)(pv_v ? ", pvc_type(n->type));
  if (is_signed) { /* both overflow away from the sign of a: maximum plus that sign bit */
    pvc_mask(PV_INT(bits - 1), c->out);
    pv_str_addf(c->out, " + ((%s)", pvc_type(n->type));
    pvc_expr(c, n->a, P_UNARY);
    pv_str_addf(c->out, " >> %u)", bits - 1);
  } else if (add) {
    pvc_mask(n->type, c->out);
  } else {
    pv_str_addc(c->out, '0');
  }
  pv_str_add(c->out, " : pv_o) & ");
  pvc_mask(n->type, c->out);
  pv_str_add(c->out, "; })");
}

static void intop(struct pvc *c, const struct pv_expr_node *n, int outer) {
  static const char *const name[PV_INTOP_COUNT] = {[PV_INTOP_CTPOP] = "popcount",
                                                   [PV_INTOP_CTLZ] = "clz",
                                                   [PV_INTOP_CTTZ] = "ctz",
                                                   [PV_INTOP_BSWAP] = "bswap",
                                                   [PV_INTOP_BITREVERSE] = "bitreverse",
                                                   [PV_INTOP_FSHL] = "fshl",
                                                   [PV_INTOP_FSHR] = "fshr"};
  unsigned bits = pv_type_bits(n->type);
  switch ((enum pv_intop)n->aux) {
  case PV_INTOP_ABS:
    cut_open(c, n->type, P_COND, outer);
    pvc_signed(c, n->a, P_SHIFT);
    pv_str_add(c->out, " < 0 ? -");
    pvc_expr(c, n->a, P_POST);
    pv_str_add(c->out, " : ");
    pvc_expr(c, n->a, P_COND + 1);
    cut_close(c, n->type, P_COND, outer);
    return;
  case PV_INTOP_SMIN: min_max(c, n, "<", true, outer); return;
  case PV_INTOP_SMAX: min_max(c, n, ">", true, outer); return;
  case PV_INTOP_UMIN: min_max(c, n, "<", false, outer); return;
  case PV_INTOP_UMAX: min_max(c, n, ">", false, outer); return;
  case PV_INTOP_SADD_SAT:
  case PV_INTOP_UADD_SAT:
  case PV_INTOP_SSUB_SAT:
  case PV_INTOP_USUB_SAT: saturated(c, n); return;
  default: break;
  }
  pvc_need(c, bits > 64 ? "bits128" : "bits");
  paren(c, P_UNARY, outer, '(');
  pv_str_addf(c->out, "(%s)pv_%s%s(", pvc_type(n->type), name[n->aux], bits > 64 ? "128" : "");
  pvc_expr(c, n->a, P_COND);
  if (n->aux == PV_INTOP_FSHL || n->aux == PV_INTOP_FSHR) {
    pv_str_add(c->out, ", ");
    pvc_expr(c, n->b, P_COND);
    pv_str_add(c->out, ", ");
    pvc_expr(c, n->c, P_COND);
  }
  pv_str_addf(c->out, ", %u)", bits);
  paren(c, P_UNARY, outer, ')');
}

/* ---- expressions ----------------------------------------------------------------------------- */
static void global_address(struct pvc *c, const struct pv_expr_node *n, int outer) {
  const struct pv_global *g = &c->p->globals.at[n->lo];
  bool is_struct = g->relocs.n && !g->is_external, needs_cast = is_struct || g->is_const;
  if (needs_cast) paren(c, P_UNARY, outer, '(');
  pv_str_addf(c->out, "%s%s%s", needs_cast ? "(ptr)" : "", is_struct ? "&" : "",
              c->global_name[n->lo]);
  if (needs_cast) paren(c, P_UNARY, outer, ')');
}

static void leaf(struct pvc *c, const struct pv_expr_node *n, int outer) {
  switch (n->op) {
  case PV_X_CONST: constant(c, n, outer); return;
  case PV_X_VAR: pv_str_add(c->out, c->var_name[n->lo]); return;
  case PV_X_SLOT: pv_str_add(c->out, c->slot_name[n->lo]); return;
  case PV_X_GLOBAL: global_address(c, n, outer); return;
  case PV_X_FUNC:
    paren(c, P_UNARY, outer, '(');
    pv_str_addf(c->out, "(ptr)%s", c->function_name[n->lo]);
    paren(c, P_UNARY, outer, ')');
    return;
  case PV_X_LABEL:
    paren(c, P_UNARY, outer, '(');
    pv_str_addf(c->out, "(ptr)&l_%s[%llu]", c->function_name[n->lo], (unsigned long long)n->hi);
    paren(c, P_UNARY, outer, ')');
    return;
  default: /* UNDEF: any value is allowed; it should be the same in every run */
    if (c->weave && c->weave->cuts) {
      pvc_any_value(c, n->type);
      return;
    }
    pvc_unfit(c, "the program uses an undefined value", NULL);
    pv_str_addf(c->out, pv_type_kind(n->type) == PV_T_FLOAT ? "0.0" : "(%s)0", pvc_type(n->type));
  }
}

static void exclusive_or(struct pvc *c, const struct pv_expr_node *n, int outer) {
  const struct pv_expr_node *b = pv_node(c->p, n->b);
  unsigned bits = pv_type_bits(n->type);
  bool ones = b->op == PV_X_CONST && bits <= 64 && pv_sign_extend(b->lo, bits) == -1;
  if (!ones) {
    binary(c, n, "^", P_XOR, outer, false);
  } else if (bits == 1) {
    paren(c, P_UNARY, outer, '(');
    pv_str_addc(c->out, '!');
    pvc_expr(c, n->a, P_UNARY);
    paren(c, P_UNARY, outer, ')');
  } else {
    cut_open(c, n->type, P_UNARY, outer);
    pv_str_addc(c->out, '~');
    pvc_expr(c, n->a, P_UNARY);
    cut_close(c, n->type, P_UNARY, outer);
  }
}

static void selection(struct pvc *c, const struct pv_expr_node *n, int outer) {
  paren(c, P_COND, outer, '(');
  pvc_expr(c, n->a, P_COND + 1);
  pv_str_add(c->out, " ? ");
  pvc_expr(c, n->b, P_COND + 1);
  pv_str_add(c->out, " : ");
  pvc_expr(c, n->c, P_COND);
  paren(c, P_COND, outer, ')');
}

void pvc_expr(struct pvc *c, pv_expr e, int outer) {
  const struct pv_expr_node *n = pv_node(c->p, e);
  need_type(c, n->type);
  switch ((enum pv_expr_op)n->op) {
  case PV_X_CONST:
  case PV_X_VAR:
  case PV_X_GLOBAL:
  case PV_X_FUNC:
  case PV_X_LABEL:
  case PV_X_SLOT:
  case PV_X_UNDEF: leaf(c, n, outer); return;
  case PV_X_ADD: addition(c, n, outer); return;
  case PV_X_SUB: binary(c, n, "-", P_ADD, outer, true); return;
  case PV_X_MUL: binary(c, n, "*", P_MUL, outer, true); return;
  case PV_X_SHL: binary(c, n, "<<", P_SHIFT, outer, true); return;
  case PV_X_SDIV: signed_binary(c, n, "/", P_MUL, outer); return;
  case PV_X_SREM: signed_binary(c, n, "%", P_MUL, outer); return;
  case PV_X_ASHR: signed_binary(c, n, ">>", P_SHIFT, outer); return;
  case PV_X_UDIV:
  case PV_X_FDIV: binary(c, n, "/", P_MUL, outer, false); return;
  case PV_X_UREM: binary(c, n, "%", P_MUL, outer, false); return;
  case PV_X_LSHR: binary(c, n, ">>", P_SHIFT, outer, false); return;
  case PV_X_AND: binary(c, n, "&", P_AND, outer, false); return;
  case PV_X_OR: binary(c, n, "|", P_OR, outer, false); return;
  case PV_X_XOR: exclusive_or(c, n, outer); return;
  case PV_X_FADD: binary(c, n, "+", P_ADD, outer, false); return;
  case PV_X_FSUB: binary(c, n, "-", P_ADD, outer, false); return;
  case PV_X_FMUL: binary(c, n, "*", P_MUL, outer, false); return;
  case PV_X_EQ: comparison(c, n, "==", P_EQ, false, outer); return;
  case PV_X_NE: comparison(c, n, "!=", P_EQ, false, outer); return;
  case PV_X_ULT: comparison(c, n, "<", P_REL, false, outer); return;
  case PV_X_ULE: comparison(c, n, "<=", P_REL, false, outer); return;
  case PV_X_SLT: comparison(c, n, "<", P_REL, true, outer); return;
  case PV_X_SLE: comparison(c, n, "<=", P_REL, true, outer); return;
  case PV_X_FCMP: fcmp(c, n, outer); return;
  case PV_X_ZEXT:
  case PV_X_FPCONV: cast(c, pvc_type(n->type), n->a, outer); return;
  case PV_X_SEXT: sign_extension(c, n, outer); return;
  case PV_X_TRUNC: truncation(c, n, outer); return;
  case PV_X_BITCAST: bitcast(c, n, outer); return;
  case PV_X_FPTOSI: float_to_int(c, n, true, outer); return;
  case PV_X_FPTOUI: float_to_int(c, n, false, outer); return;
  case PV_X_SITOFP: int_to_float(c, n, true, outer); return;
  case PV_X_UITOFP: int_to_float(c, n, false, outer); return;
  case PV_X_PTRADD: pointer_addition(c, n); return;
  case PV_X_FREM: {
    unsigned bits = pv_type_bits(n->type);
    call2(c,
          bits == 32   ? "__builtin_fmodf"
          : bits == 80 ? "__builtin_fmodl"
                       : "__builtin_fmod",
          n->a, n->b);
    return;
  }
  case PV_X_FNEG:
    paren(c, P_UNARY, outer, '(');
    pv_str_addc(c->out, '-');
    pvc_expr(c, n->a, P_POST); /* avoids `--x` */
    paren(c, P_UNARY, outer, ')');
    return;
  case PV_X_SELECT: selection(c, n, outer); return;
  case PV_X_MATH: math(c, n); return;
  case PV_X_INTOP: intop(c, n, outer); return;
  case PV_X_OVERFLOWS: overflows(c, n); return;
  case PV_X_COUNT: break;
  }
  PV_REQUIRE(false, "expression of no known kind");
}

/* An argument that does not fit the prototype: converted as the calling convention would do for
 * integers and pointers. Others are undefined in C, too. */
void pvc_convert(struct pvc *c, pv_expr e, pv_type to) {
  pv_type from = pv_node(c->p, e)->type;
  enum pv_type_kind k = pv_type_kind(from), t = pv_type_kind(to);
  if (from == to) {
    pvc_expr(c, e, P_COND);
  } else if (k == PV_T_FLOAT && t == PV_T_FLOAT) {
    cast(c, pvc_type(to), e, P_COND);
  } else if (k == PV_T_FLOAT || t == PV_T_FLOAT) {
    pv_str_addf(c->out, "(%s)0", pvc_type(to));
  } else {
    pv_str_addf(c->out, "(%s)%s(", pvc_type(to), k != t ? "(uptr)" : "");
    pvc_expr(c, e, P_COND);
    pv_str_addc(c->out, ')');
    if (t == PV_T_INT && !pvc_exact(to)) pv_str_add(c->out, " & ");
    if (t == PV_T_INT && !pvc_exact(to)) pvc_mask(to, c->out);
  }
}

/* ---- memory ---------------------------------------------------------------------------------- */
/* The may_alias type of the access, or NULL if no C type has that many bytes. */
static const char *memory_type(struct pvc *c, pv_type type) {
  need_type(c, type);
  switch (pv_type_kind(type)) {
  case PV_T_PTR: return "mptr";
  case PV_T_FLOAT:
    return pv_type_bits(type) == 32 ? "mfloat" : pv_type_bits(type) == 64 ? "mdouble" : NULL;
  default: break;
  }
  if (pv_type_bytes(type) * 8 != pvc_container(type)) return NULL;
  switch (pvc_container(type)) {
  case 8: return "m8";
  case 16: return "m16";
  case 32: return "m32";
  case 64: return "m64";
  default: return "m128";
  }
}

static const char *bytes_function(struct pvc *c, pv_type type, bool load) {
  if (pv_type_kind(type) == PV_T_FLOAT) {
    pvc_need(c, "float80");
    return load ? "pv_load80" : "pv_store80";
  }
  bool wide = pv_type_bits(type) > 64;
  pvc_need(c, wide ? "bytes128" : "bytes");
  return load ? (wide ? "pv_load128" : "pv_load") : (wide ? "pv_store128" : "pv_store");
}

void pvc_load(struct pvc *c, pv_expr address, pv_type type, bool is_volatile) {
  const char *m = memory_type(c, type);
  bool is_int = pv_type_kind(type) == PV_T_INT;
  if (m) {
    pv_str_addf(c->out, "*(%s%s *)", is_volatile ? "volatile " : "", m);
    pvc_expr(c, address, P_UNARY);
  } else {
    pv_str_addf(c->out, "%s(", bytes_function(c, type, true));
    pvc_expr(c, address, P_COND);
    if (is_int) pv_str_addf(c->out, ", %u", pv_type_bytes(type));
    pv_str_addc(c->out, ')');
  }
  if (is_int && !pvc_exact(type)) pv_str_add(c->out, " & ");
  if (is_int && !pvc_exact(type)) pvc_mask(type, c->out);
}

void pvc_store_begin(struct pvc *c, pv_expr address, pv_type type, bool is_volatile) {
  const char *m = memory_type(c, type);
  if (m) {
    pv_str_addf(c->out, "*(%s%s *)", is_volatile ? "volatile " : "", m);
    pvc_expr(c, address, P_UNARY);
    pv_str_add(c->out, " = ");
    return;
  }
  pv_str_addf(c->out, "%s(", bytes_function(c, type, false));
  pvc_expr(c, address, P_COND);
  if (pv_type_kind(type) == PV_T_INT) pv_str_addf(c->out, ", %u", pv_type_bytes(type));
  pv_str_add(c->out, ", ");
}

void pvc_store_end(struct pvc *c, pv_type type) {
  if (!memory_type(c, type)) pv_str_addc(c->out, ')');
}
