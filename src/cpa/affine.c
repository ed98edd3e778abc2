#include "cpa/affine.h"

#include <string.h>

/* Divides a row by its greatest common divisor, and makes the pivot positive. */
static void normalise(uint32_t n, pv_i128 *row, uint32_t pivot) {
  pv_i128 g = 0;
  for (uint32_t i = 0; i < n; i++) g = pv_i128_gcd(g, row[i]);
  if (row[pivot] < 0) g = -g;
  for (uint32_t i = 0; i < n; i++) row[i] /= g;
}

/* row := row * by[pivot] - by * row[pivot]. Returns false if a number becomes too large. */
static bool eliminate(uint32_t n, pv_i128 *row, const pv_i128 *by, uint32_t pivot) {
  const pv_i128 most = (pv_i128)1 << 62; /* gcd can negate numbers below this bound */
  pv_i128 f = row[pivot], m = by[pivot], g = pv_i128_gcd(f, m);
  if (!f) return true;
  f /= g;
  m /= g;
  for (uint32_t i = 0; i < n; i++) {
    pv_i128 x, y;
    if (__builtin_mul_overflow(row[i], m, &x) || __builtin_mul_overflow(by[i], f, &y) ||
        __builtin_sub_overflow(x, y, &row[i]) || row[i] > most || row[i] < -most)
      return false;
  }
  return true;
}

static uint32_t first_of(uint32_t n, const pv_i128 *row) {
  uint32_t i = 0;
  while (i < n && !row[i]) i++;
  return i;
}

static bool give_up(struct pv_affine *a) {
  a->full = true;
  return true;
}

bool pv_affine_add(struct pv_affine *a, const pv_i128 *point) {
  const pv_i128 most = (pv_i128)1 << 62;
  pv_i128 row[PV_AFFINE_MOST];
  if (a->full) return false;
  for (uint32_t i = 0; i < a->n; i++)
    if (point[i] > most || point[i] < -most) return give_up(a);
  if (!a->any) {
    memcpy(a->point, point, a->n * sizeof *point);
    return a->any = true;
  }
  for (uint32_t i = 0; i < a->n; i++) row[i] = point[i] - a->point[i];
  for (uint32_t r = 0; r < a->rank; r++)
    if (!eliminate(a->n, row, a->rows[r], a->pivot[r])) return give_up(a);
  uint32_t pivot = first_of(a->n, row);
  if (pivot == a->n) return false;
  normalise(a->n, row, pivot);
  for (uint32_t r = 0; r < a->rank; r++) {
    if (!eliminate(a->n, a->rows[r], row, pivot)) return give_up(a);
    normalise(a->n, a->rows[r], a->pivot[r]);
  }
  memcpy(a->rows[a->rank], row, a->n * sizeof *row);
  a->pivot[a->rank++] = pivot;
  a->full = a->rank == a->n;
  return true;
}

/* The equality of a column without a pivot: the column times the least common multiple of the
 * pivots of all rows in which it is not 0, minus the corresponding multiples of these rows. */
static bool equality_of(const struct pv_affine *a, uint32_t column, int64_t *coefficients,
                        int64_t *constant) {
  pv_i128 c[PV_AFFINE_MOST] = {0}, l = 1, sum = 0;
  for (uint32_t r = 0; r < a->rank; r++) {
    pv_i128 p = a->rows[r][a->pivot[r]];
    if (!a->rows[r][column]) continue;
    if (__builtin_mul_overflow(l / pv_i128_gcd(l, p), p, &l)) return false;
  }
  c[column] = l;
  for (uint32_t r = 0; r < a->rank; r++)
    if (__builtin_mul_overflow(-a->rows[r][column], l / a->rows[r][a->pivot[r]], &c[a->pivot[r]]))
      return false;
  normalise(a->n, c, column);
  for (uint32_t i = 0; i < a->n; i++) {
    pv_i128 x;
    if (__builtin_mul_overflow(c[i], a->point[i], &x) || __builtin_add_overflow(sum, x, &sum) ||
        c[i] > INT32_MAX || c[i] < INT32_MIN)
      return false;
    coefficients[i] = (int64_t)c[i];
  }
  *constant = (int64_t)sum;
  return sum == *constant;
}

uint32_t pv_affine_equalities(const struct pv_affine *a,
                              int64_t coefficients[PV_AFFINE_MOST][PV_AFFINE_MOST],
                              int64_t constants[PV_AFFINE_MOST]) {
  bool is_pivot[PV_AFFINE_MOST] = {false};
  uint32_t found = 0;
  if (!a->any || a->full) return 0;
  for (uint32_t r = 0; r < a->rank; r++) is_pivot[a->pivot[r]] = true;
  for (uint32_t i = 0; i < a->n; i++)
    if (!is_pivot[i]) found += equality_of(a, i, coefficients[found], &constants[found]);
  return found;
}
