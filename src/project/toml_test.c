/* toml_test.c -- texts that end where something is missing. The end of the text is the end of its
 * object, so that a sanitizer sees what is read behind it. */
#include "project/toml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static enum pv_status reads(const char *text, struct pv_str *err) {
  struct pv_toml t;
  char *exact = malloc(strlen(text) + 1);
  strcpy(exact, text);
  enum pv_status status = pv_toml_read(exact, &t, err);
  if (status == PV_OK) pv_toml_free(&t);
  free(exact);
  return status;
}

static void ends_too_early(void **state) {
  static const char *const texts[] = {"key",    "# c\n\np", "key \t", "key =",   "key = \"",
                                      "[table", "[[t]",     "k = [",  "k = [1,", "k = \"\\u12"};
  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct pv_str err = {0};
    assert_int_equal(reads(texts[i], &err), PV_E_INPUT);
    assert_true(err.n > 0);
    pv_str_free(&err);
  }
  struct pv_str err = {0};
  assert_int_equal(reads("key = \"value\"", &err), PV_OK);
  assert_int_equal(reads("", &err), PV_OK);
  pv_str_free(&err);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_too_early)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
