/* terms.c -- construction of terms. Simple cases (constants, neutral elements, `?:` with simple
 * branches) are simplified at once, so formulas stay as small as handwritten ones. Simplifications
 * only look at the operands. */
#include "smt/smt_internal.h"

/* ---- sorts ----------------------------------------------------------------------------------- */
/* There are few sorts: each use increments the reference count, which does not matter. */
static Z3_sort hold(struct pv_smt *s, Z3_sort sort) {
  if (sort) Z3_inc_ref(s->z3, Z3_sort_to_ast(s->z3, sort));
  return sort;
}

static Z3_sort plain_sort(struct pv_smt *s, uint8_t kind, uint8_t bits) {
  switch ((enum pv_sort_kind)kind) {
  case PV_SORT_INT: return s->int_sort;
  case PV_SORT_BV:
    PV_REQUIRE(bits >= 1 && bits <= 128, "width of a bit-vector");
    if (!s->bv_sort[bits]) s->bv_sort[bits] = hold(s, Z3_mk_bv_sort(s->z3, bits));
    return s->bv_sort[bits];
  case PV_SORT_FLOAT:
    return hold(s, bits == 32   ? Z3_mk_fpa_sort(s->z3, 8, 24)
                   : bits == 64 ? Z3_mk_fpa_sort(s->z3, 11, 53)
                                : Z3_mk_fpa_sort(s->z3, 15, 64));
  default: return s->bool_sort;
  }
}

Z3_sort pv_smt_z3_sort(struct pv_smt *s, struct pv_sort sort) {
  if (sort.kind != PV_SORT_ARRAY) return plain_sort(s, sort.kind, sort.bits);
  Z3_sort index = plain_sort(s, sort.index, sort.index_bits);
  Z3_sort element = plain_sort(s, sort.element, sort.element_bits);
  return hold(s, Z3_mk_array_sort(s->z3, index, element));
}

struct pv_sort pv_smt_sort_of(struct pv_smt *s, Z3_sort z) {
  struct pv_sort r = {0}, part;
  switch (Z3_get_sort_kind(s->z3, z)) {
  case Z3_INT_SORT: r.kind = PV_SORT_INT; break;
  case Z3_BV_SORT:
    r.kind = PV_SORT_BV;
    r.bits = (uint8_t)Z3_get_bv_sort_size(s->z3, z);
    break;
  case Z3_FLOATING_POINT_SORT:
    r.kind = PV_SORT_FLOAT;
    r.bits = Z3_fpa_get_ebits(s->z3, z) == 8 ? 32 : Z3_fpa_get_ebits(s->z3, z) == 11 ? 64 : 80;
    break;
  case Z3_ARRAY_SORT:
    r.kind = PV_SORT_ARRAY;
    part = pv_smt_sort_of(s, Z3_get_array_sort_domain(s->z3, z));
    r.index = part.kind;
    r.index_bits = part.bits;
    part = pv_smt_sort_of(s, Z3_get_array_sort_range(s->z3, z));
    r.element = part.kind;
    r.element_bits = part.bits;
    break;
  default: break;
  }
  return r;
}

struct pv_sort pv_smt_sort(struct pv_smt *s, pv_term t) {
  return pv_smt_sort_of(s, Z3_get_sort(s->z3, pv_ast(t)));
}

/* ---- numbers and constants ------------------------------------------------------------------- */
pv_term pv_smt_bool(struct pv_smt *s, bool value) {
  return pv_of(value ? s->yes : s->no);
}

pv_term pv_smt_int(struct pv_smt *s, int64_t value) {
  return pv_smt_keep(s, Z3_mk_int64(s->z3, value, s->int_sort));
}

static pv_term decimal(struct pv_smt *s, bool negative, pv_u128 v, Z3_sort sort) {
  char text[48], *at = text + sizeof text;
  *--at = '\0';
  do {
    *--at = (char)('0' + (unsigned)(v % 10));
    v /= 10;
  } while (v);
  if (negative) *--at = '-';
  return pv_smt_keep(s, Z3_mk_numeral(s->z3, at, sort));
}

pv_term pv_smt_number(struct pv_smt *s, struct pv_sort sort, uint64_t lo, uint64_t hi) {
  pv_u128 v = (pv_u128)hi << 64 | lo;
  switch ((enum pv_sort_kind)sort.kind) {
  case PV_SORT_BOOL: return pv_smt_bool(s, lo & 1);
  case PV_SORT_INT:
    if ((pv_i128)v == (int64_t)lo) return pv_smt_int(s, (int64_t)lo);
    return decimal(s, (pv_i128)v < 0, (pv_i128)v < 0 ? -v : v, s->int_sort);
  case PV_SORT_BV:
    if (sort.bits < 128) v &= ((pv_u128)1 << sort.bits) - 1;
    if (sort.bits > 64) return decimal(s, false, v, pv_smt_z3_sort(s, sort));
    return pv_smt_keep(
        s, Z3_mk_unsigned_int64(s->z3, (uint64_t)v, plain_sort(s, PV_SORT_BV, sort.bits)));
  case PV_SORT_FLOAT: {
    /* x87 has an explicit leading bit; IEEE formats omit it. */
    if (sort.bits == 80) v = (v >> 64 & 0xffff) << 63 | (v & (((pv_u128)1 << 63) - 1));
    uint8_t bits = sort.bits == 80 ? 79 : sort.bits;
    pv_term raw = pv_smt_number(s, (struct pv_sort){.kind = PV_SORT_BV, .bits = bits}, (uint64_t)v,
                                (uint64_t)(v >> 64));
    Z3_ast t = Z3_mk_fpa_to_fp_bv(s->z3, pv_ast(raw), plain_sort(s, PV_SORT_FLOAT, sort.bits));
    return pv_smt_simplify(s, pv_smt_keep(s, t));
  }
  case PV_SORT_ARRAY: break;
  }
  PV_REQUIRE(false, "there are no numbers of this sort");
}

pv_term pv_smt_const(struct pv_smt *s, const char *name, struct pv_sort sort) {
  pv_map_put_str(&s->names, name, 1, NULL);
  return pv_smt_keep(s, Z3_mk_const(s->z3, Z3_mk_string_symbol(s->z3, name), //
                                    pv_smt_z3_sort(s, sort)));
}

pv_term pv_smt_fresh(struct pv_smt *s, const char *name, struct pv_sort sort) {
  for (;;) {
    char *full = pv_format("%s!%llu", name, (unsigned long long)s->n_fresh++);
    bool free_name = !pv_map_get_str(&s->names, full);
    pv_term t = free_name ? pv_smt_const(s, full, sort) : NULL;
    free(full);
    if (t) return t;
  }
}

/* ---- plain cases ----------------------------------------------------------------------------- */
/* Is it a value for which equal values are equal terms (numbers, true, false; not floats)? */
static bool is_value(struct pv_smt *s, Z3_ast a) {
  if (a == s->yes || a == s->no) return true;
  if (Z3_get_ast_kind(s->z3, a) != Z3_NUMERAL_AST) return false;
  Z3_sort_kind k = Z3_get_sort_kind(s->z3, Z3_get_sort(s->z3, a));
  return k == Z3_INT_SORT || k == Z3_BV_SORT;
}

static bool all_values(struct pv_smt *s, uint32_t n, const pv_term *args) {
  for (uint32_t i = 0; i < n; i++)
    if (!is_value(s, pv_ast(args[i]))) return false;
  return n > 0;
}

static pv_term raw(struct pv_smt *s, enum pv_smt_op op, uint32_t n, const pv_term *args);

static bool is_not(struct pv_smt *s, pv_term t, pv_term *inner) {
  if (!pv_is_app(s, pv_ast(t), Z3_OP_NOT)) return false;
  *inner = pv_of(pv_arg_at(s, pv_ast(t), 0));
  return true;
}

static pv_term mk_not(struct pv_smt *s, pv_term a) {
  pv_term inner;
  if (a == pv_of(s->yes)) return pv_of(s->no);
  if (a == pv_of(s->no)) return pv_of(s->yes);
  if (is_not(s, a, &inner)) return inner;
  return raw(s, PV_SMT_NOT, 1, &a);
}

/* AND, OR without neutral operands. Duplicates and complements are only searched among few
 * operands. */
static pv_term mk_junction(struct pv_smt *s, enum pv_smt_op op, uint32_t n, const pv_term *args) {
  pv_term neutral = pv_of(op == PV_SMT_AND ? s->yes : s->no);
  pv_term absorbing = pv_of(op == PV_SMT_AND ? s->no : s->yes);
  pv_term few[8], *kept = n <= 8 ? few : pv_alloc(n * sizeof *kept), inner;
  uint32_t m = 0;
  bool absorbed = false;
  for (uint32_t i = 0; i < n && !absorbed; i++) {
    bool keep = args[i] != neutral;
    absorbed = args[i] == absorbing;
    for (uint32_t j = 0; keep && n <= 8 && j < m; j++) {
      if (kept[j] == args[i]) keep = false;
      if ((is_not(s, kept[j], &inner) && inner == args[i]) ||
          (is_not(s, args[i], &inner) && inner == kept[j]))
        absorbed = true;
    }
    if (keep) kept[m++] = args[i];
  }
  pv_term r = absorbed ? absorbing : m == 0 ? neutral : m == 1 ? kept[0] : raw(s, op, m, kept);
  if (kept != few) free(kept);
  return r;
}

/* ---- intervals ------------------------------------------------------------------------------- */
/* A comparison of bit-vectors that their intervals decide; else NULL. */
static pv_term decided(struct pv_smt *s, enum pv_smt_op op, pv_term a, pv_term b) {
  struct pv_bounds x, y;
  bool known = pv_smt_bounds(s, pv_ast(a), &x);
  if (!(pv_smt_bounds(s, pv_ast(b), &y) || known)) return NULL;
  bool yes = false, no = false;
  switch (op) {
  case PV_SMT_BVULT: yes = x.uhi < y.ulo, no = x.ulo >= y.uhi; break;
  case PV_SMT_BVULE: yes = x.uhi <= y.ulo, no = x.ulo > y.uhi; break;
  case PV_SMT_BVSLT: yes = x.shi < y.slo, no = x.slo >= y.shi; break;
  case PV_SMT_BVSLE: yes = x.shi <= y.slo, no = x.slo > y.shi; break;
  case PV_SMT_EQ: no = x.uhi < y.ulo || x.ulo > y.uhi || x.shi < y.slo || x.slo > y.shi; break;
  default: break;
  }
  return yes ? pv_of(s->yes) : no ? pv_of(s->no) : NULL;
}

/* The number that a bit-vector always is, or the term itself. */
static pv_term only_value(struct pv_smt *s, pv_term t) {
  struct pv_bounds b;
  if (!pv_smt_bounds(s, pv_ast(t), &b) || b.ulo != b.uhi || is_value(s, pv_ast(t))) return t;
  return pv_smt_number(s, pv_smt_sort(s, t), (uint64_t)b.ulo, 0);
}

/* The remainder, if the dividend is certainly less than the divisor; else NULL. */
static pv_term remainder_of(struct pv_smt *s, pv_term a, pv_term b) {
  struct pv_bounds x, y;
  if (!pv_smt_bounds(s, pv_ast(a), &x) || !pv_smt_bounds(s, pv_ast(b), &y)) return NULL;
  return x.uhi < y.ulo ? a : NULL;
}

static pv_term mk_ite(struct pv_smt *s, pv_term c, pv_term a, pv_term b) {
  pv_term yes = pv_of(s->yes), no = pv_of(s->no), inner;
  if (c == yes || a == b) return a;
  if (c == no) return b;
  if (is_not(s, c, &inner)) return mk_ite(s, inner, b, a);
  if (a == yes && b == no) return c;
  if (a == no && b == yes) return mk_not(s, c);
  if (a == yes) return pv_smt_mk2(s, PV_SMT_OR, c, b);
  if (a == no) return pv_smt_mk2(s, PV_SMT_AND, mk_not(s, c), b);
  if (b == yes) return pv_smt_mk2(s, PV_SMT_OR, mk_not(s, c), a);
  if (b == no) return pv_smt_mk2(s, PV_SMT_AND, c, a);
  pv_term args[] = {c, a, b};
  return raw(s, PV_SMT_ITE, 3, args);
}

static pv_term mk_eq(struct pv_smt *s, pv_term a, pv_term b) {
  if (a == b) return pv_of(s->yes);
  bool va = is_value(s, pv_ast(a)), vb = is_value(s, pv_ast(b));
  if (va && vb) return pv_smt_bool(s, a == b);
  if (va) return mk_eq(s, b, a);
  if (vb && b == pv_of(s->yes)) return a;
  if (vb && b == pv_of(s->no)) return mk_not(s, a);
  pv_term known = decided(s, PV_SMT_EQ, a, b);
  if (known) return known;
  if (vb && pv_is_app(s, pv_ast(a), Z3_OP_ITE)) { /* (c ? 1 : 0) == 0 */
    Z3_ast x = pv_arg_at(s, pv_ast(a), 1), y = pv_arg_at(s, pv_ast(a), 2);
    if (is_value(s, x) && is_value(s, y))
      return mk_ite(s, pv_of(pv_arg_at(s, pv_ast(a), 0)), pv_smt_bool(s, pv_of(x) == b),
                    pv_smt_bool(s, pv_of(y) == b));
  }
  pv_term args[] = {a, b};
  return raw(s, PV_SMT_EQ, 2, args);
}

/* Sums of integers have one constant, after the other summands. */
static pv_term mk_sum(struct pv_smt *s, uint32_t n, const pv_term *args) {
  pv_terms parts = {0};
  pv_i128 constant = 0;
  bool plain = true;
  for (uint32_t i = 0; i < n; i++) {
    Z3_ast a = pv_ast(args[i]);
    uint32_t m = pv_is_app(s, a, Z3_OP_ADD) ? pv_arity(s, a) : 1;
    for (uint32_t j = 0; j < m; j++) {
      Z3_ast x = m > 1 ? pv_arg_at(s, a, j) : a;
      int64_t v;
      if (Z3_get_ast_kind(s->z3, x) != Z3_NUMERAL_AST)
        pv_vec_push(&parts, pv_of(x));
      else if (Z3_get_numeral_int64(s->z3, x, &v))
        constant += v;
      else
        plain = false;
    }
  }
  pv_term r;
  if (!plain) {
    r = raw(s, PV_SMT_ADD, n, args);
    if (all_values(s, n, args)) r = pv_smt_simplify(s, r);
  } else {
    if (constant || !parts.n)
      pv_vec_push(&parts,
                  pv_smt_number(s, (struct pv_sort){.kind = PV_SORT_INT},
                                (uint64_t)(pv_u128)constant, (uint64_t)((pv_u128)constant >> 64)));
    r = parts.n == 1 ? parts.at[0] : raw(s, PV_SMT_ADD, parts.n, parts.at);
  }
  pv_vec_free(&parts);
  return r;
}

static bool is_int(struct pv_smt *s, pv_term t, int64_t value) {
  int64_t v;
  return Z3_get_ast_kind(s->z3, pv_ast(t)) == Z3_NUMERAL_AST &&
         Z3_get_numeral_int64(s->z3, pv_ast(t), &v) && v == value;
}

static pv_term mk_select(struct pv_smt *s, pv_term array, pv_term index) {
  while (pv_is_app(s, pv_ast(array), Z3_OP_STORE)) {
    Z3_ast at = pv_arg_at(s, pv_ast(array), 1);
    if (pv_of(at) == index) return pv_of(pv_arg_at(s, pv_ast(array), 2));
    if (!is_value(s, at) || !is_value(s, pv_ast(index))) break;
    array = pv_of(pv_arg_at(s, pv_ast(array), 0));
  }
  if (pv_is_app(s, pv_ast(array), Z3_OP_CONST_ARRAY)) return pv_of(pv_arg_at(s, pv_ast(array), 0));
  pv_term args[] = {array, index};
  return raw(s, PV_SMT_SELECT, 2, args);
}

pv_term pv_smt_mk(struct pv_smt *s, enum pv_smt_op op, uint32_t n, const pv_term *args) {
  pv_term known = NULL;
  switch (op) {
  case PV_SMT_NOT: return mk_not(s, args[0]);
  case PV_SMT_AND:
  case PV_SMT_OR: return mk_junction(s, op, n, args);
  case PV_SMT_IMPLIES: {
    pv_term parts[] = {mk_not(s, args[0]), args[1]};
    if (is_value(s, pv_ast(args[0])) || is_value(s, pv_ast(args[1])) || args[0] == args[1])
      return mk_junction(s, PV_SMT_OR, 2, parts);
    break;
  }
  case PV_SMT_ITE: return mk_ite(s, args[0], args[1], args[2]);
  case PV_SMT_EQ: return mk_eq(s, args[0], args[1]);
  case PV_SMT_DISTINCT:
    if (n < 2) return pv_of(s->yes);
    if (n == 2) return mk_not(s, mk_eq(s, args[0], args[1]));
    break;
  case PV_SMT_ADD: return mk_sum(s, n, args);
  case PV_SMT_SUB:
    if (n == 2 && Z3_get_ast_kind(s->z3, pv_ast(args[1])) == Z3_NUMERAL_AST) {
      int64_t v;
      if (Z3_get_numeral_int64(s->z3, pv_ast(args[1]), &v) && v != INT64_MIN)
        return pv_smt_mk2(s, PV_SMT_ADD, args[0], pv_smt_int(s, -v));
    }
    if (n == 2 && args[0] == args[1]) return pv_smt_int(s, 0);
    if (n == 2 && is_int(s, args[0], 0)) return pv_smt_mk1(s, PV_SMT_NEG, args[1]);
    break;
  case PV_SMT_MUL:
    if (n == 0) return pv_smt_int(s, 1);
    if (n == 1) return args[0];
    if (n == 2 && is_int(s, args[0], 1)) return args[1];
    if (n == 2 && is_int(s, args[1], 1)) return args[0];
    if (n == 2 && (is_int(s, args[0], 0) || is_int(s, args[1], 0))) return pv_smt_int(s, 0);
    break;
  case PV_SMT_LE:
  case PV_SMT_GE:
    if (args[0] == args[1]) return pv_of(s->yes);
    break;
  case PV_SMT_LT:
  case PV_SMT_GT:
    if (args[0] == args[1]) return pv_of(s->no);
    break;
  case PV_SMT_SELECT: return mk_select(s, args[0], args[1]);
  case PV_SMT_BVULT:
  case PV_SMT_BVULE:
  case PV_SMT_BVSLT:
  case PV_SMT_BVSLE: known = decided(s, op, args[0], args[1]); break;
  case PV_SMT_BVUREM: known = remainder_of(s, args[0], args[1]); break;
  default: break;
  }
  if (known) return known;
  pv_term r = raw(s, op, n, args);
  if (op != PV_SMT_STORE && all_values(s, n, args)) return pv_smt_simplify(s, r);
  return op >= PV_SMT_BVADD && op <= PV_SMT_BVNOT ? only_value(s, r) : r;
}

static Z3_ast chain(struct pv_smt *s, Z3_ast (*make)(Z3_context, Z3_ast, Z3_ast), uint32_t n,
                    const Z3_ast *a) {
  Z3_ast r = a[0];
  for (uint32_t i = 1; i < n; i++) r = pv_ast(pv_smt_keep(s, make(s->z3, r, a[i])));
  return r;
}

static pv_term raw(struct pv_smt *s, enum pv_smt_op op, uint32_t n, const pv_term *args) {
  Z3_context c = s->z3;
  Z3_ast const *a = pv_asts(args);
  Z3_ast r = NULL;
  switch (op) {
  case PV_SMT_NOT: r = Z3_mk_not(c, a[0]); break;
  case PV_SMT_AND: r = Z3_mk_and(c, n, a); break;
  case PV_SMT_OR: r = Z3_mk_or(c, n, a); break;
  case PV_SMT_IMPLIES: r = Z3_mk_implies(c, a[0], a[1]); break;
  case PV_SMT_ITE: r = Z3_mk_ite(c, a[0], a[1], a[2]); break;
  case PV_SMT_EQ: r = Z3_mk_eq(c, a[0], a[1]); break;
  case PV_SMT_DISTINCT: r = Z3_mk_distinct(c, n, a); break;
  case PV_SMT_ADD: r = Z3_mk_add(c, n, a); break;
  case PV_SMT_SUB: r = Z3_mk_sub(c, n, a); break;
  case PV_SMT_MUL: r = Z3_mk_mul(c, n, a); break;
  case PV_SMT_NEG: r = Z3_mk_unary_minus(c, a[0]); break;
  case PV_SMT_DIV: r = Z3_mk_div(c, a[0], a[1]); break;
  case PV_SMT_MOD: r = Z3_mk_mod(c, a[0], a[1]); break;
  case PV_SMT_LT: r = Z3_mk_lt(c, a[0], a[1]); break;
  case PV_SMT_LE: r = Z3_mk_le(c, a[0], a[1]); break;
  case PV_SMT_GT: r = Z3_mk_gt(c, a[0], a[1]); break;
  case PV_SMT_GE: r = Z3_mk_ge(c, a[0], a[1]); break;
  case PV_SMT_BVADD: r = chain(s, Z3_mk_bvadd, n, a); break;
  case PV_SMT_BVSUB: r = chain(s, Z3_mk_bvsub, n, a); break;
  case PV_SMT_BVMUL: r = chain(s, Z3_mk_bvmul, n, a); break;
  case PV_SMT_BVNEG: r = Z3_mk_bvneg(c, a[0]); break;
  case PV_SMT_BVSDIV: r = Z3_mk_bvsdiv(c, a[0], a[1]); break;
  case PV_SMT_BVUDIV: r = Z3_mk_bvudiv(c, a[0], a[1]); break;
  case PV_SMT_BVSREM: r = Z3_mk_bvsrem(c, a[0], a[1]); break;
  case PV_SMT_BVUREM: r = Z3_mk_bvurem(c, a[0], a[1]); break;
  case PV_SMT_BVSHL: r = Z3_mk_bvshl(c, a[0], a[1]); break;
  case PV_SMT_BVLSHR: r = Z3_mk_bvlshr(c, a[0], a[1]); break;
  case PV_SMT_BVASHR: r = Z3_mk_bvashr(c, a[0], a[1]); break;
  case PV_SMT_BVAND: r = chain(s, Z3_mk_bvand, n, a); break;
  case PV_SMT_BVOR: r = chain(s, Z3_mk_bvor, n, a); break;
  case PV_SMT_BVXOR: r = chain(s, Z3_mk_bvxor, n, a); break;
  case PV_SMT_BVNOT: r = Z3_mk_bvnot(c, a[0]); break;
  case PV_SMT_BVULT: r = Z3_mk_bvult(c, a[0], a[1]); break;
  case PV_SMT_BVULE: r = Z3_mk_bvule(c, a[0], a[1]); break;
  case PV_SMT_BVSLT: r = Z3_mk_bvslt(c, a[0], a[1]); break;
  case PV_SMT_BVSLE: r = Z3_mk_bvsle(c, a[0], a[1]); break;
  case PV_SMT_BVCONCAT: r = chain(s, Z3_mk_concat, n, a); break;
  case PV_SMT_SELECT: r = Z3_mk_select(c, a[0], a[1]); break;
  case PV_SMT_STORE: r = Z3_mk_store(c, a[0], a[1], a[2]); break;
  case PV_SMT_OP_COUNT: break;
  }
  return pv_smt_keep(s, r);
}

pv_term pv_smt_mk1(struct pv_smt *s, enum pv_smt_op op, pv_term a) {
  return pv_smt_mk(s, op, 1, &a);
}
pv_term pv_smt_mk2(struct pv_smt *s, enum pv_smt_op op, pv_term a, pv_term b) {
  pv_term args[] = {a, b};
  return pv_smt_mk(s, op, 2, args);
}
pv_term pv_smt_mk3(struct pv_smt *s, enum pv_smt_op op, pv_term a, pv_term b, pv_term c) {
  pv_term args[] = {a, b, c};
  return pv_smt_mk(s, op, 3, args);
}

pv_term pv_smt_constant_array(struct pv_smt *s, struct pv_sort sort, pv_term value) {
  Z3_sort index = plain_sort(s, sort.index, sort.index_bits);
  return pv_smt_keep(s, Z3_mk_const_array(s->z3, index, pv_ast(value)));
}

pv_term pv_smt_extract(struct pv_smt *s, unsigned high, unsigned low, pv_term bv) {
  if (low == 0 && high + 1 == Z3_get_bv_sort_size(s->z3, Z3_get_sort(s->z3, pv_ast(bv)))) return bv;
  pv_term r = pv_smt_keep(s, Z3_mk_extract(s->z3, high, low, pv_ast(bv)));
  return is_value(s, pv_ast(bv)) ? pv_smt_simplify(s, r) : r;
}

pv_term pv_smt_extend(struct pv_smt *s, bool is_signed, unsigned bits, pv_term bv) {
  unsigned have = Z3_get_bv_sort_size(s->z3, Z3_get_sort(s->z3, pv_ast(bv)));
  if (bits <= have) return bv;
  pv_term r = pv_smt_keep(s, is_signed ? Z3_mk_sign_ext(s->z3, bits - have, pv_ast(bv))
                                       : Z3_mk_zero_ext(s->z3, bits - have, pv_ast(bv)));
  return is_value(s, pv_ast(bv)) ? pv_smt_simplify(s, r) : r;
}
