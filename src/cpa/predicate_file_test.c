/* Files of predicates: the meaning of their formulas, compared by values; errors, by line; and
 * robustness against arbitrary content. */
#include "cpa/cpa_test.h"
#include "cpa/predicate_file.h"

static struct pv_checked c;
static struct pv_analysis_context g;

static const char *const program =
    "extern int __VERIFIER_nondet_int(void);\n" /* 1 */
    "static int x; static unsigned u; static short s;\n"
    "static long long l; static int *p; static _Bool b;\n"
    "static struct pair { int a, b; } pair;\n"
    "static float f;\n"
    "static int twice(int x) {\n" /* 6 */
    "  return 2 * x;\n"
    "}\n"
    "int main(void) {\n" /* 9 */
    "  int i = __VERIFIER_nondet_int(), n = 3;\n"
    "  x = n; u = n; s = n; l = n; p = &x; b = n; f = n;\n"
    "  pair.a = 1; pair.b = n;\n"
    "  while (i < n) {\n" /* 13 */
    "    int k = twice(i);\n"
    "    i = k + x;\n"
    "  }\n"
    "  for (int k = 0; k < u; k++) x += s + l + *p + b + f + pair.a;\n"
    "  return x;\n"
    "}\n";

static int begin(void **state) {
  struct pv_result r = {0};
  (void)state;
  pv_checked_load(&c, program, "unreach-call");
  assert_true(pv_context_new(&g, &c.task, &r));
  return 0;
}

static int end(void **state) {
  (void)state;
  pv_context_free(&g);
  pv_checked_free(&c);
  return 0;
}

static void restart(int integers) {
  struct pv_result r = {0};
  pv_context_free(&g);
  c.options.integers = integers;
  assert_true(pv_context_new(&g, &c.task, &r));
}

static enum pv_status read_text(const char *text, size_t n, struct pv_predicate_file **out,
                                struct pv_str *err) {
  char path[] = "/tmp/proviso-predicates-XXXXXX";
  FILE *f = fdopen(mkstemp(path), "w");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, n, f), n);
  fclose(f);
  enum pv_status status =
      pv_predicate_file_read(path, c.program, c.options.integers == 0, out, err);
  unlink(path);
  assert_true(err->n ? status == PV_E_INPUT && !*out : status == PV_OK && *out);
  assert_true(!err->n || !strncmp(err->at, path, strlen(path)));
  if (err->n) { /* without the file's name */
    memmove(err->at, err->at + strlen(path), err->n - strlen(path) + 1);
    err->n -= strlen(path);
  }
  return status;
}

/* ---- meaning --------------------------------------------------------------------------------- */
enum { X, U, S, L, N, I, VALUES };
static const char *const names[VALUES] = {"x", "u", "s", "l", "main::n", "main::i"};

/* The formula where these cells have these values (as C has them). */
static bool holds(pv_term t, const int64_t *values) {
  pv_terms constants = {0}, numbers = {0};
  pv_smt_constants(g.smt, t, &constants);
  for (uint32_t i = 0; i < constants.n; i++) {
    struct pv_str name = {0};
    uint32_t cell = pv_symbolic_cell_of(g.symbolic, constants.at[i]);
    assert_true(cell != UINT32_MAX);
    const struct pv_cell *k = pv_symbolic_cell(g.symbolic, cell);
    pv_symbolic_cell_print(g.symbolic, cell, &name);
    int which = 0;
    while (which < VALUES && strcmp(names[which], pv_str_cstr(&name)) != 0) which++;
    if (which == VALUES) fail_msg("%s", pv_str_cstr(&name));
    pv_str_free(&name);
    int64_t v = values[which];
    unsigned bits = pv_type_bits(k->type);
    if (k->sort.kind == PV_SORT_INT && bits == 32)
      v = k->is_signed ? (int64_t)(int32_t)v : (int64_t)(uint32_t)v;
    uint64_t lo = (uint64_t)v, hi = v < 0 ? UINT64_MAX : 0;
    if (k->sort.kind == PV_SORT_BV) hi = 0;
    if (k->sort.kind == PV_SORT_BV && bits < 64) lo &= (UINT64_C(1) << bits) - 1;
    pv_vec_push(&numbers, pv_smt_number(g.smt, k->sort, lo, hi));
  }
  if (constants.n) t = pv_smt_substitute(g.smt, t, constants.n, constants.at, numbers.at);
  t = pv_smt_simplify(g.smt, t);
  assert_true(pv_smt_is_true(g.smt, t) || pv_smt_is_false(g.smt, t));
  pv_vec_free(&constants);
  pv_vec_free(&numbers);
  return pv_smt_is_true(g.smt, t);
}

static bool meaning(const char *text, const int64_t *values) {
  struct pv_predicate_file *file;
  struct pv_str err = {0}, unused = {0};
  pv_initial_predicates terms = {0};
  if (read_text(text, strlen(text), &file, &err) != PV_OK) fail_msg("%s%s", text, err.at);
  pv_predicate_file_terms(file, g.symbolic, g.smt, &terms, &unused);
  assert_int_equal(unused.n, 0);
  assert_int_equal(terms.n, 1);
  bool r = holds(terms.at[0].formula, values);
  pv_vec_free(&terms);
  pv_predicate_file_free(file);
  return r;
}

/* Each is compiled by the C compiler as well. */
/* clang-format off */
#define BOTH(P)                                                                                    \
  P(x < 3) P(x <= 3) P(x > 3) P(x >= 3) P(x == 3) P(x != 3) P(!x) P(x) P(x && l > 2)               \
  P(x || s < 0) P(x == 1 || x == 2 && s == 7) P((x == 1 || x == 2) && s == 7) P(-s < x)            \
  P(x + s == l) P(x - s - 1 < l) P(x - (s - 1) < l) P(2 * s + 3 > l) P(s * 3 - 2 * 4 == l)         \
  P(x / 3 == s) P(x % 3 == s) P(x % 3 * 2 + 1 > s) P(+x < - -3) P(0x10 < l) P((x < 3) == (s < 4))  \
  P((x < 3) + 1 == s) P(u > 5) P(u % 3 == 1) P(u == 4294967295u) P(!(x < 3 && !s))
#define BITS(P)                                                                                    \
  P((x & 3) == s) P((x | s) == 7) P((x ^ s) > 2) P(~x == s) P((x & 255) << 2 > s) P(x >> 1 == s)           \
  P(u >> 1 == 3) P(u - 1 > u) P(x * s == l) P(u > x) P(l + u > 7) P(s + u < 9) P((x & 1) == 0)
/* clang-format on */

static void against_the_compiler(bool bits) {
  static const int64_t some[] = {0, 1, -1, 2, 3, 4, 5, 7, -7, 8, 100, -100, 30000};
  enum { SOME = sizeof some / sizeof *some };
  restart(bits);
  unsigned seed = 1;
  for (int round = 0; round < 60; round++) {
    int64_t v[VALUES];
    for (int i = 0; i < VALUES; i++) v[i] = some[(seed = seed * 1103515245 + 12345) / 65536 % SOME];
    int x = (int)v[X];
    unsigned u = (unsigned)v[U];
    short s = (short)v[S];
    long long l = v[L];
    v[U] = (int64_t)u;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wsign-compare"
#define P(E)                                                                                       \
  if (meaning(#E, v) != !!(E)) fail_msg("%s for x %d u %u s %d l %lld", #E, x, u, s, l);
    BOTH(P)
    if (bits) {
      BITS(P)
    }
#pragma GCC diagnostic pop
#undef P
  }
}

static void formulas_are_those_of_c(void **state) {
  (void)state;
  against_the_compiler(false);
  against_the_compiler(true);
}

/* ---- places and names ------------------------------------------------------------------------ */
static uint32_t function_named(const char *name) {
  for (uint32_t i = 0; i < c.program->functions.n; i++)
    if (!strcmp(c.program->functions.at[i].name, name)) return i;
  fail_msg("no %s", name);
  return 0;
}

static void places_are_found(void **state) {
  static const char text[] = "# a comment\n"
                             "\n"
                             "  // another one\r\n"
                             "x < 1\r\n"
                             "main: n > 0\n"
                             "twice : x > 0\n"
                             "main: main::k == x\n";
  struct pv_predicate_file *file;
  struct pv_str err = {0}, unused = {0};
  pv_initial_predicates t = {0};
  (void)state;
  assert_int_equal(read_text(text, sizeof text - 1, &file, &err), PV_OK);
  pv_predicate_file_terms(file, g.symbolic, g.smt, &t, &unused);
  assert_int_equal(unused.n, 0);
  assert_int_equal(t.n, 5); /* there are two variables k */
  assert_int_equal(t.at[0].function, UINT32_MAX);
  assert_int_equal(t.at[1].function, function_named("main"));
  assert_int_equal(t.at[1].loc, UINT32_MAX);
  assert_int_equal(t.at[2].function, function_named("twice"));
  pv_terms constants = {0};
  struct pv_str name = {0};
  pv_smt_constants(g.smt, t.at[2].formula, &constants);
  assert_int_equal(constants.n, 1);
  pv_symbolic_cell_print(g.symbolic, pv_symbolic_cell_of(g.symbolic, constants.at[0]), &name);
  assert_string_equal(name.at, "twice::x"); /* not the global one */
  assert_ptr_not_equal(t.at[3].formula, t.at[4].formula);
  pv_vec_free(&constants);
  pv_str_free(&name);
  pv_vec_free(&t);
  pv_predicate_file_free(file);
}

static void lines_are_found(void **state) {
  struct pv_predicate_file *file;
  struct pv_str err = {0}, unused = {0}, text = {0};
  pv_initial_predicates t = {0};
  (void)state;
  uint32_t f = function_named("main");
  const struct pv_function *fn = &c.program->functions.at[f];
  const char *path = pv_span_file(c.program, fn->span), *base = strrchr(path, '/');
  pv_str_addf(&text, "%s:13: i < n", base ? base + 1 : path);
  assert_int_equal(read_text(text.at, text.n, &file, &err), PV_OK);
  pv_predicate_file_terms(file, g.symbolic, g.smt, &t, &unused);
  assert_true(t.n > 0);
  bool head = false;
  for (uint32_t i = 0; i < t.n; i++) {
    assert_int_equal(t.at[i].function, f);
    head |= fn->locs.at[t.at[i].loc].loop_head;
  }
  assert_true(head);
  pv_vec_free(&t);
  pv_predicate_file_free(file);
  pv_str_free(&text);
}

static void mistakes_have_lines(void **state) {
  static const struct {
    const char *text, *message;
  } wrong[] = {
      {"x < ", ":1: a value is missing at the end"},
      {"x < 1\n\n# c\nx << 1", ":4: `<<` needs `--integers bitvector`"},
      {"x < 1)", ":1: `)` is not expected here"},
      {"(x < 1", ":1: `)` is missing"},
      {"x = 1", ":1: `= 1` is not expected here"},
      {"x < 1 ? 2 : 3", ":1: there is no function `x < 1 ? 2` in the program"},
      {"y > 0", ":1: there is no variable `y`"},
      {"n > 0", ":1: there is no variable `n`"},
      {"main::m > 0", ":1: there is no variable `main::m`"},
      {"g::n > 0", ":1: there is no function `g` in the program"},
      {"g: n > 0", ":1: there is no function `g` in the program"},
      {"a.c:3: x > 0", ":1: there is nothing that runs at line 3 of `a.c`"},
      {"pair > 0", ":1: `pair` is neither an integer nor a pointer"},
      {"f > 0", ":1: `f` is neither an integer nor a pointer"},
      {"x * u > 0", ":1: `*` needs a factor that is a number, or `--integers bitvector`"},
      {"x / u > 0", ":1: `/` needs a positive number as its divisor"},
      {"x % 0 > 0", ":1: `%` needs a positive number as its divisor"},
      {"x / (1 - 2) > 0", ":1: `/` needs a positive number as its divisor"},
      {"~x > 0", ":1: `~` needs `--integers bitvector`"},
      {"x > 99999999999999999999", ":1: the number `99999999999999999999` is too large"},
      {"x > 9223372036854775807 + 1", ":1: a number is too large"},
      {"x > -(-9223372036854775807 - 1)", ":1: a number is too large"},
      {"x > 1.5", ":1: a number cannot have `.` in it"},
      {"x > 08", ":1: a number cannot have `8` in it"},
      {"x > 'a'", ":1: `'a'` is no value"},
      {":", ":1: there is no function `` in the program"},
      {"::", ":1: `::` is no value"},
  };
  (void)state;
  restart(0);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct pv_predicate_file *file;
    struct pv_str err = {0};
    assert_int_equal(read_text(wrong[i].text, strlen(wrong[i].text), &file, &err), PV_E_INPUT);
    assert_string_equal(pv_str_cstr(&err), wrong[i].message);
    pv_str_free(&err);
  }
}

/* Very long, very deep, zero bytes. */
static void monsters_are_refused(void **state) {
  enum { MUCH = 200000 };
  static const char *const pieces[] = {"(",   "-",     "!", "x+", "1+",
                                       "x::", "((x)+", ":", "f:", "\xff"};
  (void)state;
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
    struct pv_predicate_file *file;
    struct pv_str err = {0}, text = {0};
    while (text.n < MUCH) pv_str_add(&text, pieces[i]);
    pv_str_add(&text, "x");
    if (strcmp(pieces[i], "1+") != 0)
      assert_int_equal(read_text(text.at, text.n, &file, &err), PV_E_INPUT);
    pv_str_free(&err);
    pv_str_free(&text);
  }
  struct pv_predicate_file *file;
  struct pv_str err = {0};
  assert_int_equal(read_text("x < 1\nx < \0 2\n", 14, &file, &err), PV_E_INPUT);
  assert_string_equal(err.at, ":2: the line has a zero byte");
  pv_str_free(&err);
}

/* Random bits of the language. */
static void anything_may_be_in_a_file(void **state) {
  static const char *const bits[] = {"x",  "u",  "main", "::",  "i",   ":",    "twice", "(",  ")",
                                     "<",  "<=", "==",   "!",   "!=",  "&&",   "||",    "+",  "-",
                                     "*",  "/",  "%",    "3",   "0x7", "07",   "4u",    "\n", " ",
                                     "&",  "|",  "^",    "<<",  ">>",  "~",    "#",     "//", "l",
                                     "\t", ".",  "$",    "12:", "?",   "pair", "b",     "p",  "-1"};
  enum { BITS_OF_IT = sizeof bits / sizeof *bits, ROUNDS = 20000 };
  unsigned seed = 7, right = 0;
  (void)state;
  for (int integers = 0; integers < 2; integers++) {
    restart(integers);
    for (int round = 0; round < ROUNDS; round++) {
      struct pv_predicate_file *file;
      struct pv_str err = {0}, text = {0}, unused = {0};
      pv_initial_predicates t = {0};
      unsigned length = 1 + (seed = seed * 1103515245 + 12345) / 65536 % 9;
      for (unsigned i = 0; i < length; i++)
        pv_str_add(&text, bits[(seed = seed * 1103515245 + 12345) / 65536 % BITS_OF_IT]);
      if (read_text(text.at, text.n, &file, &err) == PV_OK) {
        pv_predicate_file_terms(file, g.symbolic, g.smt, &t, &unused);
        right += t.n > 0;
      }
      pv_predicate_file_free(file);
      pv_vec_free(&t);
      pv_str_free(&err);
      pv_str_free(&text);
      pv_str_free(&unused);
    }
    assert_string_equal(pv_smt_error(g.smt), "");
  }
  assert_true(right > 100);
}

int main(void) {
#define T(F) cmocka_unit_test_setup_teardown(F, begin, end)
  const struct CMUnitTest tests[] = {T(formulas_are_those_of_c), T(places_are_found),
                                     T(lines_are_found),         T(mistakes_have_lines),
                                     T(monsters_are_refused),    T(anything_may_be_in_a_file)};
  return cmocka_run_group_tests_name("cpa/predicate_file", tests, NULL, NULL);
}
