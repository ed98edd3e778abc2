#include "base/monitors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static struct pv_monitors read_right(const char *text) {
  struct pv_monitors m = {0};
  assert_int_equal(pv_monitors_parse(text, &m, NULL), PV_OK);
  return m;
}

static void units(void **state) {
  (void)state;
  struct pv_monitors m = read_right("busy-edge=20,post-time=2ms,post-memory=3MB,path-time=1.5s");
  assert_true(m.most[PV_MONITOR_EDGE] == 20);
  assert_true(m.most[PV_MONITOR_POST_TIME] == 2e-3);
  assert_true(m.most[PV_MONITOR_POST_MEMORY] == 3e6);
  assert_true(m.most[PV_MONITOR_PATH_TIME] == 1.5);
  assert_true(m.most[PV_MONITOR_STATES] == 0);
}

static void any(void **state) {
  (void)state;
  struct pv_monitors none = {0}, off = read_right("states=0"), on = read_right("states=1");
  assert_false(pv_monitors_any(&none));
  assert_false(pv_monitors_any(&off));
  assert_true(pv_monitors_any(&on));
}

static void prints(void **state) {
  (void)state;
  static const char *const texts[] = {"busy-edge=20", "post-time=2ms", "post-time=2s",
                                      "refinement-memory=1500B"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct pv_monitors m = read_right(texts[i]);
    struct pv_str out = {0};
    for (unsigned k = 0; k < PV_MONITOR_COUNT; k++)
      if (m.most[k] > 0) pv_monitors_print(&m, (enum pv_monitor_kind)k, &out);
    assert_string_equal(pv_str_cstr(&out), texts[i]);
    pv_str_free(&out);
  }
}

static void refuses(void **state) {
  (void)state;
  static const char *const wrong[][2] = {
      {"busy-edge", "condition `busy-edge`: the value is not of the form busy-edge=50"},
      {"states=1,post-time=x",
       "condition `post-time=x`: the value is not of the form post-time=2s"},
      {"edge=1", "condition `edge=1`: there is no such condition; there are states, "}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct pv_monitors m = {0};
    struct pv_str err = {0};
    assert_int_equal(pv_monitors_parse(wrong[i][0], &m, &err), PV_E_INPUT);
    assert_memory_equal(pv_str_cstr(&err), wrong[i][1], strlen(wrong[i][1]));
    assert_false(pv_monitors_any(&m)); /* nothing was taken */
    pv_str_free(&err);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(units), cmocka_unit_test(any),
                                     cmocka_unit_test(prints), cmocka_unit_test(refuses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
