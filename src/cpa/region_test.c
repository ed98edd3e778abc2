#include "cpa/region.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* A random formula, as a region and as a truth table over 4 predicates. */
struct both {
  pv_region region;
  uint16_t table;
};

static uint32_t state = 7;
static uint32_t random_number(uint32_t below) {
  state = state * 1664525 + 1013904223;
  return (state >> 8) % below;
}

static struct both formula(struct pv_regions *r, unsigned depth) {
  static const uint16_t columns[4] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};
  if (depth == 0) {
    uint32_t p = random_number(4);
    bool positive = random_number(2);
    uint16_t table = positive ? columns[p] : (uint16_t)~columns[p];
    return (struct both){pv_region_literal(r, p, positive), table};
  }
  struct both a = formula(r, depth - 1), b = formula(r, depth - 1);
  switch (random_number(3)) {
  case 0: return (struct both){pv_region_and(r, a.region, b.region), a.table & b.table};
  case 1: return (struct both){pv_region_or(r, a.region, b.region), a.table | b.table};
  default: return (struct both){pv_region_not(r, a.region), (uint16_t)~a.table};
  }
}

static bool holds(const struct pv_regions *r, pv_region a, unsigned row) {
  while (a > PV_REGION_TRUE) {
    struct pv_region_node n = pv_region_top(r, a);
    a = row >> n.predicate & 1 ? n.high : n.low;
  }
  return a == PV_REGION_TRUE;
}

static void test_against_truth_tables(void **unused) {
  (void)unused;
  struct pv_regions *r = pv_regions_new();
  struct both seen[200];
  for (unsigned i = 0; i < 200; i++) {
    seen[i] = formula(r, i % 5);
    for (unsigned row = 0; row < 16; row++)
      assert_int_equal(holds(r, seen[i].region, row), seen[i].table >> row & 1);
    for (unsigned k = 0; k < i; k++) {
      assert_int_equal(seen[i].region == seen[k].region, seen[i].table == seen[k].table);
      assert_int_equal(pv_region_implies(r, seen[i].region, seen[k].region),
                       (seen[i].table & ~seen[k].table & 0xffff) == 0);
    }
  }
  pv_regions_free(r);
}

static void test_tables_grow(void **unused) {
  (void)unused;
  struct pv_regions *r = pv_regions_new();
  pv_region parity = PV_REGION_FALSE;
  for (uint32_t p = 0; p < 300; p++) {
    pv_region x = pv_region_literal(r, p, true), y = pv_region_literal(r, p, false);
    parity =
        pv_region_or(r, pv_region_and(r, parity, y), pv_region_and(r, pv_region_not(r, parity), x));
  }
  assert_true(pv_regions_nodes(r) > 600);
  assert_int_equal(pv_region_not(r, pv_region_not(r, parity)), parity);
  pv_regions_free(r);
}

/* Every cube over four predicates, named in an order of no meaning. */
static void test_cubes(void **unused) {
  (void)unused;
  struct pv_regions *r = pv_regions_new();
  const uint32_t predicates[4] = {2, 0, 3, 1};
  for (unsigned k = 0; k < 81; k++) {
    int8_t literals[4];
    pv_region expected = PV_REGION_TRUE;
    for (unsigned i = 0, rest = k; i < 4; i++, rest /= 3) {
      literals[i] = (int8_t)(rest % 3) - 1;
      if (literals[i])
        expected = pv_region_and(r, expected, pv_region_literal(r, predicates[i], literals[i] > 0));
    }
    assert_int_equal(pv_region_cube(r, 4, predicates, literals), expected);
  }
  pv_regions_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_truth_tables),
      cmocka_unit_test(test_cubes),
      cmocka_unit_test(test_tables_grow),
  };
  return cmocka_run_group_tests_name("cpa/region", tests, NULL, NULL);
}
