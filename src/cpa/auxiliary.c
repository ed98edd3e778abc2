#include "cpa/auxiliary.h"

#include "cpa/affine.h"

#include <stdlib.h>
#include <string.h>

enum {
  CELLS = 10,       /* cells of one function that are considered */
  NUMBERS = 16,     /* bounds of candidates */
  LOOKED_AT = 4000, /* operands that are searched for numbers */
  NARROW = 8,       /* bits: cells with fewer are not part of equalities */
  WIDE = 64,        /* bits: cells with more are not compared */
  ROUNDS = 400      /* iterations for one segment */
};

struct candidate {
  uint32_t point;
  pv_term formula;
  bool dead;
};
struct auxiliary {
  struct pv_analysis_context *context;
  struct pv_smt *smt;
  const struct pv_segments *s;
  struct pv_solver **solvers; /* by segment: has its transition relation */
  pv_cells *cells;            /* by cut point */
  struct pv_affine *spaces;
  pv_term *equalities;     /* by cut point; NULL: not reached yet */
  PV_VEC(int64_t) numbers; /* constants of the program, sorted */
  bool halves;             /* 2 is one of them, so parities may matter */
  PV_VEC(struct candidate) candidates;
  struct pv_limits limits;
};

static bool is_over(struct auxiliary *x) {
  return pv_smt_broken(x->smt) || pv_limits_check_now(&x->limits) != PV_LIMIT_NONE;
}

/* ---- cells and constants --------------------------------------------------------------------- */

static void add_cell(struct auxiliary *x, uint32_t point, uint32_t cell) {
  pv_cells *out = &x->cells[point];
  const struct pv_cell *c = pv_symbolic_cell(x->context->symbolic, cell);
  bool is_value = c->kind == PV_CELL_VARIABLE || c->kind == PV_CELL_MEMORY;
  bool is_number = c->sort.kind == PV_SORT_INT || c->sort.kind == PV_SORT_BV;
  if (!is_value || !is_number || out->n >= CELLS) return;
  if (pv_symbolic_is_dead(x->context->symbolic, cell, x->s->points.at[point])) return;
  for (uint32_t i = 0; i < out->n; i++)
    if (out->at[i] == cell) return;
  pv_vec_push(out, cell);
}

/* Adds the cells that a segment changes, or those that it reads. */
static void add_cells(struct auxiliary *x, const struct pv_segment *g, bool changed,
                      uint32_t point) {
  struct pv_symbolic *s = x->context->symbolic;
  pv_cells cells = {0};
  pv_terms constants = {0};
  pv_symbolic_changed(g->end, &cells);
  pv_smt_constants(x->smt, pv_symbolic_condition(s, g->end), &constants);
  for (uint32_t i = 0; i < cells.n; i++) {
    if (changed) add_cell(x, point, cells.at[i]);
    pv_smt_constants(x->smt, pv_symbolic_value(s, g->end, cells.at[i]), &constants);
  }
  for (uint32_t i = 0; i < constants.n && !changed; i++) {
    uint32_t cell = pv_symbolic_cell_of(s, constants.at[i]);
    if (cell != UINT32_MAX) add_cell(x, point, cell);
  }
  pv_vec_free(&cells);
  pv_vec_free(&constants);
}

/* Are the points in one frame, or in frames that tail calls lead to from one call? */
static bool same_activation(const struct auxiliary *x, struct pv_point a, struct pv_point b) {
  const struct pv_frame *f = pv_control_frame(x->context->control, a.frame);
  const struct pv_frame *g = pv_control_frame(x->context->control, b.frame);
  return f->parent == g->parent && f->call == g->call && f->thread == g->thread;
}

/* Adds the cells that a violation depends on. */
static void add_event_cells(struct auxiliary *x, const struct pv_segment_event *v, uint32_t point) {
  pv_terms constants = {0};
  pv_smt_constants(x->smt, v->when, &constants);
  for (uint32_t i = 0; i < constants.n; i++) {
    uint32_t cell = pv_symbolic_cell_of(x->context->symbolic, constants.at[i]);
    if (cell != UINT32_MAX) add_cell(x, point, cell);
  }
  pv_vec_free(&constants);
}

/* Chooses the same cells for all cut points of one frame, because facts from before an inner loop
 * are needed after it. Cells that change come first, and those of violations last. */
static void choose_cells(struct auxiliary *x) {
  const struct pv_segments *s = x->s;
  for (int changed = 1; changed >= 0; changed--)
    for (uint32_t i = 0; i < s->segments.n; i++) {
      const struct pv_segment *g = &s->segments.at[i];
      if (g->from == PV_FROM_START) continue;
      for (uint32_t p = 0; p < s->points.n; p++)
        if (same_activation(x, s->points.at[p], s->points.at[g->from])) add_cells(x, g, changed, p);
    }
  for (uint32_t i = 0; i < s->violations.n; i++) {
    const struct pv_segment_event *v = &s->violations.at[i];
    for (uint32_t p = 0; p < s->points.n && v->from != PV_FROM_START; p++)
      if (same_activation(x, s->points.at[p], s->points.at[v->from])) add_event_cells(x, v, p);
  }
}

static void add_number(struct auxiliary *x, int64_t number) {
  uint32_t at = 0;
  while (at < x->numbers.n && x->numbers.at[at] < number) at++;
  x->halves |= number == 2;
  if (x->numbers.n >= NUMBERS || (at < x->numbers.n && x->numbers.at[at] == number)) return;
  pv_vec_push(&x->numbers, 0);
  memmove(x->numbers.at + at + 1, x->numbers.at + at, (x->numbers.n - 1 - at) * sizeof number);
  x->numbers.at[at] = number;
}

static void find_numbers(struct auxiliary *x, pv_term t, struct pv_map *seen) {
  struct pv_smt_shape shape;
  bool is_new;
  pv_map_put(seen, &t, sizeof t, 0, &is_new);
  if (!is_new || seen->n > LOOKED_AT || !pv_smt_shape(x->smt, t, &shape)) return;
  uint8_t sort = pv_smt_sort(x->smt, t).kind;
  bool small = shape.hi == 0 ? shape.lo <= INT32_MAX : -shape.lo <= INT32_MAX;
  if (shape.kind == PV_SHAPE_NUMBER && small && (sort == PV_SORT_INT || sort == PV_SORT_BV))
    add_number(x, (int64_t)shape.lo);
  for (uint32_t i = 0; i < shape.n; i++) find_numbers(x, pv_smt_operand(x->smt, t, i), seen);
}

static void choose_numbers(struct auxiliary *x) {
  struct pv_symbolic *s = x->context->symbolic;
  struct pv_map seen = {0};
  pv_cells changed = {0};
  add_number(x, 0);
  add_number(x, 1);
  for (uint32_t i = 0; i < x->s->segments.n; i++) {
    const struct pv_sym *end = x->s->segments.at[i].end;
    find_numbers(x, pv_symbolic_condition(s, end), &seen);
    changed.n = 0;
    pv_symbolic_changed(end, &changed);
    for (uint32_t k = 0; k < changed.n; k++)
      find_numbers(x, pv_symbolic_value(s, end, changed.at[k]), &seen);
  }
  for (uint32_t i = 0; i < x->s->violations.n; i++)
    find_numbers(x, x->s->violations.at[i].when, &seen);
  pv_vec_free(&changed);
  pv_map_free(&seen);
}

/* ---- queries --------------------------------------------------------------------------------- */

static void assume(struct auxiliary *x, uint32_t segment, pv_term formula) {
  pv_solver_assert(x->solvers[segment], pv_symbolic_ranges(x->context->symbolic, formula));
  pv_solver_assert(x->solvers[segment], formula);
}

/* Assumes the facts known at the start of the segment. */
static void assume_before(struct auxiliary *x, uint32_t segment) {
  uint32_t from = x->s->segments.at[segment].from;
  if (from == PV_FROM_START) return;
  assume(x, segment, x->equalities[from]);
  for (uint32_t i = 0; i < x->candidates.n; i++)
    if (x->candidates.at[i].point == from && !x->candidates.at[i].dead)
      assume(x, segment, x->candidates.at[i].formula);
}

static void make_solvers(struct auxiliary *x) {
  for (uint32_t i = 0; i < x->s->segments.n; i++) {
    x->solvers[i] = pv_solver_new(x->smt);
    assume(x, i, pv_symbolic_condition(x->context->symbolic, x->s->segments.at[i].end));
  }
}

/* ---- affine equalities ----------------------------------------------------------------------- */

static pv_term number_like(struct auxiliary *x, int64_t number, pv_term like) {
  struct pv_sort sort = pv_smt_sort(x->smt, like);
  unsigned bits = sort.kind == PV_SORT_BV ? sort.bits : 128;
  uint64_t lo = (uint64_t)number, hi = number < 0 ? UINT64_MAX : 0;
  if (bits < 64) lo &= (UINT64_C(1) << bits) - 1;
  if (bits < 128) hi &= bits > 64 ? (UINT64_C(1) << (bits - 64)) - 1 : 0;
  return pv_smt_number(x->smt, sort, lo, hi);
}

/* The cells between which equalities are looked for: mathematical integers, or bit-vectors of one
 * width. Sums of bit-vectors wrap around, so the equalities hold modulo a power of two. */
static uint32_t related(const struct auxiliary *x, uint32_t point, uint32_t *out) {
  const pv_cells *cells = &x->cells[point];
  struct pv_sort sort = {0};
  uint32_t n = 0;
  for (uint32_t i = 0; i < cells->n; i++) {
    struct pv_sort own = pv_symbolic_cell(x->context->symbolic, cells->at[i])->sort;
    if (own.kind == PV_SORT_BV && own.bits < NARROW) continue;
    if (n && (own.kind != sort.kind || own.bits != sort.bits)) continue;
    sort = own;
    out[n++] = cells->at[i];
  }
  return n;
}

/* coefficients . cells = constant. Between bit-vectors, solved for a cell if possible: then the
 * solver can put the rest in its place. */
static pv_term equality_of(struct auxiliary *x, uint32_t n, const uint32_t *cells,
                           const int64_t *given, int64_t constant) {
  pv_terms parts = {0};
  pv_term like = pv_symbolic_cell(x->context->symbolic, cells[0])->entry, left = NULL;
  bool is_int = pv_smt_sort(x->smt, like).kind == PV_SORT_INT;
  int64_t coefficients[CELLS], sign = 1;
  memcpy(coefficients, given, n * sizeof *given);
  for (uint32_t i = n; i-- > 0 && !is_int && !left;) {
    if (given[i] != 1 && given[i] != -1) continue;
    left = pv_symbolic_cell(x->context->symbolic, cells[i])->entry;
    sign = -given[i];
    coefficients[i] = 0;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (!coefficients[i]) continue;
    coefficients[i] = (int64_t)((uint64_t)coefficients[i] * (uint64_t)sign);
    pv_term cell = pv_symbolic_cell(x->context->symbolic, cells[i])->entry;
    if (coefficients[i] != 1)
      cell = pv_smt_mk2(x->smt, is_int ? PV_SMT_MUL : PV_SMT_BVMUL,
                        number_like(x, coefficients[i], like), cell);
    pv_vec_push(&parts, cell);
  }
  if (left) {
    pv_vec_push(&parts, number_like(x, (int64_t)((uint64_t)constant * (uint64_t)-sign), like));
    constant = 0;
  }
  pv_term sum = pv_smt_mk(x->smt, is_int ? PV_SMT_ADD : PV_SMT_BVADD, parts.n, parts.at);
  pv_vec_free(&parts);
  return pv_smt_mk2(x->smt, PV_SMT_EQ, sum, left ? left : number_like(x, constant, like));
}

static pv_term equalities_of(struct auxiliary *x, uint32_t point) {
  int64_t coefficients[PV_AFFINE_MOST][PV_AFFINE_MOST], constants[PV_AFFINE_MOST];
  uint32_t cells[CELLS], m = related(x, point, cells);
  uint32_t n = pv_affine_equalities(&x->spaces[point], coefficients, constants);
  pv_term parts[PV_AFFINE_MOST];
  for (uint32_t i = 0; i < n; i++)
    parts[i] = equality_of(x, m, cells, coefficients[i], constants[i]);
  return pv_smt_mk(x->smt, PV_SMT_AND, n, parts);
}

/* The number of the sort with these bits, which are extended by its sign. */
static pv_i128 number_of(struct pv_sort sort, uint64_t lo, uint64_t hi) {
  unsigned above = sort.kind == PV_SORT_BV ? 128u - sort.bits : 0;
  pv_u128 bits = (pv_u128)hi << 64 | lo;
  return (pv_i128)(bits << above) >> above;
}

/* Extends the affine space of the point by the state at the end of the segment in the model. */
static void take(struct auxiliary *x, const struct pv_segment *g, struct pv_model *m) {
  uint32_t cells[CELLS], n = related(x, g->to, cells);
  pv_i128 point[PV_AFFINE_MOST] = {0};
  bool known = true;
  for (uint32_t i = 0; i < n; i++) {
    uint64_t lo, hi;
    pv_term value = pv_symbolic_value(x->context->symbolic, g->end, cells[i]);
    struct pv_sort sort = pv_smt_sort(x->smt, value);
    known &= pv_model_value(m, value, &lo, &hi);
    if (known) point[i] = number_of(sort, lo, hi);
  }
  if (!known || !pv_affine_add(&x->spaces[g->to], point)) x->spaces[g->to].full = true;
  x->equalities[g->to] = equalities_of(x, g->to);
}

/* Returns false if the segment has an end state outside of the space; the space then was extended
 * by it. */
static bool fits(struct auxiliary *x, uint32_t segment) {
  const struct pv_segment *g = &x->s->segments.at[segment];
  if (g->from != PV_FROM_START && !x->equalities[g->from]) return true;
  pv_term now = x->equalities[g->to];
  if (now && pv_smt_is_true(x->smt, now)) return true;
  pv_solver_push(x->solvers[segment]);
  assume_before(x, segment);
  if (now)
    assume(x, segment,
           pv_smt_mk1(x->smt, PV_SMT_NOT, pv_symbolic_apply(x->context->symbolic, g->end, now)));
  enum pv_smt_answer a = pv_solver_check(x->solvers[segment], 0, NULL);
  if (a == PV_SMT_SAT) {
    struct pv_model *m = pv_solver_model(x->solvers[segment]);
    take(x, g, m);
    pv_model_free(m);
  } else if (a == PV_SMT_UNKNOWN) {
    x->spaces[g->to].any = x->spaces[g->to].full = true;
    x->equalities[g->to] = pv_smt_bool(x->smt, true);
  }
  pv_solver_pop(x->solvers[segment], 1);
  return a == PV_SMT_UNSAT;
}

static void find_equalities(struct auxiliary *x) {
  bool all;
  do {
    all = true;
    for (uint32_t i = 0; i < x->s->segments.n && !is_over(x); i++) all &= fits(x, i);
  } while (!all && !is_over(x));
  for (uint32_t p = 0; p < x->s->points.n && is_over(x); p++)
    x->equalities[p] = pv_smt_bool(x->smt, true);
}

/* ---- candidates ------------------------------------------------------------------------------ */

static void propose(struct auxiliary *x, uint32_t point, pv_term formula) {
  struct candidate c = {.point = point, .formula = formula};
  pv_vec_push(&x->candidates, c);
}

/* Proposes a <= b; for bit-vectors, whose signedness is not known, both signed and unsigned. */
static void propose_order(struct auxiliary *x, uint32_t point, pv_term a, pv_term b, bool strict) {
  static const enum pv_smt_op ops[3][2] = {
      {PV_SMT_LE, PV_SMT_LT}, {PV_SMT_BVULE, PV_SMT_BVULT}, {PV_SMT_BVSLE, PV_SMT_BVSLT}};
  bool is_int = pv_smt_sort(x->smt, a).kind == PV_SORT_INT;
  for (int alternative = is_int ? 0 : 1; alternative < (is_int ? 1 : 3); alternative++)
    propose(x, point, pv_smt_mk2(x->smt, ops[alternative][strict], a, b));
}

/* Proposes that the lowest bits are those of `rest`. */
static void propose_low(struct auxiliary *x, uint32_t point, pv_term a, unsigned bits,
                        unsigned rest) {
  pv_term low = pv_smt_sort(x->smt, a).kind == PV_SORT_INT
                    ? pv_smt_mk2(x->smt, PV_SMT_MOD, a, pv_smt_int(x->smt, INT64_C(1) << bits))
                    : pv_smt_extract(x->smt, bits - 1, 0, a);
  pv_term number = pv_smt_number(x->smt, pv_smt_sort(x->smt, low), rest, 0);
  propose(x, point, pv_smt_mk2(x->smt, PV_SMT_EQ, low, number));
}

/* Proposes remainders of divisions by 2, 4 and 8, and by the powers of two that divide constants of
 * the program. */
static void propose_rests(struct auxiliary *x, uint32_t point, pv_term a) {
  struct pv_sort sort = pv_smt_sort(x->smt, a);
  unsigned most = sort.kind == PV_SORT_INT ? 62 : sort.bits - 1u, few = 3;
  for (unsigned bits = 1; bits <= few && bits <= most; bits++)
    for (unsigned rest = 0; rest < 2; rest++) propose_low(x, point, a, bits, rest);
  for (unsigned bits = few + 1; bits <= most; bits++) {
    bool is_one = false;
    for (uint32_t i = 0; i < x->numbers.n; i++)
      is_one |= x->numbers.at[i] && __builtin_ctzll((uint64_t)x->numbers.at[i]) == (int)bits;
    if (is_one) propose_low(x, point, a, bits, 0);
  }
}

/* Proposes that the difference of two cells is even, or odd. */
static void propose_parity(struct auxiliary *x, uint32_t point, pv_term a, pv_term b) {
  bool is_int = pv_smt_sort(x->smt, a).kind == PV_SORT_INT;
  pv_term difference = pv_smt_mk2(x->smt, is_int ? PV_SMT_SUB : PV_SMT_BVSUB, a, b);
  for (unsigned rest = 0; rest < 2; rest++) propose_low(x, point, difference, 1, rest);
}

static void propose_templates(struct auxiliary *x, uint32_t point) {
  const pv_cells *cells = &x->cells[point];
  for (uint32_t i = 0; i < cells->n; i++) {
    pv_term a = pv_symbolic_cell(x->context->symbolic, cells->at[i])->entry;
    struct pv_sort sort = pv_smt_sort(x->smt, a);
    if (sort.kind == PV_SORT_BV && sort.bits > WIDE) continue;
    for (uint32_t k = 0; k < x->numbers.n; k++) {
      pv_term number = number_like(x, x->numbers.at[k], a);
      propose_order(x, point, a, number, false);
      propose_order(x, point, number, a, false);
    }
    propose_rests(x, point, a);
    for (uint32_t k = 0; k < cells->n; k++) {
      pv_term b = pv_symbolic_cell(x->context->symbolic, cells->at[k])->entry;
      struct pv_sort other = pv_smt_sort(x->smt, b);
      if (k == i || other.kind != sort.kind || other.bits != sort.bits) continue;
      propose_order(x, point, a, b, false);
      propose_order(x, point, a, b, true);
      if (k < i && x->halves) propose_parity(x, point, a, b);
    }
  }
}

/* The conjunction of the remaining candidates at the segment's end, as a formula over its start. */
static pv_term kept_at_end(struct auxiliary *x, const struct pv_segment *g) {
  pv_terms parts = {0};
  for (uint32_t i = 0; i < x->candidates.n; i++)
    if (x->candidates.at[i].point == g->to && !x->candidates.at[i].dead)
      pv_vec_push(&parts,
                  pv_symbolic_apply(x->context->symbolic, g->end, x->candidates.at[i].formula));
  pv_term all = pv_smt_mk(x->smt, PV_SMT_AND, parts.n, parts.at);
  pv_vec_free(&parts);
  return all;
}

/* Drops the candidates that the model refutes, or (no model) all of them. */
static void drop(struct auxiliary *x, const struct pv_segment *g, struct pv_model *m) {
  bool any = false;
  for (int all = m == NULL; all < 2 && !any; all++) /* a model may not determine a formula */
    for (uint32_t i = 0; i < x->candidates.n; i++) {
      struct candidate *c = &x->candidates.at[i];
      if (c->point != g->to || c->dead) continue;
      c->dead =
          all || !pv_model_holds(m, pv_symbolic_apply(x->context->symbolic, g->end, c->formula));
      any |= c->dead;
    }
}

/* Drops candidates until the segment preserves the others. Returns true if it preserved all of
 * them. */
static bool keeps(struct auxiliary *x, uint32_t segment) {
  const struct pv_segment *g = &x->s->segments.at[segment];
  if (g->from != PV_FROM_START && !x->equalities[g->from]) return true;
  for (uint32_t round = 0;; round++) {
    pv_term end = kept_at_end(x, g);
    if (pv_smt_is_true(x->smt, end)) return round == 0;
    enum pv_smt_answer a = PV_SMT_UNKNOWN;
    pv_solver_push(x->solvers[segment]);
    assume_before(x, segment);
    assume(x, segment, pv_smt_mk1(x->smt, PV_SMT_NOT, end));
    if (round < ROUNDS && !is_over(x)) a = pv_solver_check(x->solvers[segment], 0, NULL);
    struct pv_model *m = a == PV_SMT_SAT ? pv_solver_model(x->solvers[segment]) : NULL;
    if (a != PV_SMT_UNSAT) drop(x, g, m);
    pv_model_free(m);
    pv_solver_pop(x->solvers[segment], 1);
    if (a == PV_SMT_UNSAT) return round == 0;
  }
}

static void find_conjunction(struct auxiliary *x) {
  bool all;
  do {
    all = true;
    for (uint32_t i = 0; i < x->s->segments.n; i++) all &= keeps(x, i);
  } while (!all);
}

/* ---- combination ----------------------------------------------------------------------------- */

static pv_term invariant_of(const struct auxiliary *x, uint32_t point) {
  pv_terms parts = {0};
  if (!x->equalities[point]) return pv_smt_bool(x->smt, false);
  pv_vec_push(&parts, x->equalities[point]);
  for (uint32_t i = 0; i < x->candidates.n; i++)
    if (x->candidates.at[i].point == point && !x->candidates.at[i].dead)
      pv_vec_push(&parts, x->candidates.at[i].formula);
  pv_term all = pv_smt_mk(x->smt, PV_SMT_AND, parts.n, parts.at);
  pv_vec_free(&parts);
  return all;
}

void pv_auxiliary(struct pv_analysis_context *g, const struct pv_segments *s,
                  const pv_candidates *candidates, double seconds, pv_term *invariants) {
  const uint32_t n = s->points.n;
  struct auxiliary x = {.context = g,
                        .smt = g->smt,
                        .s = s,
                        .solvers = pv_alloc((s->segments.n + 1) * sizeof *x.solvers),
                        .cells = pv_alloc((n + 1) * sizeof *x.cells),
                        .spaces = pv_alloc((n + 1) * sizeof *x.spaces),
                        .equalities = pv_alloc((n + 1) * sizeof *x.equalities),
                        .limits = *g->task->limits};
  x.limits.seconds = seconds;
  pv_limits_start(&x.limits);
  struct pv_limits *whole = pv_smt_within(x.smt, &x.limits);
  make_solvers(&x);
  choose_cells(&x);
  choose_numbers(&x);
  for (uint32_t p = 0; p < n; p++) {
    uint32_t cells[CELLS];
    x.spaces[p].n = related(&x, p, cells);
  }
  find_equalities(&x);
  for (uint32_t i = 0; i < candidates->n; i++) {
    uint32_t p = candidates->at[i].point;
    pv_term formula = candidates->at[i].formula;
    if (!pv_symbolic_speaks_of_dead(g->symbolic, formula, s->points.at[p])) propose(&x, p, formula);
  }
  for (uint32_t p = 0; p < n; p++) propose_templates(&x, p);
  find_conjunction(&x);
  for (uint32_t p = 0; p < n; p++) invariants[p] = invariant_of(&x, p);
  pv_smt_within(x.smt, whole);
  for (uint32_t i = 0; i < s->segments.n; i++) pv_solver_free(x.solvers[i]);
  for (uint32_t p = 0; p < n; p++) pv_vec_free(&x.cells[p]);
  free(x.solvers);
  free(x.cells);
  free(x.spaces);
  free(x.equalities);
  pv_vec_free(&x.numbers);
  pv_vec_free(&x.candidates);
}
