#include "frontend/old_c.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void notes(void **state) {
  (void)state;
  struct pv_old_c old = {0};
  assert_null(pv_old_c_note(&old));
  pv_old_c_read(&old, "a.c:3:1: warning: x [-Wunused]\na.c:4:2: error: y [-Wimplicit-int]\n");
  assert_null(pv_old_c_note(&old));
  pv_old_c_read(&old, "a.c:3:1: warning: type specifier missing [-Wimplicit-int]\n"
                      "    3 | g1;\n"
                      "a.c:9:1: warning: type specifier missing [-Wimplicit-int]\n"
                      "a.c:7:2: warning: call to undeclared function 'f'; no [-Wx]\n"
                      "a.c:8:2: warning: call to undeclared function 'f'; no [-Wx]\n"
                      "a.c:8:2: warning: call to undeclared function 'g'; no [-Wx]\n");
  char *note = pv_old_c_note(&old);
  assert_string_equal(note, "taken as GCC takes old C: functions that are not declared return int "
                            "(f, g); missing types are int (a.c:3 and 1 more)");
  free(note);
  pv_old_c_read_failed(
      &old, "b.c:1:2: warning: call to undeclared library function 'malloc' with type 'void *'; n\n"
            "b.c:2:5: error: first parameter of 'main' must be of type 'int'\n"
            "b.c:3:5: warning: more [-Wimplicit-int]\n");
  note = pv_old_c_note(&old);
  assert_string_equal(
      note, "taken as GCC takes old C: library functions that are not declared have their own "
            "types (malloc); other functions that are not declared return int (f, g); missing "
            "types are int (a.c:3 and 1 more); main is taken as it is declared (b.c:2)");
  free(note);
  pv_old_c_free(&old);
}

static void learning(void **state) {
  (void)state;
  struct pv_retry r = {0};
  assert_false(pv_retry_learn(&r, "a.c:1:2: error: expected ';'\na.c:1:2: warning: 'main'\n"));
  static const char log[] =
      "a.c:1:5: error: redefinition of 'index' as different kind of symbol\n"
      "    1 | int index;\n"
      "a.c:2:1: warning: call to undeclared library function 'exit' with type 'void (int) "
      "__attribute__((noreturn))'; ISO C99\n"
      "a.c:3:6: error: conflicting types for 'late'\n"
      "    3 | void late(int x) { }\n"
      "a.c:2:75: note: previous implicit declaration is here\n"
      "a.c:4:6: error: conflicting types for 'other'\n"
      "a.c:2:75: note: previous declaration is here\n";
  assert_true(pv_retry_learn(&r, log));
  assert_string_equal(pv_str_cstr(&r.forget), "index");
  assert_string_equal(pv_str_cstr(&r.declare),
                      "extern __typeof__(void (int)) exit __attribute__((noreturn));\n"
                      "void late();\n");
  assert_false(r.any_main);
  assert_false(pv_retry_learn(&r, log));
  assert_true(pv_retry_learn(&r, "a.c:1:1: error: 'main' is not allowed to be declared inline\n"));
  assert_true(r.any_main);
  pv_retry_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(notes), cmocka_unit_test(learning)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
