/* symbolic_bytes.c -- values as bytes. A value of n bytes is a number without a sign: a bit-vector
 * of 8n bits, or with linear terms an integer below 256^n. Parts of it are taken out, and parts are
 * put together; what was taken apart and is put together again is the old term. */
#include "cpa/symbolic_internal.h"

#include <stdlib.h>

static bool linear(const struct pv_symbolic *s) {
  return s->options.encoding == PV_ENCODE_LINEAR;
}

static struct pv_sort sort_of(const struct pv_symbolic *s, unsigned bytes) {
  return pv_encode_sort(&s->encoder, PV_INT(8 * bytes));
}

pv_term pv_sym_bytes_number(struct pv_symbolic *s, unsigned bytes, uint64_t lo) {
  if (bytes < 8) lo &= (UINT64_C(1) << 8 * bytes) - 1;
  return pv_smt_number(s->smt, sort_of(s, bytes), lo, 0);
}

/* 256^k */
static pv_term power(struct pv_symbolic *s, unsigned k) {
  return pv_smt_number(s->smt, (struct pv_sort){.kind = PV_SORT_INT},
                       k < 8 ? UINT64_C(1) << 8 * k : 0, k < 8 ? 0 : UINT64_C(1) << (8 * k - 64));
}

/* ---- values and bytes ------------------------------------------------------------------------ */

/* An arbitrary value: linear terms cannot take floats apart. */
static pv_term any_bytes(struct pv_symbolic *s, unsigned bytes) {
  s->encoder.imprecise = true;
  return pv_sym_fresh(s, "punned", PV_INT(8 * bytes), false);
}

pv_term pv_sym_to_bytes(struct pv_symbolic *s, pv_term t, pv_type type, bool is_signed) {
  unsigned bytes = pv_type_bytes(type);
  if (type == PV_INT(1))
    return pv_sym_ite(s, t, pv_sym_bytes_number(s, 1, 1), pv_sym_bytes_number(s, 1, 0));
  if (pv_type_kind(type) == PV_T_FLOAT) {
    if (linear(s)) return any_bytes(s, bytes);
    t = pv_encode_bitcast(&s->encoder, type, PV_INT(pv_type_bits(type)), t);
    pv_sym_encoded(s);
  }
  if (!linear(s)) return pv_smt_extend(s->smt, false, 8 * bytes, t);
  t = pv_encode_convert(&s->encoder, type, t, is_signed, false);
  pv_sym_encoded(s);
  return t;
}

pv_term pv_sym_from_bytes(struct pv_symbolic *s, pv_term t, pv_type type, bool is_signed) {
  unsigned bytes = pv_type_bytes(type), bits = pv_type_bits(type);
  if (pv_type_kind(type) == PV_T_FLOAT) {
    struct pv_smt_shape shape;
    if (!linear(s) && pv_smt_shape(s->smt, t, &shape) && shape.kind == PV_SHAPE_NUMBER)
      return pv_smt_number(s->smt, pv_encode_sort(&s->encoder, type), shape.lo, shape.hi);
    if (!linear(s)) {
      if (bits != 8 * bytes) t = pv_smt_extract(s->smt, bits - 1, 0, t);
      t = pv_encode_bitcast(&s->encoder, PV_INT(bits), type, t);
      pv_sym_encoded(s);
      return t;
    }
    s->encoder.imprecise = true;
    return pv_sym_fresh(s, "punned", type, is_signed);
  }
  if (type == PV_INT(1)) { /* its lowest bit */
    if (!linear(s)) {
      struct pv_sort one = {.kind = PV_SORT_BV, .bits = 1};
      return pv_sym_eq(s, pv_smt_extract(s->smt, 0, 0, t), pv_smt_number(s->smt, one, 1, 0));
    }
    return pv_sym_eq(s, pv_smt_mk2(s->smt, PV_SMT_MOD, t, pv_smt_int(s->smt, 2)),
                     pv_smt_int(s->smt, 1));
  }
  if (!linear(s)) return bits == 8 * bytes ? t : pv_smt_extract(s->smt, bits - 1, 0, t);
  t = pv_encode_convert(&s->encoder, type, t, false, is_signed);
  pv_sym_encoded(s);
  return t;
}

/* Which bits are unset: as of an integer of that many bytes. */
pv_term pv_sym_unset_to_bytes(struct pv_symbolic *s, pv_term unset, pv_type type) {
  unsigned bytes = pv_type_bytes(type);
  if (!unset || linear(s)) return unset;
  if (type == PV_INT(1))
    return pv_sym_ite(s, unset, pv_sym_all_unset(s, PV_INT(8 * bytes), true),
                      pv_sym_all_unset(s, PV_INT(8 * bytes), false));
  return pv_smt_extend(s->smt, false, 8 * bytes, unset);
}

pv_term pv_sym_unset_from_bytes(struct pv_symbolic *s, pv_term unset, pv_type type) {
  unsigned bytes = pv_type_bytes(type), bits = pv_type_bits(type);
  if (!unset || linear(s)) return unset;
  if (type == PV_INT(1)) {
    struct pv_sort one = {.kind = PV_SORT_BV, .bits = 1};
    return pv_sym_eq(s, pv_smt_extract(s->smt, 0, 0, unset), pv_smt_number(s->smt, one, 1, 0));
  }
  return bits == 8 * bytes ? unset : pv_smt_extract(s->smt, bits - 1, 0, unset);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static const struct pv_sym_part *part_of(const struct pv_symbolic *s, pv_term t) {
  const uint32_t *at = pv_map_get(&s->parts, &t, sizeof t);
  return at ? &s->part.at[*at] : NULL;
}

static bool is_ite(struct pv_symbolic *s, pv_term t) {
  struct pv_smt_shape shape;
  return pv_smt_shape(s->smt, t, &shape) && shape.kind == PV_SHAPE_OP && shape.op == PV_SMT_ITE;
}

static bool is_constant(struct pv_symbolic *s, pv_term t, unsigned depth) {
  if (pv_smt_is_number(s->smt, t)) return true;
  return depth && is_ite(s, t) && is_constant(s, pv_smt_operand(s->smt, t, 1), depth - 1) &&
         is_constant(s, pv_smt_operand(s->smt, t, 2), depth - 1);
}

static pv_term make_part(struct pv_symbolic *s, pv_term whole, unsigned of, unsigned from,
                         unsigned n) {
  if (!linear(s)) return pv_smt_extract(s->smt, 8 * (from + n) - 1, 8 * from, whole);
  if (from) whole = pv_smt_mk2(s->smt, PV_SMT_DIV, whole, power(s, from));
  return from + n < of ? pv_smt_mk2(s->smt, PV_SMT_MOD, whole, power(s, n)) : whole;
}

enum { DEEPEST = 8 };

pv_term pv_sym_part(struct pv_symbolic *s, pv_term whole, unsigned of, unsigned from, unsigned n) {
  if (!from && n == of) return whole;
  const struct pv_sym_part *known = part_of(s, whole);
  if (known && known->n == of)
    return pv_sym_part(s, known->whole, known->of, known->from + from, n);
  if (is_ite(s, whole) && is_constant(s, whole, DEEPEST))
    return pv_sym_ite(s, pv_smt_operand(s->smt, whole, 0),
                      pv_sym_part(s, pv_smt_operand(s->smt, whole, 1), of, from, n),
                      pv_sym_part(s, pv_smt_operand(s->smt, whole, 2), of, from, n));
  pv_term t = make_part(s, whole, of, from, n);
  if (pv_smt_is_number(s->smt, t)) return t;
  bool is_new;
  struct pv_sym_part p = {whole, of, from, n};
  pv_map_put(&s->parts, &t, sizeof t, s->part.n, &is_new);
  if (is_new) pv_vec_push(&s->part, p);
  return t;
}

/* Two parts, the lower one first. */
static pv_term join(struct pv_symbolic *s, pv_term low, unsigned n, pv_term high, unsigned m,
                    unsigned depth) {
  const struct pv_sym_part *a = part_of(s, low), *b = part_of(s, high);
  if (a && b && a->whole == b->whole && a->of == b->of && a->n == n && b->n == m &&
      a->from + n == b->from)
    return pv_sym_part(s, a->whole, a->of, a->from, n + m);
  bool ite_low = is_ite(s, low), ite_high = is_ite(s, high);
  if (depth && ite_low && ite_high &&
      pv_smt_operand(s->smt, low, 0) == pv_smt_operand(s->smt, high, 0))
    return pv_sym_ite(
        s, pv_smt_operand(s->smt, low, 0),
        join(s, pv_smt_operand(s->smt, low, 1), n, pv_smt_operand(s->smt, high, 1), m, depth - 1),
        join(s, pv_smt_operand(s->smt, low, 2), n, pv_smt_operand(s->smt, high, 2), m, depth - 1));
  if (depth && ite_low && pv_smt_is_number(s->smt, high) && is_constant(s, low, DEEPEST))
    return pv_sym_ite(s, pv_smt_operand(s->smt, low, 0),
                      join(s, pv_smt_operand(s->smt, low, 1), n, high, m, depth - 1),
                      join(s, pv_smt_operand(s->smt, low, 2), n, high, m, depth - 1));
  if (!linear(s)) return pv_smt_mk2(s->smt, PV_SMT_BVCONCAT, high, low);
  return pv_smt_mk2(s->smt, PV_SMT_ADD, low, pv_smt_mk2(s->smt, PV_SMT_MUL, power(s, n), high));
}

pv_term pv_sym_join(struct pv_symbolic *s, pv_term low, unsigned n, pv_term high, unsigned m) {
  return join(s, low, n, high, m, DEEPEST);
}

/* The same for which bits are unset. */
pv_term pv_sym_unset_part(struct pv_symbolic *s, pv_term unset, unsigned of, unsigned from,
                          unsigned n) {
  return !unset || linear(s) ? unset : pv_sym_part(s, unset, of, from, n);
}

pv_term pv_sym_unset_join(struct pv_symbolic *s, pv_term low, unsigned n, pv_term high,
                          unsigned m) {
  if (!low && !high) return NULL;
  if (!low) low = pv_sym_all_unset(s, PV_INT(8 * n), false);
  if (!high) high = pv_sym_all_unset(s, PV_INT(8 * m), false);
  return linear(s) ? pv_sym_or(s, low, high) : pv_sym_join(s, low, n, high, m);
}

/* ---- which values an address may have ---------------------------------------------------------
 */

enum { MOST_DEPTH = 64 };

static bool is_sum(struct pv_symbolic *s, pv_term t, uint32_t *n) {
  struct pv_smt_shape shape;
  if (!pv_smt_shape(s->smt, t, &shape) || shape.kind != PV_SHAPE_OP) return false;
  *n = shape.n;
  return shape.op == PV_SMT_ADD || shape.op == PV_SMT_BVADD;
}

static bool number_of(struct pv_symbolic *s, pv_term t, uint64_t *value) {
  struct pv_smt_shape shape;
  if (!pv_smt_shape(s->smt, t, &shape) || shape.kind != PV_SHAPE_NUMBER) return false;
  *value = shape.lo;
  return true;
}

/* Terms share parts: a choice may be reached by exponentially many paths. So each choice is
 * examined once for each number. */
struct of_choice {
  pv_term t;
  uint64_t number;
};
struct known {
  struct pv_map index; /* struct of_choice -> place in `terms` */
  PV_VEC(pv_term) terms;
};

static void forget(struct known *k) {
  pv_map_free(&k->index);
  pv_vec_free(&k->terms);
}

/* Appends the values of the term, plus a number, each once; false: it may have others. */
static bool leaves(struct pv_symbolic *s, pv_term t, uint64_t plus, unsigned most, unsigned depth,
                   struct known *seen, pv_sym_numbers *out) {
  uint64_t value, by;
  uint32_t n;
  if (number_of(s, t, &value)) {
    value += plus;
    if (s->program->pointer_bits == 32) value &= UINT32_MAX;
    for (uint32_t i = 0; i < out->n; i++)
      if (out->at[i] == value) return true;
    pv_vec_push(out, value);
    return out->n <= most;
  }
  if (!depth) return false;
  if (is_ite(s, t)) {
    struct of_choice key = {t, plus};
    bool is_new;
    pv_map_put(&seen->index, &key, sizeof key, 0, &is_new);
    return !is_new || (leaves(s, pv_smt_operand(s->smt, t, 1), plus, most, depth - 1, seen, out) &&
                       leaves(s, pv_smt_operand(s->smt, t, 2), plus, most, depth - 1, seen, out));
  }
  if (is_sum(s, t, &n) && n == 2) {
    pv_term a = pv_smt_operand(s->smt, t, 0), b = pv_smt_operand(s->smt, t, 1);
    if (number_of(s, b, &by)) return leaves(s, a, plus + by, most, depth - 1, seen, out);
    if (number_of(s, a, &by)) return leaves(s, b, plus + by, most, depth - 1, seen, out);
  }
  return false;
}

bool pv_sym_leaves(struct pv_symbolic *s, pv_term t, unsigned most, pv_sym_numbers *out) {
  struct known seen = {0};
  out->n = 0;
  bool all = leaves(s, t, 0, most, MOST_DEPTH, &seen, out);
  forget(&seen);
  return all;
}

static pv_term is_value(struct pv_symbolic *s, pv_term t, uint64_t value, unsigned depth,
                        struct known *known) {
  uint64_t by;
  uint32_t n;
  if (number_of(s, t, &by)) {
    bool same = s->program->pointer_bits == 32 ? (uint32_t)by == (uint32_t)value : by == value;
    return pv_smt_bool(s->smt, same);
  }
  if (depth && is_ite(s, t)) {
    struct of_choice key = {t, value};
    bool is_new;
    uint32_t at = *pv_map_put(&known->index, &key, sizeof key, known->terms.n, &is_new);
    if (!is_new) return known->terms.at[at];
    pv_vec_push(&known->terms, NULL);
    pv_term first = is_value(s, pv_smt_operand(s->smt, t, 1), value, depth - 1, known);
    pv_term second = is_value(s, pv_smt_operand(s->smt, t, 2), value, depth - 1, known);
    return known->terms.at[at] = pv_sym_ite(s, pv_smt_operand(s->smt, t, 0), first, second);
  }
  if (depth && is_sum(s, t, &n) && n == 2) {
    pv_term a = pv_smt_operand(s->smt, t, 0), b = pv_smt_operand(s->smt, t, 1);
    if (number_of(s, b, &by) && is_ite(s, a)) return is_value(s, a, value - by, depth - 1, known);
    if (number_of(s, a, &by) && is_ite(s, b)) return is_value(s, b, value - by, depth - 1, known);
  }
  if (s->program->pointer_bits == 32) value &= UINT32_MAX;
  return pv_sym_eq(s, t, pv_sym_number(s, value));
}

pv_term pv_sym_is_value(struct pv_symbolic *s, pv_term t, uint64_t value) {
  struct known known = {0};
  pv_term r = is_value(s, t, value, MOST_DEPTH, &known);
  forget(&known);
  return r;
}

/* ---- remainders -------------------------------------------------------------------------------
 */

enum { LARGEST_POWER = 64 };

static uint64_t lowest_bit(uint64_t v) {
  return v && (v & -v) < LARGEST_POWER ? v & -v : LARGEST_POWER;
}

/* t = rest modulo the result, a power of two of at most LARGEST_POWER. */
static uint64_t modulus(struct pv_symbolic *s, pv_term t, unsigned depth, uint64_t *rest) {
  struct pv_smt_shape shape;
  uint64_t value, other;
  *rest = 0;
  if (number_of(s, t, &value)) {
    *rest = value % LARGEST_POWER;
    return LARGEST_POWER;
  }
  if (!depth || !pv_smt_shape(s->smt, t, &shape)) return 1;
  if (shape.kind == PV_SHAPE_ZERO_EXTEND || shape.kind == PV_SHAPE_SIGN_EXTEND ||
      (shape.kind == PV_SHAPE_EXTRACT && !shape.lo)) {
    struct pv_sort sort = pv_smt_sort(s->smt, t);
    uint64_t m = modulus(s, pv_smt_operand(s->smt, t, 0), depth - 1, rest);
    return sort.bits < 6 ? 1 : m;
  }
  if (shape.kind != PV_SHAPE_OP) return 1;
  switch (shape.op) {
  case PV_SMT_ITE:
  case PV_SMT_ADD:
  case PV_SMT_BVADD:
  case PV_SMT_SUB:
  case PV_SMT_BVSUB: {
    bool is_choice = shape.op == PV_SMT_ITE;
    uint64_t m = 0;
    for (uint32_t i = is_choice; i < shape.n; i++) {
      uint64_t r, k = modulus(s, pv_smt_operand(s->smt, t, i), depth - 1, &r);
      bool minus = i && (shape.op == PV_SMT_SUB || shape.op == PV_SMT_BVSUB);
      if (!m) {
        m = k, *rest = r;
        continue;
      }
      if (k < m) m = k;
      if (!is_choice) *rest = minus ? *rest - r : *rest + r;
      if (is_choice) m = lowest_bit((*rest - r) | m);
      *rest %= m;
    }
    return m;
  }
  case PV_SMT_MUL:
  case PV_SMT_BVMUL:
    for (uint32_t i = 0; i < 2 && shape.n == 2; i++)
      if (number_of(s, pv_smt_operand(s->smt, t, i), &value)) return lowest_bit(value);
    return 1;
  case PV_SMT_MOD: /* wrap-around */
    if (number_of(s, pv_smt_operand(s->smt, t, 1), &value)) {
      uint64_t m = modulus(s, pv_smt_operand(s->smt, t, 0), depth - 1, rest);
      if (lowest_bit(value) < m) m = lowest_bit(value);
      *rest %= m;
      return m;
    }
    return 1;
  case PV_SMT_BVSHL:
    if (number_of(s, pv_smt_operand(s->smt, t, 1), &other) && other < 7)
      return lowest_bit(UINT64_C(1) << other);
    return 1;
  default: return 1;
  }
}

uint64_t pv_sym_modulus(struct pv_symbolic *s, pv_term t, uint64_t *rest) {
  return modulus(s, t, DEEPEST, rest);
}
