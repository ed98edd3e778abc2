#include "base/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct pv_options options;
static struct pv_str err;

static int setup(void **state) {
  (void)state;
  pv_options_init(&options);
  pv_str_clear(&err);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  pv_options_free(&options);
  pv_str_free(&err);
  return 0;
}

/* Parses words, the last of them NULL. */
static enum pv_status parse(const char *first, ...) {
  char *words[16];
  int n = 0;
  va_list ap;
  va_start(ap, first);
  for (const char *w = first; w; w = va_arg(ap, const char *)) words[n++] = (char *)w;
  va_end(ap);
  return pv_options_parse(&options, n, words, &err);
}

static void defaults(void **state) {
  (void)state;
  assert_string_equal(pv_options_choice_name("engine", options.engine), "auto");
  assert_string_equal(pv_options_choice_name("por", options.por), "both");
  assert_int_equal(options.max_threads, 64);
  assert_false(options.keep_going);
  assert_int_equal(options.properties, pv_properties_default());
  assert_true(options.limits.memory > 0);
}

static void words(void **state) {
  (void)state;
  assert_int_equal(parse("--search=bfs", "--inputs", "3", "--keep-going", "/dev/null", "--", "-DX",
                         "--32", NULL),
                   PV_OK);
  assert_string_equal(pv_options_choice_name("search", options.search), "bfs");
  assert_int_equal(options.inputs, 3);
  assert_true(options.keep_going);
  assert_false(options.ilp32);
  assert_int_equal(options.files.n, 1);
  assert_int_equal(options.clang_args.n, 2);
  assert_string_equal(options.clang_args.at[1], "--32");
}

static void preprocessor_options(void **state) {
  (void)state;
  assert_int_equal(parse("-DX=1", "-I", "folder", "/dev/null", "-UY", NULL), PV_OK);
  assert_int_equal(options.files.n, 1);
  assert_int_equal(options.clang_args.n, 3);
  assert_string_equal(options.clang_args.at[0], "-DX=1");
  assert_string_equal(options.clang_args.at[1], "-Ifolder");
  assert_string_equal(options.clang_args.at[2], "-UY");
  assert_int_equal(parse("/dev/null", "-D", NULL), PV_E_INPUT);
  assert_int_equal(parse("-O2", "/dev/null", NULL), PV_E_INPUT);
}

static void first_property_replaces_the_default(void **state) {
  (void)state;
  assert_int_equal(parse("--invariant", "x > 0", "--property", "no-overflow", "--property",
                         "no-deadlock", "/dev/null", NULL),
                   PV_OK);
  assert_int_equal(options.properties, PV_PROP_BIT(PV_PROP_NO_OVERFLOW) |
                                           PV_PROP_BIT(PV_PROP_NO_DEADLOCK) |
                                           PV_PROP_BIT(PV_PROP_INVARIANT));
}

static void suggestions(void **state) {
  (void)state;
  assert_int_equal(parse("--serch", "bfs", NULL), PV_E_INPUT);
  assert_string_equal(err.at, "unknown option `--serch`; did you mean `--search`?");
  pv_str_clear(&err);
  assert_int_equal(parse("--prop", "x", NULL), PV_E_INPUT);
  assert_string_equal(err.at, "unknown option `--prop`; did you mean `--property`?");
  pv_str_clear(&err);
  assert_int_equal(parse("--xyzzy", NULL), PV_E_INPUT);
  assert_string_equal(err.at, "unknown option `--xyzzy`; see `proviso help`");
}

static void wrong_values(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"search", "dsf"},
      {"search", ""},
      {"inputs", "0"},
      {"inputs", "65537"},
      {"inputs", "3x"},
      {"inputs", "-1"},
      {"keep-going", "2"},
      {"limit", "time"},
      {"limit", ""},
      {"property", "no-races"},
      {"property", ""},
      {"limit", "time=5parsecs"},
      {"32", "yes"},
      {"spec", "/nonexistent"},
      {"inputs", "99999999999999999999"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pv_str_clear(&err);
    assert_int_equal(pv_options_set(&options, cases[i][0], cases[i][1], &err), PV_E_INPUT);
    assert_true(err.n > 0);
    assert_null(strchr(err.at, '\n'));
    assert_int_equal(pv_options_set(&options, cases[i][0], cases[i][1], NULL), PV_E_INPUT);
  }
  assert_int_equal(options.inputs, 16);
  assert_int_equal(options.properties, pv_properties_default());
}

static void other_commands_options(void **state) {
  (void)state;
  options.command = PV_FOR_CHECK;
  assert_int_equal(parse("--format", "c", "/dev/null", NULL), PV_E_INPUT);
  assert_string_equal(err.at, "option `--format` does not belong to this command");
}

static void contradictions(void **state) {
  (void)state;
  assert_int_equal(parse(NULL), PV_E_INPUT);
  assert_string_equal(err.at, "no input file");
  pv_str_clear(&err);
  assert_int_equal(parse("--32", "--64", "/dev/null", NULL), PV_E_INPUT);
  pv_str_clear(&err);
  assert_int_equal(parse("--64=0", "--property", "invariant", NULL), PV_E_INPUT);
  assert_string_equal(err.at, "property `invariant` needs an `--invariant`");
}

/* Every option is in its command's help, and no line is wider than a terminal. */
static void help(void **state) {
  (void)state;
  struct pv_str text = {0};
  pv_options_help_for(PV_FOR_ALL, &text);
  for (size_t i = 0; i < pv_option_count; i++) {
    char *word = pv_format("  --%s", pv_option_table[i].name);
    assert_non_null(strstr(text.at, word));
    assert_true(pv_option_table[i].commands != 0);
    free(word);
  }
  for (const char *line = text.at; *line; line += strcspn(line, "\n") + 1)
    assert_true(strcspn(line, "\n") <= 80);
  pv_str_free(&text);
}

int main(void) {
#define T(F) cmocka_unit_test_setup_teardown(F, setup, teardown)
  const struct CMUnitTest tests[] = {T(defaults),
                                     T(words),
                                     T(preprocessor_options),
                                     T(suggestions),
                                     T(first_property_replaces_the_default),
                                     T(wrong_values),
                                     T(other_commands_options),
                                     T(help),
                                     T(contradictions)};
  return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
