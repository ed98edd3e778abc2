/* abstract.c -- predicate abstraction by all-SAT: one literal represents each predicate; every
 * model gives a cube, which is then excluded. Afterwards cubes that differ in only one literal are
 * merged, which does not change their union. */
#include "smt/abstract.h"

#include "smt/smt_internal.h"

struct abstraction {
  struct pv_smt *s;
  struct pv_solver *solver;
  uint32_t n;
  pv_term *literal;
  PV_VEC(int8_t) cubes; /* n entries each */
  uint32_t n_cubes;
  bool unknown;
};

/* Prepares the solver. The constants for predicates are the same every time, so that the solver
 * need not learn new ones. */
static void begin(struct abstraction *a, pv_term formula, const pv_term *predicates) {
  a->literal = pv_alloc((a->n + 1) * sizeof *a->literal);
  pv_solver_push(a->solver);
  pv_solver_assert(a->solver, formula);
  for (uint32_t i = 0; i < a->n; i++) {
    char name[32];
    snprintf(name, sizeof name, "predicate!%u", i);
    a->literal[i] = pv_smt_const(a->s, name, (struct pv_sort){.kind = PV_SORT_BOOL});
    pv_solver_assert(a->solver, pv_smt_mk2(a->s, PV_SMT_EQ, a->literal[i], predicates[i]));
  }
}

static pv_term negated(struct abstraction *a, uint32_t i) {
  return pv_smt_mk1(a->s, PV_SMT_NOT, a->literal[i]);
}

static void read_model(struct abstraction *a, int8_t *cube) {
  struct pv_model *m = pv_solver_model(a->solver);
  for (uint32_t i = 0; i < a->n; i++) cube[i] = pv_model_holds(m, a->literal[i]) ? 1 : -1;
  pv_model_free(m);
}

static int8_t *add_cube(struct abstraction *a) {
  pv_vec_reserve(&a->cubes, (a->n_cubes + 1) * a->n + 1);
  return a->cubes.at + (size_t)a->n_cubes++ * a->n;
}

static void exclude(struct abstraction *a, const int8_t *cube) {
  pv_terms clause = {0};
  for (uint32_t i = 0; i < a->n; i++)
    if (cube[i]) pv_vec_push(&clause, cube[i] > 0 ? negated(a, i) : a->literal[i]);
  pv_solver_assert(a->solver, pv_smt_mk(a->s, PV_SMT_OR, clause.n, clause.at));
  pv_vec_free(&clause);
}

/* Finds one cube that contains all remaining models, given one of them: it has a literal for each
 * predicate that has only one value. Models of one query answer further ones. */
static void cover_rest(struct abstraction *a, const int8_t *model) {
  int8_t *cube = add_cube(a), *other = pv_alloc(a->n + 1);
  memcpy(cube, model, a->n);
  for (uint32_t i = 0; i < a->n; i++) {
    if (!cube[i]) continue;
    pv_term opposite = cube[i] > 0 ? negated(a, i) : a->literal[i];
    enum pv_smt_answer r = pv_solver_check(a->solver, 1, &opposite);
    if (r == PV_SMT_UNSAT) continue;
    if (r == PV_SMT_SAT) {
      read_model(a, other);
      for (uint32_t k = 0; k < a->n; k++)
        if (cube[k] != other[k]) cube[k] = 0;
    }
    if (r == PV_SMT_UNKNOWN) a->unknown = true;
    cube[i] = 0;
  }
  free(other);
}

/* Merges cubes that differ only in literal i; the first one stays. */
static void merge(struct abstraction *a, uint32_t i) {
  struct pv_map seen = {0};
  uint32_t kept = 0;
  for (uint32_t c = 0; c < a->n_cubes; c++) {
    int8_t *cube = a->cubes.at + (size_t)c * a->n, value = cube[i];
    bool is_new;
    cube[i] = 0;
    uint32_t first = *pv_map_put(&seen, cube, a->n, kept, &is_new);
    cube[i] = value;
    int8_t *twin = a->cubes.at + (size_t)first * a->n;
    if (!is_new && twin[i] == -value && value)
      twin[i] = 0;
    else if (is_new || (twin[i] && twin[i] != value))
      memmove(a->cubes.at + (size_t)kept++ * a->n, cube, a->n);
  }
  a->n_cubes = kept;
  pv_map_free(&seen);
}

enum pv_smt_answer pv_smt_abstract(struct pv_smt *s, pv_term formula, uint32_t n,
                                   const pv_term *predicates,
                                   const struct pv_abstraction_options *options, pv_cube cube,
                                   void *user, bool *exact) {
  struct abstraction a = {.s = s, .n = n};
  uint8_t has = pv_smt_has(s, formula);
  for (uint32_t i = 0; i < n; i++) has |= pv_smt_has(s, predicates[i]);
  a.solver = pv_smt_scratch(s, has);
  begin(&a, formula, predicates);
  bool strongest = true;
  enum pv_smt_answer r;
  while ((r = pv_solver_check(a.solver, 0, NULL)) == PV_SMT_SAT) {
    int8_t *model = pv_alloc(n + 1);
    read_model(&a, model);
    bool rest = a.n_cubes >= options->cubes && n;
    if (rest) {
      cover_rest(&a, model);
      uint32_t open = 0;
      const int8_t *last = a.cubes.at + (size_t)(a.n_cubes - 1) * n;
      for (uint32_t i = 0; i < n; i++) open += !last[i];
      strongest = open <= 1 && !a.unknown;
    } else {
      memcpy(add_cube(&a), model, n);
      exclude(&a, model);
    }
    free(model);
    if (rest || !n) break;
  }
  if (r == PV_SMT_UNKNOWN) { /* further models may exist */
    a.unknown = true;
    memset(add_cube(&a), 0, n);
  }
  pv_solver_pop(a.solver, 1);
  for (uint32_t i = 0; i < n; i++) merge(&a, i);
  for (uint32_t c = 0; c < a.n_cubes; c++) cube(user, a.cubes.at + (size_t)c * n);
  bool any = a.n_cubes > 0;
  if (exact) *exact = strongest && !a.unknown;
  pv_vec_free(&a.cubes);
  free(a.literal);
  return a.unknown ? PV_SMT_UNKNOWN : any ? PV_SMT_SAT : PV_SMT_UNSAT;
}
