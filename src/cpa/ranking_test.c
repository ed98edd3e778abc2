/* ranking_test.c -- which loops have ranking functions, and which. tests/e2e/termination has pairs
 * of programs, fuzz/termination.py compares with exhaustive searches. */
#include "analysis/analysis_test.h"
#include "analysis/specialise.h"
#include "cpa/ranking.h"

static void prove(const char *text, bool ends, uint32_t loops, uint32_t lexicographic) {
  struct pv_options options;
  struct pv_limits limits = {0};
  struct pv_result result = {0};
  struct pv_ranking r;
  struct pv_program *p = pv_test_load(text);
  pv_specialise(p);
  pv_options_init(&options);
  pv_limits_start(&limits);
  struct pv_task task = {.program = p, .options = &options, .limits = &limits};
  pv_ranking_prove(&task, &result, &r);
  if (r.ends != ends) fail_msg("%s: %s", text, r.why ? r.why : "proved");
  assert_int_equal(r.loops, loops);
  assert_int_equal(r.lexicographic, lexicographic);
  pv_ranking_clear(&r);
  pv_result_clear(&result);
  pv_options_free(&options);
  pv_program_free(p);
}

#define INPUTS                                                                                     \
  "extern int __VERIFIER_nondet_int(void);\n"                                                      \
  "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\n"

static void linear(void **state) {
  (void)state;
  prove(INPUTS "while (x > 0) x--; return 0; }", true, 1, 0);
  prove(INPUTS "while (x > 0) x -= x & 1; return 0; }", false, 1, 0);
  prove(INPUTS "while (x < y) x++; return 0; }", true, 1, 0);
  prove(INPUTS "while (x <= y) x++; return 0; }", false, 1, 0); /* y may be the last number */
  prove(INPUTS "while (x < y) { if (y & 1) x++; else y--; } return 0; }", true, 1, 0);
}

static void lexicographic(void **state) {
  (void)state;
  prove(INPUTS "while (x > 0 && y > 0) if (__VERIFIER_nondet_int()) { x--; y = 9; } else y--;\n"
               "return 0; }",
        true, 1, 1);
  prove(INPUTS "while (x > 0 && y > 0) if (__VERIFIER_nondet_int()) { x--; y = 9; } else y &= 7;\n"
               "return 0; }",
        false, 1, 0);
}

static void nested(void **state) {
  (void)state;
  prove(INPUTS "while (x > 0) { while (y > 0) y--; y = x; x--; } return 0; }", true, 2, 0);
  prove(INPUTS "while (x > 0) { while (y > 0) { y--; x++; } y = x; x--; } return 0; }", false, 2,
        0);
}

static void unproved(void **state) {
  (void)state;
  prove("int f(int x) { return x > 0 ? f(x - 1) : 0; } int main(void) { return f(3); }", false, 0,
        0);
  prove("#include <pthread.h>\nvoid *f(void *a) { return a; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }",
        false, 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(linear), cmocka_unit_test(lexicographic),
                                     cmocka_unit_test(nested), cmocka_unit_test(unproved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
