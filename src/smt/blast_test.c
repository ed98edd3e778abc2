/* Bit-blasting against Z3: every operation on all values of small widths; random formulas, their
 * answers, models and cores. PROVISO_BLAST_ROUNDS: the number of random formulas. */
#include "smt/blast.h"
#include "smt/smt_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct pv_sort bv(unsigned bits) {
  return (struct pv_sort){.kind = PV_SORT_BV, .bits = (uint8_t)bits};
}
static const struct pv_sort BOOL = {.kind = PV_SORT_BOOL};

/* ---- operations ------------------------------------------------------------------------------ */
static const enum pv_smt_op word_ops[] = {
    PV_SMT_BVADD,  PV_SMT_BVSUB,  PV_SMT_BVMUL, PV_SMT_BVSDIV, PV_SMT_BVUDIV,
    PV_SMT_BVSREM, PV_SMT_BVUREM, PV_SMT_BVSHL, PV_SMT_BVLSHR, PV_SMT_BVASHR,
    PV_SMT_BVAND,  PV_SMT_BVOR,   PV_SMT_BVXOR};
static const enum pv_smt_op comparisons[] = {PV_SMT_EQ,    PV_SMT_DISTINCT, PV_SMT_BVULT,
                                             PV_SMT_BVULE, PV_SMT_BVSLT,    PV_SMT_BVSLE};
#define COUNT(A) (sizeof(A) / sizeof *(A))

/* The term over constants x, y has, at all their values, the value that Z3 computes from numbers.
 */
static void check_operation(struct pv_smt *s, unsigned bits, enum pv_smt_op op, bool is_unary) {
  struct pv_solver *v = pv_solver_new(s);
  pv_term x = pv_smt_const(s, "x", bv(bits)), y = pv_smt_const(s, "y", bv(bits));
  pv_term t = is_unary ? pv_smt_mk1(s, op, x) : pv_smt_mk2(s, op, x, y);
  for (uint64_t a = 0; a < 1u << bits; a++)
    for (uint64_t b = 0; b < (is_unary ? 1 : 1u << bits); b++) {
      pv_term na = pv_smt_number(s, bv(bits), a, 0), nb = pv_smt_number(s, bv(bits), b, 0);
      pv_term want = is_unary ? pv_smt_mk1(s, op, na) : pv_smt_mk2(s, op, na, nb);
      assert_true(pv_smt_is_number(s, want));
      pv_solver_push(v);
      pv_solver_assert(v, pv_smt_mk2(s, PV_SMT_EQ, x, na));
      pv_solver_assert(v, pv_smt_mk2(s, PV_SMT_EQ, y, nb));
      pv_solver_push(v);
      pv_solver_assert(v, pv_smt_mk2(s, PV_SMT_EQ, t, want));
      assert_int_equal(pv_solver_check(v, 0, NULL), PV_SMT_SAT);
      pv_solver_pop(v, 1);
      pv_solver_assert(v, pv_smt_mk1(s, PV_SMT_NOT, pv_smt_mk2(s, PV_SMT_EQ, t, want)));
      if (pv_solver_check(v, 0, NULL) != PV_SMT_UNSAT)
        fail_msg("operation %d of %u bits on %llu and %llu", (int)op, bits, (unsigned long long)a,
                 (unsigned long long)b);
      pv_solver_pop(v, 1);
    }
  pv_solver_free(v);
}

/* Division by each constant: powers of 2 are special. */
static void divisors_may_be_constants(void **state) {
  (void)state;
  static const enum pv_smt_op ops[] = {PV_SMT_BVSDIV, PV_SMT_BVUDIV, PV_SMT_BVSREM, PV_SMT_BVUREM};
  struct pv_smt *s = pv_smt_new((struct pv_smt_limits){0}, NULL);
  struct pv_solver *v = pv_solver_new(s);
  pv_term x = pv_smt_const(s, "x", bv(4));
  for (size_t i = 0; i < COUNT(ops); i++)
    for (uint64_t b = 0; b < 16; b++) {
      pv_term nb = pv_smt_number(s, bv(4), b, 0), t = pv_smt_mk2(s, ops[i], x, nb), all = NULL;
      for (uint64_t a = 0; a < 16; a++) {
        pv_term na = pv_smt_number(s, bv(4), a, 0);
        pv_term right = pv_smt_mk2(s, PV_SMT_IMPLIES, pv_smt_mk2(s, PV_SMT_EQ, x, na),
                                   pv_smt_mk2(s, PV_SMT_EQ, t, pv_smt_mk2(s, ops[i], na, nb)));
        all = all ? pv_smt_mk2(s, PV_SMT_AND, all, right) : right;
      }
      pv_solver_push(v);
      pv_solver_assert(v, pv_smt_mk1(s, PV_SMT_NOT, all));
      assert_int_equal(pv_solver_check(v, 0, NULL), PV_SMT_UNSAT);
      pv_solver_pop(v, 1);
    }
  pv_solver_free(v);
  pv_smt_free(s);
}

static void operations_are_exact(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new((struct pv_smt_limits){0}, NULL);
  pv_smt_use(s, PV_BITS_CADICAL);
  for (unsigned bits = 1; bits <= 5; bits++) {
    for (size_t i = 0; i < COUNT(word_ops) && bits < 5; i++)
      check_operation(s, bits, word_ops[i], false);
    for (size_t i = 0; i < COUNT(comparisons) && bits < 5; i++)
      check_operation(s, bits, comparisons[i], false);
    check_operation(s, bits, PV_SMT_BVNEG, true);
    check_operation(s, bits, PV_SMT_BVNOT, true);
  }
  check_operation(s, 5, PV_SMT_BVASHR, false); /* more than the stages shift */
  check_operation(s, 5, PV_SMT_BVSREM, false);
  pv_smt_free(s);
}

/* ---- random formulas ------------------------------------------------------------------------- */
static uint64_t seed;
static unsigned below(unsigned n) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(seed >> 33) % n;
}

enum { WORDS = 24, FLAGS = 24, ARRAYS = 8, CONSTANTS = 4 };
struct pool { /* terms to combine; words have `bits` bits */
  struct pv_smt *s;
  unsigned bits, n_words, n_flags, n_arrays;
  pv_term word[WORDS], flag[FLAGS], array[ARRAYS];
};

static pv_term some_word(struct pool *p) {
  return p->word[below(p->n_words)];
}
static pv_term some_flag(struct pool *p) {
  pv_term t = p->flag[below(p->n_flags)];
  return below(2) ? t : pv_smt_mk1(p->s, PV_SMT_NOT, t);
}

static pv_term new_word(struct pool *p) {
  struct pv_smt *s = p->s;
  unsigned w = p->bits, high;
  switch (below(10)) {
  case 0: return pv_smt_mk3(s, PV_SMT_ITE, some_flag(p), some_word(p), some_word(p));
  case 1: return pv_smt_number(s, bv(w), seed >> 20, seed >> 10);
  case 2: return pv_smt_mk1(s, below(2) ? PV_SMT_BVNEG : PV_SMT_BVNOT, some_word(p));
  case 3:
    if (w < 2) break;
    high = 1 + below(w - 1);
    return pv_smt_extend(s, below(2), w, pv_smt_extract(s, high - 1, below(high), some_word(p)));
  case 4:
    if (w < 2) break;
    high = 1 + below(w - 1);
    return pv_smt_mk2(s, PV_SMT_BVCONCAT, pv_smt_extract(s, high - 1, 0, some_word(p)),
                      pv_smt_extract(s, w - 1, high, some_word(p)));
  case 5:
  case 6:
    if (p->n_arrays)
      return pv_smt_mk2(s, PV_SMT_SELECT, p->array[below(p->n_arrays)], some_word(p));
    break;
  default: break;
  }
  return pv_smt_mk2(s, word_ops[below(COUNT(word_ops))], some_word(p), some_word(p));
}

static pv_term new_flag(struct pool *p) {
  struct pv_smt *s = p->s;
  switch (below(6)) {
  case 0:
  case 1: {
    pv_term parts[] = {some_flag(p), some_flag(p), some_flag(p)};
    return pv_smt_mk(s, below(2) ? PV_SMT_AND : PV_SMT_OR, 3, parts);
  }
  case 2: return pv_smt_mk2(s, PV_SMT_EQ, some_flag(p), some_flag(p));
  case 3: {
    pv_term parts[] = {some_word(p), some_word(p), some_word(p)};
    return pv_smt_mk(s, PV_SMT_DISTINCT, 3, parts);
  }
  default: return pv_smt_mk2(s, comparisons[below(COUNT(comparisons))], some_word(p), some_word(p));
  }
}

static pv_term new_array(struct pool *p) {
  pv_term a = p->array[below(p->n_arrays)];
  if (below(4) == 0)
    return pv_smt_mk3(p->s, PV_SMT_ITE, some_flag(p), a, p->array[below(p->n_arrays)]);
  return pv_smt_mk3(p->s, PV_SMT_STORE, a, some_word(p), some_word(p));
}

static void fill(struct pool *p, struct pv_smt *s, unsigned bits, bool arrays) {
  char name[32];
  *p = (struct pool){.s = s, .bits = bits};
  for (unsigned i = 0; i < CONSTANTS; i++) {
    snprintf(name, sizeof name, "w%u_%u", bits, i);
    p->word[p->n_words++] = pv_smt_const(s, name, bv(bits));
    snprintf(name, sizeof name, "b%u", i);
    p->flag[p->n_flags++] = pv_smt_const(s, name, BOOL);
  }
  struct pv_sort sort = {.kind = PV_SORT_ARRAY,
                         .index = PV_SORT_BV,
                         .index_bits = (uint8_t)bits,
                         .element = PV_SORT_BV,
                         .element_bits = (uint8_t)bits};
  if (arrays) {
    snprintf(name, sizeof name, "m%u", bits);
    p->array[p->n_arrays++] = pv_smt_const(s, name, sort);
    p->array[p->n_arrays++] = pv_smt_constant_array(s, sort, p->word[0]);
  }
  while (p->n_words < WORDS) {
    p->word[p->n_words] = new_word(p);
    p->n_words++;
    if (p->n_arrays && p->n_arrays < ARRAYS && below(2)) {
      p->array[p->n_arrays] = new_array(p);
      p->n_arrays++;
    }
    if (p->n_flags < FLAGS) {
      p->flag[p->n_flags] = new_flag(p);
      p->n_flags++;
    }
  }
}

/* Is the formula true in the model, by Z3's evaluation of the constants' values? */
static bool is_model(struct pv_smt *s, struct pv_model *m, pv_term formula) {
  pv_terms from = {0}, to = {0};
  pv_smt_constants(s, formula, &from);
  for (uint32_t i = 0; i < from.n; i++) {
    uint64_t lo, hi;
    if (!pv_model_value(m, from.at[i], &lo, &hi)) { /* an array */
      from.at[i--] = from.at[--from.n];
      continue;
    }
    pv_vec_push(&to, pv_smt_number(s, pv_smt_sort(s, from.at[i]), lo, hi));
  }
  pv_term t = pv_smt_simplify(s, pv_smt_substitute(s, formula, from.n, from.at, to.at));
  bool r = pv_model_holds(m, formula) && !pv_smt_is_false(s, t) && pv_model_holds(m, t);
  pv_vec_free(&from);
  pv_vec_free(&to);
  return r;
}

static void compare(struct pv_smt *s, struct pv_solver *bits, struct pool *p, unsigned round) {
  pv_term parts[5], names[3];
  unsigned n = 1 + below(5);
  struct pv_solver *z3 = pv_solver_new(s);
  pv_solver_push(bits);
  for (unsigned i = 0; i < n; i++) {
    parts[i] = some_flag(p);
    pv_solver_assert(bits, parts[i]);
    pv_solver_assert(z3, parts[i]);
  }
  for (unsigned i = 0; i < 3; i++) {
    names[i] = p->flag[i];
    if (below(2)) names[i] = pv_smt_mk1(s, PV_SMT_NOT, names[i]);
  }
  unsigned assumed = below(4);
  pv_smt_use(s, PV_BITS_Z3);
  enum pv_smt_answer want = pv_solver_check(z3, assumed, names);
  pv_smt_use(s, PV_BITS_CADICAL);
  enum pv_smt_answer got = pv_solver_check(bits, assumed, names);
  if (got != want) fail_msg("round %u: %d, but Z3 says %d", round, (int)got, (int)want);
  if (got == PV_SMT_SAT) {
    struct pv_model *m = pv_solver_model(bits);
    for (unsigned i = 0; i < n; i++)
      if (!is_model(s, m, parts[i])) fail_msg("round %u: the model is none", round);
    for (unsigned i = 0; i < assumed; i++) assert_true(pv_model_holds(m, names[i]));
    pv_model_free(m);
  } else if (got == PV_SMT_UNSAT && assumed) {
    pv_terms core = {0};
    pv_solver_core(bits, &core);
    assert_true(core.n <= assumed);
    pv_smt_use(s, PV_BITS_Z3);
    if (pv_solver_check(z3, core.n, core.at) != PV_SMT_UNSAT)
      fail_msg("round %u: the core is none", round);
    pv_vec_free(&core);
  }
  pv_solver_free(z3);
  pv_solver_pop(bits, 1);
}

static void answers_are_those_of_z3(void **state) {
  (void)state;
  static const unsigned widths[] = {1, 2, 3, 4, 5, 7, 8, 13, 16};
  const char *asked = getenv("PROVISO_BLAST_ROUNDS");
  unsigned rounds = asked ? (unsigned)atoi(asked) : 300;
  struct pv_smt *s = NULL;
  struct pv_solver *bits = NULL;
  for (unsigned round = 0; round < rounds; round++) {
    if (round % 50 == 0) { /* circuits stay for some questions */
      pv_solver_free(bits);
      pv_smt_free(s);
      s = pv_smt_new((struct pv_smt_limits){0}, NULL);
      bits = pv_solver_new(s);
    }
    struct pool p;
    seed = round + 1;
    below(2);
    unsigned width = widths[below(COUNT(widths))];
    fill(&p, s, width, width > 1 && round % 2);
    for (unsigned i = 0; i < 6; i++) compare(s, bits, &p, round);
  }
  pv_solver_free(bits);
  pv_smt_free(s);
}

/* ---- what is not blasted --------------------------------------------------------------------- */
static void other_theories_go_to_z3(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new((struct pv_smt_limits){0}, NULL);
  pv_smt_use(s, PV_BITS_CADICAL);
  struct pv_sort sort = {.kind = PV_SORT_ARRAY,
                         .index = PV_SORT_BV,
                         .index_bits = 8,
                         .element = PV_SORT_BV,
                         .element_bits = 8};
  pv_term m = pv_smt_const(s, "m", sort), n = pv_smt_const(s, "n", sort);
  pv_term x = pv_smt_const(s, "x", bv(8)), y = pv_smt_const(s, "y", bv(8));
  pv_term parts[] = {pv_smt_mk2(s, PV_SMT_EQ, m, n), /* of arrays */
                     pv_smt_mk2(s, PV_SMT_EQ, x, y),
                     pv_smt_mk2(s, PV_SMT_DISTINCT, pv_smt_mk2(s, PV_SMT_SELECT, m, x),
                                pv_smt_mk2(s, PV_SMT_SELECT, n, y))};
  assert_int_equal(pv_smt_check(s, 3, parts), PV_SMT_UNSAT);
  assert_int_equal(pv_smt_check(s, 2, parts + 1), PV_SMT_SAT);
  assert_int_equal(pv_smt_check(s, 2, parts), PV_SMT_SAT);
  pv_smt_free(s);
}

/* ---- floats ---------------------------------------------------------------------------------- */
/* Operations that round are circuits, whatever kind of term Z3 makes of the mode of rounding. */
static void rounding_is_a_circuit(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new((struct pv_smt_limits){0}, NULL);
  struct pv_blast *b = pv_blast_new(s, NULL, NULL);
  struct pv_sort single = {.kind = PV_SORT_FLOAT, .bits = 32};
  struct pv_sort twice = {.kind = PV_SORT_FLOAT, .bits = 64};
  Z3_context c = s->z3;
  pv_term near = pv_smt_keep(s, Z3_mk_fpa_rne(c)), cut = pv_smt_keep(s, Z3_mk_fpa_rtz(c));
  pv_term x = pv_smt_const(s, "x", twice), y = pv_smt_const(s, "y", single);
  pv_term narrow =
      pv_smt_keep(s, Z3_mk_fpa_to_fp_float(c, pv_ast(near), pv_ast(x), pv_smt_z3_sort(s, single)));
  pv_term product = pv_smt_keep(s, Z3_mk_fpa_mul(c, pv_ast(near), pv_ast(y), pv_ast(y)));
  pv_term whole = pv_smt_keep(s, Z3_mk_fpa_round_to_integral(c, pv_ast(cut), pv_ast(y)));
  pv_term terms[] = {narrow, product, whole};
  for (size_t i = 0; i < COUNT(terms); i++)
    assert_int_not_equal(
        pv_blast_literal(b, pv_smt_keep(s, Z3_mk_fpa_eq(c, pv_ast(terms[i]), pv_ast(y)))), 0);
  pv_term number = pv_smt_keep(s, Z3_mk_fpa_to_sbv(c, pv_ast(cut), pv_ast(x), 32));
  pv_term is_five = pv_smt_mk2(s, PV_SMT_EQ, number, pv_smt_number(s, bv(32), 5, 0));
  assert_int_not_equal(pv_blast_literal(b, is_five), 0);
  pv_blast_free(b);
  pv_smt_free(s);
}

/* ---- limits ---------------------------------------------------------------------------------- */
/* x * y is a large prime, and neither is 1. */
static pv_term hard(struct pv_smt *s) {
  struct pv_sort sort = bv(64);
  pv_term x = pv_smt_const(s, "x", sort), y = pv_smt_const(s, "y", sort);
  pv_term bound = pv_smt_number(s, sort, UINT64_C(1) << 32, 0), one = pv_smt_number(s, sort, 1, 0);
  pv_term parts[] = {pv_smt_mk2(s, PV_SMT_EQ, pv_smt_mk2(s, PV_SMT_BVMUL, x, y),
                                pv_smt_number(s, sort, UINT64_C(4611686018427387847), 0)),
                     pv_smt_mk2(s, PV_SMT_BVULT, x, bound), pv_smt_mk2(s, PV_SMT_BVULT, y, bound),
                     pv_smt_mk2(s, PV_SMT_BVULT, one, x), pv_smt_mk2(s, PV_SMT_BVULE, x, y)};
  return pv_smt_mk(s, PV_SMT_AND, COUNT(parts), parts);
}

static enum pv_smt_reason reason_under(struct pv_smt_limits limits, struct pv_limits *run) {
  struct pv_smt *s = pv_smt_new(limits, run);
  pv_smt_use(s, PV_BITS_CADICAL);
  pv_term t = hard(s);
  assert_int_equal(pv_smt_check(s, 1, &t), PV_SMT_UNKNOWN);
  enum pv_smt_reason r = pv_smt_reason(s);
  assert_false(pv_smt_broken(s));
  pv_term easy =
      pv_smt_mk2(s, PV_SMT_EQ, pv_smt_const(s, "x", bv(64)), pv_smt_number(s, bv(64), 5, 0));
  if (!run && !limits.memory) assert_int_equal(pv_smt_check(s, 1, &easy), PV_SMT_SAT);
  pv_smt_free(s);
  return r;
}

static void limits_end_questions(void **state) {
  (void)state;
  assert_int_equal(reason_under((struct pv_smt_limits){.steps = 100000}, NULL), PV_SMT_STEPS);
  double began = pv_clock();
  assert_int_equal(reason_under((struct pv_smt_limits){.ms = 200}, NULL), PV_SMT_STEPS);
  struct pv_limits run = {.seconds = 0.2};
  pv_limits_start(&run);
  assert_int_equal(reason_under((struct pv_smt_limits){0}, &run), PV_SMT_RUN);
  /* CaDiCaL's own memory counts. */
  uint64_t memory = pv_smt_memory() + (1 << 20);
  assert_int_equal(reason_under((struct pv_smt_limits){.memory = memory}, NULL), PV_SMT_MEMORY);
  assert_true(pv_clock() - began < 60);
}

static void failures_end_questions(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new((struct pv_smt_limits){0}, NULL);
  pv_smt_use(s, PV_BITS_CADICAL);
  pv_term t = pv_smt_mk2(s, PV_SMT_EQ, pv_smt_const(s, "x", bv(8)), pv_smt_number(s, bv(8), 1, 0));
  pv_smt_fail_at(s, 2);
  assert_int_equal(pv_smt_check(s, 1, &t), PV_SMT_SAT);
  assert_int_equal(pv_smt_check(s, 1, &t), PV_SMT_UNKNOWN);
  assert_int_equal(pv_smt_reason(s), PV_SMT_FAILURE);
  pv_smt_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operations_are_exact),    cmocka_unit_test(divisors_may_be_constants),
      cmocka_unit_test(answers_are_those_of_z3), cmocka_unit_test(other_theories_go_to_z3),
      cmocka_unit_test(limits_end_questions),    cmocka_unit_test(failures_end_questions),
      cmocka_unit_test(rounding_is_a_circuit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
