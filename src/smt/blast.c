#include "smt/blast.h"

enum {
  MOST_READS = 400, /* of one array constant: their pairs are compared */
  MOST_DEPTH = 1000 /* of array terms */
};

/* Bits are literals, the lowest first. */
struct bits {
  const int *at; /* into pv_blast.bits: valid until the next bits are made */
  uint32_t n;
};
struct entry { /* what is known of a term */
  enum { UNKNOWN, BITS, ARRAY, REFUSED } kind;
  uint32_t first, n; /* BITS */
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
  return !(has & (uint8_t) ~(PV_HAS_BV | PV_HAS_ARRAY | PV_SEEN)) && has & PV_HAS_BV;
}

struct pv_sat *pv_blast_sat(struct pv_blast *b) {
  return b->sat;
}

/* ---- words -----------------------------------------------------------------------------------
 * Words are arrays of literals in buffers of the caller, n of them. */
enum { WIDEST = 512 };

static int full_sum(struct pv_sat *t, int a, int b, int c) {
  return pv_sat_xor(t, pv_sat_xor(t, a, b), c);
}

/* a + b + carry; returns the carry out. */
static int sum(struct pv_sat *t, uint32_t n, const int *a, const int *b, int carry, int *out) {
  for (uint32_t i = 0; i < n; i++) {
    int x = a[i], y = b[i], c = carry;
    carry = pv_sat_most(t, x, y, c);
    out[i] = full_sum(t, x, y, c);
  }
  return carry;
}

static void invert(uint32_t n, const int *a, int *out) {
  for (uint32_t i = 0; i < n; i++) out[i] = -a[i];
}

static void constant(uint32_t n, int bit, int *out) {
  for (uint32_t i = 0; i < n; i++) out[i] = bit;
}

static void negate_if(struct pv_sat *t, uint32_t n, int c, const int *a, int *out) {
  int x[WIDEST], zero[WIDEST];
  for (uint32_t i = 0; i < n; i++) x[i] = pv_sat_xor(t, a[i], c);
  constant(n, PV_SAT_FALSE, zero);
  sum(t, n, x, zero, c, out);
}

/* a < b, unsigned: the carry of b + ~a is b > a */
static int below(struct pv_sat *t, uint32_t n, const int *a, const int *b, int or_equal) {
  int r = or_equal;
  for (uint32_t i = 0; i < n; i++) r = pv_sat_most(t, -a[i], b[i], r);
  return r;
}

static int signed_below(struct pv_sat *t, uint32_t n, const int *a, const int *b, int or_equal) {
  int x[WIDEST], y[WIDEST];
  memcpy(x, a, n * sizeof *x);
  memcpy(y, b, n * sizeof *y);
  x[n - 1] = -x[n - 1], y[n - 1] = -y[n - 1];
  return below(t, n, x, y, or_equal);
}

static int equal(struct pv_sat *t, uint32_t n, const int *a, const int *b) {
  int same[WIDEST];
  for (uint32_t i = 0; i < n; i++) {
    same[i] = -pv_sat_xor(t, a[i], b[i]);
    if (same[i] == PV_SAT_FALSE) return PV_SAT_FALSE;
  }
  return pv_sat_all(t, n, same);
}

static void choose(struct pv_sat *t, uint32_t n, int c, const int *a, const int *b, int *out) {
  for (uint32_t i = 0; i < n; i++) out[i] = pv_sat_ite(t, c, a[i], b[i]);
}

static uint32_t constants_in(uint32_t n, const int *a) {
  uint32_t r = 0;
  for (uint32_t i = 0; i < n; i++) r += a[i] == PV_SAT_TRUE || a[i] == PV_SAT_FALSE;
  return r;
}

static void product(struct pv_sat *t, uint32_t n, const int *a, const int *b, int *out) {
  int r[WIDEST], row[WIDEST];
  if (constants_in(n, a) > constants_in(n, b)) { /* rows of a constant 0 cost nothing */
    const int *other = a;
    a = b, b = other;
  }
  constant(n, PV_SAT_FALSE, r);
  for (uint32_t i = 0; i < n; i++) {
    if (b[i] == PV_SAT_FALSE) continue;
    for (uint32_t k = i; k < n; k++) row[k] = pv_sat_and(t, a[k - i], b[i]);
    sum(t, n - i, r + i, row + i, PV_SAT_FALSE, r + i);
  }
  memcpy(out, r, n * sizeof *r);
}

/* Is it the constant 2^*power? */
static bool is_power(uint32_t n, const int *a, uint32_t *power) {
  uint32_t ones = 0;
  if (constants_in(n, a) != n) return false;
  for (uint32_t i = 0; i < n; i++)
    if (a[i] == PV_SAT_TRUE) *power = i, ones++;
  return ones == 1;
}

/* Long division. By 0: the quotient has all bits, the remainder is a, as SMT-LIB wants it. The
 * remainder is as wide as the divisor, which may have leading zeros. */
static void divide(struct pv_sat *t, uint32_t n, const int *a, const int *b, int *quotient,
                   int *remainder) {
  int r[WIDEST], wide[WIDEST], difference[WIDEST], q[WIDEST];
  uint32_t power, w = n;
  if (is_power(n, b, &power)) { /* a shift and a mask */
    for (uint32_t i = 0; i < n; i++) {
      if (quotient) quotient[i] = i + power < n ? a[i + power] : PV_SAT_FALSE;
      if (remainder) remainder[i] = i < power ? a[i] : PV_SAT_FALSE;
    }
    return;
  }
  while (w && b[w - 1] == PV_SAT_FALSE) w--;
  constant(n + 1, PV_SAT_FALSE, r);
  invert(w, b, wide);
  wide[w] = PV_SAT_TRUE;
  for (uint32_t i = n; i-- > 0;) {
    memmove(r + 1, r, w * sizeof *r);
    r[0] = a[i];
    q[i] = sum(t, w + 1, r, wide, PV_SAT_TRUE, difference); /* no borrow: r >= b */
    choose(t, w + 1, q[i], difference, r, r);
  }
  if (quotient) memcpy(quotient, q, n * sizeof *q);
  if (!remainder) return;
  if (w < n) { /* a divisor of 0 wants all of a */
    int zero[WIDEST];
    constant(n - w, PV_SAT_FALSE, r + w);
    invert(w, b, zero);
    choose(t, n, pv_sat_all(t, w, zero), a, r, r);
  }
  memcpy(remainder, r, n * sizeof *r);
}

static void signed_divide(struct pv_sat *t, uint32_t n, const int *a, const int *b, int *quotient,
                          int *remainder) {
  int x[WIDEST], y[WIDEST], r[WIDEST];
  negate_if(t, n, a[n - 1], a, x);
  negate_if(t, n, b[n - 1], b, y);
  divide(t, n, x, y, quotient ? r : NULL, quotient ? NULL : r);
  if (quotient)
    negate_if(t, n, pv_sat_xor(t, a[n - 1], b[n - 1]), r, quotient);
  else
    negate_if(t, n, a[n - 1], r, remainder);
}

enum shift { LEFT, RIGHT, RIGHT_SIGNED };

static void shift(struct pv_sat *t, uint32_t n, enum shift how, const int *a, const int *b,
                  int *out) {
  int r[WIDEST], moved[WIDEST], fill = how == RIGHT_SIGNED ? a[n - 1] : PV_SAT_FALSE;
  int far[WIDEST] = {0};
  uint32_t stages = 0;
  memcpy(r, a, n * sizeof *r);
  for (; stages < n && ((uint64_t)1 << stages) < n; stages++) {
    uint32_t by = 1u << stages;
    for (uint32_t i = 0; i < n; i++) {
      if (how == LEFT)
        moved[i] = i >= by ? r[i - by] : PV_SAT_FALSE;
      else
        moved[i] = i + by < n ? r[i + by] : fill;
    }
    choose(t, n, b[stages], moved, r, r);
  }
  for (uint32_t i = stages; i < n; i++) far[i - stages] = -b[i];
  int near = pv_sat_all(t, n - stages, far); /* the stages alone may go beyond n: that fills, too */
  constant(n, fill, moved);
  choose(t, n, near, r, moved, out);
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

/* 0: neither Boolean nor a bit-vector (or too wide). */
static uint32_t width_of(struct pv_blast *b, Z3_sort sort) {
  Z3_sort_kind k = Z3_get_sort_kind(b->s->z3, sort);
  if (k == Z3_BOOL_SORT) return 1;
  uint32_t n = k == Z3_BV_SORT ? Z3_get_bv_sort_size(b->s->z3, sort) : 0;
  return n < WIDEST / 2 ? n : 0;
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
  int r = equal(b->sat, a.n, a.at, c.at);
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
  if (base->reads.n >= MOST_READS) return false;
  for (uint32_t i = 0; i < base->reads.n; i++) { /* at the same bits: the same value */
    const struct read *old = &base->reads.at[i];
    if (memcmp(b->bits.at + old->index, b->bits.at + r.index, at.n * sizeof(int))) continue;
    *out = old->value;
    return true;
  }
  for (uint32_t i = 0; i < n; i++) pv_vec_push(&b->bits, pv_sat_input(b->sat));
  for (uint32_t i = 0; i < base->reads.n; i++) {
    const struct read *old = &base->reads.at[i];
    int same = equal(b->sat, at.n, b->bits.at + old->index, b->bits.at + r.index);
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
    int r[WIDEST];
    choose(b->sat, n, writes.at[i].at, b->bits.at + writes.at[i].value, b->bits.at + *out, r);
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
    int c = b->bits.at[entry_of(b, pv_arg_at(b->s, array, 0))->first], r[WIDEST];
    fine = read_at(b, pv_arg_at(b->s, array, 1), index, n, depth + 1, &x) &&
           read_at(b, pv_arg_at(b->s, array, 2), index, n, depth + 1, &y);
    if (fine) {
      choose(b->sat, n, c, b->bits.at + x, b->bits.at + y, r);
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
  *out = equal(b->sat, x.n, x.at, y.at);
  return true;
}

static bool distinct(struct pv_blast *b, Z3_ast a, int *out) {
  int r = PV_SAT_TRUE;
  for (uint32_t i = 0; i < pv_arity(b->s, a); i++)
    for (uint32_t k = 0; k < i; k++) {
      struct bits x = bits_of(b, pv_arg_at(b->s, a, i)), y = bits_of(b, pv_arg_at(b->s, a, k));
      if (!x.n || x.n != y.n) return false;
      r = pv_sat_and(b->sat, r, -equal(b->sat, x.n, x.at, y.at));
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
  int minus[WIDEST];
  switch ((unsigned)kind) {
  case Z3_OP_BADD: sum(t, n, x, y, PV_SAT_FALSE, out); return true;
  case Z3_OP_BSUB:
    invert(n, y, minus);
    sum(t, n, x, minus, PV_SAT_TRUE, out);
    return true;
  case Z3_OP_BMUL: product(t, n, x, y, out); return true;
  case Z3_OP_BUDIV:
  case Z3_OP_BUDIV_I: divide(t, n, x, y, out, NULL); return true;
  case Z3_OP_BUREM:
  case Z3_OP_BUREM_I: divide(t, n, x, y, NULL, out); return true;
  case Z3_OP_BSDIV:
  case Z3_OP_BSDIV_I: signed_divide(t, n, x, y, out, NULL); return true;
  case Z3_OP_BSREM:
  case Z3_OP_BSREM_I: signed_divide(t, n, x, y, NULL, out); return true;
  case Z3_OP_BSHL: shift(t, n, LEFT, x, y, out); return true;
  case Z3_OP_BLSHR: shift(t, n, RIGHT, x, y, out); return true;
  case Z3_OP_BASHR: shift(t, n, RIGHT_SIGNED, x, y, out); return true;
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
  case Z3_OP_ULT: *out = below(t, x.n, x.at, y.at, STRICT); return true;
  case Z3_OP_ULEQ: *out = below(t, x.n, x.at, y.at, EQUAL_TOO); return true;
  case Z3_OP_UGT: *out = below(t, x.n, y.at, x.at, STRICT); return true;
  case Z3_OP_UGEQ: *out = below(t, x.n, y.at, x.at, EQUAL_TOO); return true;
  case Z3_OP_SLT: *out = signed_below(t, x.n, x.at, y.at, STRICT); return true;
  case Z3_OP_SLEQ: *out = signed_below(t, x.n, x.at, y.at, EQUAL_TOO); return true;
  case Z3_OP_SGT: *out = signed_below(t, x.n, y.at, x.at, STRICT); return true;
  case Z3_OP_SGEQ: *out = signed_below(t, x.n, y.at, x.at, EQUAL_TOO); return true;
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
  int left[WIDEST];
  if (x.n != n) return false;
  if (kind == Z3_OP_BNOT) {
    invert(n, x.at, out);
    return true;
  }
  if (kind == Z3_OP_BNEG) {
    negate_if(b->sat, n, PV_SAT_TRUE, x.at, out);
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

/* The bits of a term whose operands have theirs. */
static bool make(struct pv_blast *b, Z3_ast a, uint32_t n, int *out) {
  Z3_context c = b->s->z3;
  if (a == b->s->yes || a == b->s->no) {
    *out = a == b->s->yes ? PV_SAT_TRUE : PV_SAT_FALSE;
    return true;
  }
  if (Z3_get_ast_kind(c, a) == Z3_NUMERAL_AST) return number(b, a, n, out);
  if (pv_is_constant(b->s, a)) {
    for (uint32_t i = 0; i < n; i++) out[i] = pv_sat_input(b->sat);
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
    choose(b->sat, n, *bits_of(b, pv_arg_at(b->s, a, 0)).at, x.at, y.at, out);
    return true;
  }
  case Z3_OP_SELECT:
    if (arity != 2 || !read_at(b, pv_arg_at(b->s, a, 0), pv_arg_at(b->s, a, 1), n, 0, &first))
      return false;
    memcpy(out, b->bits.at + first, n * sizeof *out);
    return true;
  default: break;
  }
  if (arity == 2 && comparison(b, kind, bits_of(b, pv_arg_at(b->s, a, 0)),
                               bits_of(b, pv_arg_at(b->s, a, 1)), out))
    return true;
  return arity && (rearranged(b, a, kind, n, out) || words(b, a, kind, n, out));
}

/* Array terms have no bits of their own, but their indices, elements and conditions have. */
static bool is_array(struct pv_blast *b, Z3_ast a) {
  Z3_sort sort = Z3_get_sort(b->s->z3, a);
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
  int out[WIDEST];
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
  } else if (plain && !n && is_array(b, a)) {
    e.kind = ARRAY;
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
  return true;
}

static pv_term number_of(struct pv_blast *b, struct pv_sort sort, uint32_t first, uint32_t n) {
  uint64_t lo, hi;
  value_at(b, first, n, &lo, &hi);
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
