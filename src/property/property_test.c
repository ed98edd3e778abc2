#include "property/property.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static enum pv_status read_text(const char *text, pv_properties *set) {
  char name[] = "/tmp/proviso-test-XXXXXX";
  struct pv_str err = {0};
  int fd = mkstemp(name);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
  *set = 0;
  enum pv_status status = pv_properties_read_spec(name, set, &err);
  unlink(name);
  if (status != PV_OK) { /* one line, with the file's name, and nothing set */
    assert_non_null(strstr(pv_str_cstr(&err), name));
    assert_null(strchr(err.at, '\n'));
    assert_int_equal(*set, 0);
  }
  pv_str_free(&err);
  return status;
}

#define BIT(P) PV_PROP_BIT(PV_PROP_##P)

static void specs(void **state) {
  (void)state;
  static const struct {
    const char *text;
    pv_properties set;
  } cases[] = {
      {"CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n", BIT(UNREACH_CALL)},
      {"CHECK(init(main()),LTL(G!call(reach_error())))", BIT(UNREACH_CALL)},
      {"CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )", BIT(UNREACH_CALL)},
      {"CHECK( init( main ( ) ) ,\n\tLTL( G !  label( ERROR ) ) )\r\n", BIT(UNREACH_CALL)},
      {"CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n"
       "CHECK( init(main()), LTL(G valid-memtrack) )\n",
       BIT(VALID_FREE) | BIT(VALID_DEREF) | BIT(VALID_MEMTRACK)},
      {"CHECK( init(main()), LTL(G valid-memcleanup) )", BIT(VALID_MEMCLEANUP)},
      {"CHECK( init(main()), LTL(G ! overflow) )", BIT(NO_OVERFLOW)},
      {"CHECK( init(main()), LTL(G ! data-race) )", BIT(NO_DATA_RACE)},
      {"CHECK( init(main()), LTL(G ! deadlock) )", BIT(NO_DEADLOCK)},
      {"CHECK( init(main()), LTL(G def-behavior) )", BIT(DEF_BEHAVIOR)},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pv_properties set;
    assert_int_equal(read_text(cases[i].text, &set), PV_OK);
    assert_int_equal(set, cases[i].set);
  }
}

static void wrong_specs(void **state) {
  (void)state;
  static const char *const cases[] = {
      "",
      "\n\n",
      "hello",
      "CHECK",
      "CHECK( init(main()), LTL(F G x) )",
      "CHECK( init(main()), LTL(G ! call(foo())) )",
      "CHECK( init(main()), LTL(G ! call(reach_error()) )",
      "CHECK( init(main()), LTL(G ! overflow) ) and more",
      "CHECK( init(start()), LTL(G ! overflow) )",
      "CHECK( init(main()), FQL(COVER EDGES(@BASICBLOCKENTRY)) )",
      "CHECK( init(main()), LTL() )",
      "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )",
      "CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(main()), LTL(F G x) )",
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pv_properties set;
    assert_int_equal(read_text(cases[i], &set), PV_E_INPUT);
  }
}

static void names(void **state) {
  (void)state;
  pv_properties set = 0;
  struct pv_str out = {0};
  assert_int_equal(pv_properties_parse("no-deadlock,unreach-call", &set, NULL), PV_OK);
  pv_properties_print(set, &out);
  assert_string_equal(out.at, "unreach-call,no-deadlock");
  assert_int_equal(pv_properties_parse("valid-memsafety", &set, NULL), PV_OK);
  assert_true(set & BIT(VALID_DEREF) && set & BIT(VALID_FREE) && set & BIT(VALID_MEMTRACK));
  assert_false(set & BIT(VALID_MEMCLEANUP));
  set = 0;
  assert_int_equal(pv_properties_parse("no-deadlock,", &set, NULL), PV_E_INPUT);
  assert_int_equal(pv_properties_parse("no-dead", &set, NULL), PV_E_INPUT);
  assert_int_equal(set, 0);
  /* all names round-trip */
  for (unsigned i = 0; i < PV_PROP_COUNT; i++) {
    set = 0;
    assert_int_equal(pv_properties_parse(pv_property_table[i].name, &set, NULL), PV_OK);
    assert_int_equal(set, PV_PROP_BIT(i));
  }
  pv_str_free(&out);
}

static void default_has_no_leaks(void **state) {
  (void)state;
  pv_properties set = pv_properties_default();
  assert_false(set & (BIT(VALID_MEMTRACK) | BIT(VALID_MEMCLEANUP)));
  assert_true(set & BIT(UNREACH_CALL) && set & BIT(NO_DATA_RACE) && set & BIT(NO_DEADLOCK));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(specs), cmocka_unit_test(wrong_specs),
                                     cmocka_unit_test(names),
                                     cmocka_unit_test(default_has_no_leaks)};
  return cmocka_run_group_tests_name("property", tests, NULL, NULL);
}
