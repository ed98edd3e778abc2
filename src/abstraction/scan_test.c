/* scan_test.c -- predicates in the source text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "abstraction/abstraction.h"

static void finds(const char *text, uint32_t n, const char *name, const char *expression) {
  pv_named_predicates all = {0};
  pv_predicates_scan(text, &all);
  assert_int_equal(all.n, n);
  if (n) {
    assert_string_equal(all.at[n - 1].name, name);
    assert_string_equal(all.at[n - 1].text, expression);
  }
  pv_named_predicates_free(&all);
}

static void declared(void **state) {
  (void)state;
  finds("int x;\nPROVISO_PREDICATE(\"pos\", x > 0)\nint y;", 1, "pos", "x > 0");
  finds("PROVISO_PREDICATE ( \"a\" , f(x, ')') == (y) );", 1, "a", "f(x, ')') == (y) ");
  finds("PROVISO_PREDICATE(\"a\", x) PROVISO_PREDICATE(\"b\", y)", 2, "b", "y");
}

static void not_declared(void **state) {
  (void)state;
  finds("#define PROVISO_PREDICATE(N, E) \\\n  PROVISO_PREDICATE(\"a\", x)\n", 0, "", "");
  finds("/* PROVISO_PREDICATE(\"a\", x) */ // PROVISO_PREDICATE(\"a\", x)\n", 0, "", "");
  finds("char *s = \"PROVISO_PREDICATE(\\\"a\\\", x)\";", 0, "", "");
  finds("MY_PROVISO_PREDICATE(\"a\", x)", 0, "", "");
  finds("PROVISO_PREDICATE(\"a\", (x", 0, "", "");
  finds("PROVISO_PREDICATE(x)", 0, "", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(declared), cmocka_unit_test(not_declared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
