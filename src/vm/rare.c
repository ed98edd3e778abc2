/* rare.c -- expressions that are rare: integers of more than 64 bits, floats, bit counting,
 * overflow tests. */
#include "vm/vm_internal.h"

#include <fenv.h>
#include <math.h>

static pv_u128 wide_mask(unsigned w) {
  return w >= 128 ? ~(pv_u128)0 : ((pv_u128)1 << w) - 1;
}
static pv_i128 wide_signed(pv_u128 v, unsigned w) {
  return w >= 128 ? (pv_i128)v : (pv_i128)(v << (128 - w)) >> (128 - w);
}

static pv_u128 get(struct pv_vm *vm, int32_t cell, pv_type t) {
  const uint64_t *c = pv_cell(vm, cell);
  return pv_type_bits(t) > 64 ? (pv_u128)c[1] << 64 | c[0] : c[0];
}

static void put(struct pv_vm *vm, int32_t cell, pv_type t, pv_u128 v) {
  uint64_t *c = pv_cell(vm, cell);
  v &= wide_mask(pv_type_bits(t));
  c[0] = (uint64_t)v;
  if (pv_type_bits(t) > 64) c[1] = (uint64_t)(v >> 64);
}

/* ---- floats: computed in long double where that is exact, else in their own width ---- */
static long double to_float(pv_u128 bits, pv_type t) {
  uint64_t lo = (uint64_t)bits, hi = (uint64_t)(bits >> 64);
  uint32_t word = (uint32_t)lo;
  float f;
  double d;
  long double l = 0;
  switch (pv_type_bits(t)) {
  case 32: memcpy(&f, &word, 4); return f;
  case 64: memcpy(&d, &lo, 8); return d;
  default:
    memcpy(&l, &lo, 8);
    memcpy((char *)&l + 8, &hi, 2);
    return l;
  }
}

static pv_u128 from_float(long double v, pv_type t) {
  uint64_t lo = 0, hi = 0;
  float f = (float)v;
  double d = (double)v;
  switch (pv_type_bits(t)) {
  case 32: memcpy(&lo, &f, 4); return lo;
  case 64: memcpy(&lo, &d, 8); return lo;
  default:
    memcpy(&lo, &v, 8);
    memcpy(&hi, (const char *)&v + 8, 2);
    return (pv_u128)hi << 64 | lo;
  }
}

static pv_u128 float_binary(unsigned op, pv_u128 x, pv_u128 y, pv_type t) {
  long double a = to_float(x, t), b = to_float(y, t);
  float fa = (float)a, fb = (float)b;
  double da = (double)a, db = (double)b;
#define EACH(F, D, L)                                                                              \
  (pv_type_bits(t) == 32 ? (long double)(F) : pv_type_bits(t) == 64 ? (long double)(D) : (L))
  switch (op) {
  case PV_X_FADD: return from_float(EACH(fa + fb, da + db, a + b), t);
  case PV_X_FSUB: return from_float(EACH(fa - fb, da - db, a - b), t);
  case PV_X_FMUL: return from_float(EACH(fa * fb, da * db, a * b), t);
  case PV_X_FDIV: return from_float(EACH(fa / fb, da / db, a / b), t);
  default: return from_float(EACH(fmodf(fa, fb), fmod(da, db), fmodl(a, b)), t);
  }
#undef EACH
}

static bool float_compare(unsigned predicate, long double a, long double b) {
  bool unordered = isnan(a) || isnan(b);
  switch ((enum pv_fcmp)predicate) {
  case PV_FCMP_OEQ: return a == b;
  case PV_FCMP_OGT: return a > b;
  case PV_FCMP_OGE: return a >= b;
  case PV_FCMP_OLT: return a < b;
  case PV_FCMP_OLE: return a <= b;
  case PV_FCMP_ONE: return !unordered && a != b;
  case PV_FCMP_ORD: return !unordered;
  case PV_FCMP_UEQ: return unordered || a == b;
  case PV_FCMP_UGT: return unordered || a > b;
  case PV_FCMP_UGE: return unordered || a >= b;
  case PV_FCMP_ULT: return unordered || a < b;
  case PV_FCMP_ULE: return unordered || a <= b;
  case PV_FCMP_UNE: return unordered || a != b;
  case PV_FCMP_UNO: return unordered;
  }
  return false;
}

static long double int_to_float(pv_u128 v, pv_type from, bool is_signed, pv_type to) {
  if (is_signed) {
    pv_i128 s = wide_signed(v, pv_type_bits(from));
    return pv_type_bits(to) == 32   ? (long double)(float)s
           : pv_type_bits(to) == 64 ? (long double)(double)s
                                    : (long double)s;
  }
  return pv_type_bits(to) == 32   ? (long double)(float)v
         : pv_type_bits(to) == 64 ? (long double)(double)v
                                  : (long double)v;
}

/* Returns false if the value does not fit (undefined in C). */
static bool float_to_int(long double v, unsigned w, bool is_signed, pv_u128 *out) {
  long double limit = ldexpl(1.0L, (int)(is_signed ? w - 1 : w)), t = truncl(v);
  if (isnan(v) || t >= limit || (is_signed ? t < -limit : t < 0)) return false;
  *out = is_signed ? (pv_u128)(pv_i128)t : (pv_u128)t;
  return true;
}

#define ARGUMENTS_1(T) ((T)a)
#define ARGUMENTS_2(T) ((T)a, (T)b)
static long double math(unsigned f, unsigned w, long double a, long double b, int n) {
  if (f == PV_MATH_ldexp)
    return w == 32   ? (long double)ldexpf((float)a, n)
           : w == 64 ? ldexp((double)a, n)
                     : ldexpl(a, n);
  switch (f) {
#define X(N, A)                                                                                    \
  case PV_MATH_##N:                                                                                \
    return w == 32   ? (long double)N##f ARGUMENTS_##A(float)                                      \
           : w == 64 ? (long double)N ARGUMENTS_##A(double)                                        \
                     : N##l ARGUMENTS_##A(long double);
    PV_MATH_FUNCTIONS(X)
#undef X
  }
  return 0;
}

/* ---- integers -------------------------------------------------------------------------------- */
static bool add_overflows(pv_u128 a, pv_u128 b, unsigned w, bool is_signed, bool subtract,
                          pv_u128 *out) {
  pv_u128 r = subtract ? a - b : a + b;
  *out = r & wide_mask(w);
  if (!is_signed) return subtract ? a < b : *out < a || (w < 128 && r >> w);
  bool sa = wide_signed(a, w) < 0, sb = wide_signed(b, w) < 0, sr = wide_signed(*out, w) < 0;
  return subtract ? sa != sb && sr != sa : sa == sb && sr != sa;
}

static bool mul_overflows(pv_u128 a, pv_u128 b, unsigned w, bool is_signed, pv_u128 *out) {
  bool o;
  if (is_signed) {
    pv_i128 r;
    o = __builtin_mul_overflow(wide_signed(a, w), wide_signed(b, w), &r);
    *out = (pv_u128)r & wide_mask(w);
    return o || wide_signed(*out, w) != r;
  }
  pv_u128 r;
  o = __builtin_mul_overflow(a, b, &r);
  *out = r & wide_mask(w);
  return o || *out != r;
}

static pv_u128 reverse(pv_u128 v, unsigned w, unsigned unit) {
  pv_u128 r = 0;
  for (unsigned i = 0; i < w; i += unit) r |= (v >> i & wide_mask(unit)) << (w - unit - i);
  return r;
}

static pv_u128 saturate(unsigned op, pv_u128 a, pv_u128 b, unsigned w) {
  bool is_signed = op == PV_INTOP_SADD_SAT || op == PV_INTOP_SSUB_SAT;
  bool subtract = op == PV_INTOP_SSUB_SAT || op == PV_INTOP_USUB_SAT;
  pv_u128 r;
  if (!add_overflows(a, b, w, is_signed, subtract, &r)) return r;
  if (!is_signed) return subtract ? 0 : wide_mask(w);
  return wide_signed(a, w) < 0 ? (pv_u128)1 << (w - 1) : wide_mask(w) >> 1;
}

static pv_u128 intop(unsigned op, pv_u128 a, pv_u128 b, pv_u128 c, unsigned w) {
  pv_i128 sa = wide_signed(a, w), sb = wide_signed(b, w);
  unsigned n = 0, s;
  switch ((enum pv_intop)op) {
  case PV_INTOP_CTPOP:
    for (; a; a &= a - 1) n++;
    return n;
  case PV_INTOP_CTLZ:
    for (n = 0; n < w && !(a >> (w - 1 - n) & 1); n++) {
    }
    return n;
  case PV_INTOP_CTTZ:
    for (n = 0; n < w && !(a >> n & 1); n++) {
    }
    return n;
  case PV_INTOP_BSWAP: return reverse(a, w, 8);
  case PV_INTOP_BITREVERSE: return reverse(a, w, 1);
  case PV_INTOP_ABS: return sa < 0 ? -(pv_u128)sa : (pv_u128)sa; /* -MIN is MIN */
  case PV_INTOP_SMIN: return sa < sb ? a : b;
  case PV_INTOP_SMAX: return sa < sb ? b : a;
  case PV_INTOP_UMIN: return a < b ? a : b;
  case PV_INTOP_UMAX: return a < b ? b : a;
  case PV_INTOP_FSHL: s = (unsigned)(c % w); return s ? a << s | b >> (w - s) : a;
  case PV_INTOP_FSHR: s = (unsigned)(c % w); return s ? a << (w - s) | b >> s : b;
  case PV_INTOP_SADD_SAT:
  case PV_INTOP_UADD_SAT:
  case PV_INTOP_SSUB_SAT:
  case PV_INTOP_USUB_SAT: return saturate(op, a, b, w);
  case PV_INTOP_COUNT: break;
  }
  return 0;
}

static bool overflows(unsigned kind, pv_u128 a, pv_u128 b, unsigned w) {
  pv_u128 r;
  switch ((enum pv_overflow)kind) {
  case PV_OVF_SADD: return add_overflows(a, b, w, true, false, &r);
  case PV_OVF_UADD: return add_overflows(a, b, w, false, false, &r);
  case PV_OVF_SSUB: return add_overflows(a, b, w, true, true, &r);
  case PV_OVF_USUB: return add_overflows(a, b, w, false, true, &r);
  case PV_OVF_SMUL: return mul_overflows(a, b, w, true, &r);
  case PV_OVF_UMUL: return mul_overflows(a, b, w, false, &r);
  }
  return false;
}

/* Integer operations on 65 to 128 bits. *flow reports events. */
static pv_u128 wide_binary(struct pv_vm *vm, const struct pv_expr_node *n, pv_u128 a, pv_u128 b,
                           unsigned w, enum pv_flow *flow) {
  pv_i128 sa = wide_signed(a, w), sb = wide_signed(b, w);
  pv_u128 r = 0;
  bool nsw = n->flags & PV_XF_NSW, over = false;
  switch (n->op) {
  case PV_X_ADD: over = add_overflows(a, b, w, true, false, &r); break;
  case PV_X_SUB: over = add_overflows(a, b, w, true, true, &r); break;
  case PV_X_MUL:
    over = mul_overflows(a, b, w, true, &r);
    r = a * b;
    break;
  case PV_X_UDIV:
  case PV_X_SDIV:
  case PV_X_UREM:
  case PV_X_SREM:
    if (!b) {
      *flow = pv_fault(vm, PV_PROP_DEF_BEHAVIOR, "division by zero");
      return 0;
    }
    if (n->op == PV_X_UDIV) return a / b;
    if (n->op == PV_X_UREM) return a % b;
    if (sb == -1 && a == (pv_u128)1 << (w - 1)) {
      *flow = pv_fault(vm, PV_PROP_NO_OVERFLOW, "signed overflow in a division by -1");
      return 0;
    }
    return (pv_u128)(n->op == PV_X_SDIV ? sa / sb : sa % sb);
  case PV_X_SHL:
  case PV_X_LSHR:
  case PV_X_ASHR:
    if (b >= w) {
      *flow = pv_fault(vm, PV_PROP_DEF_BEHAVIOR, "shift of a %u-bit value by %llu", w,
                       (unsigned long long)b);
      return 0;
    }
    return n->op == PV_X_SHL    ? a << (unsigned)b
           : n->op == PV_X_LSHR ? a >> (unsigned)b
                                : (pv_u128)(sa >> (unsigned)b);
  case PV_X_AND: return a & b;
  case PV_X_OR: return a | b;
  case PV_X_XOR: return a ^ b;
  case PV_X_EQ: return a == b;
  case PV_X_NE: return a != b;
  case PV_X_ULT: return a < b;
  case PV_X_ULE: return a <= b;
  case PV_X_SLT: return sa < sb;
  case PV_X_SLE: return sa <= sb;
  default: PV_REQUIRE(false, "not a binary integer operation");
  }
  if (nsw && over) *flow = pv_remark(vm, PV_PROP_NO_OVERFLOW, "signed overflow in %u bits", w);
  return r;
}

static pv_u128 undefined_value(struct pv_vm *vm) {
  if (vm->peek) return 0;
  const struct pv_edge *e = vm->code->edges.at[vm->code->where.at[vm->frame->pc]].edge;
  const char *file = pv_span_file(vm->program, e->span);
  uint32_t line = pv_span_of(vm->program, e->span)->line;
  pv_condition_add(vm->condition, PV_PROVISO_INDETERMINATE, file, line,
                   "the indeterminate value used at %s:%u is zero", file, line);
  return 0;
}

enum pv_flow pv_rare(struct pv_vm *vm, const struct pv_insn *i) {
  const struct pv_program *p = vm->program;
  const struct pv_expr_node n = *pv_node(p, i->x);
  pv_type ta = n.a ? pv_node(p, n.a)->type : PV_VOID, tb = n.b ? pv_node(p, n.b)->type : PV_VOID;
  pv_type tc = n.c ? pv_node(p, n.c)->type : PV_VOID;
  pv_u128 a = n.a ? get(vm, i->a, ta) : 0, b = n.b ? get(vm, i->b, tb) : 0,
          c = n.c ? get(vm, i->c, tc) : 0, r = 0;
  unsigned w = pv_type_bits(n.type), wa = pv_type_bits(ta);
  enum pv_flow flow = PV_FLOW_NEXT;
  switch (n.op) {
  case PV_X_UNDEF: r = undefined_value(vm); break;
  case PV_X_ZEXT:
  case PV_X_TRUNC:
  case PV_X_BITCAST: r = a; break;
  case PV_X_SEXT: r = (pv_u128)wide_signed(a, wa); break;
  case PV_X_FCMP: r = float_compare(n.aux, to_float(a, ta), to_float(b, tb)); break;
  case PV_X_FPCONV: r = from_float(to_float(a, ta), n.type); break;
  case PV_X_FPTOSI:
  case PV_X_FPTOUI:
    if (!float_to_int(to_float(a, ta), w, n.op == PV_X_FPTOSI, &r))
      flow = pv_fault(vm, PV_PROP_DEF_BEHAVIOR,
                      "conversion of a floating-point value that does not fit into %u bits", w);
    break;
  case PV_X_SITOFP:
  case PV_X_UITOFP: r = from_float(int_to_float(a, ta, n.op == PV_X_SITOFP, n.type), n.type); break;
  case PV_X_FADD:
  case PV_X_FSUB:
  case PV_X_FMUL:
  case PV_X_FDIV:
  case PV_X_FREM: r = float_binary(n.op, a, b, n.type); break;
  case PV_X_FNEG: r = a ^ (pv_u128)1 << (w - 1); break;
  case PV_X_MATH:
    r = from_float(math(n.aux, w, to_float(a, ta),
                        n.aux == PV_MATH_ldexp || !n.b ? 0 : to_float(b, tb), (int)(uint32_t)b),
                   n.type);
    break;
  case PV_X_INTOP: r = intop(n.aux, a, b, c, wa); break;
  case PV_X_OVERFLOWS: r = overflows(n.aux, a, b, wa); break;
  default: r = wide_binary(vm, &n, a, b, wa, &flow);
  }
  if (flow == PV_FLOW_NEXT) put(vm, i->d, n.type, r);
  return flow;
}
