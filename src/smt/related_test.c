/* related_test.c -- conjuncts that matter for some terms. */
#include "smt/related.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct pv_smt *s;
static struct pv_related *r;

static int set_up(void **state) {
  (void)state;
  s = pv_smt_new((struct pv_smt_limits){0}, NULL);
  r = pv_related_new(s);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  pv_related_free(r);
  pv_smt_free(s);
  return 0;
}

static pv_term number(const char *name) {
  return pv_smt_const(s, name, (struct pv_sort){.kind = PV_SORT_INT});
}
static pv_term below(pv_term a, pv_term b) {
  return pv_smt_mk2(s, PV_SMT_LT, a, b);
}
static pv_term both(pv_term a, pv_term b) {
  return pv_smt_mk2(s, PV_SMT_AND, a, b);
}

static void unrelated_conjuncts_are_left_out(void **state) {
  (void)state;
  pv_term a = number("a"), b = number("b"), c = number("c"), d = number("d"), e = number("e");
  pv_term chain = both(below(a, b), below(b, c)), other = below(d, e);
  pv_term formula = both(other, chain);
  assert_int_equal(pv_related_reduce(r, &formula, 1, &c), PV_SMT_SAT);
  pv_terms left = {0};
  pv_smt_constants(s, formula, &left);
  assert_int_equal(left.n, 3);
  for (uint32_t i = 0; i < left.n; i++) assert_true(left.at[i] != d && left.at[i] != e);
  pv_vec_free(&left);
}

static void what_is_left_out_must_be_satisfiable(void **state) {
  (void)state;
  pv_term a = number("a"), d = number("d"), e = number("e");
  pv_term never = both(below(d, e), below(e, d)), formula = both(below(a, d), both(never, never));
  pv_term alone = both(never, below(a, number("b")));
  assert_int_equal(pv_related_reduce(r, &alone, 1, &a), PV_SMT_UNSAT);
  assert_int_equal(pv_related_reduce(r, &formula, 1, &a), PV_SMT_SAT); /* all of it is related */
  assert_int_equal(pv_smt_check(s, 1, &formula), PV_SMT_UNSAT);
}

static void conjuncts_without_constants_stay(void **state) {
  (void)state;
  pv_term formula = pv_smt_bool(s, false), a = number("a");
  assert_int_equal(pv_related_reduce(r, &formula, 1, &a), PV_SMT_SAT);
  assert_true(pv_smt_is_false(s, formula));
  formula = pv_smt_bool(s, true);
  assert_int_equal(pv_related_reduce(r, &formula, 0, NULL), PV_SMT_SAT);
  assert_true(pv_smt_is_true(s, formula));
}

#define TEST(F) cmocka_unit_test_setup_teardown(F, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(unrelated_conjuncts_are_left_out),
      TEST(what_is_left_out_must_be_satisfiable),
      TEST(conjuncts_without_constants_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
