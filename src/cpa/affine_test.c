#include "cpa/affine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static uint32_t state = 11;
static int64_t random_number(int64_t most) {
  state = state * 1664525 + 1013904223;
  return (int64_t)(state >> 8) % (2 * most + 1) - most;
}

static bool add(struct pv_affine *a, int64_t x, int64_t y, int64_t z) {
  pv_i128 point[PV_AFFINE_MOST] = {x, y, z};
  return pv_affine_add(a, point);
}

static uint32_t equalities(const struct pv_affine *a, int64_t c[PV_AFFINE_MOST][PV_AFFINE_MOST],
                           int64_t k[PV_AFFINE_MOST]) {
  return pv_affine_equalities(a, c, k);
}

static void grows_by_points(void **unused) {
  (void)unused;
  struct pv_affine a = {.n = 3};
  int64_t c[PV_AFFINE_MOST][PV_AFFINE_MOST], k[PV_AFFINE_MOST];
  assert_int_equal(equalities(&a, c, k), 0); /* the empty space */
  assert_true(add(&a, 1, 2, 3));
  assert_int_equal(equalities(&a, c, k), 3);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(c[i][i], 1);
    assert_int_equal(k[i], i + 1);
  }
  assert_false(add(&a, 1, 2, 3));
  assert_true(add(&a, 3, 5, 3)); /* a line: 3x - 2y = -1, z = 3 */
  assert_int_equal(equalities(&a, c, k), 2);
  assert_int_equal(c[0][0] * 1 + c[0][1] * 2, k[0]);
  assert_int_equal(c[0][0] * 3 + c[0][1] * 5, k[0]);
  assert_true(c[0][0] % 3 == 0 && c[0][1] % 2 == 0 && c[0][2] == 0);
  assert_true(c[1][0] == 0 && c[1][1] == 0 && c[1][2] == 1 && k[1] == 3);
  assert_false(add(&a, -1, -1, 3));
  assert_true(add(&a, 0, 0, 3));
  assert_int_equal(equalities(&a, c, k), 1);
  assert_true(add(&a, 0, 0, 4));
  assert_true(a.full);
  assert_int_equal(equalities(&a, c, k), 0);
  assert_false(add(&a, 9, 9, 9));
}

static void gives_up_on_large_numbers(void **unused) {
  (void)unused;
  struct pv_affine a = {.n = 2};
  pv_i128 far[2] = {(pv_i128)1 << 100, 0};
  assert_true(pv_affine_add(&a, far));
  assert_true(a.full);
  assert_false(pv_affine_add(&a, far));
}

/* Points of a random space of each dimension: all satisfy the equalities found, the number of
 * equalities is right, and a point outside of the space violates one. */
static void finds_random_spaces(void **unused) {
  (void)unused;
  enum { N = 6, ROUNDS = 300, POINTS = 40 };
  unsigned refuted = 0;
  for (int round = 0; round < ROUNDS; round++) {
    unsigned rank = (unsigned)round % N;
    int64_t base[N], direction[N][N], points[POINTS][N];
    int64_t c[PV_AFFINE_MOST][PV_AFFINE_MOST], k[PV_AFFINE_MOST];
    struct pv_affine a = {.n = N};
    for (int i = 0; i < N; i++) base[i] = random_number(20);
    for (unsigned r = 0; r < rank; r++)
      for (unsigned i = 0; i < N; i++) /* independent: a triangle of ones */
        direction[r][i] = i < r ? 0 : i == r ? 1 : random_number(5);
    for (int p = 0; p < POINTS; p++) {
      pv_i128 point[PV_AFFINE_MOST] = {0};
      int64_t factor[N];
      for (unsigned r = 0; r < rank; r++) factor[r] = p ? random_number(9) : 0;
      for (unsigned i = 0; i < N; i++) {
        points[p][i] = base[i];
        for (unsigned r = 0; r < rank; r++) points[p][i] += factor[r] * direction[r][i];
        point[i] = points[p][i];
      }
      pv_affine_add(&a, point);
    }
    assert_int_equal(a.rank, rank);
    uint32_t n = pv_affine_equalities(&a, c, k);
    assert_int_equal(n, N - rank);
    for (uint32_t e = 0; e < n; e++)
      for (int p = 0; p < POINTS; p++) {
        int64_t sum = 0;
        for (int i = 0; i < N; i++) sum += c[e][i] * points[p][i];
        assert_int_equal(sum, k[e]);
      }
    bool off = false;
    for (uint32_t e = 0; e < n; e++)
      off |= c[e][N - 1] != 0; /* one further in the last dimension */
    refuted += off;
    assert_true(off || rank == N);
  }
  assert_int_equal(refuted, ROUNDS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grows_by_points),
      cmocka_unit_test(gives_up_on_large_numbers),
      cmocka_unit_test(finds_random_spaces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
