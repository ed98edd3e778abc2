#include "base/limits.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void quantities(void **state) {
  (void)state;
  struct pv_limits l = {0};
  assert_int_equal(pv_limits_parse("time=90s,memory=2GB,states=1000000,depth=500", &l, NULL),
                   PV_OK);
  assert_true(l.seconds == 90 && l.memory == 2000000000 && l.states == 1000000 && l.depth == 500);
  assert_int_equal(pv_limits_parse("time=1.5m", &l, NULL), PV_OK);
  assert_true(l.seconds == 90);
  assert_int_equal(pv_limits_parse("time=250ms,memory=1MiB,states=2M", &l, NULL), PV_OK);
  assert_true(l.seconds == 0.25 && l.memory == 1048576 && l.states == 2000000 && l.depth == 500);
  assert_int_equal(pv_limits_parse("time=0", &l, NULL), PV_OK);
  assert_true(l.seconds == 0);
}

static void refused(void **state) {
  (void)state;
  static const char *const wrong[] = {"",
                                      "time",
                                      "time=",
                                      "time=s",
                                      "time=-1",
                                      "time=nan",
                                      "time=inf",
                                      "time=0x10",
                                      "time=1e3",
                                      "time=1..2",
                                      "time=1.",
                                      "time=5 s",
                                      "memory=2GX",
                                      "states=1s",
                                      "clock=5",
                                      "time=5s,",
                                      ",time=5s",
                                      "depth=k",
                                      "states=99999999999999999999"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct pv_limits l = {.seconds = 7};
    struct pv_str err = {0};
    assert_int_equal(pv_limits_parse(wrong[i], &l, &err), PV_E_INPUT);
    assert_true(err.n > 0 && l.seconds == 7);
    pv_str_free(&err);
  }
}

static void time_ends(void **state) {
  (void)state;
  struct pv_limits l = {.seconds = 0.05};
  pv_limits_start(&l);
  while (pv_limits_check(&l, 0) == PV_LIMIT_NONE) assert_true(pv_limits_elapsed(&l) < 30);
  assert_int_equal(l.hit, PV_LIMIT_TIME);
  assert_true(pv_limits_elapsed(&l) >= 0.05);
}

static void memory_ends(void **state) {
  (void)state;
  struct pv_limits l = {.memory = 4096};
  pv_limits_start(&l);
  while (pv_limits_check(&l, 0) == PV_LIMIT_NONE) continue;
  assert_int_equal(l.hit, PV_LIMIT_MEMORY);
  assert_true(l.peak >= 4096 && pv_limits_default_memory() > 4096);
}

static uint64_t reserved(void *user) {
  return *(uint64_t *)user;
}

static void reserve_counts_as_taken(void **state) {
  (void)state;
  uint64_t bytes = 0, room = (uint64_t)1 << 40;
  struct pv_limits l = {
      .memory = pv_resident_memory() + room, .reserve = reserved, .reserve_user = &bytes};
  pv_limits_start(&l);
  assert_int_equal(pv_limits_check_now(&l), PV_LIMIT_NONE);
  bytes = room / 2;
  assert_int_equal(pv_limits_check_now(&l), PV_LIMIT_NONE);
  bytes = room + room / 2;
  assert_int_equal(pv_limits_check_now(&l), PV_LIMIT_MEMORY);
  assert_true(l.peak < room); /* it is not resident, though */
}

static void states_end(void **state) {
  (void)state;
  struct pv_limits l = {.states = 100};
  pv_limits_start(&l);
  assert_int_equal(pv_limits_check(&l, 99), PV_LIMIT_NONE);
  assert_int_equal(pv_limits_check(&l, 100), PV_LIMIT_STATES);
  assert_int_equal(pv_limits_check(&l, 0), PV_LIMIT_STATES); /* it stays hit */
}

static void questions_end(void **state) {
  (void)state;
  struct pv_limits l = {.questions = 2};
  pv_limits_start(&l);
  assert_int_equal(pv_limits_check_question(&l), PV_LIMIT_NONE);
  assert_int_equal(pv_limits_check_question(&l), PV_LIMIT_NONE);
  assert_int_equal(pv_limits_check_question(&l), PV_LIMIT_STATES);
  assert_int_equal(pv_limits_check(&l, 0), PV_LIMIT_STATES);
  pv_limits_start(&l);
  assert_int_equal(pv_limits_check_question(&l), PV_LIMIT_NONE);
}

static void interrupt_ends(void **state) {
  (void)state;
  struct pv_limits l = {0};
  pv_limits_catch_signals();
  pv_limits_start(&l);
  assert_int_equal(pv_limits_check(&l, 0), PV_LIMIT_NONE);
  raise(SIGTERM);
  assert_int_equal(pv_limits_check(&l, 0), PV_LIMIT_INTERRUPT);
  assert_true(pv_limits_interrupted());
  pv_limits_clear_interrupt();
  pv_limits_start(&l);
  assert_int_equal(pv_limits_check(&l, 0), PV_LIMIT_NONE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(quantities),
                                     cmocka_unit_test(refused),
                                     cmocka_unit_test(reserve_counts_as_taken),
                                     cmocka_unit_test(time_ends),
                                     cmocka_unit_test(memory_ends),
                                     cmocka_unit_test(states_end),
                                     cmocka_unit_test(questions_end),
                                     cmocka_unit_test(interrupt_ends)};
  return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
