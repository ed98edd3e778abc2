/* estimate_test.c -- estimates of states from distances of threads. */
#include "distance/distance_test.h"

#define E(ERROR, CREATE) ((struct pv_estimate){ERROR, CREATE})

static void nearest(void **state) {
  (void)state;
  const struct pv_estimate t[] = {E(NONE, 9), E(7, NONE), E(8, 3), E(NONE, NONE)};
  assert_int_equal(pv_threads_nearest(t, 0), NONE);
  assert_int_equal(pv_threads_nearest(t, 2), 7);
  assert_int_equal(pv_threads_nearest(t, 4), 3);
  assert_int_equal(pv_threads_nearest(t + 3, 1), NONE);
}

/* The sum of the two smallest; what one thread creates has its steps in common with it. */
static void mutual_exclusion(void **state) {
  (void)state;
  const struct pv_estimate t[] = {E(5, NONE), E(NONE, NONE), E(4, NONE), E(9, NONE)};
  assert_int_equal(pv_threads_two(t, t, 4), 9);
  assert_int_equal(pv_threads_two(t, t, 2), NONE);
  assert_int_equal(pv_threads_two(t, t, 1), NONE);
  const struct pv_estimate start[] = {E(NONE, 6)}, later[] = {E(NONE, 6), E(2, NONE)};
  assert_int_equal(pv_threads_two(start, start, 1), 6);
  assert_int_equal(pv_threads_two(later, later, 2), 6);
  const struct pv_estimate both[] = {E(5, 2), E(1, NONE)};
  assert_int_equal(pv_threads_two(both, both, 2), 2);
}

static void pairs(void **state) {
  (void)state;
  const struct pv_estimate write[] = {E(1, NONE), E(2, NONE)}, read[] = {E(3, NONE), E(9, NONE)};
  assert_int_equal(pv_threads_two(write, read, 2), 5); /* not 1 + 3, of one thread */
  const struct pv_estimate by_0[] = {E(1, NONE), E(NONE, NONE)};
  assert_int_equal(pv_threads_two(by_0, by_0, 2), NONE);
  const struct pv_estimate a[] = {E(4, NONE)}, b[] = {E(NONE, 7)};
  assert_int_equal(pv_threads_two(a, b, 1), 7);
  assert_int_equal(pv_threads_two(b, a, 1), 7);
}

static void all(void **state) {
  (void)state;
  const struct pv_estimate t[] = {E(5, NONE), E(NONE, 3), E(4, NONE)};
  assert_int_equal(pv_threads_all(t, 3, NONE), NONE);
  assert_int_equal(pv_threads_all(t, 3, 0), 9);
  assert_int_equal(pv_threads_all(t, 3, 100), 109);
  assert_int_equal(pv_threads_all(t, 0, NONE), 0);
  assert_int_equal(pv_distance_add(PV_DISTANCE_MOST, 1), PV_DISTANCE_MOST);
  assert_int_equal(pv_distance_add(PV_DISTANCE_MOST - 1, 1), PV_DISTANCE_MOST);
  assert_int_equal(pv_distance_add(0, NONE), NONE);
}

static void stacks(void **state) {
  (void)state;
  const struct pv_distance frames[] = {{2, 50, NONE}, {3, NONE, 4}, {NONE, 10, 20}};
  struct pv_estimate e = pv_estimate_stack(frames, 3, 1);
  assert_int_equal(e.error, 2 + 1 + 3 + 1 + 10);
  assert_int_equal(e.create, 2 + 1 + 4);
  assert_int_equal(pv_estimate_stack(frames, 1, 1).error, 50);
  assert_int_equal(pv_estimate_stack(frames, 2, 1).error, 50);
  assert_int_equal(pv_estimate_stack(frames, 0, 1).error, NONE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nearest), cmocka_unit_test(mutual_exclusion), cmocka_unit_test(pairs),
      cmocka_unit_test(all),     cmocka_unit_test(stacks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
