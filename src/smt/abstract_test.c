/* Against brute force: which of the 2^n combinations of predicates are satisfiable? */
#include "smt/abstract.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { VARIABLES = 4, MOST = 6 };

static uint64_t seed = 88172645463325252u;
static int below(int n) { /* xorshift64 */
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (int)((seed >> 11) % (unsigned)n);
}

struct world {
  struct pv_smt *s;
  bool bits;
  pv_term v[VARIABLES];
};

static void begin(struct world *w, bool bits) {
  *w = (struct world){.s = pv_smt_new((struct pv_smt_limits){.ms = 60000}, NULL), .bits = bits};
  struct pv_sort sort = {.kind = bits ? PV_SORT_BV : PV_SORT_INT, .bits = bits ? 8 : 0};
  for (int i = 0; i < VARIABLES; i++) w->v[i] = pv_smt_fresh(w->s, "v", sort);
}

static pv_term number(struct world *w, int64_t n) {
  return w->bits
             ? pv_smt_number(w->s, (struct pv_sort){.kind = PV_SORT_BV, .bits = 8}, (uint64_t)n, 0)
             : pv_smt_int(w->s, n);
}

static pv_term random_atom(struct world *w) {
  pv_term x = w->v[below(VARIABLES)], y = w->v[below(VARIABLES)], k = number(w, below(20) - 10);
  enum pv_smt_op add = w->bits ? PV_SMT_BVADD : PV_SMT_ADD, le = w->bits ? PV_SMT_BVSLE : PV_SMT_LE;
  pv_term sum = below(2) ? y : pv_smt_mk2(w->s, add, y, k);
  switch (below(4)) {
  case 0: return pv_smt_mk2(w->s, PV_SMT_EQ, x, sum);
  case 1: return pv_smt_mk2(w->s, le, x, k);
  default: return pv_smt_mk2(w->s, le, x, sum);
  }
}

static pv_term random_formula(struct world *w, int depth) {
  if (depth == 0) return random_atom(w);
  pv_term a = random_formula(w, depth - 1), b = random_formula(w, depth - 1);
  switch (below(4)) {
  case 0: return pv_smt_mk1(w->s, PV_SMT_NOT, a);
  case 1: return pv_smt_mk2(w->s, PV_SMT_OR, a, b);
  default: return pv_smt_mk2(w->s, PV_SMT_AND, a, b);
  }
}

static bool possible(struct world *w, pv_term formula, uint32_t n, const pv_term *predicates,
                     unsigned assignment) {
  pv_term parts[MOST + 1] = {formula};
  for (uint32_t i = 0; i < n; i++)
    parts[i + 1] =
        assignment >> i & 1 ? predicates[i] : pv_smt_mk1(w->s, PV_SMT_NOT, predicates[i]);
  enum pv_smt_answer r = pv_smt_check(w->s, n + 1, parts);
  assert_int_not_equal(r, PV_SMT_UNKNOWN);
  return r == PV_SMT_SAT;
}

struct found {
  uint32_t n, cubes;
  bool covered[1 << MOST];
};

static void take(void *user, const int8_t *literals) {
  struct found *f = user;
  f->cubes++;
  for (unsigned a = 0; a < 1u << f->n; a++) {
    bool in = true;
    for (uint32_t i = 0; i < f->n; i++)
      if (literals[i] && (literals[i] > 0) != (a >> i & 1)) in = false;
    f->covered[a] |= in;
  }
}

static void as_by_brute_force(bool bits, unsigned rounds) {
  struct world w;
  begin(&w, bits);
  unsigned approximate = 0, merged = 0;
  for (unsigned round = 0; round < rounds; round++) {
    pv_term predicates[MOST], formula = random_formula(&w, below(4));
    struct found f = {.n = (uint32_t)below(MOST + 1)};
    for (uint32_t i = 0; i < f.n; i++) predicates[i] = random_formula(&w, below(5) == 0);
    static const uint32_t cube_limits[] = {1000, 1000, 3, 0};
    struct pv_abstraction_options options = {.cubes = cube_limits[round % 4]};
    bool exact, any = false, same = true;
    enum pv_smt_answer r =
        pv_smt_abstract(w.s, formula, f.n, predicates, &options, take, &f, &exact);
    uint32_t models = 0;
    int8_t value[MOST] = {0};
    for (unsigned a = 0; a < 1u << f.n; a++) {
      bool is = possible(&w, formula, f.n, predicates, a);
      any |= is;
      models += is;
      assert_true(f.covered[a] || !is);
      same &= f.covered[a] == is;
      for (uint32_t i = 0; is && i < f.n; i++) value[i] |= a >> i & 1 ? 1 : 2;
    }
    assert_int_equal(r, any ? PV_SMT_SAT : PV_SMT_UNSAT);
    if (exact) assert_true(same);
    if (options.cubes == 1000) assert_true(exact);
    approximate += !exact;
    merged += f.cubes < models;
    if (options.cubes == 0) { /* exactly the literals that follow */
      assert_true(f.cubes <= 1);
      for (unsigned a = 0; any && a < 1u << f.n; a++) {
        bool in = true;
        for (uint32_t i = 0; i < f.n; i++) in &= value[i] >> (a >> i & 1 ? 0 : 1) & 1;
        assert_int_equal(f.covered[a], in);
      }
    }
  }
  assert_true(approximate > rounds / 20);
  assert_true(merged > rounds / 20);
  pv_smt_free(w.s);
}

static void linear(void **state) {
  (void)state;
  as_by_brute_force(false, 400);
}
static void bit_vectors(void **state) {
  (void)state;
  as_by_brute_force(true, 60);
}

/* If a query has no answer, the abstraction still covers everything that is possible. */
static void unanswered_questions(void **state) {
  (void)state;
  for (unsigned fail = 1; fail < 12; fail++) {
    struct world w, fresh;
    uint64_t before = seed;
    begin(&w, false);
    pv_term predicates[4], formula = random_formula(&w, 2);
    for (int i = 0; i < 4; i++) predicates[i] = random_atom(&w);
    seed = before;
    begin(&fresh, false); /* the same in a context that does not fail */
    pv_term same[4], same_formula = random_formula(&fresh, 2);
    for (int i = 0; i < 4; i++) same[i] = random_atom(&fresh);
    struct found f = {.n = 4};
    struct pv_abstraction_options options = {.cubes = fail % 3 ? 100 : 1};
    bool exact;
    pv_smt_fail_at(w.s, fail);
    enum pv_smt_answer r = pv_smt_abstract(w.s, formula, 4, predicates, &options, take, &f, &exact);
    if (pv_smt_reason(w.s) == PV_SMT_FAILURE) {
      assert_int_equal(r, PV_SMT_UNKNOWN);
      assert_false(exact);
    }
    for (unsigned a = 0; a < 16; a++)
      if (possible(&fresh, same_formula, 4, same, a)) assert_true(f.covered[a]);
    pv_smt_free(w.s);
    pv_smt_free(fresh.s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear),
      cmocka_unit_test(bit_vectors),
      cmocka_unit_test(unanswered_questions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
