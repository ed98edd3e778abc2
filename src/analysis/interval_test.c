/* interval_test.c -- checks the domain against numbers: operations and comparisons of all intervals
 * of four bits, and of random ones of 64 bits, against pv_compute on numbers in them. */
#include "analysis/interval.h"

#include "analysis/analysis_test.h"

enum { BITS = 4, LEAST = -8, MOST = 7 };

static const unsigned operations[] = {PV_X_ADD,  PV_X_SUB,  PV_X_MUL, PV_X_SDIV, PV_X_UDIV,
                                      PV_X_SREM, PV_X_UREM, PV_X_SHL, PV_X_LSHR, PV_X_ASHR,
                                      PV_X_AND,  PV_X_OR,   PV_X_XOR, PV_X_EQ,   PV_X_NE,
                                      PV_X_ULT,  PV_X_ULE,  PV_X_SLT, PV_X_SLE};
static const unsigned conversions[] = {PV_X_ZEXT, PV_X_SEXT, PV_X_TRUNC, PV_X_BITCAST};

static bool is_comparison(unsigned op) {
  return op >= PV_X_EQ && op <= PV_X_SLE;
}

static uint64_t mask_of(unsigned bits) {
  return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

static int64_t as_signed(uint64_t value, unsigned bits) {
  return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static bool has(struct pv_interval i, int64_t value) {
  unsigned zeros = value ? (unsigned)__builtin_ctzll((uint64_t)value) : 64;
  return value >= i.lo && value <= i.hi && zeros >= i.zero_bits;
}

static struct pv_interval between(int64_t lo, int64_t hi) {
  struct pv_interval r = pv_interval_none();
  for (int64_t v = lo; v <= hi; v++)
    r = pv_interval_join(r, pv_interval_constant(PV_INT(BITS), (uint64_t)v));
  return r;
}

/* If the result on numbers is defined, it is in the resulting interval. */
static void check(const struct pv_expr_node *n, pv_type from, struct pv_interval r, int64_t a,
                  int64_t b) {
  unsigned bits = pv_type_bits(from);
  pv_u128 value;
  if (!pv_compute(n, bits, (uint64_t)a & mask_of(bits), (uint64_t)b & mask_of(bits), &value))
    return;
  int64_t is = as_signed((uint64_t)value, pv_type_bits(n->type));
  if (!has(r, is))
    fail_msg("operation %u on %lld and %lld: %lld, not in [%lld, %lld] with %u zeros", n->op,
             (long long)a, (long long)b, (long long)is, (long long)r.lo, (long long)r.hi,
             r.zero_bits);
}

static void small_operations(void **state) {
  (void)state;
  unsigned exact = 0, all = 0;
  for (size_t o = 0; o < sizeof operations / sizeof *operations; o++) {
    struct pv_expr_node n = {.op = (uint8_t)operations[o], .type = PV_INT(BITS)};
    if (is_comparison(n.op)) n.type = PV_INT(1);
    for (int64_t a = LEAST; a <= MOST; a++)
      for (int64_t b = a; b <= MOST; b++)
        for (int64_t c = LEAST; c <= MOST; c++)
          for (int64_t d = c; d <= MOST; d++) {
            struct pv_interval r =
                pv_interval_compute(&n, PV_INT(BITS), between(a, b), between(c, d));
            struct pv_interval any = pv_interval_any(n.type);
            exact += r.lo > any.lo || r.hi < any.hi;
            all++;
            for (int64_t x = a; x <= b; x++)
              for (int64_t y = c; y <= d; y++) check(&n, PV_INT(BITS), r, x, y);
          }
  }
  print_message("%u of %u intervals have bounds\n", exact, all);
  assert_true(exact > all / 10); /* it is not trivial */
}

static void small_conversions(void **state) {
  (void)state;
  for (size_t o = 0; o < sizeof conversions / sizeof *conversions; o++)
    for (unsigned to = 1; to <= 8; to++) {
      struct pv_expr_node n = {.op = (uint8_t)conversions[o], .type = PV_INT(to)};
      bool fits = n.op == PV_X_TRUNC ? to < BITS : n.op == PV_X_BITCAST ? to == BITS : to > BITS;
      for (int64_t a = LEAST; fits && a <= MOST; a++)
        for (int64_t b = a; b <= MOST; b++) {
          struct pv_interval is = between(a, b), r = pv_interval_compute(&n, PV_INT(BITS), is, is);
          for (int64_t x = a; x <= b; x++) check(&n, PV_INT(BITS), r, x, 0);
        }
    }
}

static bool holds(unsigned op, int64_t a, int64_t b) {
  struct pv_expr_node n = {.op = (uint8_t)op, .type = PV_INT(1)};
  pv_u128 value = 0;
  assert_true(
      pv_compute(&n, BITS, (uint64_t)a & mask_of(BITS), (uint64_t)b & mask_of(BITS), &value));
  return value;
}

/* Comparisons exclude no numbers for which they hold, and are exact where they claim so. */
static void small_comparisons(void **state) {
  (void)state;
  for (unsigned op = PV_X_EQ; op <= PV_X_SLE; op++)
    for (int64_t a = LEAST; a <= MOST; a++)
      for (int64_t b = a; b <= MOST; b++)
        for (int64_t c = LEAST; c <= MOST; c++)
          for (int64_t d = c; d <= MOST; d++) {
            struct pv_interval left = between(a, b), right = between(c, d);
            bool always = pv_interval_holds(op, left, right), any = false, all = true;
            pv_interval_assume(op, &left, &right);
            for (int64_t x = a; x <= b; x++)
              for (int64_t y = c; y <= d; y++) {
                bool is = holds(op, x, y);
                all = all && is;
                any = any || is;
                if (is && (!has(left, x) || !has(right, y)))
                  fail_msg("%lld and %lld are left out of %u", (long long)x, (long long)y, op);
              }
            assert_true(all || !always);
            bool natural = a >= 0 && c >= 0, is_signed = op != PV_X_ULT && op != PV_X_ULE;
            if (op != PV_X_EQ && op != PV_X_NE && (natural || is_signed)) {
              assert_true(always == all);
              assert_true(any == !(pv_interval_is_empty(left) || pv_interval_is_empty(right)));
            }
          }
}

static struct pv_interval random_interval(uint64_t *state, unsigned bits, int64_t *value) {
  int64_t ends[2];
  for (int i = 0; i < 2; i++) {
    uint64_t word =
        (uint64_t)pv_test_random(state, UINT32_MAX) << 32 | pv_test_random(state, UINT32_MAX);
    ends[i] = as_signed(word >> pv_test_random(state, 64), bits);
    if (pv_test_random(state, 4) == 0) ends[i] = as_signed(UINT64_C(1) << (bits - 1), bits);
  }
  *value = ends[pv_test_random(state, 2)];
  return pv_interval_join(pv_interval_constant(PV_INT(bits), (uint64_t)ends[0]),
                          pv_interval_constant(PV_INT(bits), (uint64_t)ends[1]));
}

static void large_numbers(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (unsigned i = 0; i < 2000000; i++) {
    unsigned op = operations[pv_test_random(&seed, sizeof operations / sizeof *operations)];
    unsigned bits = pv_test_random(&seed, 2) ? 64 : 32;
    struct pv_expr_node n = {.op = (uint8_t)op,
                             .type = is_comparison(op) ? PV_INT(1) : PV_INT(bits)};
    int64_t x, y;
    struct pv_interval a = random_interval(&seed, bits, &x), b = random_interval(&seed, bits, &y);
    check(&n, PV_INT(bits), pv_interval_compute(&n, PV_INT(bits), a, b), x, y);
    bool is = false;
    pv_u128 value;
    if (is_comparison(op) &&
        pv_compute(&n, bits, (uint64_t)x & mask_of(bits), (uint64_t)y & mask_of(bits), &value))
      is = value;
    pv_interval_assume(op, &a, &b);
    assert_true(!is || (has(a, x) && has(b, y)));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_operations),
      cmocka_unit_test(small_conversions),
      cmocka_unit_test(small_comparisons),
      cmocka_unit_test(large_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
