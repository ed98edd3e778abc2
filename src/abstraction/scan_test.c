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

static void declared_in(const char *text, const char *function) {
  pv_named_predicates all = {0};
  pv_predicates_scan(text, &all);
  assert_int_equal(all.n, 1);
  if (function)
    assert_string_equal(all.at[0].function, function);
  else
    assert_null(all.at[0].function);
  pv_named_predicates_free(&all);
}

static void functions(void **state) {
  (void)state;
  declared_in("int f(int a) {\n  PROVISO_PREDICATE(\"p\", a)\n}", "f");
  declared_in("int g(void) { return '}'; }\nPROVISO_PREDICATE(\"p\", x)\nint f(void) {}", NULL);
  declared_in("struct s { int i; };\nstatic struct s *f(void (*g)(int), int a) { if (a) {\n"
              "PROVISO_PREDICATE(\"p\", a) } }",
              "f");
  declared_in("__attribute__((noinline)) int f(int a) __attribute__((cold)) { for (;;) { } "
              "PROVISO_PREDICATE(\"p\", a); }",
              "f");
  declared_in("int a[] = {1, 2}; int x = (3);\n#define F(X) {\nint f (int a)\n{\n"
              "PROVISO_PREDICATE(\"p\", a)\n}",
              "f");
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(declared), cmocka_unit_test(functions),
                                     cmocka_unit_test(not_declared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
