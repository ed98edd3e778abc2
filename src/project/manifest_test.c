/* manifest_test.c -- what proviso.toml is made of: values and tables of TOML, and expected results.
 */
#include "project/toml.h"

#include "project/expectation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What the text means, as "table#instance.key=value;" in order; or "LINE: message". The caller
 * frees it. */
static char *meaning(const char *text) {
  struct pv_toml t;
  struct pv_str err = {0}, out = {0};
  if (pv_toml_read(text, &t, &err) != PV_OK) return err.at;
  for (uint32_t i = 0; i < t.values.n; i++) {
    const struct pv_toml_value *v = &t.values.at[i];
    pv_str_addf(&out, "%s#%u.%s=", v->table, v->instance, v->key);
    if (v->kind == PV_TOML_INTEGER) pv_str_addf(&out, "%lld", (long long)v->number);
    if (v->kind == PV_TOML_BOOLEAN) pv_str_add(&out, v->number ? "yes" : "no");
    for (uint32_t k = 0; k < v->texts.n; k++)
      pv_str_addf(&out, "%s%s", k ? "|" : "", v->texts.at[k]);
    pv_str_addc(&out, ';');
  }
  pv_toml_free(&t);
  pv_str_addc(&out, '\0');
  return out.at;
}

static void means(const char *text, const char *wanted) {
  char *got = meaning(text);
  assert_string_equal(got, wanted);
  free(got);
}

static void values(void **state) {
  (void)state;
  means("", "");
  means("a = 1 # one\n\n b=-20\r\nc = true\nd=false", "#0.a=1;#0.b=-20;#0.c=yes;#0.d=no;");
  means("a = \"x\\\"y\\n\\u00e9#\" # no", "#0.a=x\"y\n\xc3\xa9#;");
  means("a = 'C:\\n' ", "#0.a=C:\\n;");
  means("\"odd key\" = ''", "#0.odd key=;");
  means("a = []\nb = [ \"x\", # one ]\n 'y',\n]\n", "#0.a=;#0.b=x|y;");
}

static void tables(void **state) {
  (void)state;
  means("a = 1\n[b]\na = 2\n[c . d]\na = 3", "#0.a=1;b#0.a=2;c.d#0.a=3;");
  means("[[x]]\na = 1\n[[x]]\na = 2 \n[[ y ]]\na = 3", "x#0.a=1;x#1.a=2;y#0.a=3;");
}

/* Everything else of TOML is an error with its line. */
static void refused(void **state) {
  (void)state;
  static const char *const texts[] = {"a = 1.5",
                                      "a = 1979-05-27",
                                      "a = {b = 1}",
                                      "a = \"\"\"x\"\"\"",
                                      "a = '''x'''",
                                      "a.b = 1",
                                      "a = [1]",
                                      "a = [[\"x\"]]",
                                      "a = 0x10",
                                      "a = 1_000",
                                      "a = 01",
                                      "a = inf",
                                      "a = \"x",
                                      "a = x",
                                      "a",
                                      "= 1",
                                      "a = 1\na = 2",
                                      "[a]\n[a]",
                                      "[[a]]\n[a]",
                                      "[a",
                                      "a = 1 b = 2",
                                      "a = \"\\q\"",
                                      "a = \"\\u12\"",
                                      "a = \"\\ud800\"",
                                      "a = [\"x\" \"y\"]",
                                      "a = [\"x\"",
                                      "a = 99999999999999999999",
                                      "a = truely"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct pv_toml t;
    struct pv_str err = {0};
    assert_int_equal(pv_toml_read(texts[i], &t, &err), PV_E_INPUT);
    assert_true(err.n && err.at[0] >= '1' && err.at[0] <= '2');
    pv_str_free(&err);
  }
}

static void quoting(void **state) {
  (void)state;
  const char *text = "a \"b\" \\ \n \x01 \xc3\xa9 'c' # ]";
  struct pv_str line = {0};
  pv_str_add(&line, "k = ");
  pv_toml_quote(text, &line);
  struct pv_toml t;
  struct pv_str err = {0};
  assert_int_equal(pv_toml_read(line.at, &t, &err), PV_OK);
  assert_string_equal(t.values.at[0].texts.at[0], text);
  pv_toml_free(&t);
  pv_str_free(&line);
  pv_str_free(&err);
}

/* ---- expectations ---------------------------------------------------------------------------- */
static enum pv_change_kind compare(const char *before, const char *old, const char *now,
                                   const char *new) {
  struct pv_outcome a = {0}, b = {0};
  struct pv_str why = {0};
  if (before) a.line = pv_strdup(before);
  if (old) pv_vec_push(&a.provisos, pv_strdup(old));
  b.line = pv_strdup(now);
  if (new) pv_vec_push(&b.provisos, pv_strdup(new));
  enum pv_change_kind kind = pv_outcome_compare(&a, &b, &why);
  assert_true((why.n > 0) == (kind == PV_BETTER || kind == PV_WORSE));
  pv_outcome_clear(&a);
  pv_outcome_clear(&b);
  pv_str_free(&why);
  return kind;
}

static void expectations(void **state) {
  (void)state;
  static const char *const lines[] = {"true", "conditional", "unknown", "false(a)", "false(b)"};
  static const char wanted[5][6] = {"=WWWW", "B=WWW", "BB=WW", "BBW=W", "BBWW="};
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 5; k++) {
      enum pv_change_kind kind = compare(lines[i], NULL, lines[k], NULL);
      assert_int_equal("=BW?"[kind], wanted[i][k]);
    }
  assert_int_equal(compare(NULL, NULL, "true", NULL), PV_NEW);
  const char *c = "conditional";
  assert_int_equal(compare(c, "1 state was left at a.c:3", c, "20 states were left at a.c:4"),
                   PV_AS_BEFORE);
  assert_int_equal(compare(c, "`f` is never called", c, "`g` is never called"), PV_WORSE);
  assert_int_equal(compare(c, NULL, c, "`g` is never called"), PV_WORSE);
  assert_int_equal(compare(c, "`g` is never called", c, NULL), PV_BETTER);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(tables),
                                     cmocka_unit_test(refused), cmocka_unit_test(quoting),
                                     cmocka_unit_test(expectations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
