#include "analysis/input_values.h"

#include <string.h>

typedef pv_i128 wide;

/* ---- numbers of w bits ----------------------------------------------------------------------- */
static int64_t least(unsigned w) {
  return w == 1 ? 0 : w >= 64 ? INT64_MIN : -(INT64_C(1) << (w - 1));
}
static int64_t most(unsigned w) {
  return w == 1 ? 1 : w >= 64 ? INT64_MAX : (INT64_C(1) << (w - 1)) - 1;
}
static bool fits(wide low, wide high, unsigned w) {
  return low >= least(w) && high <= most(w);
}
static wide floor_of(wide a, wide b) { /* floor(a / b) for b > 0 */
  return a / b - (a % b < 0);
}

/* ---- values ---------------------------------------------------------------------------------- */
struct pv_origin pv_origin_other(void) {
  return (struct pv_origin){.other = 1};
}
struct pv_origin pv_origin_interval(int64_t low, int64_t high) {
  struct pv_origin v = {.n = 1};
  v.sum[0] = (struct pv_sum){.low = low, .high = high};
  return v;
}
struct pv_origin pv_origin_number(int64_t n) {
  return pv_origin_interval(n, n);
}
struct pv_origin pv_origin_input(uint32_t site) {
  struct pv_origin v = {.n = 1};
  v.sum[0] = (struct pv_sum){.input = site + 1, .scale = 1};
  return v;
}
struct pv_origin pv_origin_address(uint32_t depth, uint32_t slot) {
  return (struct pv_origin){.is_address = 1, .depth = depth, .slot = slot};
}

bool pv_origin_has_input(const struct pv_origin *v) {
  for (unsigned i = 0; i < v->n; i++)
    if (v->sum[i].input) return true;
  return false;
}
bool pv_origin_is_other(const struct pv_origin *v) {
  return v->other && !v->n;
}
bool pv_origin_is_number(const struct pv_origin *v, int64_t *n) {
  if (v->is_address || v->other || v->n != 1 || v->sum[0].input) return false;
  *n = v->sum[0].low;
  return v->sum[0].low == v->sum[0].high;
}

static void open_input(struct pv_input_domains *d, uint32_t input) {
  if (input) d->at[input - 1].open = true;
}
void pv_origin_open(struct pv_input_domains *d, const struct pv_origin *v) {
  for (unsigned i = 0; i < v->n; i++) open_input(d, v->sum[i].input);
}

static void drop_numbers(struct pv_origin *v) {
  unsigned kept = 0;
  for (unsigned i = 0; i < v->n; i++)
    if (v->sum[i].input) v->sum[kept++] = v->sum[i];
  memset(v->sum + kept, 0, (PV_SUMS - kept) * sizeof *v->sum);
  v->n = (uint8_t)kept;
}
static void add_other(struct pv_origin *v) {
  v->other = 1;
  drop_numbers(v);
}

/* Adds a sum to the possible values. */
static void add(struct pv_input_domains *d, struct pv_origin *v, struct pv_sum s) {
  if (v->other && !s.input) return;
  for (unsigned i = 0; i < v->n; i++)
    if (memcmp(&v->sum[i], &s, sizeof s) == 0) return;
  if (v->n < PV_SUMS) {
    v->sum[v->n++] = s;
    return;
  }
  for (unsigned i = 0; i < v->n; i++) {
    struct pv_sum *t = &v->sum[i];
    if (t->input != s.input || t->scale != s.scale) continue;
    if (s.low < t->low) t->low = s.low;
    if (s.high > t->high) t->high = s.high;
    return;
  }
  if (!v->other) add_other(v);
  if (s.input && v->n < PV_SUMS)
    v->sum[v->n++] = s;
  else
    open_input(d, s.input);
}

/* The values that a sum may have. */
struct span {
  wide low, high;
};
static struct span span_of(const struct pv_input_domains *d, const struct pv_sum *s) {
  if (!s->input) return (struct span){s->low, s->high};
  const struct pv_input_domain *x = &d->at[s->input - 1];
  return (struct span){(wide)s->scale * x->low + s->low, (wide)s->scale * x->high + s->high};
}

/* Adds s * x + [low, high], which must fit into w bits. */
static void add_fitting(struct pv_input_domains *d, struct pv_origin *v, uint32_t input, wide scale,
                        wide low, wide high, unsigned w) {
  bool small = scale <= INT64_C(1) << 40 && fits(low, high, 64);
  struct pv_sum s = {.input = input};
  struct span range = {0, 0};
  if (small) {
    s.scale = (int64_t)scale, s.low = (int64_t)low, s.high = (int64_t)high;
    range = span_of(d, &s);
  }
  if (small && fits(range.low, range.high, w)) {
    if (!input && s.low == least(w) && s.high == most(w))
      add_other(v);
    else
      add(d, v, s);
    return;
  }
  open_input(d, input);
  add_other(v);
}

/* The sums of an operand of w bits: "other" is any number. */
struct sums {
  struct pv_sum at[PV_SUMS + 1];
  unsigned n;
};
static struct sums sums_of(const struct pv_origin *v, unsigned w) {
  struct sums s = {.n = v->n};
  memcpy(s.at, v->sum, sizeof v->sum);
  if (v->other) s.at[s.n++] = (struct pv_sum){.low = least(w), .high = most(w)};
  return s;
}

struct pv_origin pv_origin_join(struct pv_input_domains *d, const struct pv_origin *a,
                                const struct pv_origin *b) {
  struct pv_origin v = *a;
  if (b->other && !v.other) add_other(&v);
  for (unsigned i = 0; i < b->n; i++) add(d, &v, b->sum[i]);
  return v;
}

/* ---- comparisons ----------------------------------------------------------------------------- */
static void split(struct pv_input_domains *d, uint32_t input, wide at) {
  struct pv_input_domain *x = &d->at[input - 1];
  if (at <= x->low || at > x->high) return;
  for (uint32_t i = 0; i < x->splits.n; i++)
    if (x->splits.at[i] == at) return;
  pv_vec_push(&x->splits, (int64_t)at);
}

/* Splits at the values x where the comparison of s * x + c, which is the sum t, with k changes.
 * `swapped`: k is on the left. */
static void split_at(struct pv_input_domains *d, unsigned op, bool swapped, const struct pv_sum *t,
                     wide k) {
  wide q = floor_of(k - t->low, t->scale);
  bool exact = (k - t->low) % t->scale == 0;
  bool strict = op == PV_X_SLT || op == PV_X_ULT;
  if (op == PV_X_EQ || op == PV_X_NE) {
    if (exact) split(d, t->input, q), split(d, t->input, q + 1);
  } else if (strict != swapped) { /* x < (k - c) / s, or its negation */
    split(d, t->input, exact ? q : q + 1);
  } else {
    split(d, t->input, q + 1);
  }
}

enum { NO = 1, YES = 2 }; /* possible outcomes */

static unsigned outcomes(unsigned op, struct span a, struct span b) {
  bool below = a.high<b.low, above = a.low> b.high;
  bool equal = a.low == a.high && b.low == b.high && a.low == b.low;
  switch (op) {
  case PV_X_EQ: return below || above ? NO : equal ? YES : NO | YES;
  case PV_X_NE: return below || above ? YES : equal ? NO : NO | YES;
  case PV_X_SLT:
  case PV_X_ULT: return below ? YES : a.low >= b.high ? NO : NO | YES;
  default: return a.high <= b.low ? YES : above ? NO : NO | YES;
  }
}

static unsigned compare_sums(struct pv_input_domains *d, unsigned op, const struct pv_sum *a,
                             const struct pv_sum *b) {
  struct span sa = span_of(d, a), sb = span_of(d, b);
  bool is_unsigned = op == PV_X_ULT || op == PV_X_ULE;
  unsigned found = NO | YES;
  if (!is_unsigned || (sa.low >= 0 && sb.low >= 0)) {
    found = outcomes(op, sa, sb);
    if (found != (NO | YES)) return found;
    if (a->input && !b->input && a->low == a->high && b->low == b->high) {
      split_at(d, op, false, a, b->low);
      return found;
    }
    if (b->input && !a->input && a->low == a->high && b->low == b->high) {
      split_at(d, op, true, b, a->low);
      return found;
    }
  }
  open_input(d, a->input);
  open_input(d, b->input);
  return found;
}

static struct pv_origin compare(struct pv_input_domains *d, unsigned op, unsigned w,
                                const struct pv_origin *a, const struct pv_origin *b) {
  struct sums as = sums_of(a, w), bs = sums_of(b, w);
  unsigned found = 0;
  for (unsigned i = 0; i < as.n; i++)
    for (unsigned k = 0; k < bs.n; k++) found |= compare_sums(d, op, &as.at[i], &bs.at[k]);
  if (found == NO) return pv_origin_number(0);
  return found == YES ? pv_origin_number(1) : pv_origin_other();
}

/* ---- arithmetic ------------------------------------------------------------------------------ */
/* Combines one sum with another. Returns true if the result was added to v. */
static bool combine(struct pv_input_domains *d, struct pv_origin *v, unsigned op, unsigned w,
                    const struct pv_sum *a, const struct pv_sum *b) {
  if (a->input && b->input) return false;
  const struct pv_sum *x = b->input ? b : a, *k = b->input ? a : b;
  switch (op) {
  case PV_X_ADD:
    add_fitting(d, v, x->input, x->scale, (wide)x->low + k->low, (wide)x->high + k->high, w);
    return true;
  case PV_X_SUB:
    if (b->input) return false;
    add_fitting(d, v, a->input, a->scale, (wide)a->low - b->high, (wide)a->high - b->low, w);
    return true;
  case PV_X_MUL:
    if (k->low != k->high || k->low <= 0) return false;
    add_fitting(d, v, x->input, (wide)x->scale * k->low, (wide)x->low * k->low,
                (wide)x->high * k->low, w);
    return true;
  default: return false;
  }
}

/* Computes with exactly known numbers. */
static bool calculate(struct pv_origin *v, const struct pv_expr_node *n, unsigned w,
                      const struct pv_origin *a, const struct pv_origin *b) {
  int64_t x, y = 0;
  pv_u128 r;
  if (!pv_origin_is_number(a, &x) || (b && !pv_origin_is_number(b, &y))) return false;
  uint64_t mask = w >= 64 ? UINT64_MAX : (UINT64_C(1) << w) - 1;
  if (!pv_compute(n, w, (uint64_t)x & mask, (uint64_t)y & mask, &r)) return false;
  unsigned to = pv_type_bits(n->type);
  int64_t result = to == 1    ? (int64_t)(r & 1)
                   : to >= 64 ? (int64_t)(uint64_t)r
                              : (int64_t)((uint64_t)r << (64 - to)) >> (64 - to);
  *v = pv_origin_number(result);
  return true;
}

static struct pv_origin convert(struct pv_input_domains *d, const struct pv_expr_node *n,
                                unsigned w, const struct pv_origin *a) {
  struct pv_origin v = {0};
  struct sums s = sums_of(a, w);
  unsigned to = pv_type_bits(n->type);
  for (unsigned i = 0; i < s.n; i++) {
    const struct pv_sum *t = &s.at[i];
    struct span range = span_of(d, t);
    bool same = n->op == PV_X_ZEXT   ? range.low >= 0
                : n->op == PV_X_SEXT ? w > 1 || range.high == 0
                                     : fits(range.low, range.high, to);
    if (same) {
      add_fitting(d, &v, t->input, t->scale, t->low, t->high, to);
      continue;
    }
    open_input(d, t->input);
    if (n->op == PV_X_ZEXT && w < 64)
      add_fitting(d, &v, 0, 0, 0, ((wide)1 << w) - 1, to);
    else
      add_other(&v);
  }
  return v;
}

struct pv_origin pv_origin_compute(struct pv_input_domains *d, const struct pv_expr_node *n,
                                   unsigned bits, const struct pv_origin *a,
                                   const struct pv_origin *b) {
  struct pv_origin v = {0};
  if (bits <= 64 && pv_type_bits(n->type) <= 64 && pv_type_kind(n->type) == PV_T_INT) {
    if (calculate(&v, n, bits, a, b)) return v;
    if (n->op >= PV_X_EQ && n->op <= PV_X_SLE) return compare(d, n->op, bits, a, b);
    if (n->op == PV_X_ZEXT || n->op == PV_X_SEXT || n->op == PV_X_TRUNC)
      return convert(d, n, bits, a);
    bool unsigned_only = n->flags & PV_XF_NUW;
    if ((n->op == PV_X_ADD || n->op == PV_X_SUB || n->op == PV_X_MUL) && !unsigned_only) {
      struct sums as = sums_of(a, bits), bs = sums_of(b, bits);
      bool done = true;
      for (unsigned i = 0; i < as.n && done; i++)
        for (unsigned k = 0; k < bs.n && done; k++)
          done = combine(d, &v, n->op, bits, &as.at[i], &bs.at[k]);
      if (done) return v;
    }
  }
  pv_origin_open(d, a);
  if (b) pv_origin_open(d, b);
  return pv_origin_other();
}
