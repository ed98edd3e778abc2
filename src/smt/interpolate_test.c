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
  /* By steps, so that a machine under load answers the same; but Z3 counts none when it eliminates
   * quantifiers. */
  struct pv_smt_limits limits = {.steps = bits ? 500000 : 300000, .ms = bits ? 30000 : 6000};
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

static unsigned undecided; /* checks that took too long here */
static void assert_sequence(struct path *p, const pv_term *itp) {
  for (uint32_t k = 0; k < p->n; k++) {
    pv_term parts[3];
    uint32_t n = 0;
    if (k) parts[n++] = itp[k - 1];
    parts[n++] = p->block[k];
    if (k + 1 < p->n) parts[n++] = not(p, itp[k]);
    enum pv_smt_answer r = pv_smt_check(p->s, n, parts);
    assert_int_not_equal(r, PV_SMT_SAT);
    undecided += r == PV_SMT_UNKNOWN;
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
/* x >= 0 follows only together with i >= 0, which no path needs. */
enum { LOOPS = sizeof loops / sizeof *loops, TIMES_TEN = 2, NEEDS_TWO = 6, PARITY = 9 };
static struct state states[MOST]; /* at the cuts */

static void unroll(struct path *p, const struct loop *l, int times_round) {
  restart(p);
  struct state s = fresh_state(p, (struct state){.n = var(p, "n")});
  l->init(p, s);
  close_block(p);
  states[0] = s;
  for (int k = 0; k < times_round; k++) {
    struct state t = fresh_state(p, s);
    l->body(p, s, t);
    close_block(p);
    states[k + 1] = s = t;
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
      enum pv_smt_answer a = interpolate(&p, methods, &result);
      assert_int_not_equal(a, PV_SMT_SAT);
      assert_int_equal(result.invalid, 0);
      assert_int_equal(undecided, 0);
      all &= a == PV_SMT_UNSAT;
      end(&p);
    }
    done |= (uint32_t)all << l;
  }
  return done;
}

static const int few[] = {0, 1, 3, 6}, fewer[] = {0, 1};
#define EVERY ((UINT32_C(1) << LOOPS) - 1)

static void loops_by_farkas(void **state) {
  (void)state; /* parity is nothing that rational numbers know of */
  assert_int_equal(run_loops(1 << PV_ITP_FARKAS, false, few, 4), EVERY & ~(UINT32_C(1) << PARITY));
}
static void loops_by_spacer(void **state) {
  (void)state;
  uint32_t done = run_loops(1 << PV_ITP_SPACER, false, few, 4);
  assert_int_equal(done | 1 << PARITY, EVERY);
}
static void loops_by_wp(void **state) {
  (void)state;
  assert_int_equal(run_loops(1 << PV_ITP_WP, false, few, 4), EVERY);
}
static void loops_by_the_cascade(void **state) {
  (void)state;
  assert_int_equal(run_loops(ALL, false, few, 4), EVERY);
}
/* 10 i may overflow: for that loop, in bits, no method comes to an end in reasonable time. */
static void loops_in_bits(void **state) {
  (void)state;
  assert_int_equal(run_loops(ALL, true, fewer, 2) | 1 << TIMES_TEN, EVERY);
}

/* ---- what they are for -----------------------------------------------------------------------
 * Do the interpolants of few rounds have what an invariant is made of? Candidates are their atoms,
 * for any round; those that the loop does not keep are dropped until all are kept; then the error
 * must be excluded. */
static void name_state(struct path *p, struct state s, pv_term *out) {
  (void)p;
  out[0] = s.i;
  out[1] = s.x;
  out[2] = s.y;
  out[3] = s.n;
}

static bool excluded(struct path *p, pv_terms *candidates, const pv_term *names,
                     const pv_term *values, pv_term extra) {
  pv_terms all = {0};
  for (uint32_t i = 0; i < p->parts.n; i++) pv_vec_push(&all, p->parts.at[i]);
  for (uint32_t i = 0; i < candidates->n; i++)
    pv_vec_push(&all, pv_smt_substitute(p->s, candidates->at[i], 4, names, values));
  if (extra) pv_vec_push(&all, extra);
  bool r = pv_smt_check(p->s, all.n, all.at) == PV_SMT_UNSAT;
  pv_vec_free(&all);
  return r;
}

static bool invariant_among(struct path *p, const struct loop *l, pv_terms *candidates,
                            struct state s) {
  struct state t = fresh_state(p, s);
  pv_term names[4], before[4], behind[4];
  pv_terms kept = {0}, none = {0};
  name_state(p, s, names);
  name_state(p, s, before);
  name_state(p, t, behind);
  restart(p);
  l->init(p, s);
  for (uint32_t i = 0; i < candidates->n; i++)
    if (excluded(p, &none, names, before, not(p, candidates->at[i])))
      pv_vec_push(&kept, candidates->at[i]);
  restart(p);
  l->body(p, s, t);
  for (uint32_t i = 0; i < kept.n;) {
    pv_term after = pv_smt_substitute(p->s, kept.at[i], 4, names, behind);
    if (excluded(p, &kept, names, before, not(p, after))) {
      i++;
    } else {
      kept.at[i] = pv_vec_pop(&kept);
      i = 0;
    }
  }
  restart(p);
  l->error(p, s);
  bool r = excluded(p, &kept, names, before, NULL);
  pv_vec_free(&kept);
  return r;
}

static void loops_converge(void **state) {
  (void)state;
  enum { ROUNDS = 3 };
  for (int deep = 0; deep < 2; deep++)
    for (int l = 0; l < LOOPS; l++) {
      struct path p;
      struct pv_itp_result result;
      pv_terms candidates = {0};
      bool found = false;
      begin(&p, false);
      for (int k = 0; k <= ROUNDS && !found; k++) {
        pv_term itp[MOST], names[4], here[4];
        struct pv_itp_options options = {.methods = ALL};
        unroll(&p, &loops[l], k + 6 * deep);
        assert_int_equal(pv_smt_interpolate(p.s, p.n, p.block, &options, itp, &result),
                         PV_SMT_UNSAT);
        struct state s = fresh_state(&p, states[0]);
        name_state(&p, s, names);
        candidates.n = 0;
        for (uint32_t c = 0; c + 1 < p.n; c++) {
          name_state(&p, states[c], here);
          pv_term t = pv_smt_substitute(p.s, itp[c], 4, here, names);
          pv_vec_push(&candidates, t);
          uint32_t from = candidates.n;
          pv_smt_atoms(p.s, t, &candidates);
          for (uint32_t i = from, n = candidates.n; i < n; i++)
            pv_vec_push(&candidates, not(&p, candidates.at[i]));
        }
        found = invariant_among(&p, &loops[l], &candidates, s);
      }
      if (l != NEEDS_TWO && !found) fail_msg("%s", loops[l].name);
      pv_vec_free(&candidates);
      end(&p);
    }
}

/* ---- random paths ---------------------------------------------------------------------------- */
static pv_term random_sum(struct path *p, const pv_term *v, int n) {
  pv_term t = num(p, below(11) - 5);
  for (int i = 0; i < 2; i++) t = add(p, t, times(p, below(5) - 2, v[below(n)]));
  return t;
}
static pv_term random_atom(struct path *p, const pv_term *v, int n) {
  pv_term a = random_sum(p, v, n), b = random_sum(p, v, n);
  switch (below(5)) {
  case 0: return eq(p, a, b);
  case 1: return not(p, le(p, a, b));
  case 2: return lt(p, a, b);
  default: return le(p, a, b);
  }
}

/* Blocks over four variables; `disjunctive`: with `or`, `?:` and conditions. */
static void random_path(struct path *p, bool disjunctive) {
  enum { VARIABLES = 4 };
  pv_term v[VARIABLES], next[VARIABLES];
  restart(p);
  for (int i = 0; i < VARIABLES; i++) v[i] = var(p, "v");
  int blocks = 2 + below(6);
  for (int k = 0; k < blocks; k++) {
    for (int i = 0; i < VARIABLES; i++) next[i] = below(2) ? v[i] : var(p, "v");
    for (int i = 0; i < VARIABLES; i++) {
      if (next[i] == v[i]) continue;
      pv_term value = random_sum(p, v, VARIABLES);
      if (disjunctive && below(3) == 0)
        value = ite(p, random_atom(p, v, VARIABLES), value, random_sum(p, v, VARIABLES));
      if (below(6)) say(p, eq(p, next[i], value));
    }
    memcpy(v, next, sizeof v);
    if (disjunctive && below(2))
      say(p, or2(p, and2(p, random_atom(p, v, VARIABLES), random_atom(p, v, VARIABLES)),
                 random_atom(p, v, VARIABLES)));
    else if (below(2))
      say(p, random_atom(p, v, VARIABLES));
    close_block(p);
  }
}

static void random_paths(bool disjunctive, unsigned count, uint32_t methods, unsigned percent) {
  unsigned unsat = 0, done = 0;
  struct path p;
  begin(&p, false);
  for (unsigned i = 0; unsat < count && i < 100 * count; i++) {
    struct pv_itp_result result;
    random_path(&p, disjunctive);
    enum pv_smt_answer is = pv_smt_check(p.s, p.n, p.block), a = interpolate(&p, methods, &result);
    if (is != PV_SMT_UNSAT) {
      assert_int_equal(a, is);
      continue;
    }
    assert_int_not_equal(a, PV_SMT_SAT);
    assert_int_equal(result.invalid, 0);
    unsat++;
    done += a == PV_SMT_UNSAT;
  }
  print_message("%u of %u\n", done, unsat);
  assert_int_equal(unsat, count);
  assert_true(done * 100 >= count * percent);
  assert_true(undecided <= count / 20);
  undecided = 0;
  end(&p);
}

static void random_linear_paths(void **state) {
  (void)state;
  seed = 4711;
  /* Many of them have solutions that are no integers. */
  random_paths(false, 60, 1 << PV_ITP_FARKAS, 60);
  random_paths(false, 30, 1 << PV_ITP_SPACER, 90);
  random_paths(false, 20, 1 << PV_ITP_WP, 90);
  random_paths(false, 40, ALL, 97);
}
static void random_disjunctive_paths(void **state) {
  (void)state;
  seed = 815;
  random_paths(true, 20, 1 << PV_ITP_FARKAS, 60);
  random_paths(true, 10, 1 << PV_ITP_SPACER, 80);
  random_paths(true, 10, 1 << PV_ITP_WP, 80);
  random_paths(true, 20, ALL, 95);
}

/* ---- arrays, conditions, quotients ----------------------------------------------------------- */
static void paths_through_memory(void **state) {
  (void)state;
  for (int methods = 0; methods < 2; methods++) {
    struct path p;
    struct pv_itp_result result;
    begin(&p, false);
    struct pv_sort memory = {.kind = PV_SORT_ARRAY, .index = PV_SORT_INT, .element = PV_SORT_INT};
    pv_term m[4], a = var(&p, "a"), b = var(&p, "b"), v = var(&p, "v");
    for (int i = 0; i < 4; i++) m[i] = pv_smt_fresh(p.s, "m", memory);
    say(&p, lt(&p, a, b));
    say(&p, eq(&p, m[1], pv_smt_mk3(p.s, PV_SMT_STORE, m[0], a, num(&p, 5))));
    close_block(&p);
    say(&p, eq(&p, m[2], pv_smt_mk3(p.s, PV_SMT_STORE, m[1], b, num(&p, 7))));
    close_block(&p);
    say(&p, eq(&p, v, pv_smt_mk2(p.s, PV_SMT_SELECT, m[2], a)));
    close_block(&p);
    say(&p, not(&p, eq(&p, v, num(&p, 5))));
    close_block(&p);
    assert_int_equal(interpolate(&p, methods ? 1 << PV_ITP_WP : ALL, &result), PV_SMT_UNSAT);
    end(&p);
  }
}

/* An element of an array stands for a variable: Farkas needs no theory of arrays here. */
static void elements_as_variables(void **state) {
  (void)state;
  struct path p;
  struct pv_itp_result result;
  begin(&p, false);
  struct pv_sort memory = {.kind = PV_SORT_ARRAY, .index = PV_SORT_INT, .element = PV_SORT_INT};
  pv_term m = pv_smt_fresh(p.s, "m", memory), i = var(&p, "i"), v = var(&p, "v"),
          element = pv_smt_mk2(p.s, PV_SMT_SELECT, m, i);
  say(&p, le(&p, element, num(&p, 3)));
  close_block(&p);
  say(&p, eq(&p, v, plus(&p, element, 1)));
  close_block(&p);
  say(&p, lt(&p, num(&p, 4), v));
  close_block(&p);
  assert_int_equal(interpolate(&p, 1 << PV_ITP_FARKAS, &result), PV_SMT_UNSAT);
  end(&p);
}

static void quotients_and_conditions(void **state) {
  (void)state;
  for (int m = 0; m < PV_ITP_METHODS; m++) {
    struct path p;
    struct pv_itp_result result;
    begin(&p, false);
    pv_term x = var(&p, "x"), y = var(&p, "y"),
            flag = pv_smt_fresh(p.s, "flag", (struct pv_sort){.kind = PV_SORT_BOOL});
    pv_term half = pv_smt_mk2(p.s, PV_SMT_DIV, x, num(&p, 2)),
            rest = pv_smt_mk2(p.s, PV_SMT_MOD, x, num(&p, 2));
    say(&p, eq(&p, flag, eq(&p, rest, num(&p, 0))));
    close_block(&p);
    say(&p, flag);
    say(&p, eq(&p, y, half));
    close_block(&p);
    say(&p, not(&p, eq(&p, add(&p, y, y), x)));
    close_block(&p);
    assert_int_equal(interpolate(&p, UINT32_C(1) << m, &result), PV_SMT_UNSAT);
    assert_int_equal(result.method, m);
    restart(&p);
    say(&p, flag);
    close_block(&p);
    close_block(&p); /* nothing in between */
    say(&p, not(&p, flag));
    close_block(&p);
    assert_int_equal(interpolate(&p, UINT32_C(1) << m, &result), PV_SMT_UNSAT);
    end(&p);
  }
}

/* A pointer is stored in one array, and what it points to is in another one: Z3's Spacer crashes on
 * this unless it is told otherwise (spacer.c). */
static void elements_are_indices(void **state) {
  (void)state;
  struct path p;
  struct pv_itp_result result;
  struct pv_sort memory = {.kind = PV_SORT_ARRAY, .index = PV_SORT_INT, .element = PV_SORT_INT};
  begin(&p, false);
  pv_term sizes[2], pointers[3], start = var(&p, "start"), length = var(&p, "length"), read;
  for (int i = 0; i < 2; i++) sizes[i] = pv_smt_fresh(p.s, "sizes", memory);
  for (int i = 0; i < 3; i++) pointers[i] = pv_smt_fresh(p.s, "pointers", memory);
  read = var(&p, "read");
  pv_term next = ite(&p, lt(&p, num(&p, -2), length), plus(&p, length, 1), num(&p, 7));
  pv_term one = pv_smt_mk3(p.s, PV_SMT_STORE, sizes[0], start, num(&p, 5));
  pv_term two = pv_smt_mk3(p.s, PV_SMT_STORE, one, plus(&p, start, 4160), next);
  say(&p, eq(&p, sizes[1], two));
  say(&p, eq(&p, pointers[1], pv_smt_mk3(p.s, PV_SMT_STORE, pointers[0], num(&p, 1000), start)));
  close_block(&p);
  say(&p, eq(&p, pointers[2], pv_smt_mk3(p.s, PV_SMT_STORE, pointers[1], num(&p, 1008), length)));
  close_block(&p);
  say(&p, eq(&p, read, pv_smt_mk2(p.s, PV_SMT_SELECT, pointers[2], num(&p, 1000))));
  close_block(&p);
  say(&p, not(&p, le(&p, num(&p, 1), pv_smt_mk2(p.s, PV_SMT_SELECT, sizes[1], read))));
  close_block(&p);
  assert_int_equal(interpolate(&p, 1 << PV_ITP_SPACER, &result), PV_SMT_UNSAT);
  assert_int_equal(result.method, PV_ITP_SPACER);
  end(&p);
}

/* ---- unsupported operations ------------------------------------------------------------------ */
static void failures_are_unknown(void **state) {
  (void)state;
  struct path p;
  struct pv_itp_result result;
  begin(&p, false);
  pv_term x = var(&p, "x");
  say(&p, lt(&p, x, num(&p, 0)));
  close_block(&p);
  say(&p, lt(&p, num(&p, 0), x));
  close_block(&p);
  assert_int_equal(interpolate(&p, 0, &result), PV_SMT_UNKNOWN); /* no method */
  assert_int_equal(result.tried, 0);
  assert_int_equal(interpolate(&p, ALL, &result), PV_SMT_UNSAT);
  assert_int_equal(result.method, PV_ITP_FARKAS);
  p.n = 1;
  assert_int_equal(interpolate(&p, ALL, &result), PV_SMT_SAT);
  end(&p);
  for (unsigned fail = 1; fail < 12; fail++) { /* whichever question fails */
    begin(&p, false);
    unroll(&p, &loops[7], 2);
    pv_term itp[MOST];
    struct pv_itp_options options = {.methods = ALL};
    pv_smt_fail_at(p.s, fail);
    enum pv_smt_answer a = pv_smt_interpolate(p.s, p.n, p.block, &options, itp, &result);
    assert_int_not_equal(a, PV_SMT_SAT);
    if (pv_smt_reason(p.s) == PV_SMT_FAILURE) assert_int_equal(a, PV_SMT_UNKNOWN);
    if (fail == 1) assert_int_equal(pv_smt_reason(p.s), PV_SMT_FAILURE);
    pv_vec_free(&p.parts);
    pv_smt_free(p.s);
  }
}

/* Steps are counted, so that whoever gives up does so in every run; the context goes on. */
static void limits_are_unknown(void **state) {
  (void)state;
  uint32_t answers[2] = {0, 0};
  int unknown = 0;
  for (int round = 0; round < 2; round++) {
    struct path p;
    struct pv_itp_result result;
    p = (struct path){.s = pv_smt_new((struct pv_smt_limits){.steps = 20000}, NULL), .bits = true};
    for (int l = 0; l < LOOPS; l++) {
      unroll(&p, &loops[l], 2);
      pv_term itp[MOST];
      struct pv_itp_options options = {.methods = ALL};
      enum pv_smt_answer a = pv_smt_interpolate(p.s, p.n, p.block, &options, itp, &result);
      assert_int_not_equal(a, PV_SMT_SAT);
      answers[round] = answers[round] * 3 + a;
      unknown += a == PV_SMT_UNKNOWN;
    }
    pv_term easy = lt(&p, var(&p, "x"), num(&p, 3));
    assert_int_equal(pv_smt_check(p.s, 1, &easy), PV_SMT_SAT);
    end(&p);
  }
  assert_int_equal(answers[0], answers[1]);
  assert_true(unknown > 0 && unknown < 2 * LOOPS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops_by_farkas),
      cmocka_unit_test(loops_by_spacer),
      cmocka_unit_test(loops_by_wp),
      cmocka_unit_test(loops_by_the_cascade),
      cmocka_unit_test(loops_in_bits),
      cmocka_unit_test(loops_converge),
      cmocka_unit_test(random_linear_paths),
      cmocka_unit_test(random_disjunctive_paths),
      cmocka_unit_test(paths_through_memory),
      cmocka_unit_test(elements_as_variables),
      cmocka_unit_test(quotients_and_conditions),
      cmocka_unit_test(elements_are_indices),
      cmocka_unit_test(failures_are_unknown),
      cmocka_unit_test(limits_are_unknown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
