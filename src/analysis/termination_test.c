/* termination_test.c -- loops that certainly end, and calls that may not return. */
#include "analysis/analysis_test.h"
#include "analysis/termination.h"

struct analysed {
  struct pv_program *p;
  struct pv_points_to *pt;
  struct pv_call_graph *calls;
  struct pv_termination *t;
};

static struct analysed analyse(const char *text) {
  struct analysed x = {.p = pv_test_load(text)};
  x.pt = pv_points_to_new(x.p, NULL);
  x.calls = pv_call_graph_new(x.p, x.pt);
  x.t = pv_termination_new(x.p, x.calls, false);
  return x;
}

static void drop(struct analysed *x) {
  pv_termination_free(x->t);
  pv_call_graph_free(x->calls);
  pv_points_to_free(x->pt);
  pv_program_free(x->p);
}

/* How many loops of f may not end. */
static void expect_endless(const char *text, unsigned expected) {
  struct analysed x = analyse(text);
  uint32_t f = pv_test_function(x.p, "f");
  unsigned n = 0;
  for (pv_loc l = 0; l < x.p->functions.at[f].locs.n; l++) n += pv_may_go_round(x.t, f, l);
  if (n != expected) fail_msg("%u endless loops, not %u, in\n%s", n, expected, text);
  drop(&x);
}

#define IN_F(BODY)                                                                                 \
  "int g; void f(int n, unsigned u) {" BODY "}\nint main(void) { f(1, 2); return g; }"

static void loops_that_count(void **state) {
  (void)state;
  expect_endless(IN_F("for (int i = 0; i < 10; i++) g++;"), 0);
  expect_endless(IN_F("for (int i = 0; i < n; i++) g++;"), 0);
  expect_endless(IN_F("for (int i = n; i > 0; i--) g++;"), 0);
  expect_endless(IN_F("for (int i = n; i >= 0; i -= 3) g++;"), 0);
  expect_endless(IN_F("for (unsigned i = 0; i < u; i++) g++;"), 0);
  expect_endless(IN_F("for (unsigned i = 0; i != u; i++) g++;"), 0);
  expect_endless(IN_F("int i = 0; do g++; while (++i <= 100);"), 0);
  expect_endless(IN_F("for (int i = 0; i < 10; i++) for (int k = 0; k < i; k++) g++;"), 0);
  expect_endless(IN_F("for (int i = 0; i < 10; i++) { if (g) continue; if (n) break; g--; }"), 0);
  expect_endless(IN_F("for (int i = 0; n && i < 10; i++) g++;"), 0);
  expect_endless(IN_F("for (int i = 0; i < 2147483000; i += 600) g++;"), 0);
}

/* What is tested is a copy of the variable that counts. */
static void loops_that_count_beside_the_test(void **state) {
  (void)state;
  expect_endless(IN_F("while (n-- > 0) g++;"), 0);
  expect_endless(IN_F("while (u--) g++;"), 0);
  expect_endless(IN_F("while (--n) g++;"), 0);
  expect_endless(IN_F("int i = 0; while (i++ < n) g++;"), 0);
  expect_endless(IN_F("int i = 0; while (i++ <= n) g++;"), 1);
  expect_endless(IN_F("while (n-- > 0) if (g) n++;"), 1);
  expect_endless(IN_F("int k; do { k = n; n--; } while (k > 0);"), 0);
  expect_endless(IN_F("int k = n; do { n--; if (g) k = n; } while (k > 0);"), 1);
}

static void loops_that_may_not_end(void **state) {
  (void)state;
  expect_endless(IN_F("while (g) g--;"), 1);
  expect_endless(IN_F("for (;;) g++;"), 1);
  expect_endless(IN_F("for (int i = 0; i <= n; i++) g++;"), 1);        /* n is the last number */
  expect_endless(IN_F("for (unsigned i = 0; i < u; i += 2) g++;"), 1); /* wraps past u */
  expect_endless(IN_F("for (unsigned i = u; i >= 0; i--) g++;"), 1);
  expect_endless(IN_F("for (int i = 0; i < 2147483000; i += 700) g++;"), 1);
  expect_endless(IN_F("for (int i = 0; i < 10; i--) g++;"), 1);
  expect_endless(IN_F("for (int i = 0; i != n; i += 2) g++;"), 1);
  expect_endless(IN_F("for (int i = 0; i < n; i++) n++;"), 1);
  expect_endless(IN_F("for (int i = 0; i < 10; i++) { if (g) i--; }"), 1);
  expect_endless(IN_F("for (int i = 0; i < 10; i += g) g++;"), 1);
  expect_endless(IN_F("for (int i = 0; i < 10;) { if (g) i++; }"), 1);
  expect_endless(IN_F("for (int i = 0; g < 10; i++) { if (i > 5) continue; g++; }"), 1);
  expect_endless(IN_F("for (unsigned char i = 0; i < n; i++) g++;"), 1); /* wraps at 8 bits */
  expect_endless(IN_F("int *p = &n; for (int i = 0; i < n; i++) (*p)++;"), 1);
}

/* The increment in the inner loop may be executed several times in an iteration of the outer
 * one. */
static void nested_steps(void **state) {
  (void)state;
  expect_endless(IN_F("for (int i = 0; i < n;) do i++; while (g++ < 3);"), 2);
  expect_endless(IN_F("for (int i = 0; i < n; i++) while (g) g--;"), 1);
  expect_endless(IN_F("for (int i = 0; i < n; i++) { if (g) i = 0; }"), 1);
}

static void flow_that_is_not_reducible(void **state) {
  (void)state;
  expect_endless(IN_F("int i = 0; if (n) goto in; while (i < 10) { g++; in: i++; }"), 1);
}

/* ---- functions --------------------------------------------------------------------------------
 */
static void expect_alternatives(const struct analysed *x, const char *function,
                                unsigned alternatives) {
  unsigned got = pv_may_not_return(x->t, pv_test_function(x->p, function));
  if (got != alternatives) fail_msg("%s: %u, not %u", function, got, alternatives);
}

static void functions_that_may_not_return(void **state) {
  (void)state;
  struct analysed x = analyse(
      "#include <stdlib.h>\n#include <assert.h>\n#include <pthread.h>\n"
      "pthread_mutex_t m; int g; void (*p)(void);\n"
      "int plain(int n) { return n + 1; }\nvoid ends(void) { if (g) exit(1); }\n"
      "void asserts(void) { assert(g); }\nvoid round(void) { while (g) g--; }\n"
      "void waits(void) { pthread_mutex_lock(&m); }\nvoid gives(void) { pthread_mutex_unlock(&m); "
      "}\n"
      "void calls(void) { plain(1); ends(); }\nvoid deep(int n) { if (n) deep(n - 1); }\n"
      "void odd(int n); void even(int n) { if (n) odd(n - 1); }\n"
      "void odd(int n) { if (n) even(n - 1); else abort(); }\n"
      "void points(void) { p(); }\nvoid __VERIFIER_assume(int);\n"
      "void assumes(int n) { __VERIFIER_assume(n); }\n"
      "int main(void) { p = g ? round : ends; plain(1); asserts(); waits(); gives(); calls();\n"
      "  deep(1); even(2); points(); assumes(3); return 0; }");
  expect_alternatives(&x, "plain", 0);
  expect_alternatives(&x, "ends", PV_MAY_STOP);
  expect_alternatives(&x, "asserts", PV_MAY_STOP);
  expect_alternatives(&x, "round", PV_MAY_STAY);
  expect_alternatives(&x, "waits", PV_MAY_STAY);
  expect_alternatives(&x, "gives", 0);
  expect_alternatives(&x, "calls", PV_MAY_STOP);
  expect_alternatives(&x, "deep", PV_MAY_STAY);
  expect_alternatives(&x, "even", PV_MAY_STOP | PV_MAY_STAY);
  expect_alternatives(&x, "odd", PV_MAY_STOP | PV_MAY_STAY);
  expect_alternatives(&x, "points", PV_MAY_STOP | PV_MAY_STAY);
  expect_alternatives(&x, "assumes", PV_MAY_STOP);
  drop(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loops_that_count),
                                     cmocka_unit_test(loops_that_count_beside_the_test),
                                     cmocka_unit_test(loops_that_may_not_end),
                                     cmocka_unit_test(nested_steps),
                                     cmocka_unit_test(flow_that_is_not_reducible),
                                     cmocka_unit_test(functions_that_may_not_return)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
