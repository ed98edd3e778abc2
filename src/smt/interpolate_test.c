/* Paths through small loops, random ones, disjunctive ones, arrays: every sequence is checked here
 * again, by its definition. */
#include "smt/interpolate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 64, ALL = (1 << PV_ITP_METHODS) - 1 };

static uint64_t seed;
static int below(int n) { /* xorshift64 */
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (int)((seed >> 11) % (unsigned)n);
}

/* ---- a path ---------------------------------------------------------------------------------- */
struct path {
  struct pv_smt *s;
  bool bits;
  uint32_t n;
  pv_term block[MOST];
  pv_terms parts; /* of the block at hand */
};

static void begin(struct path *p, bool bits) {
  struct pv_smt_limits limits = {.ms = bits ? 3000 : 20000};
  *p = (struct path){.s = pv_smt_new(limits, NULL), .bits = bits};
}
static void end(struct path *p) {
  pv_vec_free(&p->parts);
  assert_string_equal(pv_smt_error(p->s), "");
  pv_smt_free(p->s);
}
static void restart(struct path *p) {
  p->n = 0;
  p->parts.n = 0;
}
static void say(struct path *p, pv_term t) {
  pv_vec_push(&p->parts, t);
}
static void close_block(struct path *p) {
  p->block[p->n++] = pv_smt_mk(p->s, PV_SMT_AND, p->parts.n, p->parts.at);
  p->parts.n = 0;
}

/* Terms of either encoding; comparisons are signed. */
static struct pv_sort sort_of(struct path *p) {
  return (struct pv_sort){.kind = p->bits ? PV_SORT_BV : PV_SORT_INT, .bits = p->bits ? 32 : 0};
}
static pv_term num(struct path *p, int64_t v) {
  return p->bits ? pv_smt_number(p->s, sort_of(p), (uint64_t)v, 0) : pv_smt_int(p->s, v);
}
static pv_term var(struct path *p, const char *name) {
  return pv_smt_fresh(p->s, name, sort_of(p));
}
static pv_term op(struct path *p, enum pv_smt_op linear, enum pv_smt_op bits, pv_term a,
                  pv_term b) {
  return pv_smt_mk2(p->s, p->bits ? bits : linear, a, b);
}
static pv_term add(struct path *p, pv_term a, pv_term b) {
  return op(p, PV_SMT_ADD, PV_SMT_BVADD, a, b);
}
static pv_term plus(struct path *p, pv_term a, int64_t k) {
  return add(p, a, num(p, k));
}
static pv_term sub(struct path *p, pv_term a, pv_term b) {
  return op(p, PV_SMT_SUB, PV_SMT_BVSUB, a, b);
}
static pv_term times(struct path *p, int64_t k, pv_term a) {
  return op(p, PV_SMT_MUL, PV_SMT_BVMUL, num(p, k), a);
}
static pv_term lt(struct path *p, pv_term a, pv_term b) {
  return op(p, PV_SMT_LT, PV_SMT_BVSLT, a, b);
}
static pv_term le(struct path *p, pv_term a, pv_term b) {
  return op(p, PV_SMT_LE, PV_SMT_BVSLE, a, b);
}
static pv_term eq(struct path *p, pv_term a, pv_term b) {
  return pv_smt_mk2(p->s, PV_SMT_EQ, a, b);
}
static pv_term not(struct path * p, pv_term a) {
  return pv_smt_mk1(p->s, PV_SMT_NOT, a);
}
static pv_term and2(struct path *p, pv_term a, pv_term b) {
  return pv_smt_mk2(p->s, PV_SMT_AND, a, b);
}
static pv_term or2(struct path *p, pv_term a, pv_term b) {
  return pv_smt_mk2(p->s, PV_SMT_OR, a, b);
}
static pv_term ite(struct path *p, pv_term c, pv_term a, pv_term b) {
  return pv_smt_mk3(p->s, PV_SMT_ITE, c, a, b);
}

/* ---- what a sequence of interpolants is -------------------------------------------------------
 */
static bool has_constant(struct path *p, uint32_t from, uint32_t to, pv_term constant) {
  pv_terms all = {0};
  bool found = false;
  for (uint32_t i = from; i < to; i++) pv_smt_constants(p->s, p->block[i], &all);
  for (uint32_t i = 0; i < all.n; i++) found |= all.at[i] == constant;
  pv_vec_free(&all);
  return found;
}

static void assert_sequence(struct path *p, const pv_term *itp) {
  for (uint32_t k = 0; k < p->n; k++) {
    pv_term parts[3];
    uint32_t n = 0;
    if (k) parts[n++] = itp[k - 1];
    parts[n++] = p->block[k];
    if (k + 1 < p->n) parts[n++] = not(p, itp[k]);
    assert_int_equal(pv_smt_check(p->s, n, parts), PV_SMT_UNSAT);
    if (k + 1 == p->n) break;
    pv_terms used = {0};
    pv_smt_constants(p->s, itp[k], &used);
    for (uint32_t i = 0; i < used.n; i++) {
      assert_true(has_constant(p, 0, k + 1, used.at[i]));
      assert_true(has_constant(p, k + 1, p->n, used.at[i]));
    }
    pv_vec_free(&used);
  }
}

static enum pv_smt_answer interpolate(struct path *p, uint32_t methods,
                                      struct pv_itp_result *result) {
  pv_term itp[MOST];
  struct pv_itp_options options = {.methods = methods};
  enum pv_smt_answer r = pv_smt_interpolate(p->s, p->n, p->block, &options, itp, result);
  if (r == PV_SMT_UNSAT) assert_sequence(p, itp);
  if (r == PV_SMT_UNSAT && getenv("PROVISO_SHOW"))
    for (uint32_t k = 0; k + 1 < p->n; k++) {
      struct pv_str text = {0};
      pv_smt_print(p->s, itp[k], &text);
      printf("    %s\n", text.at);
      pv_str_free(&text);
    }
  return r;
}

/* ---- loops ----------------------------------------------------------------------------------- */
/* init; while (guard) body, K times; then an error. Three variables and a parameter n. */
struct state {
  pv_term i, x, y, n;
};
static struct state fresh_state(struct path *p, struct state s) {
  return (struct state){var(p, "i"), var(p, "x"), var(p, "y"), s.n};
}

struct loop {
  const char *name;
  void (*init)(struct path *p, struct state s);
  void (*body)(struct path *p, struct state s, struct state t); /* with its guard */
  void (*error)(struct path *p, struct state s);
};

static void zero(struct path *p, struct state s) {
  say(p, eq(p, s.i, num(p, 0)));
  say(p, eq(p, s.x, num(p, 0)));
  say(p, eq(p, s.y, num(p, 0)));
  say(p, le(p, num(p, 0), s.n));
  say(p, le(p, s.n, num(p, 1000)));
}
static void counts_down(struct path *p, struct state s) {
  say(p, eq(p, s.i, num(p, 0)));
  say(p, eq(p, s.x, s.n));
  say(p, eq(p, s.y, s.n));
  say(p, le(p, num(p, 0), s.n));
  say(p, le(p, s.n, num(p, 1000)));
}
static void step(struct path *p, struct state s, struct state t, pv_term x, pv_term y) {
  say(p, lt(p, s.i, s.n));
  say(p, eq(p, t.i, plus(p, s.i, 1)));
  say(p, eq(p, t.x, x));
  say(p, eq(p, t.y, y));
}
static void just_counts(struct path *p, struct state s, struct state t) {
  step(p, s, t, s.x, s.y);
}
static void adds_at_most_ten(struct path *p, struct state s, struct state t) {
  pv_term input = var(p, "input");
  say(p, and2(p, le(p, num(p, 0), input), le(p, input, num(p, 10))));
  step(p, s, t, add(p, s.x, input), s.y);
}
static void adds_two_and_one(struct path *p, struct state s, struct state t) {
  step(p, s, t, plus(p, s.x, 2), plus(p, s.y, 1));
}
static void adds_counter(struct path *p, struct state s, struct state t) {
  step(p, s, t, add(p, s.x, s.i), s.y);
}
static void decreases(struct path *p, struct state s, struct state t) {
  step(p, s, t, s.x, plus(p, s.y, -1));
}
static void takes_counter(struct path *p, struct state s, struct state t) {
  pv_term b = pv_smt_fresh(p->s, "b", (struct pv_sort){.kind = PV_SORT_BOOL});
  step(p, s, t, ite(p, b, s.i, s.x), s.y);
}
static void wraps(struct path *p, struct state s, struct state t) {
  pv_term next = plus(p, s.x, 3);
  step(p, s, t, ite(p, lt(p, num(p, 255), next), plus(p, next, -256), next), s.y);
}
static void starts_over(struct path *p, struct state s, struct state t) {
  pv_term small = lt(p, s.x, num(p, 10));
  pv_term up = and2(p, small, eq(p, t.x, plus(p, s.x, 1)));
  pv_term over = and2(p, not(p, small), eq(p, t.x, num(p, 0)));
  say(p, or2(p, up, over));
  say(p, eq(p, t.i, s.i));
  say(p, eq(p, t.y, s.y));
}

static void over_n(struct path *p, struct state s) {
  say(p, lt(p, s.n, s.i));
}
static void negative(struct path *p, struct state s) {
  say(p, lt(p, s.i, num(p, 0)));
}
static void over_ten_each(struct path *p, struct state s) {
  say(p, lt(p, times(p, 10, s.i), s.x));
}
static void at_once(struct path *p, struct state s) {
  say(p, lt(p, s.i, s.n));
  say(p, lt(p, s.n, s.i));
}
static void not_double(struct path *p, struct state s) {
  say(p, not(p, eq(p, s.x, times(p, 2, s.y))));
}
static void out_of_bounds(struct path *p, struct state s) {
  say(p, lt(p, s.i, s.n));
  say(p, or2(p, lt(p, s.i, num(p, 0)), le(p, s.n, s.i)));
}
static void x_negative(struct path *p, struct state s) {
  say(p, lt(p, s.x, num(p, 0)));
}
static void something_left(struct path *p, struct state s) {
  say(p, not(p, lt(p, s.i, s.n)));
  say(p, not(p, eq(p, s.y, num(p, 0))));
}
static void odd(struct path *p, struct state s) {
  say(p, eq(p, s.x, plus(p, times(p, 2, var(p, "half")), 1)));
}
static void sum_differs(struct path *p, struct state s) {
  say(p, not(p, eq(p, add(p, s.i, s.y), s.n)));
}
static void x_over_counter(struct path *p, struct state s) {
  say(p, or2(p, lt(p, s.i, s.x), lt(p, s.x, num(p, 0))));
}
static void over_a_byte(struct path *p, struct state s) {
  say(p, or2(p, lt(p, num(p, 255), s.x), lt(p, s.x, num(p, 0))));
}
static void over_ten(struct path *p, struct state s) {
  say(p, lt(p, num(p, 10), s.x));
}

static const struct loop loops[] = {
    {"i <= n", zero, just_counts, over_n},
    {"i >= 0", zero, just_counts, negative},
    {"x <= 10 i", zero, adds_at_most_ten, over_ten_each},
    {"in one block", zero, just_counts, at_once},
    {"x = 2 y", zero, adds_two_and_one, not_double},
    {"0 <= i < n", zero, just_counts, out_of_bounds},
    {"x >= 0", zero, adds_counter, x_negative},
    {"i + y = n, at the end", counts_down, decreases, something_left},
    {"i + y = n", counts_down, decreases, sum_differs},
    {"x even", zero, adds_two_and_one, odd},
    {"0 <= x <= i", zero, takes_counter, x_over_counter},
    {"x fits a byte", zero, wraps, over_a_byte},
    {"x <= 10", zero, starts_over, over_ten},
};
enum { LOOPS = sizeof loops / sizeof *loops, PARITY = 9 };

static void unroll(struct path *p, const struct loop *l, int times_round) {
  restart(p);
  struct state s = fresh_state(p, (struct state){.n = var(p, "n")});
  l->init(p, s);
  close_block(p);
  for (int k = 0; k < times_round; k++) {
    struct state t = fresh_state(p, s);
    l->body(p, s, t);
    close_block(p);
    s = t;
  }
  l->error(p, s);
  close_block(p);
}

/* Which loops each method does, for several numbers of rounds. */
static uint32_t run_loops(uint32_t methods, bool bits, const int *rounds, int n) {
  uint32_t done = 0;
  for (int l = 0; l < LOOPS; l++) {
    bool all = true;
    for (int r = 0; r < n; r++) {
      struct path p;
      struct pv_itp_result result;
      begin(&p, bits);
      unroll(&p, &loops[l], rounds[r]);
      if (getenv("PROVISO_SHOW")) printf("%s, %d\n", loops[l].name, rounds[r]);
      double t0 = pv_clock();
      enum pv_smt_answer a = interpolate(&p, methods, &result);
      if (getenv("PROVISO_SHOW"))
        printf("   -> %d by %s, invalid %d, %.1f ms\n", a, pv_itp_method_names[result.method],
               result.invalid, (pv_clock() - t0) * 1000);
      assert_int_not_equal(a, PV_SMT_SAT);
      assert_int_equal(result.invalid, 0);
      all &= a == PV_SMT_UNSAT;
      end(&p);
    }
    done |= (uint32_t)all << l;
  }
  return done;
}

static const int few[] = {0, 1, 3, 6}, fewer[] = {0, 1, 2};
#define EVERY ((UINT32_C(1) << LOOPS) - 1)

static void loops_by_farkas(void **state) {
  (void)state;
  uint32_t done = run_loops(1 << PV_ITP_FARKAS, false, few, 4);
  assert_int_equal(done | 1 << PARITY, EVERY);
}
static void loops_by_spacer(void **state) {
  (void)state;
  assert_int_equal(run_loops(1 << PV_ITP_SPACER, false, few, 4), EVERY);
}
static void loops_by_wp(void **state) {
  (void)state;
  assert_int_equal(run_loops(1 << PV_ITP_WP, false, few, 4), EVERY);
}
static void loops_by_the_cascade(void **state) {
  (void)state;
  assert_int_equal(run_loops(ALL, false, few, 4), EVERY);
}
static void loops_in_bits(void **state) {
  (void)state;
  assert_int_equal(run_loops(ALL, true, fewer, 3), EVERY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops_by_farkas), cmocka_unit_test(loops_by_spacer),
      cmocka_unit_test(loops_by_wp),     cmocka_unit_test(loops_by_the_cascade),
      cmocka_unit_test(loops_in_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
