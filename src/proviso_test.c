#include "proviso.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The library as an embedding program sees it: through the public header alone. */
static const char right[] = "int x;\nint main(void) { x = 1; return 0; }\n";
static const char wrong[] = "#include <assert.h>\nint x;\n"
                            "int main(void) {\n  x = 1;\n  assert(x == N);\n  return 0;\n}\n";
static const char odd[] = "void launch(void);\nint main(void) { launch(); return 0; }\n";

static char folder[] = "/tmp/proviso-test-XXXXXX";
static char path[64];

static int setup(void **state) {
  (void)state;
  strcpy(folder + strlen(folder) - 6, "XXXXXX");
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/prog.c", folder);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  unlink(path);
  return rmdir(folder); /* the library leaves nothing behind */
}

static proviso *with_program(const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  proviso *p = proviso_new();
  assert_int_equal(proviso_add_file(p, path), PROVISO_OK);
  return p;
}

static void true_verdict(void **state) {
  (void)state;
  proviso *p = with_program(right);
  assert_int_equal(proviso_check(p), PROVISO_OK);
  assert_string_equal(proviso_error(p), "");
  assert_int_equal(proviso_get_verdict(p), PROVISO_TRUE);
  assert_string_equal(proviso_result_line(p), "true");
  assert_int_equal(proviso_count_violations(p), 0);
  assert_int_equal(proviso_count_provisos(p), 0);
  assert_null(proviso_get_violation(p, 0));
  assert_null(proviso_get_proviso(p, 0));
  assert_non_null(strstr(proviso_text(p), "Verification result: true\n"));
  assert_non_null(strstr(proviso_json(p), "\"verdict\":\t\"true\""));
  proviso_free(p);
  proviso_free(NULL);
}

static void false_verdict_and_back(void **state) {
  (void)state;
  proviso *p = with_program(wrong);
  assert_int_equal(proviso_add_clang_argument(p, "-DN=2"), PROVISO_OK);
  assert_int_equal(proviso_check(p), PROVISO_OK);
  assert_int_equal(proviso_get_verdict(p), PROVISO_FALSE);
  assert_string_equal(proviso_result_line(p), "false(unreach-call)");
  assert_int_equal(proviso_count_violations(p), 1);
  assert_non_null(strstr(proviso_get_violation(p, 0), "prog.c:5: "));
  assert_non_null(strstr(proviso_harness(p), "property unreach-call"));
  assert_non_null(strstr(proviso_text(p), "Note: compile and run the harness: cc -g -DN=2 "));
  /* checked again after a change: nothing of the first result stays */
  assert_int_equal(proviso_set(p, "property", "no-overflow"), PROVISO_OK);
  assert_int_equal(proviso_check(p), PROVISO_OK);
  assert_string_equal(proviso_result_line(p), "true");
  assert_int_equal(proviso_count_violations(p), 0);
  assert_null(proviso_harness(p));
  assert_string_equal(proviso_error(p), "there is no error");
  assert_null(strstr(proviso_text(p), "harness"));
  proviso_free(p);
}

static void conditional_verdict(void **state) {
  (void)state;
  proviso *p = with_program(odd);
  assert_int_equal(proviso_check(p), PROVISO_OK);
  assert_int_not_equal(proviso_get_verdict(p), PROVISO_TRUE);
  assert_int_not_equal(proviso_get_verdict(p), PROVISO_FALSE);
  assert_int_equal(proviso_count_provisos(p), 1);
  assert_non_null(strstr(proviso_get_proviso(p, 0), "launch"));
  proviso_free(p);
}

static void wrong_use(void **state) {
  (void)state;
  proviso *p = proviso_new();
  assert_int_equal(proviso_check(p), PROVISO_BAD_INPUT);
  assert_string_equal(proviso_error(p), "no input file");
  assert_int_equal(proviso_set(p, "serch", "bfs"), PROVISO_BAD_INPUT);
  assert_non_null(strstr(proviso_error(p), "--search"));
  assert_int_equal(proviso_set(p, "search", NULL), PROVISO_BAD_INPUT);
  assert_int_equal(proviso_add_file(p, "/nonexistent.c"), PROVISO_OK);
  assert_int_equal(proviso_load(p), PROVISO_BAD_INPUT);
  assert_null(proviso_print_ir(p, "text"));
  assert_int_equal(proviso_get_verdict(p), PROVISO_UNKNOWN);
  proviso_free(p);
  p = with_program("int main(void) { return }\n");
  assert_int_equal(proviso_check(p), PROVISO_BAD_INPUT);
  assert_non_null(strstr(proviso_error(p), "prog.c"));
  proviso_free(p);
}

static void ir_in_three_formats(void **state) {
  (void)state;
  proviso *p = with_program(right);
  assert_non_null(strstr(proviso_print_ir(p, "text"), "main"));
  assert_non_null(strstr(proviso_print_ir(p, "dot"), "digraph"));
  assert_non_null(strstr(proviso_print_ir(p, "c"), "main"));
  assert_null(proviso_print_ir(p, "svg"));
  assert_int_equal(proviso_check(p), PROVISO_OK);
  assert_string_equal(proviso_result_line(p), "true");
  proviso_free(p);
}

static void interrupted_before_it_began(void **state) {
  (void)state;
  proviso *p = with_program("volatile unsigned x;\nint main(void) { for (;;) x++; }\n");
  proviso_interrupt();
  assert_int_equal(proviso_check(p), PROVISO_OK);
  assert_int_not_equal(proviso_get_verdict(p), PROVISO_TRUE);
  assert_int_not_equal(proviso_get_verdict(p), PROVISO_FALSE);
  assert_true(proviso_count_provisos(p) > 0);
  /* the interrupt was for that run only */
  assert_int_equal(proviso_set(p, "engine", "explicit"), PROVISO_OK);
  assert_int_equal(proviso_set(p, "limit", "states=100"), PROVISO_OK);
  assert_int_equal(proviso_check(p), PROVISO_OK);
  assert_true(proviso_count_states(p) >= 100);
  proviso_free(p);
}

int main(void) {
#define T(F) cmocka_unit_test_setup_teardown(F, setup, teardown)
  const struct CMUnitTest tests[] = {T(true_verdict),        T(false_verdict_and_back),
                                     T(conditional_verdict), T(wrong_use),
                                     T(ir_in_three_formats), T(interrupted_before_it_began)};
  return cmocka_run_group_tests_name("public API", tests, NULL, NULL);
}
