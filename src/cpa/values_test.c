#include "cpa/values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KEYS = 1000, MAPS = 40 };

static uint32_t state = 3;
static uint32_t random_number(uint32_t below) {
  state = state * 1664525 + 1013904223;
  return (state >> 8) % below;
}

struct difference {
  const void **a, **b;
  uint32_t last, n;
};

static void check_difference(void *user, uint32_t key, const void *x, const void *y) {
  struct difference *d = user;
  assert_true(d->n == 0 || key > d->last);
  assert_ptr_equal(d->a[key], x);
  assert_ptr_equal(d->b[key], y);
  assert_ptr_not_equal(x, y);
  d->last = key;
  d->n++;
}

/* Versions of a map against versions of an array. */
static void test_versions(void **unused) {
  (void)unused;
  static const void *model[MAPS][KEYS];
  static char values[50];
  struct pv_pool pool = {0};
  struct pv_values map[MAPS] = {0};
  for (uint32_t m = 1; m < MAPS; m++) {
    uint32_t from = random_number(m);
    memcpy(model[m], model[from], sizeof model[m]);
    map[m] = map[from];
    for (uint32_t i = random_number(60); i-- > 0;) {
      uint32_t key = random_number(m < 5 ? 10 : KEYS);
      const void *value = random_number(4) ? &values[random_number(50)] : NULL;
      model[m][key] = value;
      map[m] = pv_values_set(&pool, map[m], key, value);
    }
  }
  for (uint32_t m = 0; m < MAPS; m++) {
    for (uint32_t key = 0; key < KEYS; key++)
      assert_ptr_equal(pv_values_get(map[m], key), model[m][key]);
    for (uint32_t k = 0; k < MAPS; k++) {
      struct difference d = {model[m], model[k], 0, 0};
      uint32_t n = 0;
      pv_values_compare(map[m], map[k], check_difference, &d);
      for (uint32_t key = 0; key < KEYS; key++) n += model[m][key] != model[k][key];
      assert_int_equal(d.n, n);
    }
  }
  pv_pool_free(&pool);
}

static void test_setting_what_is_there_changes_nothing(void **unused) {
  (void)unused;
  struct pv_pool pool = {0};
  struct pv_values v = pv_values_set(&pool, (struct pv_values){0}, 70000, &state);
  assert_true(pv_values_same(v, pv_values_set(&pool, v, 70000, &state)));
  assert_true(pv_values_same(v, pv_values_set(&pool, v, 3, NULL)));
  assert_null(pv_values_get(v, UINT32_MAX));
  pv_pool_free(&pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_versions),
      cmocka_unit_test(test_setting_what_is_there_changes_nothing),
  };
  return cmocka_run_group_tests_name("cpa/values", tests, NULL, NULL);
}
