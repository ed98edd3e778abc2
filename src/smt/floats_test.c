/* Circuits on floats against the processor: with constant operands, the result is constant. */
#include "smt/floats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct pv_float_format SINGLE = {23, 8}, DOUBLE = {52, 11}, LONG = {63, 15};
static uint64_t seed = 1;

static uint64_t any(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return seed;
}

static bool is_number(uint32_t n, const int *word, uint64_t *lo, uint64_t *hi) {
  *lo = *hi = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (word[i] != PV_SAT_TRUE && word[i] != PV_SAT_FALSE) return false;
    *(i < 64 ? lo : hi) |= (uint64_t)(word[i] == PV_SAT_TRUE) << i % 64;
  }
  return true;
}

static void put_double(struct pv_sat *t, double d, int *out) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  pv_word_number(64, bits, out);
  pv_float_of_bits(t, DOUBLE, out, out);
}
static void put_single(struct pv_sat *t, float f, int *out) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  pv_word_number(32, bits, out);
  pv_float_of_bits(t, SINGLE, out, out);
}
static void put_long(struct pv_sat *t, long double d, int *out) {
  uint64_t part[2] = {0};
  memcpy(part, &d, 10);
  pv_word_number(63, part[0], out);
  pv_word_number(16, part[1], out + 63);
  pv_float_of_bits(t, LONG, out, out);
}

static void same(const char *what, struct pv_sat *t, uint32_t n, const int *got, const int *want) {
  uint64_t lo, hi, x, y;
  (void)t;
  assert_true(is_number(n, want, &x, &y));
  if (!is_number(n, got, &lo, &hi) || lo != x || hi != y)
    fail_msg("%s: %llx %llx, not %llx %llx", what, (unsigned long long)hi, (unsigned long long)lo,
             (unsigned long long)y, (unsigned long long)x);
}

/* Of all magnitudes, often special, halfway or of few bits. */
static double any_double(void) {
  static const double special[] = {0.0,
                                   -0.0,
                                   1.0,
                                   -1.0,
                                   0.5,
                                   1.5,
                                   INFINITY,
                                   -INFINITY,
                                   NAN,
                                   2.5,
                                   0x1p-1022,
                                   0x1p-1074,
                                   0x1p-149,
                                   0x1p-150,
                                   0x1.8p-150,
                                   0x1.fffffep127,
                                   0x1.ffffffp127,
                                   2147483647.5,
                                   -2147483648.0,
                                   0x1p63,
                                   -0x1p63,
                                   0x1p64,
                                   0x1.fffffffffffffp1023};
  uint64_t bits = any();
  double d;
  switch (any() % 5) {
  case 0: return special[any() % (sizeof special / sizeof *special)];
  case 1: return (double)(int64_t)(any() >> any() % 60) / (double)(1u << any() % 20);
  case 2: bits &= ~((UINT64_C(1) << any() % 52) - 1); break; /* few bits */
  case 3:                                                    /* near the limits of float */
    bits = (bits & 0x800fffffffffffff) |
           (any() % 2 ? 1023 - 150 + any() % 30 : 1023 + 120 + any() % 10) << 52;
    break;
  default: break;
  }
  memcpy(&d, &bits, sizeof d);
  return d;
}

static void conversions_are_those_of_the_processor(void **state) {
  (void)state;
  struct pv_sat *t = pv_sat_new(NULL, NULL);
  int x[80], got[80], want[80];
  for (unsigned i = 0; i < 4000; i++) {
    double d = any_double();
    float f = (float)any_double();
    int64_t n = (int64_t)(any() >> any() % 64);
    if (any() % 2) n = -n;
    put_double(t, d, x);
    pv_float_convert(t, DOUBLE, x, SINGLE, got);
    put_single(t, (float)d, want);
    same("double to float", t, 32, got, want);
    pv_float_convert(t, DOUBLE, x, LONG, got);
    put_long(t, (long double)d, want);
    same("double to long double", t, 79, got, want);
    put_single(t, f, x);
    pv_float_convert(t, SINGLE, x, DOUBLE, got);
    put_double(t, (double)f, want);
    same("float to double", t, 64, got, want);
    long double l = (long double)d * 1.0000000001L + (long double)any_double() / 3;
    put_long(t, l, x);
    pv_float_convert(t, LONG, x, DOUBLE, got);
    put_double(t, (double)l, want);
    same("long double to double", t, 64, got, want);
    pv_word_number(64, (uint64_t)n, x);
    pv_float_of_integer(t, 64, x, true, DOUBLE, got);
    put_double(t, (double)n, want);
    same("integer to double", t, 64, got, want);
    pv_float_of_integer(t, 64, x, false, SINGLE, got);
    put_single(t, (float)(uint64_t)n, want);
    same("unsigned integer to float", t, 32, got, want);
  }
  pv_sat_free(t);
}

static void whole_numbers_are_those_of_the_processor(void **state) {
  (void)state;
  struct pv_sat *t = pv_sat_new(NULL, NULL);
  int x[80], got[80], want[80];
  for (unsigned i = 0; i < 4000; i++) {
    double d = any_double();
    uint64_t lo, hi;
    put_double(t, d, x);
    pv_float_truncate(t, DOUBLE, x, got);
    put_double(t, trunc(d), want);
    same("trunc", t, 64, got, want);
    bool fits = d > -2147483649.0 && d < 2147483648.0;
    pv_float_to_integer(t, DOUBLE, x, 32, true, got);
    assert_int_equal(is_number(32, got, &lo, &hi), fits); /* else: any value */
    if (fits) assert_int_equal((uint32_t)lo, (uint32_t)(int32_t)d);
    fits = d > -1.0 && d < 0x1p64;
    pv_float_to_integer(t, DOUBLE, x, 64, false, got);
    assert_int_equal(is_number(64, got, &lo, &hi), fits);
    if (fits) assert_true(lo == (uint64_t)d);
  }
  pv_sat_free(t);
}

static void comparisons_and_products_are_those_of_the_processor(void **state) {
  (void)state;
  struct pv_sat *t = pv_sat_new(NULL, NULL);
  int x[80], y[80], got[80], want[80];
  for (unsigned i = 0; i < 4000; i++) {
    double a = any_double(), b = any() % 4 ? any_double() : a;
    put_double(t, a, x);
    put_double(t, b, y);
    assert_int_equal(pv_float_equal(t, DOUBLE, x, y), a == b ? PV_SAT_TRUE : PV_SAT_FALSE);
    assert_int_equal(pv_float_below(t, DOUBLE, x, y, false), a < b ? PV_SAT_TRUE : PV_SAT_FALSE);
    assert_int_equal(pv_float_below(t, DOUBLE, x, y, true), a <= b ? PV_SAT_TRUE : PV_SAT_FALSE);
    assert_int_equal(pv_float_is_nan(t, DOUBLE, x), isnan(a) ? PV_SAT_TRUE : PV_SAT_FALSE);
    pv_float_product(t, DOUBLE, x, y, got);
    put_double(t, a * b, want);
    same("product", t, 64, got, want);
    pv_float_negate(t, DOUBLE, x, got);
    put_double(t, -a, want);
    same("negation", t, 64, got, want);
    pv_float_absolute(t, DOUBLE, x, got);
    put_double(t, fabs(a), want);
    same("absolute value", t, 64, got, want);
    float c = (float)a, d = (float)b, e = c * d;
    put_single(t, c, x);
    put_single(t, d, y);
    pv_float_product(t, SINGLE, x, y, got);
    put_single(t, e, want);
    same("product of floats", t, 32, got, want);
  }
  pv_sat_free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(conversions_are_those_of_the_processor),
      cmocka_unit_test(whole_numbers_are_those_of_the_processor),
      cmocka_unit_test(comparisons_and_products_are_those_of_the_processor)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
