#include "analysis/interval.h"

typedef pv_i128 wide;

enum { WORD = 64 };

static bool is_followed(pv_type t) {
  unsigned bits = pv_type_bits(t);
  return pv_type_kind(t) != PV_T_FLOAT && bits > 0 && bits <= WORD;
}

static int64_t least(pv_type t) {
  return is_followed(t) ? (int64_t)(UINT64_MAX << (pv_type_bits(t) - 1)) : INT64_MIN;
}

static int64_t greatest(pv_type t) {
  return ~least(t);
}

/* The number whose lowest `bits` bits are ones; INT64_MAX if there are too many. */
static int64_t ones(unsigned bits) {
  return bits >= WORD ? INT64_MAX : (int64_t)((UINT64_C(1) << bits) - 1);
}

static unsigned zeros_of(uint64_t value) {
  return value ? (unsigned)__builtin_ctzll(value) : WORD;
}

static unsigned fewer(unsigned a, unsigned b) {
  return a < b ? a : b;
}

static bool is_constant(struct pv_interval a) {
  return a.lo == a.hi;
}

struct pv_interval pv_interval_none(void) {
  return (struct pv_interval){INT64_MAX, INT64_MIN, WORD};
}

struct pv_interval pv_interval_any(pv_type t) {
  return (struct pv_interval){least(t), greatest(t), 0};
}

static struct pv_interval any_of(pv_type t, unsigned zero_bits) {
  struct pv_interval r = pv_interval_any(t);
  r.zero_bits = zero_bits;
  return r;
}

struct pv_interval pv_interval_constant(pv_type t, uint64_t bits) {
  if (!is_followed(t)) return pv_interval_any(t);
  unsigned unused = WORD - pv_type_bits(t);
  int64_t value = (int64_t)(bits << unused) >> unused;
  return (struct pv_interval){value, value, zeros_of((uint64_t)value)};
}

/* The interval from lo to hi, or all values of the type if a bound is outside of the type
 * (wrap-around). */
static struct pv_interval between(pv_type t, wide lo, wide hi, unsigned zero_bits) {
  if (lo < least(t) || hi > greatest(t)) return any_of(t, zero_bits);
  return (struct pv_interval){(int64_t)lo, (int64_t)hi, zero_bits};
}

struct pv_interval pv_interval_join(struct pv_interval a, struct pv_interval b) {
  if (pv_interval_is_empty(a)) return b;
  if (pv_interval_is_empty(b)) return a;
  return (struct pv_interval){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi,
                              fewer(a.zero_bits, b.zero_bits)};
}

/* ---- arithmetic ------------------------------------------------------------------------------ */
static struct pv_interval hull(pv_type t, const wide *x, unsigned n, unsigned zero_bits) {
  wide lo = x[0], hi = x[0];
  for (unsigned i = 1; i < n; i++) {
    lo = x[i] < lo ? x[i] : lo;
    hi = x[i] > hi ? x[i] : hi;
  }
  return between(t, lo, hi, zero_bits);
}

static struct pv_interval multiply(pv_type t, struct pv_interval a, struct pv_interval b) {
  const wide x[] = {(wide)a.lo * b.lo, (wide)a.lo * b.hi, (wide)a.hi * b.lo, (wide)a.hi * b.hi};
  return hull(t, x, 4, fewer(a.zero_bits + b.zero_bits, WORD));
}

static struct pv_interval divide(pv_type t, bool is_signed, struct pv_interval a,
                                 struct pv_interval b) {
  if (b.lo <= 0 || (!is_signed && a.lo < 0)) return pv_interval_any(t);
  const wide x[] = {a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi};
  return hull(t, x, 4, 0);
}

/* The remainder has the sign of a; |a % b| <= |a|, < |b|. */
static struct pv_interval remainder_of(pv_type t, bool is_signed, struct pv_interval a,
                                       struct pv_interval b) {
  if (b.lo <= 0) return pv_interval_any(t);
  if (a.lo >= 0 && a.hi < b.lo) return a;
  int64_t most = b.hi - 1;
  struct pv_interval r = {0, most, 0};
  if (a.lo >= 0 && a.hi < most) r.hi = a.hi;
  if (is_signed && a.lo < 0) {
    r.lo = a.lo < -most ? -most : a.lo;
    r.hi = a.hi < 0 ? 0 : a.hi < most ? a.hi : most;
  }
  return r;
}

static struct pv_interval shift_left(pv_type t, struct pv_interval a, struct pv_interval by) {
  if (!is_constant(by) || by.lo < 0 || by.lo >= pv_type_bits(t)) return pv_interval_any(t);
  unsigned n = (unsigned)by.lo;
  wide factor = (wide)1 << n;
  return between(t, a.lo * factor, a.hi * factor, fewer(a.zero_bits + n, WORD));
}

static struct pv_interval shift_right(pv_type t, bool is_signed, struct pv_interval a,
                                      struct pv_interval by) {
  if (!is_constant(by) || by.lo < 0 || by.lo >= pv_type_bits(t)) return pv_interval_any(t);
  unsigned n = (unsigned)by.lo;
  if (is_signed || a.lo >= 0) return between(t, a.lo >> n, a.hi >> n, 0);
  return n ? between(t, 0, ones(pv_type_bits(t) - n), 0) : a;
}

/* ---- bits ------------------------------------------------------------------------------------ */
static struct pv_interval both(pv_type t, struct pv_interval a, struct pv_interval b) {
  unsigned zero_bits = a.zero_bits > b.zero_bits ? a.zero_bits : b.zero_bits;
  if (a.lo < 0 && b.lo < 0) return any_of(t, zero_bits);
  int64_t hi = a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : a.hi < b.hi ? a.hi : b.hi;
  return (struct pv_interval){0, hi, zero_bits};
}

static struct pv_interval either(pv_type t, struct pv_interval a, struct pv_interval b) {
  unsigned zero_bits = fewer(a.zero_bits, b.zero_bits);
  if (a.lo < 0 || b.lo < 0) return any_of(t, zero_bits);
  uint64_t most = (uint64_t)a.hi | (uint64_t)b.hi;
  return between(t, 0, most ? ones(WORD - (unsigned)__builtin_clzll(most)) : 0, zero_bits);
}

static struct pv_interval extend(pv_type t, pv_type from, struct pv_interval a) {
  unsigned bits = pv_type_bits(from);
  if (!is_followed(t) || !is_followed(from)) return pv_interval_any(t);
  if (a.lo >= 0 || bits == pv_type_bits(t)) return a;
  return (struct pv_interval){0, ones(bits), fewer(a.zero_bits, bits)};
}

static struct pv_interval truncate_to(pv_type t, pv_type from, struct pv_interval a) {
  if (!is_followed(t) || !is_followed(from)) return pv_interval_any(t);
  return between(t, a.lo, a.hi, a.zero_bits);
}

static struct pv_interval truth(pv_type t, unsigned op, struct pv_interval a,
                                struct pv_interval b) {
  return pv_interval_holds(op, a, b) ? pv_interval_constant(t, 1) : pv_interval_any(t);
}

struct pv_interval pv_interval_compute(const struct pv_expr_node *n, pv_type from,
                                       struct pv_interval a, struct pv_interval b) {
  pv_type t = n->type;
  if (pv_interval_is_empty(a) || pv_interval_is_empty(b)) return pv_interval_none();
  if (!is_followed(t) || !is_followed(from)) return pv_interval_any(t);
  unsigned common = fewer(a.zero_bits, b.zero_bits);
  switch (n->op) {
  case PV_X_ADD: return between(t, (wide)a.lo + b.lo, (wide)a.hi + b.hi, common);
  case PV_X_SUB: return between(t, (wide)a.lo - b.hi, (wide)a.hi - b.lo, common);
  case PV_X_PTRADD: return any_of(t, common);
  case PV_X_MUL: return multiply(t, a, b);
  case PV_X_SDIV:
  case PV_X_UDIV: return divide(t, n->op == PV_X_SDIV, a, b);
  case PV_X_SREM:
  case PV_X_UREM: return remainder_of(t, n->op == PV_X_SREM, a, b);
  case PV_X_SHL: return shift_left(t, a, b);
  case PV_X_LSHR:
  case PV_X_ASHR: return shift_right(t, n->op == PV_X_ASHR, a, b);
  case PV_X_AND: return both(t, a, b);
  case PV_X_OR:
  case PV_X_XOR: return either(t, a, b);
  case PV_X_ZEXT: return extend(t, from, a);
  case PV_X_SEXT: return a;
  case PV_X_TRUNC: return truncate_to(t, from, a);
  case PV_X_BITCAST: return any_of(t, a.zero_bits);
  case PV_X_EQ:
  case PV_X_NE:
  case PV_X_ULT:
  case PV_X_ULE:
  case PV_X_SLT:
  case PV_X_SLE: return truth(t, n->op, a, b);
  default: return pv_interval_any(t);
  }
}

/* ---- comparisons ----------------------------------------------------------------------------- */
static void at_most(struct pv_interval *a, int64_t hi) {
  if (a->hi > hi) a->hi = hi;
}

static void at_least(struct pv_interval *a, int64_t lo) {
  if (a->lo < lo) a->lo = lo;
}

/* Narrows both for a < b or a <= b. Nothing is less than the smallest number of the type. */
static void less(bool equal_too, struct pv_interval *a, struct pv_interval *b) {
  if (!equal_too && (b->hi == INT64_MIN || a->lo == INT64_MAX)) {
    *a = *b = pv_interval_none();
    return;
  }
  at_most(a, b->hi - !equal_too);
  at_least(b, a->lo + !equal_too);
}

static void differ(struct pv_interval *a, struct pv_interval b) {
  if (!is_constant(b)) return;
  if (is_constant(*a) && a->lo == b.lo)
    *a = pv_interval_none();
  else if (a->lo == b.lo)
    a->lo++;
  else if (a->hi == b.lo)
    a->hi--;
}

void pv_interval_assume(unsigned op, struct pv_interval *a, struct pv_interval *b) {
  struct pv_interval was = *a;
  if (pv_interval_is_empty(*a) || pv_interval_is_empty(*b)) return;
  switch (op) {
  case PV_X_EQ:
    at_least(a, b->lo);
    at_most(a, b->hi);
    at_least(b, was.lo);
    at_most(b, was.hi);
    break;
  case PV_X_NE:
    differ(a, *b);
    differ(b, was);
    break;
  case PV_X_SLT:
  case PV_X_SLE: less(op == PV_X_SLE, a, b); break;
  case PV_X_ULT: /* as unsigned numbers, negative ones are larger than all others */
  case PV_X_ULE:
    if (b->lo >= 0) at_least(a, 0);
    if (a->lo >= 0 && b->lo >= 0 && !pv_interval_is_empty(*a)) less(op == PV_X_ULE, a, b);
    break;
  default: break;
  }
}

bool pv_interval_holds(unsigned op, struct pv_interval a, struct pv_interval b) {
  if (pv_interval_is_empty(a) || pv_interval_is_empty(b)) return true;
  bool apart = a.hi < b.lo || b.hi < a.lo, natural = a.lo >= 0 && b.lo >= 0;
  switch (op) {
  case PV_X_EQ: return is_constant(a) && is_constant(b) && a.lo == b.lo;
  case PV_X_NE: return apart;
  case PV_X_ULT: return natural && a.hi < b.lo;
  case PV_X_ULE: return natural && a.hi <= b.lo;
  case PV_X_SLT: return a.hi < b.lo;
  case PV_X_SLE: return a.hi <= b.lo;
  default: return false;
  }
}
