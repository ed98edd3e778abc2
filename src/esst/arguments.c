#include "esst/arguments.h"

#include "cpa/scheduler.h"
#include "esst/reduction.h"

/* The values of all asked arguments, if the terms are numbers. */
static bool take(struct pv_smt *smt, const pv_term *terms, uint32_t asked,
                 struct pv_call_values *out) {
  for (uint32_t i = 0; i < PV_CALL_ARGUMENTS; i++) {
    struct pv_smt_shape shape;
    if (!(asked >> i & 1)) continue;
    if (!pv_smt_shape(smt, terms[i], &shape) || shape.kind != PV_SHAPE_NUMBER) return false;
    out->lo[i] = shape.lo;
    out->hi[i] = shape.hi;
  }
  return true;
}

/* Takes the values from a model and returns the condition that the arguments have others; NULL: the
 * model has no values. */
static pv_term take_from_model(struct pv_smt *smt, struct pv_model *model, const pv_term *terms,
                               uint32_t asked, struct pv_call_values *out) {
  pv_term same = pv_smt_bool(smt, true);
  for (uint32_t i = 0; i < PV_CALL_ARGUMENTS; i++) {
    if (!(asked >> i & 1)) continue;
    if (!pv_model_value(model, terms[i], &out->lo[i], &out->hi[i])) return NULL;
    pv_term value = pv_smt_number(smt, pv_smt_sort(smt, terms[i]), out->lo[i], out->hi[i]);
    same = pv_smt_mk2(smt, PV_SMT_AND, same, pv_smt_mk2(smt, PV_SMT_EQ, terms[i], value));
  }
  return pv_smt_mk1(smt, PV_SMT_NOT, same);
}

/* Enumerates models of the abstract state. */
static bool enumerate(struct pv_esst_arguments *a, const struct pv_pred *state,
                      const pv_term *terms, uint32_t asked, uint32_t room,
                      struct pv_call_values *out, uint32_t *n) {
  struct pv_smt *smt = a->context->smt;
  struct pv_symbolic *symbolic = a->context->symbolic;
  struct pv_call_values first = out[0];
  pv_term all = pv_symbolic_condition(symbolic, state->sym);
  for (uint32_t i = 0; i < PV_CALL_ARGUMENTS; i++)
    if (asked >> i & 1)
      all = pv_smt_mk2(smt, PV_SMT_AND, all, pv_symbolic_ranges(symbolic, terms[i]));
  struct pv_solver *solver = pv_solver_new(smt);
  pv_solver_assert(solver, pv_predicates_formula(a->predicates, state, all));
  enum pv_smt_answer answer;
  while ((answer = pv_solver_check(solver, 0, NULL)) == PV_SMT_SAT && *n < room) {
    struct pv_model *model = pv_solver_model(solver);
    out[*n] = first;
    pv_term others = take_from_model(smt, model, terms, asked, &out[*n]);
    pv_model_free(model);
    if (!others) break;
    ++*n;
    a->enumerated++;
    pv_solver_assert(solver, others);
  }
  pv_solver_free(solver);
  /* What is left is a cut in any case. It is better found at once, since it is refined. */
  if (answer != PV_SMT_UNSAT) *n = 0;
  return answer == PV_SMT_UNSAT;
}

static bool values(void *self, const void *state, const struct pv_move *call, uint32_t asked,
                   uint32_t room, struct pv_call_values *out, uint32_t *n) {
  struct pv_esst_arguments *a = self;
  const struct pv_composite *all = state;
  const struct pv_pred *pred = all->part[a->part];
  pv_term terms[PV_CALL_ARGUMENTS] = {0};
  for (uint32_t i = 0; i < PV_CALL_ARGUMENTS; i++)
    if (asked >> i & 1) terms[i] = pv_symbolic_argument(a->context->symbolic, pred->sym, call, i);
  *n = 0;
  if (take(a->context->smt, terms, asked, out)) {
    *n = 1;
    return true;
  }
  return room && enumerate(a, pred, terms, asked, room, out, n);
}

static void choose(void *self, const void *state, uint32_t first, pv_moves *moves) {
  struct pv_esst_arguments *a = self;
  pv_reduction_choose(a->reduction, state, first, moves);
}

struct pv_argument_source pv_esst_argument_source(struct pv_esst_arguments *a) {
  return (struct pv_argument_source){a, values, a->reduction ? choose : NULL};
}
