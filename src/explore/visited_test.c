/* The guarantees of the lossy sets: no visited state is new again, and a new one is lost at most as
 * often as stated, but not so much less often that the bound would be useless. Measured on small
 * tables, where losses are frequent, with reproducible random numbers. */
#include "explore/visited.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t random_state;
static uint64_t rnd(void) { /* splitmix64 (Vigna, public domain) */
  uint64_t x = random_state += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* State i of a typical program: a few components, each with one of a few consecutive values. */
static struct pv_fingerprint state_of(uint32_t i, uint32_t first, uint32_t values) {
  struct pv_fingerprint f = {{0, 0}};
  for (uint32_t c = 0; i; c++, i /= values)
    if (i % values) pv_fingerprint_change(&f, first + c, first, first + i % values);
  return f;
}

static void fingerprints_forget_the_way(void **state) {
  (void)state;
  struct pv_fingerprint a = {{0, 0}}, b = {{0, 0}}, zero = {{0, 0}};
  pv_fingerprint_change(&a, 1, 5, 6);
  pv_fingerprint_change(&a, 2, 0, 9);
  pv_fingerprint_change(&b, 2, 0, 7);
  pv_fingerprint_change(&b, 1, 5, 6);
  assert_memory_not_equal(&a, &b, sizeof a);
  pv_fingerprint_change(&b, 2, 7, 9);
  assert_memory_equal(&a, &b, sizeof a);
  pv_fingerprint_change(&b, 2, 9, 0);
  pv_fingerprint_change(&b, 1, 6, 5);
  assert_memory_equal(&b, &zero, sizeof b);
}

static void add_all_twice(struct pv_visited *v, uint32_t n, bool random) {
  uint32_t fresh = 0;
  for (int round = 0; round < 2; round++) {
    random_state = 1;
    for (uint32_t i = 0; i < n; i++) {
      struct pv_fingerprint f = state_of(i, 1, 10);
      if (random) f.word[0] = rnd(), f.word[1] = rnd();
      fresh += pv_visited_add(v, &f);
    }
    assert_int_equal(fresh, n);
    assert_int_equal(pv_visited_states(v), n);
  }
  pv_visited_free(v);
}

/* Of so few states none is lost with so many bits, nor found anew after the table grew. */
static void long_fingerprints_are_exact(void **state) {
  (void)state;
  for (int random = 0; random < 2; random++) {
    add_all_twice(pv_visited_compact(64), 200000, random);
    add_all_twice(pv_visited_compact(128), 100000, random);
    add_all_twice(pv_visited_bits((uint64_t)1 << 26, 3), 30000, random);
  }
}

static void compact_takes_ten_bytes(void **state) {
  (void)state;
  struct pv_visited *v = pv_visited_compact(64);
  uint64_t before = 0;
  random_state = 7;
  for (uint32_t i = 0; i < 300000; i++) {
    struct pv_fingerprint f = {{rnd(), rnd()}};
    uint64_t soon = pv_visited_growth(v);
    pv_visited_add(v, &f);
    if (i > 20000) {
      assert_true(pv_visited_bytes(v) <= 11 * pv_visited_states(v));
      assert_true(pv_visited_bytes(v) - before <= soon); /* it was announced */
    }
    before = pv_visited_bytes(v);
  }
  pv_visited_free(v);
}

/* Adds n different states to many small sets. The means of: how many were lost, and that squared;
 * whether any was; what the sets said about both. */
struct measured {
  double lost, square, any, expected, bound;
};
static struct measured measure(struct pv_visited *(*make)(unsigned), unsigned size, uint32_t n,
                               uint32_t sets, bool second_word) {
  struct measured m = {0, 0, 0, 0, 0};
  for (uint32_t k = 0; k < sets; k++) {
    struct pv_visited *v = make(size);
    for (uint32_t i = 0; i < n; i++) {
      struct pv_fingerprint f = state_of(i, 1 + 100 * k, 2 + k % 20);
      if (second_word) f.word[0] = f.word[1];
      pv_visited_add(v, &f);
    }
    struct pv_loss loss = pv_visited_loss(v);
    double lost = (double)(n - pv_visited_states(v));
    m.lost += lost / sets;
    m.square += lost * lost / sets;
    m.any += (lost > 0) / (double)sets;
    m.expected += loss.expected / sets;
    m.bound += loss.bound / sets;
    pv_visited_free(v);
  }
  return m;
}

/* The measured rate is within four standard deviations, except once in 16000 times. Losses are
 * correlated, because sums of the same numbers recur, so the deviation is estimated from the
 * sample. The bound may be larger than the rate, but within limits. */
static void check_rate(struct pv_visited *(*make)(unsigned), unsigned size, uint32_t n,
                       uint32_t sets, bool second_word) {
  struct measured m = measure(make, size, n, sets, second_word);
  double spread = 4 * sqrt((m.square - m.lost * m.lost + 0.01) / sets), any = 4 * sqrt(.25 / sets);
  bool right = m.lost <= m.expected + spread && m.lost >= 0.9 * m.expected - spread;
  right &= m.any <= m.bound + any && (m.bound >= 0.9 || m.bound <= 2 * m.any + any);
  if (!right)
    fail_msg("size %u, %u states: lost %.3f, expected %.3f, spread %.3f; any %.3f, bound %.3f",
             size, n, m.lost, m.expected, spread, m.any, m.bound);
}

static struct pv_visited *bits(unsigned bytes) {
  return pv_visited_bits(bytes, 3);
}
static struct pv_visited *more_bits(unsigned bytes) {
  return pv_visited_bits(bytes, 8);
}
static struct pv_visited *one_bit(unsigned bytes) {
  return pv_visited_bits(bytes, 1);
}

static void losses_of_compact_are_as_stated(void **state) {
  (void)state;
  for (int word = 0; word < 2; word++) {                  /* each is as good as the other */
    check_rate(pv_visited_compact, 12, 30, 4000, word);   /* p about 0.1 */
    check_rate(pv_visited_compact, 16, 1000, 500, word);  /* 7.6 lost */
    check_rate(pv_visited_compact, 20, 300, 4000, word);  /* p about 0.04 */
    check_rate(pv_visited_compact, 24, 10000, 100, word); /* 3.0 */
  }
}

static void losses_of_bits_are_as_stated(void **state) {
  (void)state;
  check_rate(bits, 128, 60, 2000, false);        /* 17 bits a state */
  check_rate(bits, 4096, 1000, 1000, false);     /* 33 */
  check_rate(bits, 4096, 6000, 100, false);      /* 5.5 */
  check_rate(bits, 1024, 8000, 100, false);      /* 1: nearly all is lost */
  check_rate(more_bits, 4096, 4000, 300, false); /* 8 */
  check_rate(one_bit, 4096, 1000, 300, false);
  check_rate(bits, 1 << 16, 5000, 300, false); /* 105: p about 0.03 */
}

static void check_printed(double p, const char *text) {
  struct pv_str s = {0};
  pv_probability_up(p, &s);
  assert_string_equal(pv_str_cstr(&s), text);
  pv_str_free(&s);
}

static void probabilities_are_rounded_up(void **state) {
  (void)state;
  check_printed(3.11e-7, "3.2e-7");
  check_printed(9.91e-7, "1.0e-6");
  check_printed(0.5, "5.0e-1");
  check_printed(5.42e-20, "5.5e-20");
  check_printed(1, "1");
  check_printed(0, "0");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fingerprints_forget_the_way),
                                     cmocka_unit_test(long_fingerprints_are_exact),
                                     cmocka_unit_test(compact_takes_ten_bytes),
                                     cmocka_unit_test(losses_of_compact_are_as_stated),
                                     cmocka_unit_test(losses_of_bits_are_as_stated),
                                     cmocka_unit_test(probabilities_are_rounded_up)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
