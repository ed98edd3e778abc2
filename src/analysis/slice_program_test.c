/* slice_program_test.c -- programs reduced to slices: what each of the six dependences keeps, and
 * the sizes. fuzz/slices.py --printed compares verdicts. */
#include "analysis/analysis_test.h"
#include "analysis/slice_criterion.h"
#include "analysis/slice_program.h"
#include "analysis/specialise.h"

static struct pv_program *p;
static struct pv_slice_size size;

static int tear_down(void **state) {
  (void)state;
  if (p) pv_program_free(p);
  p = NULL;
  return 0;
}

/* Loads the program and reduces it to what can influence the calls of reach_error. */
static void reduce(const char *text) {
  struct pv_slice_request request = {.properties = PV_PROP_BIT(PV_PROP_UNREACH_CALL)};
  tear_down(NULL);
  size = (struct pv_slice_size){0};
  p = pv_test_load(text);
  assert_int_equal(pv_slice_program(p, &request, &size), 0);
  char *wrong = pv_program_verify(p);
  if (wrong) fail_msg("%s", wrong);
}

static bool has(const char *function, const char *edge) {
  const struct pv_function *f = &p->functions.at[pv_test_function(p, function)];
  struct pv_str label = {0};
  bool found = false;
  for (uint32_t i = 0; i < f->edges.n && !found; i++) {
    pv_str_clear(&label);
    pv_edge_print(p, f, &f->edges.at[i], &label);
    found = !strcmp(pv_str_cstr(&label), edge);
  }
  pv_str_free(&label);
  return found;
}

#define KEPT(FUNCTION, EDGE) assert_true(has(FUNCTION, EDGE))
#define GONE(FUNCTION, EDGE) assert_false(has(FUNCTION, EDGE))

static const char *const start = "#include <pthread.h>\nextern void reach_error(void);\n"
                                 "extern int __VERIFIER_nondet_int(void);\nint x, y, z;\n";

static void reduce_body(const char *text) {
  char *all = pv_format("%s%s", start, text);
  reduce(all);
  free(all);
}

static void data_and_control(void **state) {
  (void)state;
  reduce_body("int main(void) { int a = __VERIFIER_nondet_int(), b = 2, c = 3; y = b; c += b;\n"
              "  if (b == 2) z = c; if (a > 4) x = a; if (x == 5) reach_error(); return z; }\n");
  KEPT("main", "a = __VERIFIER_nondet_int()");
  KEPT("main", "[4 < a]");
  KEPT("main", "x = a");
  GONE("main", "y = b");
  GONE("main", "[b == 2]");
  GONE("main", "z = c");
  assert_int_equal(size.own_edges, 18);
  assert_int_equal(size.own_kept, 9);
}

/* A loop that may not end decides whether what is behind it is reached; one that ends does not. */
static void divergence(void **state) {
  (void)state;
  reduce_body("int main(void) { int a = __VERIFIER_nondet_int(); while (a != 7) a += 2;\n"
              "  for (int i = 0; i < 9; i++) y += i; reach_error(); return 0; }\n");
  KEPT("main", "[a != 7]");
  KEPT("main", "a = a + 2");
  GONE("main", "[i < 9]");
  reduce_body("int main(void) { int a = __VERIFIER_nondet_int(); reach_error();\n"
              "  while (a != 7) a += 2; return 0; }\n");
  GONE("main", "[a != 7]"); /* it is behind */
}

/* What another thread writes is read; the sections that contain it and whatever can block stay. */
static void threads(void **state) {
  (void)state;
  reduce_body("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
              "void *f(void *a) { pthread_mutex_lock(&m); x = 1; y = 1; pthread_mutex_unlock(&m);\n"
              "  return a; }\n"
              "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); z = y;\n"
              "  pthread_mutex_lock(&m); int r = x; pthread_mutex_unlock(&m);\n"
              "  pthread_join(t, 0); if (r) reach_error(); return z; }\n");
  KEPT("f", "x = 1"); /* interference */
  GONE("f", "y = 1");
  GONE("main", "z = t2");
  KEPT("f", "pthread_mutex_lock(&m)"); /* synchronisation */
  KEPT("f", "pthread_mutex_unlock(&m)");
  KEPT("main", "pthread_mutex_lock(&m)"); /* ready: main may wait here */
}

/* The inputs of a function matter wherever the slice calls it, also where its result does not. */
static void all_calls(void **state) {
  (void)state;
  reduce_body("int twice(int a) { int r = 0; while (a-- > 0) r += 2; return r; }\n"
              "int main(void) { int b = 3, c = 4; y = twice(b); x = twice(c);\n"
              "  if (x != 8) reach_error(); return 0; }\n");
  KEPT("main", "c = 4");
  GONE("main", "y = t1");
}

/* Members of structures and what a pointer may lead to. */
static void memory(void **state) {
  (void)state;
  reduce_body("struct s { int a, b; } s, t; int *p = &y;\n"
              "int main(void) { s.a = 1; s.b = 2; t.a = 3; *p = 4; z = 5;\n"
              "  if (s.a + y != 5) reach_error(); return 0; }\n");
  KEPT("main", "s.a = 1");
  KEPT("main", "*(i32 *)t1 = 4");
  GONE("main", "t.a = 3");
  GONE("main", "z = 5");
}

static void criteria(void **state) {
  (void)state;
  struct pv_slice_request request = {0};
  struct pv_str err = {0};
  tear_down(NULL);
  p = pv_test_load("int x, y;\nint main(void) {\n  int a = 1, b = 2;\n  x = a;\n  y = b;\n"
                   "  return x;\n}\n");
  const char *path =
      p->files.at[pv_span_of(p, p->functions.at[pv_test_function(p, "main")].span)->file].path;
  char *text = pv_format("%s:5:y", path), *none = pv_format("%s:5:x", path);
  assert_int_equal(pv_slice_criterion(p, none, &request.statements, &err), PV_E_INPUT);
  assert_int_equal(pv_slice_criterion(p, "x.c:y", &request.statements, &err), PV_E_INPUT);
  assert_int_equal(pv_slice_criterion(p, text, &request.statements, &err), PV_OK);
  assert_int_equal(request.statements.n, 1);
  assert_int_equal(pv_slice_program(p, &request, &size), 0);
  KEPT("main", "b = 2");
  KEPT("main", "y = b");
  GONE("main", "x = a");
  free(text);
  free(none);
  pv_vec_free(&request.statements);
  pv_str_free(&err);
}

static void whole_properties(void **state) {
  (void)state;
  struct pv_slice_request request = {.properties = PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR)};
  tear_down(NULL);
  p = pv_test_load("int main(void) { return 0; }\n");
  assert_int_equal(pv_slice_program(p, &request, NULL), request.properties);
}

/* ---- constants ------------------------------------------------------------------------------- */
static void constants(void **state) {
  (void)state;
  tear_down(NULL);
  p = pv_test_load("extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n"
                   "static int never = 3, once = 4, table[2] = {5, 6}, *at = &table[1];\n"
                   "static int f(int k, int n) { if (k == 1) return n; return 2; }\n"
                   "int main(void) { int a = __VERIFIER_nondet_int(), b;\n"
                   "  if (never == 4) reach_error(); if (once == 5) reach_error(); once = a;\n"
                   "  if (*at == 6) b = 7; else b = 8;\n"
                   "  return f(1, a) + f(1, b); }\n");
  struct pv_specialised done = pv_specialise(p);
  char *wrong = pv_program_verify(p);
  if (wrong) fail_msg("%s", wrong);
  GONE("main", "[t2 == 4]");
  KEPT("main", "[t2 == 5]"); /* it is written later */
  GONE("main", "b = 8");
  GONE("f", "[k == 1]"); /* the same in all calls */
  KEPT("f", "retval = n");
  assert_int_equal(done.branches, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(data_and_control), cmocka_unit_test(divergence), cmocka_unit_test(threads),
      cmocka_unit_test(all_calls),        cmocka_unit_test(memory),     cmocka_unit_test(criteria),
      cmocka_unit_test(whole_properties), cmocka_unit_test(constants)};
  return cmocka_run_group_tests(tests, NULL, tear_down);
}
