/* The parser of automata: correct ones, errors with their places, and robustness against arbitrary
 * text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "observer/automaton.h"

static const char text[] =
    "OBSERVER AUTOMATON locks\n"
    "LOCAL int held = 3; LOCAL int other;\n"
    "INITIAL STATE free; /* a\n comment */\n"
    "STATE USEFIRST free :\n"
    "  MATCH {lock($?)} && held == 3 -> DO held = held + 1 - other GOTO taken;\n"
    "  MATCH \"x = \\\"a\\\";\" || !MATCH [y.*\\]] ->\n"
    "    ASSERT held != 2 ASSUME {x > 0; y} PRINT \"text\" held ERROR(\"m $1\");\n"
    "TARGET STATE bad :\n"
    "STATE taken : TRUE -> GOTO bad;\n"
    "STATE USEALL last : MATCH EXIT -> GOTO ERROR;\n"
    "END AUTOMATON\n"
    "AUTOMATON second INITIAL STATE s;\n"
    "STATE s : (MATCH ENTRY) == (MATCH FUNCTIONCALL \"f\") -> STOP;\n"
    "END AUTOMATON\n";

static void test_good(void **state) {
  pv_automata a = {0};
  struct pv_str err = {0};
  (void)state;
  if (pv_automata_parse("f.spc", text, strlen(text), &a, &err) != PV_OK) fail_msg("%s", err.at);
  assert_int_equal(a.n, 2);
  const struct pv_automaton *x = a.at[0];
  assert_string_equal(x->name, "locks");
  assert_false(x->control);
  assert_true(a.at[1]->control);
  assert_int_equal(x->variables.n, 2);
  assert_int_equal(x->variables.at[0].initial, 3);
  assert_int_equal(x->variables.at[1].initial, 0);
  assert_int_equal(x->states.n, 4);
  assert_string_equal(x->states.at[x->initial].name, "free");
  const struct pv_automaton_state *s = &x->states.at[x->initial];
  assert_false(s->use_all);
  assert_int_equal(s->transitions.n, 2);
  const struct pv_automaton_transition *t = &s->transitions.at[0];
  assert_int_equal(t->target, PV_AUTOMATON_GOTO);
  assert_string_equal(x->states.at[t->state].name, "taken");
  assert_true(x->states.at[t->state].use_all); /* where nothing is said */
  assert_int_equal(t->actions.n, 1);
  const struct pv_trigger *trigger = &x->triggers.at[t->trigger];
  assert_int_equal(trigger->kind, PV_TRIGGER_AND);
  assert_int_equal(x->triggers.at[trigger->a].kind, PV_TRIGGER_PATTERN);
  assert_string_equal(x->triggers.at[trigger->a].text, "lock($?)");
  assert_int_equal(x->triggers.at[trigger->a].at.line, 6);
  assert_int_equal(x->triggers.at[trigger->a].at.column, 10);
  t = &s->transitions.at[1];
  assert_string_equal(x->triggers.at[x->triggers.at[t->trigger].a].text, "x = \"a\";");
  const struct pv_trigger *regex = &x->triggers.at[x->triggers.at[t->trigger].b];
  assert_string_equal(x->triggers.at[regex->a].text, "y.*]");
  assert_string_equal(t->assume, "x > 0; y");
  assert_string_equal(t->message, "m $1");
  assert_int_equal(t->target, PV_AUTOMATON_ERROR);
  assert_true(t->assertion != PV_NO_TRIGGER);
  pv_automata_free(&a);
}

static const struct {
  const char *text, *error;
} wrong[] = {
    {"", "1:1: there is no automaton"},
    {"  // nothing\n", "2:1: there is no automaton"},
    {"OBSERVER\n x", "2:2: `AUTOMATON` is expected, not `x`"},
    {"AUTOMATON END", "1:11: the name of the automaton is expected, not `END`"},
    {"AUTOMATON a LOCAL set s;", "1:19: sets are not supported"},
    {"AUTOMATON a LOCAL long s;", "1:19: variables are of type `int`, not `long`"},
    {"AUTOMATON a LOCAL int s; LOCAL int s;", "1:36: there is a variable `s` already"},
    {"AUTOMATON a LOCAL int s = 3000000000;", "1:27: the number `3000000000` is too large"},
    {"AUTOMATON a LOCAL int s = 08;", "1:27: `08` is no number"},
    {"AUTOMATON a INITIAL STATE s", "1:28: `;` is expected, not the end"},
    {"AUTOMATON a INITIAL STATE s; END AUTOMATON", "1:27: there is no state `s`"},
    {"#include x\n", "1:1: directives like `#include` are not read here"},
    {"AUTOMATON a /* no end", "1:13: the comment has no end"},
    {"AUTOMATON a \x01", "1:13: the byte 0x01 is not expected here"},
    {"AUTOMATON a @", "1:13: `@` is not expected here"},
};

/* In a state, behind "AUTOMATON a LOCAL int v; INITIAL STATE s; STATE s :\n". */
static const struct {
  const char *text, *error;
} wrong_inside[] = {
    {"TRUE GOTO s;", "2:6: `->` is expected, not `GOTO`"},
    {"TRUE -> GOTO t;", "2:14: there is no state `t`"},
    {"TRUE -> GOTO s", "3:1: `;` is expected, not `END`"},
    {"TRUE -> BREAK;", "2:9: `BREAK` is not supported"},
    {"TRUE -> s;", "2:9: GOTO, ERROR or STOP is expected, not `s`"},
    {"TRUE -> MODIFY(x) GOTO s;", "2:9: `MODIFY` is not supported"},
    {"CHECK(a, \"b\") -> GOTO s;", "2:1: `CHECK` is not supported"},
    {"EVAL(a, \"b\") == 1 -> GOTO s;", "2:1: `EVAL` is not supported"},
    {"COVERS_LINES(1) -> GOTO s;", "2:1: `COVERS_LINES` is not supported"},
    {"MATCH ASSERT -> GOTO s;", "2:7: `MATCH ASSERT` is not supported"},
    {"MATCH 3 -> GOTO s;",
     "2:7: a statement, pattern, LABEL, ENTRY, EXIT or FUNCTIONCALL is expected, not `3`"},
    {"MATCH \"abc\n -> GOTO s;", "2:7: `\"` is missing: what begins here has no end"},
    {"MATCH [(] -> GOTO s;", "2:8: the regular expression is wrong: Unmatched ( or \\("},
    {"MATCH [a{1,3}] -> GOTO s;", "2:8: counted repetition `{...}` is not read here"},
    {"MATCH [(a)\\1] -> GOTO s;", "2:8: references like `\\1` are not read here"},
    {"MATCH {} -> GOTO s;", "2:8: the pattern is empty"},
    {"MATCH {f($1, $1)} -> GOTO s;", "2:8: a wildcard stands twice in the pattern"},
    {"MATCH {f($x)} -> GOTO s;", "2:8: wildcards are `$?` and `$1` to `$9`"},
    {"MATCH {f(x} -> GOTO s;", "2:8: brackets do not fit"},
    {"w == 1 -> GOTO s;", "2:1: the automaton has no variable `w`"},
    {"v -> GOTO s;", "2:1: a condition is expected, not a number"},
    {"v == TRUE -> GOTO s;", "2:3: `==` compares a number with a condition"},
    {"!v -> GOTO s;", "2:1: `!` needs a condition, not a number"},
    {"TRUE + v == 1 -> GOTO s;", "2:6: `+` needs numbers, not conditions"},
    {"v && TRUE -> GOTO s;", "2:3: `&&` needs conditions, not numbers"},
    {"TRUE && TRUE || FALSE -> GOTO s;",
     "2:14: `&&` and `||` bind equally: parentheses are needed"},
    {"(TRUE -> GOTO s;", "2:7: `)` is expected, not `->`"},
    {"TRUE -> DO w = 1 GOTO s;", "2:12: the automaton has no variable `w`"},
    {"TRUE -> DO v = TRUE GOTO s;", "2:16: a number is expected, not a condition"},
    {"TRUE -> DO v[1] = TRUE GOTO s;", "2:13: sets are not supported"},
    {"TRUE -> ERROR(3);", "2:15: a text in quotes is expected, not `3`"},
    {"TRUE -> GOTO s; STATE s : END AUTOMATON", "2:23: there is a state `s` already"},
    {"TRUE -> GOTO s; END AUTOMATON trailing", "2:31: `AUTOMATON` is expected, not `trailing`"},
};

static void expect_error(const char *input, size_t n, const char *expected) {
  pv_automata a = {0};
  struct pv_str err = {0};
  char *want = pv_format("f.spc:%s", expected);
  assert_int_equal(pv_automata_parse("f.spc", input, n, &a, &err), PV_E_INPUT);
  assert_string_equal(pv_str_cstr(&err), want);
  assert_int_equal(a.n, 0);
  free(want);
  pv_str_free(&err);
  pv_automata_free(&a);
}

static void test_wrong(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    expect_error(wrong[i].text, strlen(wrong[i].text), wrong[i].error);
  for (size_t i = 0; i < sizeof wrong_inside / sizeof *wrong_inside; i++) {
    char *whole =
        pv_format("AUTOMATON a LOCAL int v; INITIAL STATE s; STATE s :\n%s\nEND AUTOMATON",
                  wrong_inside[i].text);
    expect_error(whole, strlen(whole), wrong_inside[i].error);
    free(whole);
  }
  static const char observer[] = "OBSERVER AUTOMATON a INITIAL STATE s;\nSTATE s : TRUE -> STOP;";
  expect_error(observer, strlen(observer), "2:19: STOP needs a CONTROL AUTOMATON");
  static const char target[] = "AUTOMATON a INITIAL STATE s; TARGET STATE s : END AUTOMATON";
  expect_error(target, strlen(target), "1:27: the initial state is an error");
  expect_error("AUTOMATON a\0b", 13, "1:12: a zero byte");
}

/* `before`, `part` so many times, `after`. */
static char *repeated(const char *before, const char *part, unsigned times, const char *after) {
  struct pv_str s = {0};
  pv_str_add(&s, before);
  for (unsigned i = 0; i < times; i++) pv_str_add(&s, part);
  pv_str_add(&s, after);
  return s.at;
}

static void test_hostile(void **state) {
  static const char head[] = "AUTOMATON a LOCAL int v; INITIAL STATE s; STATE s :\n";
  (void)state;
  struct {
    char *text;
    const char *error;
  } cases[] = {
      {repeated("AUTOMATON a INITIAL STATE s; STATE s : ", "(", 100000, ""),
       "1:240: the condition is nested too deeply"},
      {repeated("AUTOMATON a INITIAL STATE s; STATE s : ", "!", 100000, ""),
       "1:240: the condition is nested too deeply"},
      {repeated(head, "x", 1000000, ""), "2:1: a condition is too long"},
      {repeated("AUTOMATON a INITIAL STATE s; STATE s : MATCH [", "a", 2000, "] -> GOTO s;"),
       "1:47: the regular expression is too long"},
      {repeated("AUTOMATON a INITIAL STATE s; STATE s : MATCH {", "a ", 2000, "} -> GOTO s;"),
       "1:47: the pattern is too long"},
      {repeated("AUTOMATON a INITIAL STATE s; STATE s : MATCH \"", "a", 200000, "\" -> GOTO s;"),
       "1:46: a statement is too long"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    expect_error(cases[i].text, strlen(cases[i].text), cases[i].error);
    free(cases[i].text);
  }
  /* Long, but well formed. */
  char *whole = repeated(head, "TRUE || FALSE -> GOTO s;\n", 50000, "END AUTOMATON");
  pv_automata a = {0};
  struct pv_str err = {0};
  assert_int_equal(pv_automata_parse("f.spc", whole, strlen(whole), &a, &err), PV_OK);
  assert_int_equal(a.at[0]->states.at[0].transitions.n, 50000);
  pv_automata_free(&a);
  free(whole);
}

/* Random changes, removals and duplications of bytes: the result is an automaton, or an error with
 * a place. */
static void test_mutations(void **state) {
  enum { ROUNDS = 20000 };
  uint64_t seed = 7;
  unsigned fine = 0;
  (void)state;
  for (unsigned i = 0; i < ROUNDS; i++) {
    size_t n = sizeof text - 1;
    char *copy = pv_alloc(2 * n + 1);
    memcpy(copy, text, n);
    for (unsigned k = 0; k <= i % 4; k++) {
      seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
      size_t at = (size_t)(seed >> 33) % n;
      unsigned how = (unsigned)(seed >> 20) % 4;
      if (how == 0) copy[at] = (char)(seed >> 12);
      if (how == 1) memmove(copy + at, copy + at + 1, n - at), n--;
      if (how == 2) memmove(copy + at + 1, copy + at, n - at), n++;
      if (how == 3) copy[at] = text[(seed >> 40) % (sizeof text - 1)];
    }
    copy[n] = '\0';
    pv_automata a = {0};
    struct pv_str err = {0};
    enum pv_status status = pv_automata_parse("f.spc", copy, n, &a, &err);
    assert_true(status == PV_OK ? a.n > 0 && !err.n : status == PV_E_INPUT && !a.n && err.n);
    assert_true(status == PV_OK || !strncmp(err.at, "f.spc:", 6));
    fine += status == PV_OK;
    pv_automata_free(&a);
    pv_str_free(&err);
    free(copy);
  }
  assert_in_range(fine, ROUNDS / 100, ROUNDS * 9 / 10); /* both are met */
}

static void test_file(void **state) {
  char path[] = "/tmp/proviso-automaton-XXXXXX";
  pv_automata a = {0};
  struct pv_str err = {0};
  (void)state;
  FILE *f = fdopen(mkstemp(path), "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  assert_int_equal(pv_automata_read(path, &a, &err), PV_OK);
  assert_string_equal(a.at[0]->path, path);
  unlink(path);
  assert_int_equal(pv_automata_read(path, &a, &err), PV_E_INPUT);
  assert_int_equal(a.n, 2);
  assert_non_null(strstr(err.at, path));
  pv_str_free(&err);
  pv_automata_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_good), cmocka_unit_test(test_wrong),
                                     cmocka_unit_test(test_hostile),
                                     cmocka_unit_test(test_mutations), cmocka_unit_test(test_file)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
