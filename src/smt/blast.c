#include "smt/blast.h"

#include "smt/floats.h"

enum {
  MOST_READS = 400, /* of one array constant: their pairs are compared */
  MOST_DEPTH = 1000 /* of array terms */
};

/* Bits are literals, the lowest first. */
struct bits {
  const int *at; /* into pv_blast.bits: valid until the next bits are made */
  uint32_t n;
};
struct entry {                                   /* what is known of a term */
  enum { UNKNOWN, BITS, WITHOUT, REFUSED } kind; /* WITHOUT bits: arrays, modes of rounding */
  uint32_t first, n;                             /* BITS */
};
struct read {                                    /* of an array constant */
  uint32_t index, value, index_bits, value_bits; /* first bits */
};
struct base { /* an array constant */
  Z3_ast constant;
  PV_VEC(struct read) reads;
};
struct pv_blast {
  struct pv_smt *s;
  struct pv_sat *sat;
  bool (*stop)(void *user);
  void *user;
  uint32_t rounds;
  PV_VEC(struct entry) known; /* by ast id */
  PV_VEC(int) bits;
  PV_VEC(Z3_ast) stack;
  pv_terms constants; /* that were blasted, arrays excepted */
  PV_VEC(struct base) bases;
  struct pv_map base_of; /* ast id -> base */
  struct pv_map reads;   /* ids of array and index -> first bit of the value */
  struct pv_map equal;   /* ids of two indices -> position of the literal in `bits` */
};

struct pv_blast *pv_blast_new(struct pv_smt *s, bool (*stop)(void *user), void *user) {
  struct pv_blast *b = pv_alloc(sizeof *b);
  b->s = s;
  b->stop = stop;
  b->user = user;
  b->sat = pv_sat_new(stop, user);
  return b;
}

void pv_blast_free(struct pv_blast *b) {
  if (!b) return;
  pv_sat_free(b->sat);
  for (uint32_t i = 0; i < b->bases.n; i++) pv_vec_free(&b->bases.at[i].reads);
  pv_vec_free(&b->known);
  pv_vec_free(&b->bits);
  pv_vec_free(&b->stack);
  pv_vec_free(&b->constants);
  pv_vec_free(&b->bases);
  pv_map_free(&b->base_of);
  pv_map_free(&b->reads);
  pv_map_free(&b->equal);
  free(b);
}

bool pv_blast_suits(uint8_t has) {
  const unsigned bits = PV_HAS_BV | PV_HAS_FLOAT;
  return !(has & (uint8_t) ~(bits | PV_HAS_ARRAY | PV_SEEN)) && has & bits;
}

struct pv_sat *pv_blast_sat(struct pv_blast *b) {
  return b->sat;
}

/* ---- terms ----------------------------------------------------------------------------------- */
static struct entry *entry_of(struct pv_blast *b, Z3_ast a) {
  unsigned id = Z3_get_ast_id(b->s->z3, a);
  if (id >= b->known.n) {
    pv_vec_reserve(&b->known, id + 1);
    memset(b->known.at + b->known.n, 0, (id + 1 - b->known.n) * sizeof *b->known.at);
    b->known.n = id + 1;
  }
  return &b->known.at[id];
}

static struct bits bits_of(struct pv_blast *b, Z3_ast a) {
  const struct entry *e = entry_of(b, a);
  return (struct bits){b->bits.at + e->first, e->n};
}

static uint32_t keep(struct pv_blast *b, uint32_t n, const int *bits) {
  uint32_t first = b->bits.n;
  for (uint32_t i = 0; i < n; i++) pv_vec_push(&b->bits, bits[i]);
  return first;
}

static bool is_float(struct pv_blast *b, Z3_sort sort) {
  return Z3_get_sort_kind(b->s->z3, sort) == Z3_FLOATING_POINT_SORT;
}

static struct pv_float_format format_of(struct pv_blast *b, Z3_sort sort) {
  return (struct pv_float_format){.fraction = Z3_fpa_get_sbits(b->s->z3, sort) - 1,
                                  .exponent = Z3_fpa_get_ebits(b->s->z3, sort)};
}

/* 0: neither Boolean nor a bit-vector nor a float (or too wide). */
static uint32_t width_of(struct pv_blast *b, Z3_sort sort) {
  Z3_sort_kind k = Z3_get_sort_kind(b->s->z3, sort);
  if (k == Z3_BOOL_SORT) return 1;
  if (k == Z3_FLOATING_POINT_SORT) return pv_float_bits(format_of(b, sort));
  uint32_t n = k == Z3_BV_SORT ? Z3_get_bv_sort_size(b->s->z3, sort) : 0;
  return n < PV_WORD_WIDEST / 2 ? n : 0;
}

/* Any value of the sort. */
static void new_inputs(struct pv_blast *b, Z3_sort sort, uint32_t n, int *out) {
  for (uint32_t i = 0; i < n; i++) out[i] = pv_sat_input(b->sat);
  if (is_float(b, sort)) pv_float_of_bits(b->sat, format_of(b, sort), out, out);
}

static bool number(struct pv_blast *b, Z3_ast a, uint32_t n, int *out) {
  uint64_t lo, hi;
  if (n > 128 || !pv_smt_numeral(b->s, a, (struct pv_sort){.kind = PV_SORT_BV}, &lo, &hi))
    return false;
  for (uint32_t i = 0; i < n; i++)
    out[i] = (i < 64 ? lo >> i : hi >> (i - 64)) & 1 ? PV_SAT_TRUE : PV_SAT_FALSE;
  return true;
}

static int equal_indices(struct pv_blast *b, Z3_ast x, Z3_ast y) {
  unsigned i = Z3_get_ast_id(b->s->z3, x), k = Z3_get_ast_id(b->s->z3, y);
  unsigned key[] = {i < k ? i : k, i < k ? k : i};
  if (i == k) return PV_SAT_TRUE;
  bool is_new;
  uint32_t *at = pv_map_put(&b->equal, key, sizeof key, b->bits.n, &is_new);
  if (!is_new) return b->bits.at[*at];
  struct bits a = bits_of(b, x), c = bits_of(b, y);
  int r = pv_word_equal(b->sat, a.n, a.at, c.at);
  pv_vec_push(&b->bits, r);
  return r;
}

static struct base *base_of(struct pv_blast *b, Z3_ast array) {
  unsigned id = Z3_get_ast_id(b->s->z3, array);
  bool is_new;
  uint32_t at = *pv_map_put(&b->base_of, &id, sizeof id, b->bases.n, &is_new);
  if (is_new) pv_vec_push(&b->bases, (struct base){.constant = array});
  return &b->bases.at[at];
}

/* A read of an array constant: new bits, equal to those of other reads at equal indices. */
static bool read_base(struct pv_blast *b, Z3_ast array, Z3_ast index, uint32_t n, uint32_t *out) {
  struct base *base = base_of(b, array);
  struct bits at = bits_of(b, index);
  struct read r = {entry_of(b, index)->first, b->bits.n, at.n, n};
  int value[PV_WORD_WIDEST];
  if (base->reads.n >= MOST_READS) return false;
  for (uint32_t i = 0; i < base->reads.n; i++) { /* at the same bits: the same value */
    const struct read *old = &base->reads.at[i];
    if (memcmp(b->bits.at + old->index, b->bits.at + r.index, at.n * sizeof(int))) continue;
    *out = old->value;
    return true;
  }
  new_inputs(b, Z3_get_array_sort_range(b->s->z3, Z3_get_sort(b->s->z3, array)), n, value);
  keep(b, n, value);
  for (uint32_t i = 0; i < base->reads.n; i++) {
    const struct read *old = &base->reads.at[i];
    int same = pv_word_equal(b->sat, at.n, b->bits.at + old->index, b->bits.at + r.index);
    if (same == PV_SAT_FALSE) continue;
    for (uint32_t k = 0; k < n; k++) {
      int x = b->bits.at[old->value + k], y = b->bits.at[r.value + k];
      const int one[] = {-same, -x, y}, other[] = {-same, x, -y};
      pv_sat_clause(b->sat, 3, one);
      pv_sat_clause(b->sat, 3, other);
    }
  }
  pv_vec_push(&base->reads, r);
  *out = r.value;
  return true;
}

static bool read_at(struct pv_blast *b, Z3_ast array, Z3_ast index, uint32_t n, uint32_t depth,
                    uint32_t *out);

/* The read goes through the writes until one that certainly is at the index. */
static bool read_writes(struct pv_blast *b, Z3_ast array, Z3_ast index, uint32_t n, uint32_t depth,
                        uint32_t *out) {
  struct write {
    int at;
    uint32_t value;
  };
  PV_VEC(struct write) writes = {0};
  bool found = false, fine = true;
  while (!found && pv_is_app(b->s, array, Z3_OP_STORE)) {
    int at = equal_indices(b, pv_arg_at(b->s, array, 1), index);
    uint32_t value = entry_of(b, pv_arg_at(b->s, array, 2))->first;
    if (at == PV_SAT_TRUE)
      *out = value, found = true;
    else if (at != PV_SAT_FALSE)
      pv_vec_push(&writes, ((struct write){at, value}));
    array = pv_arg_at(b->s, array, 0);
  }
  if (!found) fine = read_at(b, array, index, n, depth + 1, out);
  for (uint32_t i = writes.n; i-- > 0 && fine;) {
    int r[PV_WORD_WIDEST];
    pv_word_choose(b->sat, n, writes.at[i].at, b->bits.at + writes.at[i].value, b->bits.at + *out,
                   r);
    *out = keep(b, n, r);
  }
  pv_vec_free(&writes);
  return fine;
}

/* *out: the first bit of the element. Returns false if the array is of another kind. */
static bool read_at(struct pv_blast *b, Z3_ast array, Z3_ast index, uint32_t n, uint32_t depth,
                    uint32_t *out) {
  unsigned key[] = {Z3_get_ast_id(b->s->z3, array), Z3_get_ast_id(b->s->z3, index)};
  const uint32_t *old = pv_map_get(&b->reads, key, sizeof key);
  if (old) {
    *out = *old;
    return true;
  }
  if (depth > MOST_DEPTH) return false;
  bool fine = false;
  if (pv_is_app(b->s, array, Z3_OP_STORE)) {
    fine = read_writes(b, array, index, n, depth, out);
  } else if (pv_is_app(b->s, array, Z3_OP_CONST_ARRAY)) {
    *out = entry_of(b, pv_arg_at(b->s, array, 0))->first;
    fine = true;
  } else if (pv_is_app(b->s, array, Z3_OP_ITE)) {
    uint32_t x, y;
    int c = b->bits.at[entry_of(b, pv_arg_at(b->s, array, 0))->first], r[PV_WORD_WIDEST];
    fine = read_at(b, pv_arg_at(b->s, array, 1), index, n, depth + 1, &x) &&
           read_at(b, pv_arg_at(b->s, array, 2), index, n, depth + 1, &y);
    if (fine) {
      pv_word_choose(b->sat, n, c, b->bits.at + x, b->bits.at + y, r);
      *out = keep(b, n, r);
    }
  } else if (pv_is_constant(b->s, array)) {
    fine = read_base(b, array, index, n, out);
  }
  if (fine) pv_map_put(&b->reads, key, sizeof key, *out, NULL);
  return fine;
}

/* Equality of Booleans and words; XOR and DISTINCT of two. */
static bool equality(struct pv_blast *b, Z3_ast a, int *out) {
  struct bits x = bits_of(b, pv_arg_at(b->s, a, 0)), y = bits_of(b, pv_arg_at(b->s, a, 1));
  if (!x.n || x.n != y.n || pv_arity(b->s, a) != 2) return false;
  *out = pv_word_equal(b->sat, x.n, x.at, y.at);
  return true;
}

static bool distinct(struct pv_blast *b, Z3_ast a, int *out) {
  int r = PV_SAT_TRUE;
  for (uint32_t i = 0; i < pv_arity(b->s, a); i++)
    for (uint32_t k = 0; k < i; k++) {
      struct bits x = bits_of(b, pv_arg_at(b->s, a, i)), y = bits_of(b, pv_arg_at(b->s, a, k));
      if (!x.n || x.n != y.n) return false;
      r = pv_sat_and(b->sat, r, -pv_word_equal(b->sat, x.n, x.at, y.at));
    }
  *out = r;
  return true;
}

static int junction(struct pv_blast *b, Z3_ast a, bool is_and) {
  PV_VEC(int) parts = {0};
  for (uint32_t i = 0; i < pv_arity(b->s, a); i++) {
    int x = *bits_of(b, pv_arg_at(b->s, a, i)).at;
    pv_vec_push(&parts, is_and ? x : -x);
  }
  int r = pv_sat_all(b->sat, parts.n, parts.at);
  pv_vec_free(&parts);
  return is_and ? r : -r;
}

/* Operations whose operands and result have the same width. Returns false for any other. */
static bool word_operation(struct pv_blast *b, Z3_decl_kind kind, uint32_t n, const int *x,
                           const int *y, int *out) {
  struct pv_sat *t = b->sat;
  int minus[PV_WORD_WIDEST];
  switch ((unsigned)kind) {
  case Z3_OP_BADD: pv_word_sum(t, n, x, y, PV_SAT_FALSE, out); return true;
  case Z3_OP_BSUB:
    pv_word_invert(n, y, minus);
    pv_word_sum(t, n, x, minus, PV_SAT_TRUE, out);
    return true;
  case Z3_OP_BMUL: pv_word_product(t, n, x, y, out); return true;
  case Z3_OP_BUDIV:
  case Z3_OP_BUDIV_I: pv_word_divide(t, n, x, y, out, NULL); return true;
  case Z3_OP_BUREM:
  case Z3_OP_BUREM_I: pv_word_divide(t, n, x, y, NULL, out); return true;
  case Z3_OP_BSDIV:
  case Z3_OP_BSDIV_I: pv_word_signed_divide(t, n, x, y, out, NULL); return true;
  case Z3_OP_BSREM:
  case Z3_OP_BSREM_I: pv_word_signed_divide(t, n, x, y, NULL, out); return true;
  case Z3_OP_BSHL: pv_word_shift(t, n, PV_WORD_LEFT, x, y, out); return true;
  case Z3_OP_BLSHR: pv_word_shift(t, n, PV_WORD_RIGHT, x, y, out); return true;
  case Z3_OP_BASHR: pv_word_shift(t, n, PV_WORD_RIGHT_SIGNED, x, y, out); return true;
  case Z3_OP_BAND:
    for (uint32_t i = 0; i < n; i++) out[i] = pv_sat_and(t, x[i], y[i]);
    return true;
  case Z3_OP_BOR:
    for (uint32_t i = 0; i < n; i++) out[i] = pv_sat_or(t, x[i], y[i]);
    return true;
  case Z3_OP_BXOR:
    for (uint32_t i = 0; i < n; i++) out[i] = pv_sat_xor(t, x[i], y[i]);
    return true;
  default: return false;
  }
}

static bool comparison(struct pv_blast *b, Z3_decl_kind kind, struct bits x, struct bits y,
                       int *out) {
  struct pv_sat *t = b->sat;
  enum { STRICT = PV_SAT_FALSE, EQUAL_TOO = PV_SAT_TRUE };
  switch ((unsigned)kind) {
  case Z3_OP_ULT: *out = pv_word_below(t, x.n, x.at, y.at, STRICT); return true;
  case Z3_OP_ULEQ: *out = pv_word_below(t, x.n, x.at, y.at, EQUAL_TOO); return true;
  case Z3_OP_UGT: *out = pv_word_below(t, x.n, y.at, x.at, STRICT); return true;
  case Z3_OP_UGEQ: *out = pv_word_below(t, x.n, y.at, x.at, EQUAL_TOO); return true;
  case Z3_OP_SLT: *out = pv_word_signed_below(t, x.n, x.at, y.at, STRICT); return true;
  case Z3_OP_SLEQ: *out = pv_word_signed_below(t, x.n, x.at, y.at, EQUAL_TOO); return true;
  case Z3_OP_SGT: *out = pv_word_signed_below(t, x.n, y.at, x.at, STRICT); return true;
  case Z3_OP_SGEQ: *out = pv_word_signed_below(t, x.n, y.at, x.at, EQUAL_TOO); return true;
  default: return false;
  }
}

/* EXTRACT, CONCAT, extensions: no gates. */
static bool rearranged(struct pv_blast *b, Z3_ast a, Z3_decl_kind kind, uint32_t n, int *out) {
  Z3_context c = b->s->z3;
  uint32_t have = 0;
  if (kind == Z3_OP_CONCAT) {
    for (uint32_t i = pv_arity(b->s, a); i-- > 0;) {
      struct bits x = bits_of(b, pv_arg_at(b->s, a, i));
      memcpy(out + have, x.at, x.n * sizeof *out);
      have += x.n;
    }
    return true;
  }
  if (kind != Z3_OP_EXTRACT && kind != Z3_OP_ZERO_EXT && kind != Z3_OP_SIGN_EXT) return false;
  struct bits x = bits_of(b, pv_arg_at(b->s, a, 0));
  Z3_func_decl d = Z3_get_app_decl(c, Z3_to_app(c, a));
  uint32_t from = kind == Z3_OP_EXTRACT ? (uint32_t)Z3_get_decl_int_parameter(c, d, 1) : 0;
  int fill = kind == Z3_OP_SIGN_EXT ? x.at[x.n - 1] : PV_SAT_FALSE;
  for (uint32_t i = 0; i < n; i++) out[i] = from + i < x.n ? x.at[from + i] : fill;
  return true;
}

/* n-ary operations on words, from the left. */
static bool words(struct pv_blast *b, Z3_ast a, Z3_decl_kind kind, uint32_t n, int *out) {
  uint32_t arity = pv_arity(b->s, a);
  struct bits x = bits_of(b, pv_arg_at(b->s, a, 0));
  int left[PV_WORD_WIDEST];
  if (x.n != n) return false;
  if (kind == Z3_OP_BNOT) {
    pv_word_invert(n, x.at, out);
    return true;
  }
  if (kind == Z3_OP_BNEG) {
    pv_word_negate_if(b->sat, n, PV_SAT_TRUE, x.at, out);
    return true;
  }
  if (arity < 2) return false;
  memcpy(left, x.at, n * sizeof *left);
  for (uint32_t i = 1; i < arity; i++) {
    struct bits y = bits_of(b, pv_arg_at(b->s, a, i));
    if (y.n != n || !word_operation(b, kind, n, left, y.at, out)) return false;
    memcpy(left, out, n * sizeof *left);
  }
  return true;
}

/* ---- floats ---------------------------------------------------------------------------------- */
/* x87 has a leading bit, which IEEE formats omit. */
static void without_lead(uint64_t *lo, uint64_t *hi) {
  *lo = (*lo & (UINT64_MAX >> 1)) | *hi << 63;
  *hi = *hi >> 1 & 0x7fff;
}
static void with_lead(uint64_t *lo, uint64_t *hi) {
  *hi = *hi << 1 | *lo >> 63;
  *lo = (*lo & (UINT64_MAX >> 1)) | (*hi & 0x7fff ? UINT64_C(1) << 63 : 0);
}

static bool float_number(struct pv_blast *b, Z3_ast a, struct pv_float_format f, int *out) {
  const uint32_t n = pv_float_bits(f);
  struct pv_sort sort = {.kind = PV_SORT_FLOAT, .bits = (uint8_t)(n == 79 ? 80 : n)};
  uint64_t lo, hi;
  if (!pv_smt_numeral(b->s, a, sort, &lo, &hi)) return false;
  if (n == 79) without_lead(&lo, &hi);
  pv_word_number(n, lo, out);
  if (n > 64) pv_word_number(n - 64, hi, out + 64);
  pv_float_of_bits(b->sat, f, out, out);
  return true;
}

/* Z3 may call a mode of rounding a numeral. */
static bool rounds(struct pv_blast *b, Z3_ast mode, Z3_decl_kind how) {
  Z3_context c = b->s->z3;
  Z3_ast_kind kind = Z3_get_ast_kind(c, mode);
  return (kind == Z3_APP_AST || kind == Z3_NUMERAL_AST) &&
         Z3_get_decl_kind(c, Z3_get_app_decl(c, Z3_to_app(c, mode))) == how;
}

/* Conversions to a float: of bits, of a float, of an integer. */
static bool to_float(struct pv_blast *b, Z3_ast a, bool is_signed, int *out) {
  Z3_context c = b->s->z3;
  struct pv_float_format f = format_of(b, Z3_get_sort(c, a));
  uint32_t arity = pv_arity(b->s, a);
  Z3_ast last = arity ? pv_arg_at(b->s, a, arity - 1) : NULL;
  if (!last || arity > 2) return false;
  struct bits x = bits_of(b, last);
  Z3_sort from = Z3_get_sort(c, last);
  if (arity == 1) {
    if (x.n != pv_float_bits(f)) return false;
    pv_float_of_bits(b->sat, f, x.at, out);
    return true;
  }
  if (!x.n || !rounds(b, pv_arg_at(b->s, a, 0), Z3_OP_FPA_RM_NEAREST_TIES_TO_EVEN)) return false;
  if (is_float(b, from))
    pv_float_convert(b->sat, format_of(b, from), x.at, f, out);
  else
    pv_float_of_integer(b->sat, x.n, x.at, is_signed, f, out);
  return true;
}

/* Operations on floats, and those whose result is no float. */
static bool float_operation(struct pv_blast *b, Z3_ast a, Z3_decl_kind kind, uint32_t n, int *out) {
  struct pv_sat *t = b->sat;
  uint32_t arity = pv_arity(b->s, a);
  Z3_ast last = arity ? pv_arg_at(b->s, a, arity - 1) : NULL, first = NULL;
  Z3_sort sort = last ? Z3_get_sort(b->s->z3, last) : NULL;
  if (kind == Z3_OP_FPA_TO_FP) return to_float(b, a, true, out);
  if (kind == Z3_OP_FPA_TO_FP_UNSIGNED) return to_float(b, a, false, out);
  if (!last || !is_float(b, sort)) return false;
  struct pv_float_format f = format_of(b, sort);
  struct bits y = bits_of(b, last), x = y;
  bool to_zero = false;
  if (arity > 1) {
    first = pv_arg_at(b->s, a, arity - 2);
    to_zero = rounds(b, first, Z3_OP_FPA_RM_TOWARD_ZERO);
    x = bits_of(b, first);
  }
  switch ((unsigned)kind) {
  case Z3_OP_FPA_IS_NAN: *out = pv_float_is_nan(t, f, y.at); return true;
  case Z3_OP_FPA_IS_INF: *out = pv_float_is_infinite(t, f, y.at); return true;
  case Z3_OP_FPA_IS_ZERO: *out = pv_float_is_zero(t, f, y.at); return true;
  case Z3_OP_FPA_IS_NEGATIVE: /* the NaN has no sign */
    *out = pv_sat_and(t, y.at[y.n - 1], -pv_float_is_nan(t, f, y.at));
    return true;
  case Z3_OP_FPA_NEG: pv_float_negate(t, f, y.at, out); return true;
  case Z3_OP_FPA_ABS: pv_float_absolute(t, f, y.at, out); return true;
  case Z3_OP_FPA_EQ: *out = pv_float_equal(t, f, x.at, y.at); return arity == 2;
  case Z3_OP_FPA_LT: *out = pv_float_below(t, f, x.at, y.at, false); return arity == 2;
  case Z3_OP_FPA_GT: *out = pv_float_below(t, f, y.at, x.at, false); return arity == 2;
  case Z3_OP_FPA_LE: *out = pv_float_below(t, f, x.at, y.at, true); return arity == 2;
  case Z3_OP_FPA_GE: *out = pv_float_below(t, f, y.at, x.at, true); return arity == 2;
  case Z3_OP_FPA_ROUND_TO_INTEGRAL:
    if (to_zero) pv_float_truncate(t, f, y.at, out);
    return to_zero;
  case Z3_OP_FPA_TO_SBV:
  case Z3_OP_FPA_TO_UBV:
    if (to_zero) pv_float_to_integer(t, f, y.at, n, kind == Z3_OP_FPA_TO_SBV, out);
    return to_zero;
  case Z3_OP_FPA_MUL:
    if (arity != 3 || !rounds(b, pv_arg_at(b->s, a, 0), Z3_OP_FPA_RM_NEAREST_TIES_TO_EVEN))
      return false;
    pv_float_product(t, f, x.at, y.at, out);
    return true;
  default: return false;
  }
}

/* The bits of a term whose operands have theirs. */
static bool make(struct pv_blast *b, Z3_ast a, uint32_t n, int *out) {
  Z3_context c = b->s->z3;
  if (a == b->s->yes || a == b->s->no) {
    *out = a == b->s->yes ? PV_SAT_TRUE : PV_SAT_FALSE;
    return true;
  }
  Z3_sort sort = Z3_get_sort(c, a);
  if (is_float(b, sort) && float_number(b, a, format_of(b, sort), out)) return true;
  if (Z3_get_ast_kind(c, a) == Z3_NUMERAL_AST) return number(b, a, n, out);
  if (pv_is_constant(b->s, a)) {
    new_inputs(b, sort, n, out);
    pv_vec_push(&b->constants, pv_of(a));
    return true;
  }
  Z3_decl_kind kind = Z3_get_decl_kind(c, Z3_get_app_decl(c, Z3_to_app(c, a)));
  uint32_t arity = pv_arity(b->s, a), first;
  switch ((unsigned)kind) {
  case Z3_OP_NOT: *out = -*bits_of(b, pv_arg_at(b->s, a, 0)).at; return true;
  case Z3_OP_AND: *out = junction(b, a, true); return true;
  case Z3_OP_OR: *out = junction(b, a, false); return true;
  case Z3_OP_IMPLIES:
    *out = pv_sat_or(b->sat, -*bits_of(b, pv_arg_at(b->s, a, 0)).at,
                     *bits_of(b, pv_arg_at(b->s, a, 1)).at);
    return true;
  case Z3_OP_IFF:
  case Z3_OP_EQ: return equality(b, a, out);
  case Z3_OP_XOR:
    if (!equality(b, a, out)) return false;
    *out = -*out;
    return true;
  case Z3_OP_DISTINCT: return distinct(b, a, out);
  case Z3_OP_ITE: {
    struct bits x = bits_of(b, pv_arg_at(b->s, a, 1)), y = bits_of(b, pv_arg_at(b->s, a, 2));
    pv_word_choose(b->sat, n, *bits_of(b, pv_arg_at(b->s, a, 0)).at, x.at, y.at, out);
    return true;
  }
  case Z3_OP_SELECT:
    if (arity != 2 || !read_at(b, pv_arg_at(b->s, a, 0), pv_arg_at(b->s, a, 1), n, 0, &first))
      return false;
    memcpy(out, b->bits.at + first, n * sizeof *out);
    return true;
  default: break;
  }
  if (arity == 2 && !is_float(b, sort) &&
      comparison(b, kind, bits_of(b, pv_arg_at(b->s, a, 0)), bits_of(b, pv_arg_at(b->s, a, 1)),
                 out))
    return true;
  return arity && (rearranged(b, a, kind, n, out) || float_operation(b, a, kind, n, out) ||
                   words(b, a, kind, n, out));
}

/* Array terms have no bits of their own, but their indices, elements and conditions have. */
static bool has_no_bits(struct pv_blast *b, Z3_ast a) {
  Z3_sort sort = Z3_get_sort(b->s->z3, a);
  if (Z3_get_sort_kind(b->s->z3, sort) == Z3_ROUNDING_MODE_SORT) return true;
  if (Z3_get_sort_kind(b->s->z3, sort) != Z3_ARRAY_SORT) return false;
  return width_of(b, Z3_get_array_sort_domain(b->s->z3, sort)) &&
         width_of(b, Z3_get_array_sort_range(b->s->z3, sort));
}

/* Bits that the term's interval fixes: those that its ends have in common, from the highest one
 * on, and those that are copies of the sign. */
static void fix_bits(struct pv_blast *b, Z3_ast a, uint32_t n, int *out) {
  struct pv_bounds r;
  if (!pv_smt_bounds(b->s, a, &r)) return;
  uint32_t sign = n - 1;
  while (sign && r.slo >= -((pv_i128)1 << (sign - 1)) && r.shi < (pv_i128)1 << (sign - 1)) sign--;
  for (uint32_t i = sign + 1; i < n; i++) out[i] = out[sign];
  for (uint32_t i = n; i-- > 0 && r.ulo >> i == r.uhi >> i;)
    out[i] = r.ulo >> i & 1 ? PV_SAT_TRUE : PV_SAT_FALSE;
}

static void make_entry(struct pv_blast *b, Z3_ast a) {
  struct entry e = {.kind = REFUSED};
  int out[PV_WORD_WIDEST];
  Z3_ast_kind kind = Z3_get_ast_kind(b->s->z3, a);
  bool plain = kind == Z3_APP_AST || kind == Z3_NUMERAL_AST;
  for (uint32_t i = 0; i < pv_arity(b->s, a) && plain; i++)
    plain = entry_of(b, pv_arg_at(b->s, a, i))->kind != REFUSED;
  uint32_t n = plain ? width_of(b, Z3_get_sort(b->s->z3, a)) : 0;
  if (n && make(b, a, n, out)) {
    fix_bits(b, a, n, out);
    e.kind = BITS;
    e.n = n;
    e.first = keep(b, n, out);
  } else if (plain && !n && has_no_bits(b, a)) {
    e.kind = WITHOUT;
  }
  *entry_of(b, a) = e;
}

static bool stopped(struct pv_blast *b) {
  enum { EVERY = 64 };
  return ++b->rounds % EVERY == 0 && b->stop && b->stop(b->user);
}

int pv_blast_literal(struct pv_blast *b, pv_term t) {
  b->stack.n = 0;
  pv_vec_push(&b->stack, pv_ast(t));
  while (b->stack.n) {
    Z3_ast a = pv_vec_last(&b->stack);
    uint32_t before = b->stack.n;
    if (entry_of(b, a)->kind != UNKNOWN) {
      b->stack.n--;
      continue;
    }
    for (uint32_t i = 0; i < pv_arity(b->s, a); i++) {
      Z3_ast x = pv_arg_at(b->s, a, i);
      if (entry_of(b, x)->kind == UNKNOWN) pv_vec_push(&b->stack, x);
    }
    if (b->stack.n > before) continue;
    if (stopped(b)) return 0;
    make_entry(b, a);
    b->stack.n--;
  }
  const struct entry *e = entry_of(b, pv_ast(t));
  return e->kind == BITS ? b->bits.at[e->first] : 0;
}

/* ---- models ---------------------------------------------------------------------------------- */
static void value_at(struct pv_blast *b, uint32_t first, uint32_t n, uint64_t *lo, uint64_t *hi) {
  *lo = *hi = 0;
  for (uint32_t i = 0; i < n && i < 128; i++)
    *(i < 64 ? lo : hi) |= (uint64_t)pv_sat_value(b->sat, b->bits.at[first + i]) << i % 64;
}

bool pv_blast_value(struct pv_blast *b, pv_term t, uint64_t *lo, uint64_t *hi) {
  const struct entry *e = entry_of(b, pv_ast(t));
  if (e->kind != BITS || e->n > 128) return false;
  value_at(b, e->first, e->n, lo, hi);
  if (e->n == 79 && is_float(b, Z3_get_sort(b->s->z3, pv_ast(t)))) with_lead(lo, hi);
  return true;
}

static pv_term number_of(struct pv_blast *b, struct pv_sort sort, uint32_t first, uint32_t n) {
  uint64_t lo, hi;
  value_at(b, first, n, &lo, &hi);
  if (sort.kind == PV_SORT_FLOAT && n == 79) with_lead(&lo, &hi);
  return pv_smt_number(b->s, sort, lo, hi);
}

static Z3_func_decl declaration(struct pv_blast *b, Z3_ast constant) {
  return Z3_get_app_decl(b->s->z3, Z3_to_app(b->s->z3, constant));
}

/* The reads as writes to an array of zeros. */
static pv_term array_of(struct pv_blast *b, const struct base *base) {
  struct pv_sort sort = pv_smt_sort(b->s, pv_of(base->constant));
  struct pv_sort index = {.kind = sort.index, .bits = sort.index_bits};
  struct pv_sort element = {.kind = sort.element, .bits = sort.element_bits};
  pv_term r = pv_smt_constant_array(b->s, sort, pv_smt_number(b->s, element, 0, 0));
  for (uint32_t i = 0; i < base->reads.n; i++) {
    const struct read *read = &base->reads.at[i];
    r = pv_smt_mk3(b->s, PV_SMT_STORE, r, number_of(b, index, read->index, read->index_bits),
                   number_of(b, element, read->value, read->value_bits));
  }
  return r;
}

Z3_model pv_blast_model(struct pv_blast *b) {
  Z3_model m = Z3_mk_model(b->s->z3);
  if (!m) return NULL;
  Z3_model_inc_ref(b->s->z3, m);
  for (uint32_t i = 0; i < b->constants.n; i++) {
    pv_term t = b->constants.at[i];
    const struct entry *e = entry_of(b, pv_ast(t));
    pv_term value = number_of(b, pv_smt_sort(b->s, t), e->first, e->n);
    Z3_add_const_interp(b->s->z3, m, declaration(b, pv_ast(t)), pv_ast(value));
  }
  for (uint32_t i = 0; i < b->bases.n; i++)
    Z3_add_const_interp(b->s->z3, m, declaration(b, b->bases.at[i].constant),
                        pv_ast(array_of(b, &b->bases.at[i])));
  return m;
}
