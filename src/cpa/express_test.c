/* express_test.c -- formulas written as C expressions, and simplified invariants. */
#include "cpa/express.h"

#include "cpa/cpa_test.h"
#include "cpa/invariants.h"

static struct pv_checked c;
static struct pv_analysis_context g;
static struct pv_result aside;

static const char program[] =
    "struct s { int first; unsigned second; };\nstatic struct s s;\nstatic int table[50];\n"
    "unsigned u;\n"
    "int f(int *p, int x, unsigned y) {\n  s.first = x;\n  s.second = y;\n  u = y;\n"
    "  table[u % 50] = x;\n  p = &s.first;\n  return *p + table[x];\n}\n"
    "int main(void) { int a = 1; return f(&a, 2, 3); }\n";

static void load(const char *integers) {
  pv_checked_load(&c, program, "unreach-call");
  pv_options_set(&c.options, "integers", integers, NULL);
  assert_true(pv_context_new(&g, &c.task, &aside));
}

static int tear_down(void **state) {
  (void)state;
  pv_context_free(&g);
  pv_checked_free(&c);
  pv_result_clear(&aside);
  return 0;
}

static uint32_t global(const char *name) {
  for (uint32_t i = 0; i < c.program->globals.n; i++)
    if (!strcmp(c.program->globals.at[i].name, name)) return pv_layout_global(g.layout, i);
  fail_msg("no global %s", name);
  return 0;
}

static pv_term entry(struct pv_cell like) {
  return pv_symbolic_cell(g.symbolic, pv_symbolic_cell_like(g.symbolic, &like))->entry;
}
static pv_term var(const char *name, uint32_t instance) {
  uint32_t f = pv_checked_function(&c, "f");
  for (uint32_t v = 0; v < c.program->functions.at[f].vars.n; v++)
    if (!strcmp(c.program->functions.at[f].vars.at[v].name, name))
      return entry((struct pv_cell){PV_CELL_VARIABLE, f, v, instance, 0, {0}, false, NULL, NULL});
  fail_msg("no variable %s", name);
  return NULL;
}
static pv_term field(const char *name, uint32_t n) {
  const struct pv_place *place = pv_layout_place(g.layout, global(name));
  return entry((struct pv_cell){.kind = PV_CELL_MEMORY, .a = place->first_cell + n});
}

static void says(const char *in, pv_term t, size_t room, const char *text, uint64_t left_out) {
  struct pv_str out = {0};
  pv_cells unnamed = {0};
  uint64_t left = pv_express(&g, pv_checked_function(&c, in), t, room, &out, &unnamed);
  assert_string_equal(pv_str_cstr(&out), text);
  assert_int_equal(left, left_out);
  pv_str_free(&out);
  pv_vec_free(&unnamed);
}
static void shows(pv_term t, const char *text) {
  says("f", t, 1000, text, 0);
}

#define MK(OP, ...)                                                                                \
  pv_smt_mk(g.smt, PV_SMT_##OP, sizeof((pv_term[]){__VA_ARGS__}) / sizeof(pv_term),                \
            (pv_term[]){__VA_ARGS__})
#define NUM(V) pv_smt_int(g.smt, V)

static void comparisons_are_sorted(void **state) {
  (void)state;
  load("linear");
  pv_term x = var("x", 0), y = var("y", 0);
  shows(MK(LE, x, NUM(10)), "x <= 10");
  shows(MK(NOT, MK(LE, x, NUM(10))), "x > 10");
  shows(MK(LE, MK(ADD, x, MK(MUL, NUM(-1), y)), NUM(0)), "x <= y");
  shows(MK(GE, MK(ADD, x, MK(MUL, NUM(-1), y)), NUM(1)), "x > y");
  shows(MK(LE, MK(SUB, x, y), NUM(-1)), "x < y");
  shows(MK(NOT, MK(GE, MK(SUB, x, y), NUM(1))), "x <= y");
  shows(MK(LE, MK(MUL, NUM(-1), x), NUM(5)), "x >= -5");
  shows(MK(LE, MK(MUL, NUM(-2), x), MK(ADD, y, NUM(7))), "2 * x + y >= -7");
  shows(MK(LT, MK(ADD, x, NUM(3)), MK(MUL, NUM(4), y)), "x + 3 < 4 * y");
  shows(MK(EQ, MK(SUB, x, NUM(3)), y), "x == y + 3");
  shows(MK(NOT, MK(EQ, x, y)), "x != y");
  shows(MK(EQ, MK(MOD, MK(SUB, x, y), NUM(4)), NUM(1)), "mod(x - y, 4) == 1");
  shows(MK(LE, MK(MUL, x, MK(ADD, y, NUM(1))), NUM(3)), "x * (y + 1) <= 3");
}

static void structure_is_bracketed(void **state) {
  (void)state;
  load("linear");
  pv_term x = var("x", 0), y = var("y", 0);
  pv_term a = MK(LE, x, NUM(1)), b = MK(LE, y, NUM(2)), c = MK(EQ, x, y);
  shows(MK(AND, a, MK(OR, b, c)), "x <= 1 && (y <= 2 || x == y)");
  shows(MK(OR, MK(AND, a, b), c), "x <= 1 && y <= 2 || x == y");
  shows(MK(NOT, MK(AND, a, b)), "!(x <= 1 && y <= 2)");
  shows(MK(LE, MK(ITE, a, x, MK(ADD, y, NUM(1))), NUM(3)), "(x <= 1 ? x : y + 1) <= 3");
  says("f", MK(OR, a, b, c), 12, "x <= 1 || y <= 2 || ...", 1);
  says("f", MK(OR, a, b, c), 0, "x <= 1 || ...", 2);
}

static void names_are_those_of_the_source(void **state) {
  (void)state;
  load("linear");
  shows(MK(LE, var("x", 1), NUM(1)), "x#1 <= 1");
  says("main", MK(LE, var("x", 0), NUM(1)), 99, "f::x <= 1", 0);
  shows(MK(LE, field("s", 0), NUM(1)), "s.first <= 1");
  /* Memory is kept as signed numbers: an unsigned one is not what it says. */
  shows(MK(LE, field("s", 1), NUM(1)), "(int)s.second <= 1");
  shows(MK(LE, field("u", 0), var("x", 0)), "(int)u <= x");
  uint64_t s = pv_symbolic_address(g.symbolic, (struct pv_sym_object){global("s"), 0});
  uint64_t table = pv_symbolic_address(g.symbolic, (struct pv_sym_object){global("table"), 0});
  shows(MK(EQ, var("p", 0), NUM((int64_t)s)), "p == &s");
  shows(MK(NOT, MK(EQ, var("p", 0), NUM((int64_t)s + 4))), "p != &s.second");
  shows(MK(EQ, var("p", 0), NUM(0)), "p == NULL");
  const struct pv_place *place = pv_layout_place(g.layout, global("table"));
  assert_false(place->cut);
  pv_term memory =
      entry((struct pv_cell){.kind = PV_CELL_ARRAY, .a = place->class, .b = PV_INT(32)});
  pv_term x = var("x", 0), at = MK(ADD, MK(MUL, NUM(4), x), NUM((int64_t)table - 4));
  shows(MK(EQ, MK(SELECT, memory, NUM((int64_t)table + 8)), x), "table[2] == x");
  shows(MK(EQ, MK(SELECT, memory, MK(ADD, at, NUM(8))), x), "table[x + 1] == x");
  shows(MK(EQ, MK(SELECT, memory, MK(ADD, var("p", 0), NUM(4))), x), "*(int *)(p + 4) == x");
}

static void bits_have_signs(void **state) {
  (void)state;
  load("bitvector");
  pv_term x = var("x", 0), y = var("y", 0);
  struct pv_sort word = {.kind = PV_SORT_BV, .bits = 32};
  pv_term minus = pv_smt_number(g.smt, word, UINT32_MAX, 0),
          five = pv_smt_number(g.smt, word, 5, 0),
          large = pv_smt_number(g.smt, word, UINT32_MAX - 1, 0);
  shows(MK(BVSLE, x, minus), "x <= -1");
  shows(MK(BVULE, y, large), "y <= 4294967294");
  shows(MK(BVULT, x, five), "(unsigned)x < 5");
  shows(MK(NOT, MK(BVSLT, y, five)), "(int)y >= 5");
  shows(MK(EQ, MK(BVADD, x, five), minus), "x + 5 == -1");
  shows(MK(EQ, MK(BVAND, MK(BVADD, x, y), five), five), "(x + y & 5) == 5");
  shows(MK(BVSLE, MK(BVADD, x, y), five), "(int)(x + y) <= 5");
  shows(MK(EQ, pv_smt_extract(g.smt, 7, 0, x),
           pv_smt_number(g.smt, (struct pv_sort){.kind = PV_SORT_BV, .bits = 8}, 3, 0)),
        "(signed char)x == 3");
}

static void smaller_and_the_same(void **state) {
  (void)state;
  load("linear");
  pv_term x = var("x", 0), y = var("y", 0);
  pv_term least = MK(LE, x, NUM(10)), zero = MK(EQ, y, NUM(0)), same = MK(EQ, x, y);
  pv_term diagram = MK(OR, MK(AND, least, MK(OR, zero, MK(AND, MK(NOT, zero), same))),
                       MK(AND, MK(NOT, least), MK(LE, x, NUM(5))));
  const struct {
    pv_term t;
    const char *text;
  } cases[] = {{diagram, "x <= 10 && (y == 0 || x == y)"},
               {MK(AND, MK(LE, x, y), MK(LE, y, x)), "x == y"},
               {MK(AND, MK(LE, x, NUM(3)), MK(GE, x, NUM(3))), "x == 3"},
               {MK(GE, y, NUM(0)), "true"}, /* unsigned */
               {MK(OR, MK(AND, zero, least), MK(AND, zero, same)), "y == 0 && x <= 10"},
               {MK(AND, least, MK(GE, x, NUM(11))), "false"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t questions = 1000;
    pv_term tidy = pv_invariants_tidy(&g, cases[i].t, &questions);
    pv_term differs[] = {pv_symbolic_ranges(g.symbolic, MK(AND, tidy, cases[i].t)),
                         pv_symbolic_ranges(g.symbolic, cases[i].t),
                         MK(NOT, MK(EQ, tidy, cases[i].t))};
    assert_int_equal(pv_smt_check(g.smt, 3, differs), PV_SMT_UNSAT);
    shows(tidy, cases[i].text);
  }
}

int main(void) {
#define T(F) cmocka_unit_test_teardown(F, tear_down)
  const struct CMUnitTest tests[] = {T(comparisons_are_sorted), T(structure_is_bracketed),
                                     T(names_are_those_of_the_source), T(bits_have_signs),
                                     T(smaller_and_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
