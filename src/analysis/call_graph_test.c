/* call_graph_test.c -- callees, components, kinds of threads. */
#include "analysis/analysis_test.h"
#include "analysis/call_graph.h"

struct analysed {
  struct pv_program *p;
  struct pv_points_to *pt;
  struct pv_call_graph *calls;
};

static struct analysed analyse(const char *text, const struct pv_points_to_options *options) {
  struct analysed x = {.p = pv_test_load(text)};
  x.pt = pv_points_to_new(x.p, options);
  x.calls = pv_call_graph_new(x.p, x.pt);
  return x;
}

static void drop(struct analysed *x) {
  pv_call_graph_free(x->calls);
  pv_points_to_free(x->pt);
  pv_program_free(x->p);
}

static uint64_t threads(const struct analysed *x, const char *function) {
  return pv_call_graph_threads(x->calls, pv_test_function(x->p, function));
}

static bool same(const struct analysed *x, const char *f, const char *g) {
  return pv_same_thread(x->calls, pv_test_function(x->p, f), pv_test_function(x->p, g));
}

static const char *const program =
    "#include <pthread.h>\nint g; void (*p)(void);\n"
    "void both(void) { g++; }\nvoid mine(void) { g--; }\nvoid never(void) { g = 7; }\n"
    "void odd(int n); void even(int n) { if (n) odd(n - 1); }\n"
    "void odd(int n) { if (n) even(n - 1); }\nvoid self(int n) { if (n) self(n - 1); }\n"
    "void *a(void *x) { both(); even(3); return x; }\nvoid *b(void *x) { both(); p(); return x; }\n"
    "int main(void) { pthread_t s, t; p = g ? both : mine; self(2); mine();\n"
    "  pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0); return 0; }";

static void kinds_of_threads(void **state) {
  (void)state;
  struct analysed x = analyse(program, NULL);
  assert_true(pv_call_graph_has_threads(x.calls));
  assert_int_equal(threads(&x, "main"), 1);
  assert_int_equal(threads(&x, "self"), 1);
  assert_int_equal(__builtin_popcountll(threads(&x, "a")), 1);
  assert_false(same(&x, "main", "a"));
  assert_false(same(&x, "a", "b"));
  assert_true(same(&x, "both", "a") && same(&x, "both", "b") && !same(&x, "both", "main"));
  assert_true(same(&x, "mine", "main") && same(&x, "mine", "b") && !same(&x, "mine", "a"));
  assert_false(pv_call_graph_runs(x.calls, pv_test_function(x.p, "main")) == false);
  assert_false(pv_kinds_meet(threads(&x, "main"), threads(&x, "self")));
  assert_true(pv_kinds_meet(threads(&x, "a"), threads(&x, "a"))); /* may be created twice */
  drop(&x);
}

static void callees_and_components(void **state) {
  (void)state;
  struct analysed x = analyse(program, NULL);
  uint32_t b = pv_test_function(x.p, "b"), n, odd = pv_test_function(x.p, "odd");
  const uint32_t *callees = NULL;
  for (uint32_t i = 0; i < x.p->functions.at[b].edges.n; i++) {
    const struct pv_edge *e = &x.p->functions.at[b].edges.at[i];
    if (e->op != PV_OP_CALL || e->callee != PV_NO_FUNC) continue;
    callees = pv_call_graph_callees(x.calls, b, i, &n);
    assert_int_equal(n, 2);
    assert_string_equal(x.p->functions.at[callees[0]].name, "both");
    assert_string_equal(x.p->functions.at[callees[1]].name, "mine");
  }
  assert_non_null(callees);
  assert_true(pv_call_graph_recurs(x.calls, odd));
  assert_true(pv_call_graph_recurs(x.calls, pv_test_function(x.p, "self")));
  assert_false(pv_call_graph_recurs(x.calls, pv_test_function(x.p, "both")));
  assert_int_equal(pv_call_graph_component(x.calls, odd),
                   pv_call_graph_component(x.calls, pv_test_function(x.p, "even")));
  assert_true(pv_call_graph_component(x.calls, odd) <
              pv_call_graph_component(x.calls, pv_test_function(x.p, "a")));
  drop(&x);
}

/* Without points-to sets every function may call every function, in all threads. */
static void without_points_to(void **state) {
  (void)state;
  struct pv_points_to_options none = {.bytes = 1, .steps = 1};
  struct analysed x = analyse(program, &none);
  assert_false(pv_points_to_complete(x.pt));
  assert_true(same(&x, "main", "a") && same(&x, "a", "b"));
  assert_true(pv_kinds_meet(threads(&x, "main"), threads(&x, "main")));
  drop(&x);
  x = analyse("int main(void) { return 0; }", &none);
  assert_int_equal(threads(&x, "main"), 1);
  drop(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kinds_of_threads),
                                     cmocka_unit_test(callees_and_components),
                                     cmocka_unit_test(without_points_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
