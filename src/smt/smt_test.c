#include "smt/smt.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct pv_sort INT = {.kind = PV_SORT_INT}, BOOL = {.kind = PV_SORT_BOOL};
static struct pv_sort bv(uint8_t bits) {
  return (struct pv_sort){.kind = PV_SORT_BV, .bits = bits};
}
static struct pv_sort fp(uint8_t bits) {
  return (struct pv_sort){.kind = PV_SORT_FLOAT, .bits = bits};
}
static const struct pv_smt_limits none = {0};

#define MK(OP, ...)                                                                                \
  pv_smt_mk(s, PV_SMT_##OP, sizeof((pv_term[]){__VA_ARGS__}) / sizeof(pv_term),                    \
            (pv_term[]){__VA_ARGS__})
#define NUM(V) pv_smt_int(s, V)

static char *text_of(struct pv_smt *s, pv_term t) {
  struct pv_str out = {0};
  pv_smt_print(s, t, &out);
  return out.at;
}
static void assert_text(struct pv_smt *s, pv_term t, const char *text) {
  char *have = text_of(s, t);
  assert_string_equal(have, text);
  free(have);
}

static void plain_terms_are_simplified(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new(none, NULL);
  pv_term x = pv_smt_const(s, "x", INT), y = pv_smt_const(s, "y", INT);
  pv_term p = pv_smt_const(s, "p", BOOL), q = pv_smt_const(s, "q", BOOL);
  pv_term yes = pv_smt_bool(s, true), no = pv_smt_bool(s, false);
  assert_ptr_equal(x, pv_smt_const(s, "x", INT));
  assert_ptr_not_equal(x, y);
  assert_ptr_equal(MK(ADD, x, NUM(0)), x);
  assert_text(s, MK(ADD, NUM(2), x, NUM(-1)), "(+ x 1)");
  assert_text(s, MK(SUB, MK(ADD, x, NUM(5)), NUM(7)), "(+ x (- 2))");
  assert_ptr_equal(MK(SUB, MK(ADD, x, NUM(7)), NUM(7)), x);
  assert_ptr_equal(MK(ADD, NUM(2), NUM(3)), NUM(5));
  assert_ptr_equal(MK(MUL, x, NUM(1)), x);
  assert_ptr_equal(MK(MUL, x, NUM(0)), NUM(0));
  assert_ptr_equal(MK(LT, NUM(2), NUM(3)), yes);
  assert_ptr_equal(MK(LE, x, x), yes);
  assert_ptr_equal(MK(EQ, NUM(2), NUM(3)), no);
  assert_ptr_equal(MK(NOT, MK(NOT, p)), p);
  assert_ptr_equal(MK(AND, p, yes, p), p);
  assert_ptr_equal(MK(AND, p, q, MK(NOT, p)), no);
  assert_ptr_equal(MK(OR, p, MK(NOT, p)), yes);
  assert_ptr_equal(pv_smt_mk(s, PV_SMT_AND, 0, NULL), yes);
  assert_ptr_equal(pv_smt_mk(s, PV_SMT_OR, 0, NULL), no);
  assert_ptr_equal(MK(IMPLIES, no, p), yes);
  assert_ptr_equal(MK(ITE, p, yes, no), p);
  assert_ptr_equal(MK(ITE, p, x, x), x);
  assert_ptr_equal(MK(EQ, MK(ITE, p, NUM(1), NUM(0)), NUM(0)), MK(NOT, p));
  assert_ptr_equal(MK(EQ, MK(ITE, p, NUM(1), NUM(0)), NUM(2)), no);
  pv_term m = pv_smt_const(
      s, "m",
      (struct pv_sort){.kind = PV_SORT_ARRAY, .index = PV_SORT_INT, .element = PV_SORT_INT});
  pv_term stored = MK(STORE, MK(STORE, m, NUM(8), x), NUM(12), y);
  assert_ptr_equal(MK(SELECT, stored, NUM(8)), x);
  assert_ptr_equal(MK(SELECT, stored, NUM(16)), MK(SELECT, m, NUM(16)));
  pv_term wide = pv_smt_number(s, INT, 0, 1); /* 2^64 */
  assert_text(s, MK(ADD, wide, wide), "36893488147419103232");
  assert_ptr_equal(MK(BVADD, pv_smt_number(s, bv(8), 200, 0), pv_smt_number(s, bv(8), 100, 0)),
                   pv_smt_number(s, bv(8), 44, 0));
  assert_ptr_equal(pv_smt_extract(s, 7, 0, pv_smt_number(s, bv(16), 0x1234, 0)),
                   pv_smt_number(s, bv(8), 0x34, 0));
  assert_ptr_equal(pv_smt_extend(s, true, 16, pv_smt_number(s, bv(8), 0x80, 0)),
                   pv_smt_number(s, bv(16), 0xff80, 0));
  pv_smt_free(s);
}

static void sorts_come_back(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new(none, NULL);
  struct pv_sort sorts[] = {INT,
                            BOOL,
                            bv(1),
                            bv(128),
                            fp(32),
                            fp(64),
                            fp(80),
                            {.kind = PV_SORT_ARRAY, .index = PV_SORT_INT, .element = PV_SORT_BOOL},
                            {.kind = PV_SORT_ARRAY,
                             .index = PV_SORT_BV,
                             .index_bits = 64,
                             .element = PV_SORT_FLOAT,
                             .element_bits = 80}};
  for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
    struct pv_sort r = pv_smt_sort(s, pv_smt_fresh(s, "c", sorts[i]));
    assert_memory_equal(&r, &sorts[i], sizeof r);
  }
  pv_smt_const(s, "c!9", INT);
  pv_term fresh = pv_smt_fresh(s, "c", INT);
  assert_string_equal(pv_smt_name(s, fresh), "c!10");
  pv_smt_free(s);
}

static void numbers_come_back(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new(none, NULL);
  static const struct {
    uint64_t lo, hi;
  } ints[] = {{0, 0},
              {7, 0},
              {UINT64_MAX, UINT64_MAX},
              {UINT64_MAX, 0},
              {0, UINT64_C(1) << 63},
              {UINT64_MAX, UINT64_MAX >> 1},
              {0, UINT64_MAX}};
  struct pv_smt_shape shape;
  for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
    for (int wide = 0; wide < 2; wide++) {
      pv_term t = pv_smt_number(s, wide ? bv(128) : INT, ints[i].lo, ints[i].hi);
      assert_true(pv_smt_shape(s, t, &shape));
      assert_int_equal(shape.kind, PV_SHAPE_NUMBER);
      assert_int_equal(shape.lo, ints[i].lo);
      assert_int_equal(shape.hi, ints[i].hi);
    }
  }
  static const struct {
    uint8_t bits;
    uint64_t lo, hi;
  } floats[] = {{32, 0, 0},
                {32, 0x80000000, 0},
                {32, 0x3f800000, 0},
                {32, 1, 0},
                {32, 0x7f800000, 0},
                {32, 0xff7fffff, 0},
                {32, 0x7fc00000, 0},
                {64, 0x3ff8000000000000, 0},
                {64, 0xfff0000000000000, 0},
                {80, 0, 0},
                {80, 1, 0},
                {80, 0x8000000000000000, 0x3fff},
                {80, UINT64_MAX, 0xfffe},
                {80, 0x8000000000000000, 0x7fff}};
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
    pv_term t = pv_smt_number(s, fp(floats[i].bits), floats[i].lo, floats[i].hi);
    assert_true(pv_smt_shape(s, t, &shape));
    assert_int_equal(shape.kind, PV_SHAPE_NUMBER);
    assert_int_equal(shape.lo, floats[i].lo);
    assert_int_equal(shape.hi, floats[i].hi);
  }
  pv_term b = pv_smt_const(s, "b", bv(32));
  assert_true(pv_smt_shape(s, pv_smt_extract(s, 15, 8, b), &shape));
  assert_int_equal(shape.kind, PV_SHAPE_EXTRACT);
  assert_int_equal(shape.hi, 15);
  assert_int_equal(shape.lo, 8);
  assert_true(pv_smt_shape(s, pv_smt_extend(s, true, 40, b), &shape));
  assert_int_equal(shape.kind, PV_SHAPE_SIGN_EXTEND);
  assert_int_equal(shape.lo, 8);
  assert_ptr_equal(pv_smt_operand(s, pv_smt_extend(s, true, 40, b), 0), b);
  assert_true(pv_smt_shape(s, b, &shape));
  assert_int_equal(shape.kind, PV_SHAPE_CONSTANT);
  pv_smt_free(s);
}

/* Every operation of the table keeps its name. */
static void operations_come_back(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new(none, NULL);
  pv_term p = pv_smt_const(s, "p", BOOL), q = pv_smt_const(s, "q", BOOL);
  pv_term x = pv_smt_const(s, "x", INT), y = pv_smt_const(s, "y", INT),
          z = pv_smt_const(s, "z", INT);
  pv_term b = pv_smt_const(s, "b", bv(8)), c = pv_smt_const(s, "c", bv(8));
  pv_term m = pv_smt_const(
      s, "m",
      (struct pv_sort){.kind = PV_SORT_ARRAY, .index = PV_SORT_INT, .element = PV_SORT_INT});
  for (int op = 0; op < PV_SMT_OP_COUNT; op++) {
    pv_term args[3] = {b, c, NULL}, t;
    uint32_t n = 2;
    if (op == PV_SMT_NOT || op == PV_SMT_NEG || op == PV_SMT_BVNOT || op == PV_SMT_BVNEG) n = 1;
    if (op <= PV_SMT_ITE) args[0] = p, args[1] = q;
    if (op == PV_SMT_ITE) args[1] = x, args[2] = y, n = 3;
    if (op > PV_SMT_ITE && op <= PV_SMT_GE) args[0] = x, args[1] = y, args[2] = z;
    if (op == PV_SMT_DISTINCT) n = 3;
    if (op == PV_SMT_SELECT || op == PV_SMT_STORE) args[0] = m, args[1] = x, args[2] = y;
    if (op == PV_SMT_STORE) n = 3;
    t = pv_smt_mk(s, (enum pv_smt_op)op, n, args);
    struct pv_smt_shape shape;
    assert_true(pv_smt_shape(s, t, &shape));
    assert_int_equal(shape.kind, PV_SHAPE_OP);
    assert_int_equal(shape.op, op);
    assert_int_equal(shape.n, n);
    for (uint32_t i = 0; i < n; i++) assert_ptr_equal(pv_smt_operand(s, t, i), args[i]);
  }
  assert_string_equal(pv_smt_error(s), "");
  pv_smt_free(s);
}

static void constants_atoms_substitution(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new(none, NULL);
  pv_term x = pv_smt_const(s, "x", INT), y = pv_smt_const(s, "y", INT);
  pv_term p = pv_smt_const(s, "p", BOOL);
  pv_term lt = MK(LT, x, y), eq = MK(EQ, MK(ITE, p, x, y), NUM(3));
  pv_term f = MK(AND, MK(OR, MK(NOT, lt), p), MK(IMPLIES, eq, lt), MK(EQ, p, lt));
  pv_terms out = {0};
  pv_smt_constants(s, f, &out);
  assert_int_equal(out.n, 3);
  assert_ptr_equal(out.at[0], x);
  assert_ptr_equal(out.at[1], y);
  assert_ptr_equal(out.at[2], p);
  out.n = 0;
  pv_smt_atoms(s, f, &out);
  assert_int_equal(out.n, 3);
  assert_ptr_equal(out.at[0], lt);
  assert_ptr_equal(out.at[1], p);
  assert_ptr_equal(out.at[2], eq);
  pv_term from[] = {x, y}, to[] = {y, x}; /* all at once */
  assert_ptr_equal(pv_smt_substitute(s, lt, 2, from, to), MK(LT, y, x));
  pv_term deep = x;
  for (int i = 0; i < 200000; i++) deep = MK(ADD, MK(MUL, deep, NUM(2)), y);
  out.n = 0;
  pv_smt_constants(s, deep, &out);
  assert_int_equal(out.n, 2);
  pv_vec_free(&out);
  pv_smt_free(s);
}

/* A formula goes over to another context and comes back the same in meaning. */
static void goes_over(struct pv_smt *s, pv_term t) {
  struct pv_smt *other = pv_smt_new(none, NULL);
  struct pv_str text = {0}, again = {0}, there = {0};
  pv_terms constants = {0}, theirs = {0};
  pv_smt_constants(s, t, &constants);
  for (uint32_t i = constants.n; i-- > 0;) { /* in another order, by other names */
    char *name = pv_format("other %u|", i);
    pv_term c = pv_smt_const(other, name, pv_smt_sort(s, constants.at[i]));
    pv_vec_push(&theirs, c);
    free(name);
  }
  for (uint32_t i = 0; 2 * i + 1 < theirs.n; i++) {
    pv_term c = theirs.at[i];
    theirs.at[i] = theirs.at[theirs.n - 1 - i];
    theirs.at[theirs.n - 1 - i] = c;
  }
  assert_true(pv_smt_write(s, t, constants.n, constants.at, &text));
  pv_term back = pv_smt_read(s, text.at, constants.n, constants.at);
  pv_term over = pv_smt_read(other, text.at, theirs.n, theirs.at);
  assert_non_null(back);
  assert_non_null(over);
  pv_term differs = MK(NOT, MK(EQ, t, back));
  assert_int_equal(pv_smt_check(s, 1, &differs), PV_SMT_UNSAT);
  assert_true(pv_smt_write(s, back, constants.n, constants.at, &again));
  assert_true(pv_smt_write(other, over, theirs.n, theirs.at, &there));
  assert_string_equal(again.at, there.at);
  pv_str_free(&text);
  pv_str_free(&again);
  pv_str_free(&there);
  pv_vec_free(&constants);
  pv_vec_free(&theirs);
  pv_smt_free(other);
}

static void formulas_go_over_as_text(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new(none, NULL);
  pv_term x = pv_smt_const(s, "f::x$1", INT), y = pv_smt_const(s, "k0", INT);
  pv_term p = pv_smt_const(s, "a b", BOOL), v = pv_smt_const(s, "v", bv(128));
  pv_term f = pv_smt_const(s, "f", fp(64));
  struct pv_sort sort = {PV_SORT_ARRAY, 0, PV_SORT_INT, PV_SORT_INT, 0, 0};
  pv_term a = pv_smt_const(s, "array", sort);
  pv_term wide = pv_smt_number(s, bv(128), 7, UINT64_C(1) << 63);
  pv_term half = pv_smt_number(s, fp(64), UINT64_C(0x3fe0000000000000), 0);
  pv_term big = pv_smt_number(s, INT, 5, 1);
  goes_over(s, pv_smt_bool(s, true));
  goes_over(s, pv_smt_bool(s, false));
  goes_over(s, p);
  goes_over(s, MK(AND, p, MK(LE, MK(SUB, x, MK(MUL, NUM(-3), y)), MK(NEG, big))));
  goes_over(s, MK(EQ, MK(MOD, x, NUM(7)), MK(ITE, p, MK(DIV, y, NUM(-2)), NUM(0))));
  goes_over(s, MK(BVULE, MK(BVADD, v, wide), MK(BVLSHR, v, wide)));
  goes_over(s, MK(EQ, pv_smt_extract(s, 100, 37, v), pv_smt_number(s, bv(64), 1, 0)));
  goes_over(s, MK(OR, p, MK(NOT, MK(EQ, f, half))));
  goes_over(s, MK(EQ, MK(STORE, pv_smt_constant_array(s, sort, NUM(-1)), x, y), a));
  pv_term deep = p;
  for (int i = 0; i < 3000; i++) deep = MK(ITE, MK(EQ, x, NUM(i)), deep, MK(LE, y, NUM(i)));
  goes_over(s, deep);
  /* What is not said to be known, and what is no text of a formula. */
  struct pv_str text = {0};
  assert_false(pv_smt_write(s, MK(LE, x, y), 1, &x, &text));
  assert_null(pv_smt_read(s, "(assert (<= k0 k1))", 1, &x));
  assert_null(pv_smt_read(s, "(assert (<= k0", 1, &x));
  assert_null(pv_smt_read(s, "", 1, &x));
  assert_int_equal(pv_smt_check(s, 1, &p), PV_SMT_SAT);
  pv_str_free(&text);
  pv_smt_free(s);
}

static void checks_models_cores(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new(none, NULL);
  pv_term x = pv_smt_const(s, "x", INT), y = pv_smt_const(s, "y", INT);
  pv_term a = pv_smt_const(s, "a", BOOL), b = pv_smt_const(s, "b", BOOL),
          c = pv_smt_const(s, "c", BOOL);
  struct pv_solver *v = pv_solver_new(s);
  pv_solver_assert(v, MK(IMPLIES, a, MK(LT, x, y)));
  pv_solver_push(v);
  pv_solver_assert(v, MK(IMPLIES, b, MK(GT, x, y)));
  pv_solver_assert(v, MK(IMPLIES, c, MK(EQ, x, NUM(-7))));
  pv_term ac[] = {a, c}, abc[] = {a, b, c};
  uint64_t lo, hi;
  assert_int_equal(pv_solver_check(v, 2, ac), PV_SMT_SAT);
  struct pv_model *m = pv_solver_model(v);
  assert_true(pv_model_value(m, x, &lo, &hi));
  assert_true(lo == (uint64_t)-7 && hi == UINT64_MAX);
  assert_true(pv_model_holds(m, MK(LT, x, y)));
  assert_false(pv_model_holds(m, MK(LE, y, x)));
  assert_true(pv_model_value(m, pv_smt_const(s, "unknown", bv(8)), &lo, &hi));
  pv_model_free(m);
  assert_int_equal(pv_solver_check(v, 3, abc), PV_SMT_UNSAT);
  pv_terms core = {0};
  pv_solver_core(v, &core);
  assert_int_equal(core.n, 2);
  for (uint32_t i = 0; i < 2; i++) assert_ptr_not_equal(core.at[i], c);
  pv_solver_pop(v, 1);
  assert_int_equal(pv_solver_check(v, 3, abc), PV_SMT_SAT);
  pv_term excluded[] = {MK(LT, x, NUM(3)), MK(GT, x, NUM(1)), MK(DISTINCT, x, NUM(2))};
  assert_int_equal(pv_smt_check(s, 3, excluded), PV_SMT_UNSAT);
  assert_int_equal(pv_smt_check(s, 2, excluded), PV_SMT_SAT);
  const struct pv_smt_stats *stats = pv_smt_stats(s);
  assert_int_equal(stats->checks, stats->sat + stats->unsat + stats->unknown);
  assert_int_equal(stats->unknown, 0);
  pv_vec_free(&core);
  pv_solver_free(v);
  pv_smt_free(s);
}

/* Another theory comes in; what is asserted stays. */
static void theories_come_later(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new(none, NULL);
  pv_term x = pv_smt_const(s, "x", INT), y = pv_smt_const(s, "y", INT);
  struct pv_solver *v = pv_solver_new(s);
  struct pv_model *m;
  uint64_t lo, hi;
  pv_solver_assert(v, MK(LT, x, y));
  assert_int_equal(pv_solver_check(v, 0, NULL), PV_SMT_SAT);
  pv_term m0 = pv_smt_const(
      s, "m",
      (struct pv_sort){.kind = PV_SORT_ARRAY, .index = PV_SORT_INT, .element = PV_SORT_INT});
  pv_solver_push(v);
  pv_solver_assert(v, MK(EQ, MK(SELECT, MK(STORE, m0, x, y), x), x));
  assert_int_equal(pv_solver_check(v, 0, NULL), PV_SMT_UNSAT);
  pv_solver_pop(v, 1);
  assert_int_equal(pv_solver_check(v, 0, NULL), PV_SMT_SAT);
  pv_term w = pv_smt_const(s, "w", bv(32));
  pv_solver_assert(v, MK(EQ, MK(BVMUL, w, w), pv_smt_number(s, bv(32), 49, 0)));
  pv_solver_assert(v, MK(BVULT, w, pv_smt_number(s, bv(32), 100, 0)));
  assert_int_equal(pv_solver_check(v, 0, NULL), PV_SMT_SAT);
  m = pv_solver_model(v);
  assert_true(pv_model_value(m, w, &lo, &hi));
  assert_int_equal(lo, 7);
  pv_model_free(m);
  pv_term f = pv_smt_const(s, "f", fp(64));
  pv_solver_assert(v, MK(EQ, f, pv_smt_number(s, fp(64), 0x4009000000000000, 0)));
  assert_int_equal(pv_solver_check(v, 0, NULL), PV_SMT_SAT);
  m = pv_solver_model(v);
  assert_true(pv_model_value(m, f, &lo, &hi));
  assert_true(lo == 0x4009000000000000);
  pv_model_free(m);
  pv_solver_free(v);
  pv_smt_free(s);
}

/* x and y of `bits` bits, both over 1, whose product is a prime: hard for a solver. */
static pv_term hard(struct pv_smt *s, uint8_t bits, uint64_t prime) {
  pv_term x = pv_smt_const(s, "hx", bv(bits)), y = pv_smt_const(s, "hy", bv(bits));
  pv_term one = pv_smt_number(s, bv(bits), 1, 0);
  pv_term wide =
      MK(BVMUL, pv_smt_extend(s, false, 2 * bits, x), pv_smt_extend(s, false, 2 * bits, y));
  return MK(AND, MK(BVULT, one, x), MK(BVULT, one, y),
            MK(EQ, wide, pv_smt_number(s, bv(2 * bits), prime, 0)));
}
#define PRIME 1152921504606846883 /* below 2^60 */

static void answers_say_which(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new(none, NULL);
  uint32_t which;
  for (int width = 0; width < 2; width++) { /* 0: integers */
    struct pv_sort sort = width ? bv(32) : (struct pv_sort){.kind = PV_SORT_INT};
    pv_term x = pv_smt_const(s, width ? "xb" : "xi", sort), is[3];
    for (uint64_t i = 0; i < 3; i++) is[i] = MK(EQ, x, pv_smt_number(s, sort, i, 0));
    pv_term any = MK(OR, is[1], is[2]);
    pv_term not_one = MK(AND, any, pv_smt_mk1(s, PV_SMT_NOT, is[1]));
    assert_int_equal(pv_smt_check_which(s, not_one, 3, is, &which), PV_SMT_SAT);
    assert_int_equal(which, 2);
    assert_int_equal(pv_smt_check_which(s, not_one, 2, is, &which), PV_SMT_SAT);
    assert_int_equal(which, 2); /* none of them */
    assert_int_equal(pv_smt_check_which(s, MK(AND, not_one, is[0]), 3, is, &which), PV_SMT_UNSAT);
  }
  pv_smt_free(s);
}

static void limits_end_in_unknown(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new((struct pv_smt_limits){.steps = 100000}, NULL);
  pv_smt_use(s, PV_BITS_Z3);
  pv_term f = hard(s, 32, PRIME), x = pv_smt_const(s, "x", INT), easy = MK(LT, x, NUM(3));
  for (int i = 0; i < 2; i++) { /* the next question starts afresh */
    assert_int_equal(pv_smt_check(s, 1, &f), PV_SMT_UNKNOWN);
    assert_int_equal(pv_smt_reason(s), PV_SMT_STEPS);
    assert_int_equal(pv_smt_check(s, 1, &easy), PV_SMT_SAT);
  }
  pv_smt_free(s);

  s = pv_smt_new((struct pv_smt_limits){.ms = 200}, NULL);
  pv_smt_use(s, PV_BITS_Z3);
  f = hard(s, 32, PRIME);
  double began = pv_clock();
  assert_int_equal(pv_smt_check(s, 1, &f), PV_SMT_UNKNOWN);
  assert_true(pv_clock() - began < 20);
  assert_int_equal(pv_smt_reason(s), PV_SMT_STEPS);
  assert_string_equal(pv_smt_reason_text(pv_smt_reason(s)), "time limit of a query");
  x = pv_smt_const(s, "x", INT);
  easy = MK(LT, x, NUM(3));
  assert_int_equal(pv_smt_check(s, 1, &easy), PV_SMT_SAT); /* and the next one is answered */
  assert_int_equal(pv_smt_check(s, 1, &f), PV_SMT_UNKNOWN);
  assert_int_equal(pv_smt_reason(s), PV_SMT_STEPS);
  struct pv_solver *solver = pv_solver_new(s);
  pv_solver_assert(solver, easy);
  assert_int_equal(pv_solver_check(solver, 0, NULL), PV_SMT_SAT);
  pv_solver_push(solver);
  pv_solver_assert(solver, f);
  assert_int_equal(pv_solver_check(solver, 0, NULL), PV_SMT_UNKNOWN);
  pv_solver_pop(solver, 1);
  assert_int_equal(pv_solver_check(solver, 0, NULL), PV_SMT_SAT);
  pv_solver_free(solver);
  pv_smt_free(s);

  s = pv_smt_new((struct pv_smt_limits){.memory = 24 << 20, .ms = 60000}, NULL);
  pv_smt_use(s, PV_BITS_Z3);
  f = hard(s, 32, PRIME);
  assert_int_equal(pv_smt_check(s, 1, &f), PV_SMT_UNKNOWN);
  assert_int_equal(pv_smt_reason(s), PV_SMT_MEMORY);
  pv_smt_free(s);
}

/* Time may be over at any moment: while assertions are told, too, and right after the answer. */
static void time_is_over_at_any_moment(void **state) {
  (void)state;
  unsigned answers[3] = {0}, easy_ones = 0;
  for (unsigned i = 0; i < 12; i++) {
    struct pv_smt *s = pv_smt_new((struct pv_smt_limits){.ms = 1 + 7 * i}, NULL);
    struct pv_solver *v = pv_solver_new(s);
    pv_term sum = NUM(0);
    for (int k = 0; k < 3000; k++) {
      pv_term x = pv_smt_fresh(s, "x", INT);
      sum = MK(ADD, sum, x);
      pv_solver_assert(v, MK(LE, MK(ADD, x, NUM(k % 7)), MK(MUL, NUM(3), sum)));
      if (k % 100 == 0) pv_solver_push(v);
    }
    enum pv_smt_answer r = pv_solver_check(v, 0, NULL);
    answers[r]++;
    if (r == PV_SMT_UNKNOWN) assert_int_equal(pv_smt_reason(s), PV_SMT_STEPS);
    pv_solver_free(v);
    pv_term easy = MK(LT, pv_smt_const(s, "x", INT), NUM(3));
    r = pv_smt_check(s, 1, &easy); /* a millisecond may pass without us */
    if (r == PV_SMT_UNKNOWN) assert_int_equal(pv_smt_reason(s), PV_SMT_STEPS);
    easy_ones += r == PV_SMT_SAT;
    assert_int_not_equal(r, PV_SMT_UNSAT);
    assert_string_equal(pv_smt_error(s), "");
    pv_smt_free(s);
  }
  assert_true(answers[PV_SMT_UNKNOWN] > 0);
  assert_true(easy_ones > 0);
}

static void the_run_ends_queries(void **state) {
  (void)state;
  struct pv_limits run = {.seconds = 0.3};
  pv_limits_start(&run);
  struct pv_smt *s = pv_smt_new((struct pv_smt_limits){.ms = 60000}, &run);
  pv_term f = hard(s, 32, PRIME), x = pv_smt_const(s, "x", INT), easy = MK(LT, x, NUM(3));
  assert_int_equal(pv_smt_check(s, 1, &easy), PV_SMT_SAT);
  assert_int_equal(pv_smt_check(s, 1, &f), PV_SMT_UNKNOWN);
  assert_int_equal(pv_smt_reason(s), PV_SMT_RUN);
  assert_true(pv_limits_elapsed(&run) < 20);
  pv_smt_free(s);
  run.seconds = 0;
  pv_limits_start(&run);
  s = pv_smt_new(none, &run);
  easy = MK(LT, pv_smt_const(s, "x", INT), NUM(3));
  pv_limits_interrupt();
  assert_int_equal(pv_smt_check(s, 1, &easy), PV_SMT_UNKNOWN);
  assert_int_equal(pv_smt_reason(s), PV_SMT_RUN);
  pv_limits_clear_interrupt();
  pv_smt_free(s);
}

static void products_are_unknown_in_time(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new((struct pv_smt_limits){.steps = 2000000, .ms = 300}, NULL);
  pv_term x = pv_smt_const(s, "x", INT), y = pv_smt_const(s, "y", INT),
          z = pv_smt_const(s, "z", INT);
  pv_term f[] = {MK(EQ, MK(ADD, MK(MUL, x, x, x), MK(MUL, y, y, y), MK(MUL, z, z, z)), NUM(33)),
                 MK(GT, MK(MUL, x, y, z), NUM(7))};
  assert_int_equal(pv_smt_check(s, 2, f), PV_SMT_UNKNOWN);
  assert_true(pv_smt_reason(s) == PV_SMT_INCOMPLETE || pv_smt_reason(s) == PV_SMT_STEPS);
  pv_smt_free(s);
}

/* Failures break the context: nothing ends the process, nothing is answered any more. */
static void failures_are_unknown(void **state) {
  (void)state;
  struct pv_smt *s = pv_smt_new(none, NULL);
  pv_term x = pv_smt_const(s, "x", INT), easy = MK(LT, x, NUM(3));
  pv_smt_fail_at(s, 2);
  assert_int_equal(pv_smt_check(s, 1, &easy), PV_SMT_SAT);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(pv_smt_check(s, 1, &easy), PV_SMT_UNKNOWN);
    assert_int_equal(pv_smt_reason(s), PV_SMT_FAILURE);
  }
  pv_smt_free(s);
  s = pv_smt_new(none, NULL); /* an error of Z3: sorts that do not fit */
  pv_term wrong = MK(BVADD, pv_smt_const(s, "x", INT), pv_smt_const(s, "b", bv(8)));
  assert_non_null(wrong);
  assert_true(strlen(pv_smt_error(s)) > 0);
  easy = MK(LT, pv_smt_const(s, "x", INT), NUM(3));
  assert_int_equal(pv_smt_check(s, 1, &easy), PV_SMT_UNKNOWN);
  assert_int_equal(pv_smt_reason(s), PV_SMT_FAILURE);
  pv_smt_free(s);
}

/* The same questions get the same answers and the same models. */
static uint64_t trace(void) {
  struct pv_smt *s = pv_smt_new((struct pv_smt_limits){.steps = 20000, .ms = 60000}, NULL);
  struct pv_str log = {0};
  pv_term v[6];
  for (int i = 0; i < 6; i++) v[i] = pv_smt_fresh(s, "v", i < 4 ? INT : bv(16));
  struct pv_solver *solver = pv_solver_new(s);
  uint32_t seed = 1;
  for (int i = 0; i < 300; i++) {
#define R(N) ((seed = seed * 1664525 + 1013904223) >> 8) % (N)
    if (R(4) == 0) pv_solver_push(solver), pv_str_addc(&log, '(');
    pv_term t = R(3) ? MK(LE, MK(ADD, MK(MUL, NUM((int)(R(9)) - 4), v[R(4)]), v[R(4)]),
                          MK(ADD, v[R(4)], NUM((int)(R(40)) - 20)))
                     : MK(EQ, MK(BVMUL, v[4 + R(2)], v[4 + R(2)]),
                          MK(BVADD, v[4 + R(2)], pv_smt_number(s, bv(16), R(99), 0)));
    pv_solver_push(solver);
    pv_solver_assert(solver, t);
    enum pv_smt_answer answer = pv_solver_check(solver, 0, NULL);
    pv_str_addf(&log, "%d", answer);
    if (answer == PV_SMT_SAT) {
      struct pv_model *m = pv_solver_model(solver);
      for (int j = 0; j < 6; j++) {
        uint64_t lo = 0, hi = 0;
        assert_true(pv_model_value(m, v[j], &lo, &hi));
        pv_str_addf(&log, " %llx", (unsigned long long)lo);
      }
      assert_true(pv_model_holds(m, t));
      pv_model_free(m);
    } else {
      pv_solver_pop(solver, 1);
    }
  }
  uint64_t h = pv_hash(log.at, log.n);
  pv_str_free(&log);
  pv_solver_free(solver);
  pv_smt_free(s);
  return h;
}
static void runs_repeat(void **state) {
  (void)state;
  assert_true(trace() == trace());
}

/* A context is used by one thread; several threads have one each. */
static void *trace_thread(void *out) {
  *(uint64_t *)out = trace();
  return NULL;
}
static void threads_do_not_disturb_each_other(void **state) {
  (void)state;
  pthread_t threads[3];
  uint64_t seen[3], alone = trace();
  for (int i = 0; i < 3; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, trace_thread, &seen[i]), 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < 3; i++) assert_true(seen[i] == alone);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_terms_are_simplified),
      cmocka_unit_test(sorts_come_back),
      cmocka_unit_test(numbers_come_back),
      cmocka_unit_test(operations_come_back),
      cmocka_unit_test(constants_atoms_substitution),
      cmocka_unit_test(formulas_go_over_as_text),
      cmocka_unit_test(checks_models_cores),
      cmocka_unit_test(theories_come_later),
      cmocka_unit_test(answers_say_which),
      cmocka_unit_test(limits_end_in_unknown),
      cmocka_unit_test(time_is_over_at_any_moment),
      cmocka_unit_test(the_run_ends_queries),
      cmocka_unit_test(products_are_unknown_in_time),
      cmocka_unit_test(failures_are_unknown),
      cmocka_unit_test(runs_repeat),
      cmocka_unit_test(threads_do_not_disturb_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
