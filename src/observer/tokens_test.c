/* Tokens, patterns, and the division of a source into pieces: which text belongs to which place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "observer/source.h"

static struct pv_tokens tokens(const char *text, pv_token_list *list) {
  pv_tokenise(text, 0, strlen(text), list);
  return (struct pv_tokens){text, list->at, list->n};
}

static void test_tokens(void **state) {
  static const struct {
    const char *text;
    unsigned n;
  } cases[] = {{"", 0},
               {"a+++b", 4},
               {"x = 'a' + \"b\\\"c\";", 6},
               {"f /* c */ ( // d\n)", 3},
               {"#define X 1\na#b", 3},
               {"1.5e+3 0x1f p->q <<= ...", 7},
               {"f($?, $1)", 6},
               {"\"no end", 1},
               {"/* no end", 0},
               {"'", 1}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pv_token_list list = {0};
    struct pv_tokens t = tokens(cases[i].text, &list);
    assert_int_equal(t.n, cases[i].n);
    pv_vec_free(&list);
  }
}

/* What $1 is bound to; "" if it is not; NULL: no match. */
static char *matched(const char *pattern, const char *statement) {
  struct pv_pattern p;
  pv_token_list list = {0};
  struct pv_bindings b = {0};
  struct pv_str out = {0};
  assert_null(pv_pattern_read(pattern, &p));
  struct pv_tokens t = pv_tokens_bare(tokens(statement, &list));
  bool found;
  if (p.is_call) { /* the statement is its arguments */
    found = pv_pattern_match_arguments(&p, &t, &b);
  } else {
    found = pv_pattern_match(&p, &t, &b);
  }
  pv_tokens_text(&b.wildcard[0], &out);
  pv_pattern_free(&p);
  pv_vec_free(&list);
  if (found) return out.at ? out.at : pv_strdup("");
  pv_str_free(&out);
  return NULL;
}

static void test_patterns(void **state) {
  static const struct {
    const char *pattern, *statement, *wildcard;
  } cases[] = {{"x = $1", "x=5;", "5"},
               {"x = $1;", "x = y + f(a, b);", "y + f(a, b)"},
               {"x = $1", "int x = 5;", "5"},
               {"x = $1", "static const char *x = 0;", "0"},
               {"int x = 5", "int  x=5;", ""},
               {"x = $1", "y = 5;", NULL},
               {"x = $1", "x == 5;", NULL},
               {"x = $1", "x = ;", NULL},
               {"$1 = $?", "a[i, 2] = 5;", "a[i, 2]"},
               {"$1 = malloc($?)", "char *p = malloc(3 * n);", "p"},
               {"$1 = malloc($?)", "p = malloc();", "p"},
               {"$? = f($1, $2)", "y = f((a, b), c);", "(a, b)"},
               {"$? = f($1)", "y = f(a, b);", NULL},
               {"return $1", "return x;", "x"},
               {"return $1", "return;", NULL},
               {"f($?)", "", ""},
               {"f($?)", "a, b", ""},
               {"f($1)", "a", "a"},
               {"f($1)", "", NULL},
               {"f($1)", "a, b", NULL},
               {"f($1, $2)", "g(a, b), c", "g(a, b)"},
               {"f()", "", ""},
               {"f()", "a", NULL},
               {"f(&$1)", "&x", "x"},
               {"f(3)", "3", ""}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *got = matched(cases[i].pattern, cases[i].statement);
    if (!got != !cases[i].wildcard || (got && strcmp(got, cases[i].wildcard) != 0))
      fail_msg("%s on %s: %s", cases[i].pattern, cases[i].statement, got ? got : "no match");
    free(got);
  }
}

/* Many wildcards on a long statement: the effort is bounded by their product. */
static void test_hostile_pattern(void **state) {
  struct pv_str pattern = {0}, statement = {0};
  (void)state;
  pv_str_add(&pattern, "x = ");
  for (int i = 0; i < 20; i++) pv_str_add(&pattern, "$? a ");
  pv_str_add(&pattern, "b");
  pv_str_add(&statement, "x = ");
  for (int i = 0; i < 2000; i++) pv_str_add(&statement, "a ");
  char *got = matched(pattern.at, statement.at);
  assert_null(got);
  pv_str_free(&pattern);
  pv_str_free(&statement);
}

static const char source[] =
    "#define M(x) x\n"
    "int g, h = 3;\n"
    "struct s { int a, b; };\n"
    "static int f(int a) { return a, 2; }\n"
    "int main(void) {\n"
    "  int n = f(1, 2), a[] = {1, 2}, k = (struct s){1, 2}.a;\n"
    "  if (n && !k) g = 1; else h = 2;\n"
    "  for (n = 0, k = 1; n < 3; n++, k--) f(n);\n"
    "  do g++; while (g < 5);\n"
    "  while (M(n)) { n = ({ int t = 3; t; }); }\n"
    "  switch (n) { case 'a': g = 1; case (1 ? 2 : 3): h = 2; default: ; }\n"
    "out: g = n ? 1 : 2;\n"
    "  if (!(n < 3) || !!k) return n;\n"
    "}\n";

/* The offset of the n-th `what` behind `from`. */
static size_t place(const char *from, const char *what) {
  const char *at = strstr(source, from);
  assert_non_null(at);
  at = strstr(at, what);
  assert_non_null(at);
  return (size_t)(at - source);
}

static void test_pieces(void **state) {
  static const struct {
    const char *from, *what, *piece;
  } cases[] = {{"int n", "n", "int n = f(1, 2)"},
               {"int n", "a[]", "a[] = {1, 2}"},
               {"int n", "k", "k = (struct s){1, 2}.a;"},
               {"if (n", "n", "n && !k"},
               {"if (n", "g", "g = 1;"},
               {"if (n", "h", "h = 2;"},
               {"for", "n", "n = 0"},
               {"for", "k", "k = 1"},
               {"for", "n <", "n < 3"},
               {"for", "n++", "n++"},
               {"for", "k--", "k--"},
               {"for", "f(n)", "f(n);"},
               {"do g", "g", "g++;"},
               {"do g", "g <", "g < 5"},
               {"while (M", "M", "M(n)"},
               {"while (M", "n =", "n = ({ int t = 3; t; });"},
               {"while (M", "int t", "int t = 3;"},
               {"switch", "n", "n"},
               {"switch", "g =", "g = 1;"},
               {"switch", "h =", "h = 2;"},
               {"out", "g", "g = n ? 1 : 2;"},
               {"{ return a", "2", "return a, 2;"},
               {"int g", "h", "h = 3;"}};
  struct pv_source_file s;
  (void)state;
  pv_source_read(source, sizeof source - 1, &s);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t token = pv_source_token(&s, place(cases[i].from, cases[i].what));
    uint32_t piece = pv_source_piece(&s, token);
    struct pv_str text = {0};
    assert_int_not_equal(piece, PV_NO_PIECE);
    struct pv_tokens t = pv_source_text(&s, piece);
    pv_tokens_text(&t, &text);
    assert_string_equal(pv_str_cstr(&text), cases[i].piece);
    pv_str_free(&text);
  }
  assert_int_equal(pv_source_piece(&s, pv_source_token(&s, place("static", "{"))), PV_NO_PIECE);
  assert_int_equal(pv_source_token(&s, place("int g", " ")), UINT32_MAX);
  pv_source_free(&s);
}

static void test_tested(void **state) {
  static const struct {
    const char *from, *what, *tested;
    bool negated;
  } cases[] = {{"if (n", "n", "n", false},       {"if (n", "!", "k", true},
               {"if (n", "k", "k", false},       {"if (!(n", "<", "n < 3", false},
               {"if (!(n", "!(", "n < 3", true}, {"if (!(n", "!!", "k", false},
               {"if (!(n", "k", "k", false},     {"out", "n ?", "n", false},
               {"for", "<", "n < 3", false},     {"while (M", "M", "M(n)", false}};
  struct pv_source_file s;
  (void)state;
  pv_source_read(source, sizeof source - 1, &s);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bool negated;
    struct pv_str text = {0};
    struct pv_tokens t =
        pv_source_tested(&s, pv_source_token(&s, place(cases[i].from, cases[i].what)), &negated);
    pv_tokens_text(&t, &text);
    assert_string_equal(pv_str_cstr(&text), cases[i].tested);
    assert_int_equal(negated, cases[i].negated);
    pv_str_free(&text);
  }
  pv_source_free(&s);
}

/* Any text is divided into pieces. */
static void test_mutations(void **state) {
  uint64_t seed = 3;
  (void)state;
  for (unsigned i = 0; i < 3000; i++) {
    char copy[sizeof source];
    memcpy(copy, source, sizeof source);
    for (unsigned k = 0; k <= i % 9; k++) {
      seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
      copy[(seed >> 33) % (sizeof source - 1)] =
          (seed >> 20) % 3 ? "(){}[];:?!=\"'#/*"[(seed >> 50) % 16] : (char)(seed >> 12);
    }
    struct pv_source_file s;
    pv_source_read(copy, sizeof source - 1, &s);
    for (uint32_t k = 0; k < s.pieces.n; k++)
      assert_true(s.pieces.at[k].from < s.pieces.at[k].to && s.pieces.at[k].to <= s.tokens.n);
    for (uint32_t k = 0; k < s.tokens.n; k++) {
      bool flag;
      struct pv_tokens t = pv_source_tested(&s, k, &flag);
      assert_true(t.n <= s.tokens.n);
      if (pv_source_arguments(&s, k, &t, &flag)) assert_true(t.n < s.tokens.n);
      uint32_t piece = pv_source_piece(&s, k);
      assert_true(piece == PV_NO_PIECE ||
                  (s.pieces.at[piece].from <= k && k < s.pieces.at[piece].to));
    }
    pv_source_free(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tokens),          cmocka_unit_test(test_patterns),
      cmocka_unit_test(test_hostile_pattern), cmocka_unit_test(test_pieces),
      cmocka_unit_test(test_tested),          cmocka_unit_test(test_mutations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
