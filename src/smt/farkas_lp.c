/* farkas_lp.c -- finds the multipliers of Farkas' lemma. First, equations are eliminated, each by
 * one of its variables; every row records of which rows it is the sum. So contributions of
 * definitions are found without a search. Z3 solves the remaining linear program, which is usually
 * small. */
#include "smt/interpolate_internal.h"

#define BIG ((pv_i128)1 << 100)

bool pv_i128_mul_add(pv_i128 *sum, pv_i128 a, pv_i128 b) {
  pv_i128 product, r;
  if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(*sum, product, &r) ||
      r > BIG || r < -BIG)
    return false;
  *sum = r;
  return true;
}

/* ---- elimination ------------------------------------------------------------------------------
 * A matrix of n rows: coefficients, constant, multipliers of the original rows. */
struct matrix {
  uint32_t variables, n, width;
  pv_i128 *at;
  bool *equality, *used;
};

static pv_i128 *row_of(struct matrix *m, uint32_t r) {
  return m->at + (size_t)r * m->width;
}

static bool matrix_begin(struct matrix *m, uint32_t variables, uint32_t n,
                         const struct pv_row *rows) {
  enum { MOST = 4000000 };
  *m = (struct matrix){.variables = variables, .n = n, .width = variables + 1 + n};
  if ((uint64_t)n * m->width > MOST) return false;
  m->at = pv_alloc((size_t)n * m->width * sizeof *m->at + 1);
  m->equality = pv_alloc(n + 1);
  m->used = pv_alloc(n + 1);
  for (uint32_t r = 0; r < n; r++) {
    memcpy(row_of(m, r), rows[r].a, variables * sizeof *m->at);
    row_of(m, r)[variables] = rows[r].k;
    row_of(m, r)[variables + 1 + r] = 1;
    m->equality[r] = rows[r].equality;
  }
  return true;
}

static void matrix_end(struct matrix *m) {
  free(m->at);
  free(m->equality);
  free(m->used);
}

static void shorten(pv_i128 *row, uint32_t width) {
  pv_i128 g = 0;
  for (uint32_t i = 0; i < width && g != 1; i++)
    if (row[i]) g = pv_i128_gcd(g, row[i]);
  if (g > 1)
    for (uint32_t i = 0; i < width; i++) row[i] /= g;
}

/* row j := positive factor * row j + factor * row r, such that variable v disappears. */
static bool reduce(struct matrix *m, uint32_t j, uint32_t r, uint32_t v) {
  pv_i128 *to = row_of(m, j), *from = row_of(m, r), g = pv_i128_gcd(to[v], from[v]);
  pv_i128 keep = from[v] / g, add = -to[v] / g;
  if (keep < 0) keep = -keep, add = -add;
  for (uint32_t i = 0; i < m->width; i++) {
    if (!to[i] && !from[i]) continue;
    pv_i128 x = 0;
    if (!pv_i128_mul_add(&x, to[i], keep) || !pv_i128_mul_add(&x, from[i], add)) return false;
    to[i] = x;
  }
  shorten(to, m->width);
  return true;
}

/* The variable with the smallest coefficient in the row; `variables` if there is none. */
static uint32_t pivot(struct matrix *m, uint32_t r) {
  uint32_t best = m->variables;
  pv_i128 *row = row_of(m, r), size = 0;
  for (uint32_t v = 0; v < m->variables; v++) {
    pv_i128 a = row[v] < 0 ? -row[v] : row[v];
    if (a && (best == m->variables || a < size)) best = v, size = a;
  }
  return best;
}

static bool eliminate(struct matrix *m) {
  for (uint32_t r = 0; r < m->n; r++) {
    if (!m->equality[r]) continue;
    uint32_t v = pivot(m, r);
    if (v == m->variables) continue; /* 0 = k */
    m->used[r] = true;
    for (uint32_t j = 0; j < m->n; j++)
      if (j != r && !m->used[j] && row_of(m, j)[v] && !reduce(m, j, r, v)) return false;
  }
  return true;
}

/* A row that is a contradiction by itself; n if there is none. */
static uint32_t contradiction(struct matrix *m) {
  for (uint32_t r = 0; r < m->n; r++) {
    pv_i128 k = row_of(m, r)[m->variables];
    if (m->used[r] || pivot(m, r) < m->variables) continue;
    if (k > 0 || (m->equality[r] && k)) return r;
  }
  return m->n;
}

/* ---- Z3's linear arithmetic ------------------------------------------------------------------ */
struct lp {
  struct pv_smt *s;
  Z3_solver solver;
  Z3_sort real;
};

static void lp_begin(struct lp *lp, struct pv_smt *s) {
  lp->s = s;
  lp->real = Z3_mk_real_sort(s->z3);
  Z3_inc_ref(s->z3, Z3_sort_to_ast(s->z3, lp->real));
  lp->solver = Z3_mk_solver_for_logic(s->z3, Z3_mk_string_symbol(s->z3, "QF_LRA"));
  Z3_solver_inc_ref(s->z3, lp->solver);
  pv_smt_leave_signals(s, lp->solver);
}

static void lp_end(struct lp *lp) {
  Z3_solver_dec_ref(lp->s->z3, lp->solver);
  Z3_dec_ref(lp->s->z3, Z3_sort_to_ast(lp->s->z3, lp->real));
}

static Z3_ast lp_number(struct lp *lp, pv_i128 v) {
  pv_term integer = pv_smt_number(lp->s, (struct pv_sort){.kind = PV_SORT_INT},
                                  (uint64_t)(pv_u128)v, (uint64_t)((pv_u128)v >> 64));
  Z3_string text = Z3_get_numeral_string(lp->s->z3, pv_ast(integer));
  return pv_ast(pv_smt_keep(lp->s, Z3_mk_numeral(lp->s->z3, text, lp->real)));
}

static Z3_ast lp_multiplier(struct lp *lp, uint32_t i) {
  char text[32];
  snprintf(text, sizeof text, "lambda!%u", i);
  Z3_symbol symbol = Z3_mk_string_symbol(lp->s->z3, text);
  return pv_ast(pv_smt_keep(lp->s, Z3_mk_const(lp->s->z3, symbol, lp->real)));
}

static void lp_assert(struct lp *lp, Z3_ast a) {
  Z3_solver_assert(lp->s->z3, lp->solver, pv_ast(pv_smt_keep(lp->s, a)));
}

static Z3_model lp_solve(struct lp *lp) {
  struct pv_smt *s = lp->s;
  if (!pv_smt_begin(s)) return NULL;
  Z3_lbool r = Z3_solver_check(s->z3, lp->solver);
  pv_smt_end(s, r, NULL);
  if (r != Z3_L_TRUE) return NULL;
  Z3_model m = Z3_solver_get_model(s->z3, lp->solver);
  if (m) Z3_model_inc_ref(s->z3, m);
  return m;
}

static bool lp_value(struct lp *lp, Z3_model m, uint32_t i, int64_t *p, int64_t *q) {
  Z3_ast v;
  if (!Z3_model_eval(lp->s->z3, m, lp_multiplier(lp, i), true, &v)) return false;
  Z3_inc_ref(lp->s->z3, v);
  bool fine = Z3_get_numeral_small(lp->s->z3, v, p, q);
  Z3_dec_ref(lp->s->z3, v);
  return fine;
}

/* ---- the calls ------------------------------------------------------------------------------- */
static bool take(struct matrix *m, uint32_t r, pv_i128 factor, pv_i128 *multiplier) {
  const pv_i128 *from = row_of(m, r) + m->variables + 1;
  for (uint32_t i = 0; i < m->n; i++)
    if (from[i] && !pv_i128_mul_add(&multiplier[i], from[i], factor)) return false;
  return true;
}

/* Multipliers of the remaining rows: their weighted sum has no variables and the constant 1. */
static bool solve(struct pv_smt *s, struct matrix *m, pv_i128 *multiplier) {
  struct lp lp;
  PV_VEC(uint32_t) rows = {0};
  PV_VEC(int64_t) p = {0}, q = {0};
  for (uint32_t r = 0; r < m->n; r++)
    if (!m->used[r] && !m->equality[r] && pivot(m, r) < m->variables) pv_vec_push(&rows, r);
  lp_begin(&lp, s);
  for (uint32_t i = 0; i < rows.n; i++)
    lp_assert(&lp, Z3_mk_ge(s->z3, lp_multiplier(&lp, i), lp_number(&lp, 0)));
  for (uint32_t v = 0; v <= m->variables; v++) { /* column v of the sum */
    pv_terms parts = {0};
    for (uint32_t i = 0; i < rows.n; i++) {
      pv_i128 c = row_of(m, rows.at[i])[v];
      Z3_ast product[] = {lp_number(&lp, c), lp_multiplier(&lp, i)};
      if (c) pv_vec_push(&parts, pv_smt_keep(s, Z3_mk_mul(s->z3, 2, product)));
    }
    Z3_ast sum = parts.n ? Z3_mk_add(s->z3, parts.n, pv_asts(parts.at)) : lp_number(&lp, 0);
    sum = pv_ast(pv_smt_keep(s, sum));
    lp_assert(&lp, Z3_mk_eq(s->z3, sum, lp_number(&lp, v == m->variables)));
    pv_vec_free(&parts);
  }
  Z3_model model = lp_solve(&lp);
  bool fine = model != NULL;
  pv_i128 common = 1; /* denominator */
  for (uint32_t i = 0; fine && i < rows.n; i++) {
    int64_t a, b;
    fine = lp_value(&lp, model, i, &a, &b);
    pv_vec_push(&p, a);
    pv_vec_push(&q, b);
    if (fine)
      fine = !__builtin_mul_overflow(common, b / pv_i128_gcd(common, b), &common) && common < BIG;
  }
  for (uint32_t i = 0; fine && i < rows.n; i++) {
    pv_i128 factor = 0;
    fine = pv_i128_mul_add(&factor, p.at[i], common / q.at[i]) &&
           (!factor || take(m, rows.at[i], factor, multiplier));
  }
  if (model) Z3_model_dec_ref(s->z3, model);
  lp_end(&lp);
  pv_vec_free(&rows);
  pv_vec_free(&p);
  pv_vec_free(&q);
  return fine;
}

bool pv_lp_certificate(struct pv_smt *s, uint32_t variables, uint32_t n, const struct pv_row *rows,
                       pv_i128 *multiplier) {
  struct matrix m;
  memset(multiplier, 0, n * sizeof *multiplier);
  if (!matrix_begin(&m, variables, n, rows)) return false;
  bool fine = eliminate(&m);
  if (fine) {
    uint32_t r = contradiction(&m);
    fine = r < n ? take(&m, r, row_of(&m, r)[variables] < 0 ? -1 : 1, multiplier)
                 : solve(s, &m, multiplier);
  }
  matrix_end(&m);
  if (fine) shorten(multiplier, n);
  return fine;
}
