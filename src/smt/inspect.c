/* inspect.c -- inspects and rewrites terms. Traversals use an explicit stack, because terms may be
 * deep. */
#include "smt/smt_internal.h"

/* ---- walks ----------------------------------------------------------------------------------- */
void pv_smt_walk(struct pv_smt *s) {
  s->walk++;
  s->stack.n = 0;
}

bool pv_smt_visit(struct pv_smt *s, Z3_ast a) {
  unsigned id = Z3_get_ast_id(s->z3, a);
  if (id >= s->stamp.n) {
    pv_vec_reserve(&s->stamp, id + 1);
    memset(s->stamp.at + s->stamp.n, 0, (id + 1 - s->stamp.n) * sizeof *s->stamp.at);
    s->stamp.n = id + 1;
  }
  if (s->stamp.at[id] == s->walk) return false;
  s->stamp.at[id] = s->walk;
  return true;
}

static void push_operands(struct pv_smt *s, Z3_ast a) {
  if (Z3_get_ast_kind(s->z3, a) == Z3_QUANTIFIER_AST) {
    pv_vec_push(&s->stack, Z3_get_quantifier_body(s->z3, a));
    return;
  }
  for (uint32_t i = pv_arity(s, a); i-- > 0;) pv_vec_push(&s->stack, pv_arg_at(s, a, i));
}

void pv_smt_constants(struct pv_smt *s, pv_term t, pv_terms *out) {
  pv_smt_all_constants(s, 1, &t, out);
}

void pv_smt_all_constants(struct pv_smt *s, uint32_t n, const pv_term *terms, pv_terms *out) {
  pv_smt_walk(s);
  for (uint32_t i = n; i-- > 0;) pv_vec_push(&s->stack, pv_ast(terms[i]));
  while (s->stack.n) {
    Z3_ast a = pv_vec_pop(&s->stack);
    if (!pv_smt_visit(s, a)) continue;
    if (pv_is_constant(s, a))
      pv_vec_push(out, pv_of(a));
    else
      push_operands(s, a);
  }
}

uint64_t pv_smt_size(struct pv_smt *s, uint32_t n, const pv_term *terms) {
  uint64_t size = 0;
  pv_smt_walk(s);
  for (uint32_t i = n; i-- > 0;) pv_vec_push(&s->stack, pv_ast(terms[i]));
  while (s->stack.n) {
    Z3_ast a = pv_vec_pop(&s->stack);
    if (!pv_smt_visit(s, a)) continue;
    size++;
    push_operands(s, a);
  }
  return size;
}

static bool is_bool(struct pv_smt *s, Z3_ast a) {
  return Z3_get_sort_kind(s->z3, Z3_get_sort(s->z3, a)) == Z3_BOOL_SORT;
}

/* Is it part of the Boolean structure above the atoms? */
static bool is_connective(struct pv_smt *s, Z3_ast a) {
  if (Z3_get_ast_kind(s->z3, a) != Z3_APP_AST) return false;
  switch (Z3_get_decl_kind(s->z3, Z3_get_app_decl(s->z3, Z3_to_app(s->z3, a)))) {
  case Z3_OP_NOT:
  case Z3_OP_AND:
  case Z3_OP_OR:
  case Z3_OP_IMPLIES:
  case Z3_OP_XOR:
  case Z3_OP_IFF: return true;
  case Z3_OP_ITE: return is_bool(s, a);
  case Z3_OP_EQ:
  case Z3_OP_DISTINCT: return is_bool(s, pv_arg_at(s, a, 0));
  default: return false;
  }
}

void pv_smt_atoms(struct pv_smt *s, pv_term t, pv_terms *out) {
  pv_smt_walk(s);
  pv_vec_push(&s->stack, pv_ast(t));
  while (s->stack.n) {
    Z3_ast a = pv_vec_pop(&s->stack);
    if (a == s->yes || a == s->no || !pv_smt_visit(s, a)) continue;
    if (is_connective(s, a))
      push_operands(s, a);
    else
      pv_vec_push(out, pv_of(a));
  }
}

/* ---- contents of terms ----------------------------------------------------------------------- */
static uint8_t *has_at(struct pv_smt *s, Z3_ast a) {
  unsigned id = Z3_get_ast_id(s->z3, a);
  if (id >= s->has.n) {
    pv_vec_reserve(&s->has, id + 1);
    memset(s->has.at + s->has.n, 0, id + 1 - s->has.n);
    s->has.n = id + 1;
  }
  return &s->has.at[id];
}

static uint8_t sort_has(struct pv_smt *s, Z3_sort z) {
  switch (Z3_get_sort_kind(s->z3, z)) {
  case Z3_BOOL_SORT: return 0;
  case Z3_INT_SORT: return PV_HAS_INT;
  case Z3_BV_SORT: return PV_HAS_BV;
  case Z3_ROUNDING_MODE_SORT:
  case Z3_FLOATING_POINT_SORT: return PV_HAS_FLOAT;
  case Z3_ARRAY_SORT:
    return PV_HAS_ARRAY | sort_has(s, Z3_get_array_sort_domain(s->z3, z)) |
           sort_has(s, Z3_get_array_sort_range(s->z3, z));
  default: return PV_HAS_OTHER;
  }
}

static bool is_numeral(struct pv_smt *s, Z3_ast a) {
  return Z3_get_ast_kind(s->z3, a) == Z3_NUMERAL_AST;
}

static uint8_t own_has(struct pv_smt *s, Z3_ast a) {
  Z3_ast_kind kind = Z3_get_ast_kind(s->z3, a);
  if (kind == Z3_QUANTIFIER_AST) return PV_HAS_QUANTIFIER;
  if (kind != Z3_APP_AST && kind != Z3_NUMERAL_AST) return PV_HAS_OTHER;
  uint8_t r = sort_has(s, Z3_get_sort(s->z3, a));
  if (kind == Z3_NUMERAL_AST) return r;
  uint32_t n = pv_arity(s, a), variable = 0;
  switch (Z3_get_decl_kind(s->z3, Z3_get_app_decl(s->z3, Z3_to_app(s->z3, a)))) {
  case Z3_OP_MUL:
    for (uint32_t i = 0; i < n; i++) variable += !is_numeral(s, pv_arg_at(s, a, i));
    if (variable > 1) r |= PV_HAS_NONLINEAR;
    break;
  case Z3_OP_IDIV:
  case Z3_OP_MOD:
  case Z3_OP_REM:
    if (!is_numeral(s, pv_arg_at(s, a, 1))) r |= PV_HAS_NONLINEAR;
    break;
  case Z3_OP_UNINTERPRETED:
    if (n) r |= PV_HAS_OTHER;
    break;
  default: break;
  }
  return r;
}

uint8_t pv_smt_has(struct pv_smt *s, pv_term t) {
  uint8_t *known = has_at(s, pv_ast(t));
  if (*known & PV_SEEN) return *known & (uint8_t)~PV_SEEN;
  s->stack.n = 0;
  pv_vec_push(&s->stack, pv_ast(t));
  while (s->stack.n) {
    Z3_ast a = pv_vec_last(&s->stack);
    uint32_t before = s->stack.n, n = pv_arity(s, a);
    bool quantifier = Z3_get_ast_kind(s->z3, a) == Z3_QUANTIFIER_AST;
    uint8_t r = own_has(s, a);
    for (uint32_t i = 0; i < n + quantifier; i++) {
      Z3_ast x = quantifier ? Z3_get_quantifier_body(s->z3, a) : pv_arg_at(s, a, i);
      uint8_t h = *has_at(s, x);
      if (!(h & PV_SEEN)) pv_vec_push(&s->stack, x);
      r |= h;
    }
    if (s->stack.n > before) continue;
    *has_at(s, a) = r | PV_SEEN;
    s->stack.n--;
  }
  return *has_at(s, pv_ast(t)) & (uint8_t)~PV_SEEN;
}

/* ---- rewriting ------------------------------------------------------------------------------- */
pv_term pv_smt_substitute(struct pv_smt *s, pv_term t, uint32_t n, const pv_term *from,
                          const pv_term *to) {
  s->stats.substitutions++;
  if (!n) return t;
  return pv_smt_keep(s, Z3_substitute(s->z3, pv_ast(t), n, pv_asts(from), pv_asts(to)));
}

pv_term pv_smt_simplify(struct pv_smt *s, pv_term t) {
  return pv_smt_keep(s, Z3_simplify(s->z3, pv_ast(t)));
}

bool pv_smt_is_true(struct pv_smt *s, pv_term t) {
  return pv_ast(t) == s->yes;
}
bool pv_smt_is_false(struct pv_smt *s, pv_term t) {
  return pv_ast(t) == s->no;
}

bool pv_smt_is_number(struct pv_smt *s, pv_term t) {
  return pv_ast(t) == s->yes || pv_ast(t) == s->no || Z3_is_numeral_ast(s->z3, pv_ast(t));
}

/* ---- shapes ---------------------------------------------------------------------------------- */
const char *pv_smt_name(struct pv_smt *s, pv_term constant) {
  Z3_symbol name =
      Z3_get_decl_name(s->z3, Z3_get_app_decl(s->z3, Z3_to_app(s->z3, pv_ast(constant))));
  return Z3_get_symbol_string(s->z3, name);
}

void pv_smt_print(struct pv_smt *s, pv_term t, struct pv_str *out) {
  const char *text = Z3_ast_to_string(s->z3, pv_ast(t));
  pv_str_add(out, text ? text : "?");
}

/* Parses a decimal number of up to 128 bits. Returns false if it is larger. */
static bool parse_decimal(const char *text, uint64_t *lo, uint64_t *hi) {
  bool negative = *text == '-';
  pv_u128 v = 0, top = ~(pv_u128)0;
  for (text += negative; *text; text++) {
    unsigned digit = (unsigned)(*text - '0');
    if (digit > 9 || v > (top - digit) / 10) return false;
    v = v * 10 + digit;
  }
  if (negative) {
    if (v > (pv_u128)1 << 127) return false;
    v = -v;
  }
  *lo = (uint64_t)v;
  *hi = (uint64_t)(v >> 64);
  return true;
}

static bool integer_numeral(struct pv_smt *s, Z3_ast a, bool is_int, uint64_t *lo, uint64_t *hi) {
  int64_t small;
  if (is_int && Z3_get_numeral_int64(s->z3, a, &small)) {
    *lo = (uint64_t)small;
    *hi = small < 0 ? UINT64_MAX : 0;
    return true;
  }
  const char *text = Z3_get_numeral_string(s->z3, a);
  if (!text || !parse_decimal(text, lo, hi)) return false;
  return !is_int || *text == '-' || !(*hi >> 63);
}

static bool float_numeral(struct pv_smt *s, Z3_ast a, unsigned bits, uint64_t *lo, uint64_t *hi) {
  unsigned fraction = bits == 32   ? 23
                      : bits == 64 ? 52
                                   : 63,
           exponent = bits == 32   ? 8
                      : bits == 64 ? 11
                                   : 15;
  pv_u128 v;
  if (Z3_fpa_is_numeral_nan(s->z3, a)) {
    v = (((pv_u128)1 << exponent) - 1) << fraction | (pv_u128)1 << (fraction - 1);
  } else {
    Z3_ast raw = Z3_mk_fpa_to_ieee_bv(s->z3, a);
    if (!raw) return false;
    Z3_inc_ref(s->z3, raw);
    Z3_ast plain = Z3_simplify(s->z3, raw);
    if (plain) Z3_inc_ref(s->z3, plain);
    bool fine = plain && is_numeral(s, plain) && integer_numeral(s, plain, false, lo, hi);
    if (plain) Z3_dec_ref(s->z3, plain);
    Z3_dec_ref(s->z3, raw);
    if (!fine) return false;
    v = (pv_u128)*hi << 64 | *lo;
  }
  if (bits == 80) { /* insert the leading bit */
    pv_u128 frac = v & (((pv_u128)1 << 63) - 1), top = v >> 63;
    v = top << 64 | (pv_u128)((top & 0x7fff) != 0) << 63 | frac;
  }
  *lo = (uint64_t)v;
  *hi = (uint64_t)(v >> 64);
  return true;
}

bool pv_smt_numeral(struct pv_smt *s, Z3_ast a, struct pv_sort sort, uint64_t *lo, uint64_t *hi) {
  switch ((enum pv_sort_kind)sort.kind) {
  case PV_SORT_BOOL:
    *lo = a == s->yes;
    *hi = 0;
    return a == s->yes || a == s->no;
  case PV_SORT_INT:
  case PV_SORT_BV:
    return is_numeral(s, a) && integer_numeral(s, a, sort.kind == PV_SORT_INT, lo, hi);
  case PV_SORT_FLOAT: return Z3_is_numeral_ast(s->z3, a) && float_numeral(s, a, sort.bits, lo, hi);
  case PV_SORT_ARRAY: break;
  }
  return false;
}

static const struct {
  Z3_decl_kind kind;
  enum pv_smt_op op;
} operations[] = {{Z3_OP_NOT, PV_SMT_NOT},         {Z3_OP_AND, PV_SMT_AND},
                  {Z3_OP_OR, PV_SMT_OR},           {Z3_OP_IMPLIES, PV_SMT_IMPLIES},
                  {Z3_OP_ITE, PV_SMT_ITE},         {Z3_OP_EQ, PV_SMT_EQ},
                  {Z3_OP_IFF, PV_SMT_EQ},          {Z3_OP_DISTINCT, PV_SMT_DISTINCT},
                  {Z3_OP_XOR, PV_SMT_DISTINCT},    {Z3_OP_ADD, PV_SMT_ADD},
                  {Z3_OP_SUB, PV_SMT_SUB},         {Z3_OP_MUL, PV_SMT_MUL},
                  {Z3_OP_UMINUS, PV_SMT_NEG},      {Z3_OP_IDIV, PV_SMT_DIV},
                  {Z3_OP_MOD, PV_SMT_MOD},         {Z3_OP_LT, PV_SMT_LT},
                  {Z3_OP_LE, PV_SMT_LE},           {Z3_OP_GT, PV_SMT_GT},
                  {Z3_OP_GE, PV_SMT_GE},           {Z3_OP_BADD, PV_SMT_BVADD},
                  {Z3_OP_BSUB, PV_SMT_BVSUB},      {Z3_OP_BMUL, PV_SMT_BVMUL},
                  {Z3_OP_BNEG, PV_SMT_BVNEG},      {Z3_OP_BSDIV, PV_SMT_BVSDIV},
                  {Z3_OP_BUDIV, PV_SMT_BVUDIV},    {Z3_OP_BSREM, PV_SMT_BVSREM},
                  {Z3_OP_BUREM, PV_SMT_BVUREM},    {Z3_OP_BSHL, PV_SMT_BVSHL},
                  {Z3_OP_BLSHR, PV_SMT_BVLSHR},    {Z3_OP_BASHR, PV_SMT_BVASHR},
                  {Z3_OP_BAND, PV_SMT_BVAND},      {Z3_OP_BOR, PV_SMT_BVOR},
                  {Z3_OP_BXOR, PV_SMT_BVXOR},      {Z3_OP_BNOT, PV_SMT_BVNOT},
                  {Z3_OP_ULT, PV_SMT_BVULT},       {Z3_OP_ULEQ, PV_SMT_BVULE},
                  {Z3_OP_SLT, PV_SMT_BVSLT},       {Z3_OP_SLEQ, PV_SMT_BVSLE},
                  {Z3_OP_CONCAT, PV_SMT_BVCONCAT}, {Z3_OP_SELECT, PV_SMT_SELECT},
                  {Z3_OP_STORE, PV_SMT_STORE}};

static bool parameters(struct pv_smt *s, Z3_func_decl d, struct pv_smt_shape *out) {
  out->lo = out->hi = 0;
  unsigned n = Z3_get_decl_num_parameters(s->z3, d);
  for (unsigned i = 0; i < n && i < 2; i++) {
    if (Z3_get_decl_parameter_kind(s->z3, d, i) != Z3_PARAMETER_INT) return false;
    int v = Z3_get_decl_int_parameter(s->z3, d, i);
    *(i + 1 == n ? &out->lo : &out->hi) = (uint64_t)v;
  }
  return true;
}

bool pv_smt_shape(struct pv_smt *s, pv_term t, struct pv_smt_shape *out) {
  Z3_ast a = pv_ast(t);
  struct pv_sort sort = pv_smt_sort(s, t);
  memset(out, 0, sizeof *out);
  if (pv_smt_numeral(s, a, sort, &out->lo, &out->hi)) {
    out->kind = PV_SHAPE_NUMBER;
    return true;
  }
  if (Z3_get_ast_kind(s->z3, a) != Z3_APP_AST) return false;
  out->n = pv_arity(s, a);
  Z3_func_decl d = Z3_get_app_decl(s->z3, Z3_to_app(s->z3, a));
  Z3_decl_kind kind = Z3_get_decl_kind(s->z3, d);
  if (kind == Z3_OP_UNINTERPRETED && !out->n) {
    out->kind = PV_SHAPE_CONSTANT;
    return true;
  }
  if (kind == Z3_OP_EXTRACT || kind == Z3_OP_ZERO_EXT || kind == Z3_OP_SIGN_EXT) {
    out->kind = kind == Z3_OP_EXTRACT    ? PV_SHAPE_EXTRACT
                : kind == Z3_OP_ZERO_EXT ? PV_SHAPE_ZERO_EXTEND
                                         : PV_SHAPE_SIGN_EXTEND;
    return parameters(s, d, out);
  }
  out->kind = PV_SHAPE_OP;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (operations[i].kind == kind) {
      out->op = operations[i].op;
      return kind != Z3_OP_XOR || out->n == 2;
    }
  return false;
}

pv_term pv_smt_operand(struct pv_smt *s, pv_term t, uint32_t i) {
  PV_REQUIRE(i < pv_arity(s, pv_ast(t)), "no such operand");
  return pv_of(pv_arg_at(s, pv_ast(t), i));
}
