#include "cpa/invariants.h"

#include "cpa/express.h"
#include "cpa/names.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_LEAVES = 300,      /* leaves of formulas that are simplified */
  MOST_QUESTIONS = 20000, /* solver queries for all invariants of a list */
  QUESTION_STEPS = 100000,
  ROOM = 600 /* approximate number of characters of one invariant */
};

/* ---- smaller -----------------------------------------------------------------------------------
 */

struct tidy {
  struct pv_smt *smt;
  struct pv_solver *solver; /* contains the context of the part being simplified */
  uint32_t *left;           /* number of queries left */
  bool stuck;               /* a query had no answer */
};

/* Is it AND or OR, possibly below a NOT, which is pushed inside? Sets `op` and the operands
 * accordingly. */
static bool is_junction(struct pv_smt *smt, pv_term t, enum pv_smt_op *op, pv_terms *out) {
  struct pv_smt_shape shape;
  bool negated = false;
  if (!pv_smt_shape(smt, t, &shape) || shape.kind != PV_SHAPE_OP) return false;
  if (shape.op == PV_SMT_NOT) {
    negated = true;
    t = pv_smt_operand(smt, t, 0);
    if (!pv_smt_shape(smt, t, &shape) || shape.kind != PV_SHAPE_OP) return false;
  }
  if (shape.op != PV_SMT_AND && shape.op != PV_SMT_OR) return false;
  *op = (shape.op == PV_SMT_AND) != negated ? PV_SMT_AND : PV_SMT_OR;
  for (uint32_t i = 0; i < shape.n; i++) {
    pv_term a = pv_smt_operand(smt, t, i);
    pv_vec_push(out, negated ? pv_smt_mk1(smt, PV_SMT_NOT, a) : a);
  }
  return true;
}

static uint32_t count_leaves(struct pv_smt *smt, pv_term t, uint32_t most) {
  pv_terms parts = {0};
  enum pv_smt_op op;
  uint32_t n = 0;
  if (!is_junction(smt, t, &op, &parts)) return 1;
  for (uint32_t i = 0; i < parts.n && n <= most; i++) n += count_leaves(smt, parts.at[i], most - n);
  pv_vec_free(&parts);
  return n;
}

static bool contradicts(struct tidy *t, pv_term formula) {
  if (!*t->left || t->stuck) return false;
  --*t->left;
  pv_solver_push(t->solver);
  pv_solver_assert(t->solver, formula);
  enum pv_smt_answer a = pv_solver_check(t->solver, 0, NULL);
  pv_solver_pop(t->solver, 1);
  t->stuck |= a == PV_SMT_UNKNOWN;
  return a == PV_SMT_UNSAT;
}

/* Replaces a <= b by a == b if the context implies b <= a; the other half is then redundant. */
static pv_term as_equation(struct tidy *t, pv_term formula) {
  struct pv_smt_shape shape;
  if (!pv_smt_shape(t->smt, formula, &shape) || shape.kind != PV_SHAPE_OP) return formula;
  if (shape.op != PV_SMT_LE && shape.op != PV_SMT_GE && shape.op != PV_SMT_BVULE &&
      shape.op != PV_SMT_BVSLE)
    return formula;
  pv_term a = pv_smt_operand(t->smt, formula, 0), b = pv_smt_operand(t->smt, formula, 1);
  pv_term equal = pv_smt_mk2(t->smt, PV_SMT_EQ, a, b);
  pv_term less = pv_smt_mk2(t->smt, PV_SMT_AND, formula, pv_smt_mk1(t->smt, PV_SMT_NOT, equal));
  return contradicts(t, less) ? equal : formula;
}

static pv_term smaller(struct tidy *t, pv_term formula);

/* Simplifies each part under the assumption that all others hold (AND) or do not hold (OR); in the
 * other cases its value is irrelevant. */
static pv_term smaller_junction(struct tidy *t, enum pv_smt_op op, pv_terms *parts) {
  bool changed = true;
  pv_term neutral = pv_smt_bool(t->smt, op == PV_SMT_AND);
  while (changed) {
    changed = false;
    for (uint32_t i = 0; i < parts->n; i++) {
      if (parts->at[i] == neutral) continue;
      pv_solver_push(t->solver);
      for (uint32_t k = 0; k < parts->n; k++)
        if (k != i)
          pv_solver_assert(t->solver, op == PV_SMT_AND
                                          ? parts->at[k]
                                          : pv_smt_mk1(t->smt, PV_SMT_NOT, parts->at[k]));
      pv_term new = smaller(t, parts->at[i]);
      pv_solver_pop(t->solver, 1);
      changed |= new != parts->at[i];
      parts->at[i] = new;
    }
  }
  return pv_smt_mk(t->smt, op, parts->n, parts->at);
}

static pv_term smaller(struct tidy *t, pv_term formula) {
  pv_terms parts = {0};
  enum pv_smt_op op;
  if (is_junction(t->smt, formula, &op, &parts)) {
    formula = smaller_junction(t, op, &parts);
    pv_vec_free(&parts);
    return formula;
  }
  if (contradicts(t, formula)) return pv_smt_bool(t->smt, false);
  if (contradicts(t, pv_smt_mk1(t->smt, PV_SMT_NOT, formula))) return pv_smt_bool(t->smt, true);
  return as_equation(t, formula);
}

/* Rewrites (a && b) || (a && c) to a && (b || c). */
static pv_term factored(struct pv_smt *smt, pv_term formula) {
  pv_terms parts = {0}, common = {0}, rest = {0};
  enum pv_smt_op op;
  if (!is_junction(smt, formula, &op, &parts) || op != PV_SMT_OR) {
    pv_vec_free(&parts);
    return formula;
  }
  for (uint32_t i = 0; i < parts.n; i++) {
    pv_terms own = {0};
    if (!is_junction(smt, parts.at[i], &op, &own) || op != PV_SMT_AND) {
      own.n = 0;
      pv_vec_push(&own, parts.at[i]);
    }
    uint32_t kept = 0;
    for (uint32_t k = 0; !i && k < own.n; k++) pv_vec_push(&common, own.at[k]);
    for (uint32_t k = 0; k < common.n; k++)
      for (uint32_t j = 0; j < own.n; j++)
        if (common.at[k] == own.at[j]) {
          common.at[kept++] = common.at[k];
          break;
        }
    common.n = kept;
    pv_vec_free(&own);
  }
  for (uint32_t i = 0; i < parts.n && common.n; i++) {
    pv_terms own = {0}, left = {0};
    if (!is_junction(smt, parts.at[i], &op, &own) || op != PV_SMT_AND) {
      own.n = 0;
      pv_vec_push(&own, parts.at[i]);
    }
    for (uint32_t k = 0; k < own.n; k++) {
      bool is_common = false;
      for (uint32_t j = 0; j < common.n; j++) is_common |= own.at[k] == common.at[j];
      if (!is_common) pv_vec_push(&left, own.at[k]);
    }
    pv_vec_push(&rest, pv_smt_mk(smt, PV_SMT_AND, left.n, left.at));
    pv_vec_free(&own);
    pv_vec_free(&left);
  }
  if (common.n) {
    pv_vec_push(&common, pv_smt_mk(smt, PV_SMT_OR, rest.n, rest.at));
    formula = pv_smt_mk(smt, PV_SMT_AND, common.n, common.at);
  }
  pv_vec_free(&parts);
  pv_vec_free(&common);
  pv_vec_free(&rest);
  return formula;
}

static pv_term smaller_if_small(struct tidy *t, pv_term formula) {
  if (count_leaves(t->smt, formula, MOST_LEAVES) > MOST_LEAVES) return formula;
  return pv_smt_simplify(t->smt, smaller(t, formula));
}

/* `known`: a formula that is true in every state. */
static pv_term tidy_in(struct pv_smt *smt, pv_term known, pv_term formula, uint32_t *questions) {
  struct tidy t = {smt, pv_solver_new(smt), questions, false};
  pv_terms parts = {0};
  enum pv_smt_op op;
  formula = pv_smt_simplify(smt, formula);
  pv_solver_assert(t.solver, known);
  /* If the formula is too large, its parts are simplified one by one. */
  if (is_junction(smt, formula, &op, &parts) &&
      count_leaves(smt, formula, MOST_LEAVES) > MOST_LEAVES) {
    for (uint32_t i = 0; i < parts.n; i++) parts.at[i] = smaller_if_small(&t, parts.at[i]);
    formula = pv_smt_simplify(smt, pv_smt_mk(smt, op, parts.n, parts.at));
  }
  formula = factored(smt, smaller_if_small(&t, formula));
  pv_solver_free(t.solver);
  pv_vec_free(&parts);
  return formula;
}

static pv_term carry(struct pv_smt *from, pv_term t, const pv_terms *constants, struct pv_smt *to,
                     const pv_terms *there) {
  struct pv_str text = {0};
  pv_term carried = pv_smt_write(from, t, constants->n, constants->at, &text)
                        ? pv_smt_read(to, pv_str_cstr(&text), there->n, there->at)
                        : NULL;
  pv_str_free(&text);
  return carried;
}

/* Uses a context of its own, with a shorter time for each query. */
pv_term pv_invariants_tidy(struct pv_analysis_context *g, pv_term formula, uint32_t *questions) {
  struct pv_smt *small =
      pv_smt_new((struct pv_smt_limits){.steps = QUESTION_STEPS, .ms = 1000}, g->task->limits);
  pv_terms here = {0}, there = {0};
  pv_smt_constants(g->smt, formula, &here);
  for (uint32_t i = 0; i < here.n; i++) {
    struct pv_sort sort = pv_smt_sort(g->smt, here.at[i]);
    pv_vec_push(&there, pv_smt_fresh(small, "c", sort));
  }
  pv_term known = carry(g->smt, pv_symbolic_ranges(g->symbolic, formula), &here, small, &there);
  pv_term there_formula = carry(g->smt, formula, &here, small, &there);
  if (known && there_formula) {
    pv_term less = tidy_in(small, known, there_formula, questions);
    less = carry(small, less, &there, g->smt, &here);
    if (less) formula = less;
  }
  pv_smt_free(small);
  pv_vec_free(&here);
  pv_vec_free(&there);
  return formula;
}

/* ---- the list ----------------------------------------------------------------------------------
 */

struct item {
  struct pv_invariant shown;
  uint32_t file;
};
typedef PV_VEC(struct item) items;

static struct item make(struct pv_analysis_context *g, const struct pv_cut *cut,
                        uint32_t *questions) {
  const struct pv_program *p = g->task->program;
  uint32_t span = pv_control_span(g->control, cut->at);
  const struct pv_frame *frame = pv_control_frame(g->control, cut->at.frame);
  struct pv_str text = {0}, calls = {0};
  pv_cells unnamed = {0};
  struct item i = {.file = pv_span_of(p, span)->file};
  i.shown.file = pv_strdup(pv_span_file(p, span));
  i.shown.line = pv_span_of(p, span)->line;
  i.shown.function = pv_strdup(p->functions.at[frame->function].name);
  pv_control_print(g->control, cut->at.frame, &calls);
  i.shown.calls = calls.at;
  pv_term formula = pv_invariants_tidy(g, cut->invariant, questions);
  i.shown.larger = pv_express(g, frame->function, formula, ROOM, &text, &unnamed);
  for (uint32_t k = 0; k < unnamed.n; k++) {
    pv_str_add(&text, k ? "; " : " /* ");
    pv_name_cell(g, frame->function, unnamed.at[k], &text);
    pv_str_add(&text, ": ");
    pv_name_is_source(g, unnamed.at[k], &text);
  }
  if (unnamed.n) pv_str_add(&text, " */");
  pv_vec_free(&unnamed);
  i.shown.formula = text.at;
  return i;
}

static bool same_place(const struct item *a, const struct item *b) {
  return a->file == b->file && a->shown.line == b->shown.line &&
         !strcmp(a->shown.function, b->shown.function);
}

static int compare(const struct item *a, const struct item *b) {
  if (a->file != b->file) return a->file < b->file ? -1 : 1;
  if (a->shown.line != b->shown.line) return a->shown.line < b->shown.line ? -1 : 1;
  return strcmp(a->shown.function, b->shown.function);
}

static void clear(struct pv_invariant *i) {
  free(i->file);
  free(i->function);
  free(i->calls);
  free(i->formula);
}

/* Facts that are the same for all calling contexts of a place are listed once. */
static void put_place(struct item *first, uint32_t n, struct pv_proof_result *out) {
  bool same = true;
  for (uint32_t i = 1; i < n; i++) same &= !strcmp(first[i].shown.formula, first->shown.formula);
  for (uint32_t i = 0; i < n; i++) {
    if (same && i) {
      clear(&first[i].shown);
      continue;
    }
    if (same) {
      free(first->shown.calls);
      first->shown.calls = NULL;
    }
    pv_vec_push(&out->invariants, first[i].shown);
  }
}

void pv_invariants_list(struct pv_analysis_context *g, const struct pv_cuts *cuts,
                        struct pv_proof_result *out) {
  items list = {0};
  uint32_t questions = MOST_QUESTIONS;
  for (uint32_t i = 0; i < cuts->at.n; i++) {
    if (!pv_control_is_head(g->control, cuts->at.at[i].at)) continue;
    struct item new = make(g, &cuts->at.at[i], &questions);
    pv_vec_push(&list, new);
    uint32_t k = list.n - 1;
    for (; k && compare(&new, &list.at[k - 1]) < 0; k--) list.at[k] = list.at[k - 1];
    list.at[k] = new;
  }
  for (uint32_t i = 0, n; i < list.n; i += n) {
    for (n = 1; i + n < list.n && same_place(&list.at[i], &list.at[i + n]);) n++;
    put_place(&list.at[i], n, out);
  }
  pv_vec_free(&list);
}
