/* farkas.c -- interpolants by Farkas' lemma. A weighted sum of the rows of a linear contradiction
 * is 1 <= 0; the sum of the rows before a cut is an interpolant. One certificate gives the
 * interpolants for all cuts, so the sequence is inductive.
 *
 * Disjunctions are split into cases. At cuts after the disjunction, the interpolants of the cases
 * are combined by `or`, before it by `and`. Only literals in the core of a case are split further.
 * A path that has rational solutions but no integer ones fails: splitting would enumerate numbers,
 * where other methods find a remainder.
 *
 * Nonlinear terms (array elements, quotients) are treated as variables. One that remains in the sum
 * before a cut occurs on both sides of it, and so do its constants. */
#include "smt/interpolate_internal.h"

enum { MOST_CASES = 100 };

struct literal {
  uint32_t block;
  pv_term t;
};
typedef PV_VEC(struct literal) literals;

struct farkas {
  struct pv_itp_path *p;
  struct pv_smt *s;
  struct pv_solver *solver;
  struct pv_map indicator; /* term -> index */
  pv_terms indicators;
  uint32_t cases;
};

static pv_term mk2(struct farkas *f, enum pv_smt_op op, pv_term a, pv_term b) {
  return pv_smt_mk2(f->s, op, a, b);
}
static pv_term negate(struct farkas *f, pv_term t) {
  return pv_smt_mk1(f->s, PV_SMT_NOT, t);
}

/* ---- literals -------------------------------------------------------------------------------- */
static bool is_op(struct farkas *f, pv_term t, Z3_decl_kind kind) {
  return pv_is_app(f->s, pv_ast(t), kind);
}
static pv_term operand(struct farkas *f, pv_term t, uint32_t i) {
  return pv_of(pv_arg_at(f->s, pv_ast(t), i));
}
static bool is_bool(struct farkas *f, pv_term t) {
  return Z3_get_sort_kind(f->s->z3, Z3_get_sort(f->s->z3, pv_ast(t))) == Z3_BOOL_SORT;
}
static bool is_int(struct farkas *f, pv_term t) {
  return Z3_get_sort_kind(f->s->z3, Z3_get_sort(f->s->z3, pv_ast(t))) == Z3_INT_SORT;
}

static void add_literals(struct farkas *f, literals *out, uint32_t block, pv_term t) {
  pv_terms parts = {0};
  pv_itp_conjuncts(f->s, t, &parts);
  for (uint32_t i = 0; i < parts.n; i++) {
    bool known = false;
    for (uint32_t k = 0; k < out->n && !known; k++)
      known = out->at[k].t == parts.at[i] && out->at[k].block == block;
    if (!known) pv_vec_push(out, ((struct literal){block, parts.at[i]}));
  }
  pv_vec_free(&parts);
}

/* The outermost `?:` inside of a literal. */
static pv_term inner_ite(struct farkas *f, pv_term t) {
  pv_smt_walk(f->s);
  pv_vec_push(&f->s->stack, pv_ast(t));
  while (f->s->stack.n) {
    Z3_ast a = pv_vec_pop(&f->s->stack);
    if (!pv_smt_visit(f->s, a)) continue;
    if (pv_is_app(f->s, a, Z3_OP_ITE)) return pv_of(a);
    for (uint32_t i = pv_arity(f->s, a); i-- > 0;) pv_vec_push(&f->s->stack, pv_arg_at(f->s, a, i));
  }
  return NULL;
}

/* The cases of a literal that is not a row; none if it is one. */
static void cases_of(struct farkas *f, pv_term t, pv_terms *out) {
  bool negative = is_op(f, t, Z3_OP_NOT);
  pv_term x = negative ? operand(f, t, 0) : t;
  uint32_t n = pv_arity(f->s, pv_ast(x));
  if (is_op(f, x, negative ? Z3_OP_AND : Z3_OP_OR)) {
    for (uint32_t i = 0; i < n; i++)
      pv_vec_push(out, negative ? negate(f, operand(f, x, i)) : operand(f, x, i));
    return;
  }
  if (is_op(f, x, Z3_OP_IMPLIES)) { /* not negated, because that would be a conjunction */
    pv_vec_push(out, negate(f, operand(f, x, 0)));
    pv_vec_push(out, operand(f, x, 1));
    return;
  }
  bool differs = is_op(f, x, Z3_OP_XOR) || (is_op(f, x, Z3_OP_DISTINCT) && n == 2);
  if ((is_op(f, x, Z3_OP_EQ) || is_op(f, x, Z3_OP_IFF) || differs) && n == 2) {
    pv_term a = operand(f, x, 0), b = operand(f, x, 1);
    bool same = differs == negative;
    if (is_bool(f, a)) {
      pv_vec_push(out, mk2(f, PV_SMT_AND, a, same ? b : negate(f, b)));
      pv_vec_push(out, mk2(f, PV_SMT_AND, negate(f, a), same ? negate(f, b) : b));
      return;
    }
    if (!same && is_int(f, a)) {
      pv_vec_push(out, mk2(f, PV_SMT_LT, a, b));
      pv_vec_push(out, mk2(f, PV_SMT_GT, a, b));
      return;
    }
  }
  if (is_op(f, x, Z3_OP_ITE)) {
    pv_term c = operand(f, x, 0), a = operand(f, x, 1), b = operand(f, x, 2);
    pv_vec_push(out, mk2(f, PV_SMT_AND, c, negative ? negate(f, a) : a));
    pv_vec_push(out, mk2(f, PV_SMT_AND, negate(f, c), negative ? negate(f, b) : b));
    return;
  }
  pv_term ite = inner_ite(f, t);
  for (uint32_t i = 1; ite && i < 3; i++) {
    pv_term c = operand(f, ite, 0), value = operand(f, ite, i);
    pv_term chosen = pv_smt_substitute(f->s, t, 1, &ite, &value);
    pv_vec_push(out, mk2(f, PV_SMT_AND, i == 1 ? c : negate(f, c), chosen));
  }
}

/* ---- rows ------------------------------------------------------------------------------------ */
struct system {
  struct farkas *f;
  struct pv_map index;     /* term -> variable */
  struct pv_map quotients; /* quotients whose rows were added */
  pv_terms variables;
  PV_VEC(uint32_t) block; /* by variable: the first block with it */
  struct pending {
    PV_VEC(pv_i128) a;
    pv_i128 k;
    bool equality;
    uint32_t block;
  } sum; /* the current row */
  PV_VEC(struct pv_row) rows;
  PV_VEC(uint32_t) length; /* length of each row at its creation; variables may be added later */
};

static bool add_linear(struct system *y, pv_term t, pv_i128 factor);

static bool add_variable(struct system *y, pv_term t, pv_i128 factor) {
  bool is_new;
  uint32_t v = *pv_map_put(&y->index, &t, sizeof t, y->variables.n, &is_new);
  if (is_new) {
    pv_vec_push(&y->variables, t);
    pv_vec_push(&y->block, y->sum.block);
  }
  while (y->sum.a.n <= v) pv_vec_push(&y->sum.a, 0);
  return pv_i128_mul_add(&y->sum.a.at[v], factor, 1);
}

static bool numeral(struct farkas *f, pv_term t, pv_i128 *out) {
  uint64_t lo, hi;
  if (!pv_smt_numeral(f->s, pv_ast(t), (struct pv_sort){.kind = PV_SORT_INT}, &lo, &hi))
    return false;
  *out = (pv_i128)((pv_u128)hi << 64 | lo);
  return true;
}

/* Adds factor * t to the current row. */
static bool add_linear(struct system *y, pv_term t, pv_i128 factor) {
  struct farkas *f = y->f;
  pv_i128 k, product = 0;
  uint32_t n = pv_arity(f->s, pv_ast(t));
  if (numeral(f, t, &k)) return pv_i128_mul_add(&y->sum.k, k, factor);
  if (is_op(f, t, Z3_OP_ADD) || is_op(f, t, Z3_OP_SUB)) {
    bool minus = is_op(f, t, Z3_OP_SUB);
    for (uint32_t i = 0; i < n; i++)
      if (!add_linear(y, operand(f, t, i), minus && i ? -factor : factor)) return false;
    return true;
  }
  if (is_op(f, t, Z3_OP_UMINUS)) return add_linear(y, operand(f, t, 0), -factor);
  if (is_op(f, t, Z3_OP_MUL) && n == 2) {
    pv_term a = operand(f, t, 0), b = operand(f, t, 1);
    if (numeral(f, a, &k)) return pv_i128_mul_add(&product, k, factor) && add_linear(y, b, product);
    if (numeral(f, b, &k)) return pv_i128_mul_add(&product, k, factor) && add_linear(y, a, product);
  }
  return add_variable(y, t, factor);
}

static void begin_row(struct system *y, uint32_t block, bool equality, pv_i128 k) {
  y->sum.a.n = 0;
  y->sum.k = k;
  y->sum.block = block;
  y->sum.equality = equality;
}

/* Over integers, an inequality can be divided by the greatest common divisor of its coefficients
 * and rounded. */
static void end_row(struct system *y) {
  struct pv_row row = {.k = y->sum.k, .equality = y->sum.equality, .block = y->sum.block};
  pv_i128 g = 0;
  for (uint32_t v = 0; v < y->sum.a.n; v++) g = pv_i128_gcd(g, y->sum.a.at[v]);
  if (row.equality && g && row.k % g) { /* no integer solution: 1 <= 0 */
    row.equality = false;
    row.k = 1;
    y->sum.a.n = 0;
  }
  if (!g) g = 1;
  row.a = pv_alloc((y->sum.a.n + 1) * sizeof *row.a);
  for (uint32_t v = 0; v < y->sum.a.n; v++) row.a[v] = y->sum.a.at[v] / g;
  row.k = row.k / g + (row.k % g > 0); /* rounds up: sum + k <= 0 */
  pv_vec_push(&y->length, y->sum.a.n);
  pv_vec_push(&y->rows, row);
}

static bool add_row(struct system *y, const struct literal *l) {
  struct farkas *f = y->f;
  bool negative = is_op(f, l->t, Z3_OP_NOT);
  pv_term x = negative ? operand(f, l->t, 0) : l->t;
  if (pv_smt_is_false(f->s, l->t)) {
    begin_row(y, l->block, false, 1);
    end_row(y);
    return true;
  }
  if (pv_arity(f->s, pv_ast(x)) != 2 || !is_int(f, operand(f, x, 0))) return true;
  pv_term a = operand(f, x, 0), b = operand(f, x, 1);
  bool less = is_op(f, x, Z3_OP_LT), greater = is_op(f, x, Z3_OP_GT);
  bool most = is_op(f, x, Z3_OP_LE), least = is_op(f, x, Z3_OP_GE), equal = is_op(f, x, Z3_OP_EQ);
  if (!less && !greater && !most && !least && (!equal || negative)) return true;
  bool swap = (greater || least) != (negative && !equal), strict = (less || greater) != negative;
  begin_row(y, l->block, equal, strict && !equal ? 1 : 0);
  if (!add_linear(y, a, swap ? -1 : 1) || !add_linear(y, b, swap ? 1 : -1)) return false;
  end_row(y);
  return true;
}

/* Adds the rows x = k * (x div k) + x mod k, 0 <= x mod k < k, in the first block that contains one
 * of them. */
static bool add_quotient(struct system *y, uint32_t v) {
  struct farkas *f = y->f;
  pv_term t = y->variables.at[v];
  uint32_t block = y->block.at[v];
  pv_i128 k;
  bool is_new;
  if (!is_op(f, t, Z3_OP_MOD) && !is_op(f, t, Z3_OP_IDIV)) return true;
  pv_term x = operand(f, t, 0), size = operand(f, t, 1);
  if (!numeral(f, size, &k) || k <= 0) return true;
  pv_term quotient = mk2(f, PV_SMT_DIV, x, size), rest = mk2(f, PV_SMT_MOD, x, size);
  pv_map_put(&y->quotients, &quotient, sizeof quotient, 1, &is_new);
  if (!is_new) return true;
  begin_row(y, block, true, 0);
  if (!add_linear(y, x, -1) || !add_variable(y, quotient, k) || !add_variable(y, rest, 1))
    return false;
  end_row(y);
  begin_row(y, block, false, 0);
  if (!add_variable(y, rest, -1)) return false;
  end_row(y);
  begin_row(y, block, false, 1 - k);
  if (!add_variable(y, rest, 1)) return false;
  end_row(y);
  return true;
}

static bool make_system(struct system *y, const literals *in) {
  for (uint32_t i = 0; i < in->n; i++)
    if (!add_row(y, &in->at[i])) return false;
  for (uint32_t v = 0; v < y->variables.n; v++)
    if (!add_quotient(y, v)) return false;
  for (uint32_t r = 0; r < y->rows.n; r++) { /* makes all rows equally long */
    struct pv_row *row = &y->rows.at[r];
    row->a = pv_realloc(row->a, (y->variables.n + 1) * sizeof *row->a);
    for (uint32_t v = y->length.at[r]; v < y->variables.n; v++) row->a[v] = 0;
  }
  return true;
}

static void free_system(struct system *y) {
  for (uint32_t r = 0; r < y->rows.n; r++) free(y->rows.at[r].a);
  pv_vec_free(&y->rows);
  pv_vec_free(&y->length);
  pv_vec_free(&y->variables);
  pv_vec_free(&y->block);
  pv_vec_free(&y->sum.a);
  pv_map_free(&y->index);
  pv_map_free(&y->quotients);
}

/* ---- interpolants ---------------------------------------------------------------------------- */
static pv_term integer(struct farkas *f, pv_i128 v) {
  return pv_smt_number(f->s, (struct pv_sort){.kind = PV_SORT_INT}, (uint64_t)(pv_u128)v,
                       (uint64_t)((pv_u128)v >> 64));
}

/* sum + k <= 0 in readable form: positive summands on the left, the others on the right. */
static pv_term inequality(struct farkas *f, const pv_terms *variables, const pv_i128 *sum,
                          pv_i128 k) {
  pv_terms side[2] = {{0}, {0}};
  pv_i128 g = 0;
  for (uint32_t v = 0; v < variables->n; v++) g = pv_i128_gcd(g, sum[v]);
  if (!g) return pv_smt_bool(f->s, k <= 0);
  k = k / g + (k % g > 0);
  for (uint32_t v = 0; v < variables->n; v++) {
    if (!sum[v]) continue;
    pv_i128 a = sum[v] / g;
    pv_term t = mk2(f, PV_SMT_MUL, integer(f, a < 0 ? -a : a), variables->at[v]);
    pv_vec_push(&side[a < 0], t);
  }
  pv_term left = pv_smt_mk(f->s, PV_SMT_ADD, side[0].n, side[0].at);
  pv_term right = pv_smt_mk(f->s, PV_SMT_ADD, side[1].n, side[1].at), r;
  if (!side[0].n)
    r = mk2(f, PV_SMT_GE, right, integer(f, k));
  else
    r = mk2(f, PV_SMT_LE, left, mk2(f, PV_SMT_ADD, right, integer(f, -k)));
  pv_vec_free(&side[0]);
  pv_vec_free(&side[1]);
  return r;
}

/* The sum of all rows is `total` <= 0, with total > 0 and without variables. Before cut c it is s_c
 * <= 0. Then s_c <= t_c is an interpolant, too, if t increases with c and stays below the total. So
 * the bound can be chosen: 0, the one before, or a number of the path. Interpolants with fewer
 * different numbers generalise better. */
struct cuts {
  struct system *y;
  const pv_i128 *multiplier;
  pv_i128 *sum, k, total, slack; /* of the current cut; slack: t */
  pv_i128 bound;                 /* of the cut before; initially 0 */
};

static bool in_range(const struct cuts *u, pv_i128 g, pv_i128 bound, pv_i128 *slack) {
  pv_i128 least = u->k;
  if (!pv_i128_mul_add(&least, g, bound)) return false;
  /* sum <= g * bound means slack = k + g * bound .. k + g * bound + g - 1 */
  *slack = least > u->slack ? least : u->slack;
  return *slack < least + g && *slack < u->total;
}

static void choose_bound(struct cuts *u, pv_i128 g) {
  const struct system *y = u->y;
  pv_i128 slack, best = 0;
  bool found = false;
  if (in_range(u, g, 0, &slack) || in_range(u, g, u->bound, &slack)) {
    u->slack = slack;
    return;
  }
  for (uint32_t r = 0; r < y->rows.n; r++) {
    pv_i128 k = y->rows.at[r].k, tries[] = {k, k - 1, -k, -k - 1};
    for (int i = 0; i < 4; i++)
      if (in_range(u, g, tries[i], &slack) && (!found || tries[i] > best))
        best = tries[i], found = true;
  }
  if (found && in_range(u, g, best, &slack)) u->slack = slack;
}

static bool partial_sums(struct system *y, const pv_i128 *multiplier, pv_term *out) {
  struct farkas *f = y->f;
  struct cuts u = {.y = y, .multiplier = multiplier};
  bool fine = true;
  u.sum = pv_alloc((y->variables.n + 1) * sizeof *u.sum);
  for (uint32_t r = 0; r < y->rows.n && fine; r++)
    fine = pv_i128_mul_add(&u.total, y->rows.at[r].k, multiplier[r]);
  for (uint32_t c = 0; c + 1 < f->p->n && fine; c++) {
    pv_i128 g = 0;
    for (uint32_t r = 0; r < y->rows.n && fine; r++) {
      const struct pv_row *row = &y->rows.at[r];
      if (row->block != c || !multiplier[r]) continue;
      for (uint32_t v = 0; v < y->variables.n && fine; v++)
        if (row->a[v]) fine = pv_i128_mul_add(&u.sum[v], row->a[v], multiplier[r]);
      fine = fine && pv_i128_mul_add(&u.k, row->k, multiplier[r]);
    }
    for (uint32_t v = 0; v < y->variables.n; v++) g = pv_i128_gcd(g, u.sum[v]);
    if (g) choose_bound(&u, g);
    if (fine) out[c] = inequality(f, &y->variables, u.sum, u.k - u.slack);
    if (g) u.bound = (u.slack - u.k) / g - ((u.slack - u.k) % g < 0);
  }
  free(u.sum);
  return fine;
}

/* Are there a condition and its negation among the literals? The first of them is the interpolant
 * between them. */
static bool opposites(struct farkas *f, const literals *in, pv_term *out) {
  for (uint32_t i = 0; i < in->n; i++)
    for (uint32_t k = 0; k < in->n; k++) {
      const struct literal *a = &in->at[i], *b = &in->at[k];
      if (a->block > b->block || b->t != negate(f, a->t)) continue;
      for (uint32_t c = 0; c + 1 < f->p->n; c++)
        out[c] = c < a->block   ? pv_smt_bool(f->s, true)
                 : c < b->block ? a->t
                                : pv_smt_bool(f->s, false);
      return true;
    }
  return false;
}

static bool refute(struct farkas *f, const literals *given, pv_term *out);

/* Are the interpolants of other cases also valid for this one? Only its own block has to be
 * checked. */
static bool covered(struct farkas *f, const literals *rest, uint32_t block, pv_term this,
                    const pv_term *out) {
  pv_terms parts = {0};
  for (uint32_t k = 0; k < rest->n; k++)
    if (rest->at[k].block == block) pv_vec_push(&parts, rest->at[k].t);
  pv_vec_push(&parts, this);
  if (block) pv_vec_push(&parts, out[block - 1]);
  if (block + 1 < f->p->n) pv_vec_push(&parts, negate(f, out[block]));
  bool r = pv_smt_check(f->s, parts.n, parts.at) == PV_SMT_UNSAT;
  pv_vec_free(&parts);
  return r;
}

/* Combines the interpolants of the cases of a literal of `block`. */
static bool by_cases(struct farkas *f, const literals *rest, uint32_t block, const pv_terms *cases,
                     pv_term *out) {
  uint32_t cuts = f->p->n - 1;
  pv_term *one = pv_alloc((cuts + 1) * sizeof *one);
  bool fine = true;
  for (uint32_t i = 0; i < cases->n && fine; i++) {
    literals in = {0};
    if (i && covered(f, rest, block, cases->at[i], out)) continue;
    for (uint32_t k = 0; k < rest->n; k++) pv_vec_push(&in, rest->at[k]);
    add_literals(f, &in, block, cases->at[i]);
    fine = refute(f, &in, one);
    pv_vec_free(&in);
    for (uint32_t c = 0; c < cuts && fine; c++)
      out[c] = i == 0 ? one[c] : mk2(f, c < block ? PV_SMT_AND : PV_SMT_OR, out[c], one[c]);
  }
  free(one);
  return fine;
}

static bool leaf(struct farkas *f, const literals *in, pv_term *out) {
  struct system y = {.f = f};
  if (opposites(f, in, out)) return true;
  pv_i128 *multiplier = NULL;
  bool fine = make_system(&y, in);
  if (fine) {
    multiplier = pv_alloc((y.rows.n + 1) * sizeof *multiplier);
    fine = pv_lp_certificate(f->s, y.variables.n, y.rows.n, y.rows.at, multiplier) &&
           partial_sums(&y, multiplier, out);
  }
  free(multiplier);
  free_system(&y);
  return fine;
}

/* ---- cases ----------------------------------------------------------------------------------- */
static pv_term indicator_of(struct farkas *f, pv_term t) {
  bool is_new;
  uint32_t i = *pv_map_put(&f->indicator, &t, sizeof t, f->indicators.n, &is_new);
  if (is_new) {
    char name[32];
    snprintf(name, sizeof name, "case!%u", i);
    pv_term b = pv_smt_const(f->s, name, (struct pv_sort){.kind = PV_SORT_BOOL});
    pv_vec_push(&f->indicators, b);
    pv_solver_assert(f->solver, mk2(f, PV_SMT_IMPLIES, b, t));
  }
  return f->indicators.at[i];
}

/* The literals in an unsatisfiable core. Returns false if there is none. */
static bool core_of(struct farkas *f, const literals *in, literals *out) {
  pv_terms assumptions = {0}, core = {0};
  struct pv_map in_core = {0};
  for (uint32_t i = 0; i < in->n; i++) pv_vec_push(&assumptions, indicator_of(f, in->at[i].t));
  bool fine = pv_solver_check(f->solver, assumptions.n, assumptions.at) == PV_SMT_UNSAT;
  if (fine) {
    pv_solver_core(f->solver, &core);
    for (uint32_t i = 0; i < core.n; i++)
      pv_map_put(&in_core, &core.at[i], sizeof core.at[i], 1, NULL);
    for (uint32_t i = 0; i < in->n; i++)
      if (pv_map_get(&in_core, &assumptions.at[i], sizeof assumptions.at[i]))
        pv_vec_push(out, in->at[i]);
  }
  pv_map_free(&in_core);
  pv_vec_free(&assumptions);
  pv_vec_free(&core);
  return fine;
}

static bool refute(struct farkas *f, const literals *given, pv_term *out) {
  literals core = {0}, rest = {0};
  pv_terms cases = {0};
  if (f->cases >= MOST_CASES || !core_of(f, given, &core)) {
    pv_vec_free(&core);
    return false;
  }
  /* The last one first: a late operation often makes earlier ones irrelevant. */
  uint32_t at = core.n;
  for (uint32_t i = 0; i < core.n; i++) {
    pv_terms own = {0};
    if (at == core.n || core.at[i].block > core.at[at].block) cases_of(f, core.at[i].t, &own);
    if (own.n) {
      pv_vec_free(&cases);
      cases.at = own.at, cases.n = own.n, cases.cap = own.cap;
      at = i;
    }
  }
  bool fine;
  if (cases.n) {
    for (uint32_t i = 0; i < core.n; i++)
      if (i != at) pv_vec_push(&rest, core.at[i]);
    fine = by_cases(f, &rest, core.at[at].block, &cases, out);
  } else {
    f->cases++;
    fine = leaf(f, &core, out);
  }
  pv_vec_free(&cases);
  pv_vec_free(&core);
  pv_vec_free(&rest);
  return fine;
}

bool pv_itp_farkas(struct pv_itp_path *p, pv_term *out) {
  struct farkas f = {.p = p, .s = p->s, .solver = pv_solver_new(p->s)};
  literals all = {0};
  for (uint32_t b = 0; b < p->n; b++)
    for (uint32_t i = 0; i < p->block[b].n; i++) add_literals(&f, &all, b, p->block[b].at[i]);
  bool fine = refute(&f, &all, out);
  pv_vec_free(&all);
  pv_vec_free(&f.indicators);
  pv_map_free(&f.indicator);
  pv_solver_free(f.solver);
  return fine;
}
