/* Columns that say the same belong side by side, whatever the places were before; places stay
 * distinct and fit a tree; the pinned columns stay. */
#include "explore/arrange.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { PINNED = 2, PAIRS = 4, COLUMNS = PINNED + 2 * PAIRS, ROWS = 20000 };

static uint32_t random_state = 1;
static uint32_t rnd(uint32_t n) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) % n;
}

/* Two constants, then columns of which those `PAIRS` apart are equal. */
static uint32_t *rows(void) {
  uint32_t *v = calloc(ROWS * COLUMNS, sizeof *v);
  for (uint32_t i = 0; i < ROWS; i++)
    for (uint32_t c = PINNED; c < COLUMNS; c++)
      v[i * COLUMNS + c] = c < PINNED + PAIRS ? rnd(9) : v[i * COLUMNS + c - PAIRS];
  return v;
}

static void equal_columns_come_together(void **state) {
  (void)state;
  uint32_t *v = rows();
  struct pv_table t = {v, ROWS, COLUMNS};
  uint32_t place[COLUMNS] = {0}, n[2] = {0};
  bool taken[2][64] = {{0}};
  for (uint32_t c = 0; c < COLUMNS; c++) { /* each pair is torn apart */
    unsigned half = c < PINNED ? c : c >= PINNED + PAIRS;
    place[c] = n[half]++ << 1 | half;
  }
  assert_true(pv_arrange(&t, place));
  assert_int_equal(place[0], 0);
  assert_int_equal(place[1], 1);
  for (uint32_t c = 0; c < COLUMNS; c++) {
    assert_true(place[c] >> 1 < 64);
    assert_false(taken[place[c] & 1][place[c] >> 1]);
    taken[place[c] & 1][place[c] >> 1] = true;
  }
  for (uint32_t c = PINNED; c < PINNED + PAIRS; c++)
    assert_int_equal(place[c] & 1, place[c + PAIRS] & 1);
  free(v);
}

static void what_is_good_stays(void **state) {
  (void)state;
  uint32_t *v = rows(), place[COLUMNS] = {0}, before[COLUMNS], n[2] = {0};
  struct pv_table t = {v, ROWS, COLUMNS};
  for (uint32_t c = 0; c < COLUMNS; c++) {
    unsigned half = c < PINNED ? c : (c - PINNED) % PAIRS < PAIRS / 2;
    place[c] = n[half]++ << 1 | half;
  }
  memcpy(before, place, sizeof place);
  assert_false(pv_arrange(&t, place));
  assert_memory_equal(place, before, sizeof place);
  free(v);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(equal_columns_come_together),
                                     cmocka_unit_test(what_is_good_stays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
