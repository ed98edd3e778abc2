/* Intervals of bit-vector terms: random terms of small widths against all values of their
 * constants. */
#include "smt/smt_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct pv_sort bv(unsigned bits) {
  return (struct pv_sort){.kind = PV_SORT_BV, .bits = (uint8_t)bits};
}

static uint64_t seed;
static unsigned below(unsigned n) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(seed >> 33) % n;
}

enum { BITS = 4, CONSTANTS = 2, WORDS = 14 };
static const enum pv_smt_op ops[] = {PV_SMT_BVADD,  PV_SMT_BVSUB,  PV_SMT_BVMUL,  PV_SMT_BVSDIV,
                                     PV_SMT_BVUDIV, PV_SMT_BVSREM, PV_SMT_BVUREM, PV_SMT_BVSHL,
                                     PV_SMT_BVLSHR, PV_SMT_BVASHR, PV_SMT_BVAND,  PV_SMT_BVOR,
                                     PV_SMT_BVXOR};
static const enum pv_smt_op comparisons[] = {PV_SMT_BVULT, PV_SMT_BVULE, PV_SMT_BVSLT, PV_SMT_BVSLE,
                                             PV_SMT_EQ};
#define COUNT(A) (sizeof(A) / sizeof *(A))

static unsigned width(struct pv_smt *s, pv_term t) {
  return pv_smt_sort(s, t).bits;
}

/* A word of 4 bits, made of one of 8 or fewer. */
static pv_term fitted(struct pv_smt *s, pv_term t) {
  unsigned n = width(s, t), low = n > BITS ? below(n - BITS + 1) : 0;
  return n < BITS ? pv_smt_extend(s, below(2), BITS, t) : pv_smt_extract(s, low + BITS - 1, low, t);
}

static pv_term some_word(struct pv_smt *s, const pv_term *word, unsigned n) {
  return below(3) ? fitted(s, word[below(n)]) : pv_smt_number(s, bv(BITS), below(1 << BITS), 0);
}

/* Terms as they are built: with the intervals used on the way. */
static pv_term random_word(struct pv_smt *s, const pv_term *word, unsigned n) {
  pv_term a = some_word(s, word, n), b = some_word(s, word, n), c, d;
  switch (below(8)) {
  case 0: return pv_smt_extend(s, below(2), BITS + 1 + below(4), a);
  case 1: return pv_smt_mk2(s, PV_SMT_BVCONCAT, a, b);
  case 2: return pv_smt_extract(s, 1 + below(3), below(2), a);
  case 3: return pv_smt_mk1(s, below(2) ? PV_SMT_BVNEG : PV_SMT_BVNOT, a);
  case 4:
  case 5:
    c = below(2) ? a : some_word(s, word, n);
    d = below(2)   ? b
        : below(2) ? pv_smt_mk1(s, PV_SMT_BVNEG, a)
                   : pv_smt_mk2(s, PV_SMT_BVSUB, a, b);
    return pv_smt_mk3(s, PV_SMT_ITE, pv_smt_mk2(s, comparisons[below(COUNT(comparisons))], a, b), c,
                      d);
  default: return pv_smt_mk2(s, ops[below(COUNT(ops))], a, b);
  }
}

/* Is the value that the term has under an assignment within its interval? The solver says so,
 * without ours: Z3 evaluates the term as a formula. */
static void check_value(struct pv_smt *s, pv_term t, const pv_term *from, const pv_term *to) {
  struct pv_bounds b;
  unsigned n = width(s, t);
  uint64_t v, high;
  pv_term value = pv_smt_simplify(s, pv_smt_substitute(s, t, CONSTANTS, from, to));
  assert_true(pv_smt_numeral(s, pv_ast(value), bv(n), &v, &high));
  pv_smt_bounds(s, pv_ast(t), &b);
  pv_i128 is_signed = v >> (n - 1) & 1 ? (pv_i128)v - ((pv_i128)1 << n) : (pv_i128)v;
  assert_true(b.ulo <= (pv_i128)v && (pv_i128)v <= b.uhi);
  assert_true(b.slo <= is_signed && is_signed <= b.shi);
}

static void random_terms_lie_in_their_intervals(void **state) {
  (void)state;
  const char *rounds = getenv("PROVISO_BOUNDS_ROUNDS");
  unsigned narrowed = 0;
  for (uint64_t round = 0; round < (rounds ? strtoull(rounds, NULL, 10) : 60); round++) {
    struct pv_smt *s = pv_smt_new((struct pv_smt_limits){0}, NULL);
    pv_term word[WORDS], value[CONSTANTS];
    seed = round;
    word[0] = pv_smt_const(s, "x", bv(BITS));
    word[1] = pv_smt_const(s, "y", bv(BITS));
    for (unsigned i = CONSTANTS; i < WORDS; i++) {
      struct pv_bounds b;
      word[i] = random_word(s, word, i);
      narrowed += pv_smt_bounds(s, pv_ast(word[i]), &b);
    }
    for (unsigned x = 0; x < 1 << BITS; x++)
      for (unsigned y = 0; y < 1 << BITS; y++) {
        value[0] = pv_smt_number(s, bv(BITS), x, 0), value[1] = pv_smt_number(s, bv(BITS), y, 0);
        for (unsigned i = CONSTANTS; i < WORDS; i++) check_value(s, word[i], word, value);
      }
    pv_smt_free(s);
  }
  assert_true(narrowed > 0);
}

/* What was folded is what Z3 computes from the operation that was not. */
static void folded_operations_are_equal(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new((struct pv_smt_limits){0}, NULL);
  pv_term x = pv_smt_const(s, "x", bv(64)), b = pv_smt_const(s, "b", bv(8));
  pv_term ten = pv_smt_number(s, bv(64), 10, 0), rest = pv_smt_extend(s, false, 64, b);
  pv_term digit = pv_smt_mk2(s, PV_SMT_BVUREM, x, ten);
  assert_true(pv_smt_is_true(s, pv_smt_mk2(s, PV_SMT_BVULT, digit, ten)));
  assert_true(pv_smt_is_false(s, pv_smt_mk2(s, PV_SMT_EQ, digit, ten)));
  assert_true(pv_smt_mk2(s, PV_SMT_BVUREM, digit, ten) == digit);
  for (int i = 0; i < 3; i++) {
    assert_false(pv_smt_is_number(s, rest));
    rest = pv_smt_mk2(s, PV_SMT_BVUDIV, rest, ten);
  }
  assert_true(pv_smt_is_number(s, rest)); /* 255 / 10 / 10 / 10 is 0 */
  pv_smt_free(s);
}

static void magnitudes_are_nonnegative(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new((struct pv_smt_limits){0}, NULL);
  pv_term v = pv_smt_const(s, "v", bv(32)), zero = pv_smt_number(s, bv(64), 0, 0);
  pv_term x = pv_smt_extend(s, true, 64, v), minus = pv_smt_mk2(s, PV_SMT_BVSUB, zero, x);
  pv_term size = pv_smt_mk3(s, PV_SMT_ITE, pv_smt_mk2(s, PV_SMT_BVSLT, x, zero), minus, x);
  struct pv_bounds b;
  assert_true(pv_smt_bounds(s, pv_ast(size), &b));
  assert_true(b.ulo == 0 && b.uhi == (pv_i128)1 << 31 && b.slo == 0 && b.shi == (pv_i128)1 << 31);
  pv_smt_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_terms_lie_in_their_intervals),
      cmocka_unit_test(folded_operations_are_equal),
      cmocka_unit_test(magnitudes_are_nonnegative),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
