/* The parser of automata: correct ones, errors with their places, and robustness against arbitrary
 * text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
    "END AUTOMATON\n"
    "ASSERT MATCH ASSERT == FALSE;\n"
    "CONTROL AUTOMATON all LOCAL set<string> s = [ a b, &c,];\n"
    "LOCAL Set<int> i=[1,-2]; LOCAL set<int> none; LOCAL int v; INITIAL STATE t;\n"
    "STATE USEFIRST t :\n"
    "  CHECK(location, \"line==3\") || CHECK(B(\"x\")) && CHECK(\"y\") -> DO s[$1]=TRUE DO v=$1 "
    "GOTO t;\n"
    "  CHECK(IS_TARGET_STATE) && $line + EVAL(location, \"lineno\") != EVAL(V(\"x\")) ->\n"
    "    PRINT \"a\" EVAL(B, \"q\") v + 1 MATCH {q} PRINTONCE MODIFY(V, \"m\") MODIFY(V(\"n\")) "
    "BREAK;\n"
    "  COVERS_LINES(13 16) || s == 0 || MATCH [a\\d[^\\.\\]] -> DO s[x y]=false GOTO t;\n"
    "END AUTOMATON\n";

static void test_good(void **state) {
  pv_automata a = {0};
  struct pv_str err = {0};
  (void)state;
  if (pv_automata_parse("f.spc", text, strlen(text), &a, &err) != PV_OK) fail_msg("%s", err.at);
  assert_int_equal(a.n, 4);
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

/* Sets, questions, and what else CPAchecker's grammar has. */
static void test_all(void **state) {
  pv_automata a = {0};
  struct pv_str err = {0};
  (void)state;
  if (pv_automata_parse("f.spc", text, strlen(text), &a, &err) != PV_OK) fail_msg("%s", err.at);
  const struct pv_automaton *x = a.at[2];
  assert_string_equal(x->name, "AnonymousAutomaton1");
  assert_int_equal(x->states.n, 1);
  const struct pv_automaton_transition *t = &x->states.at[0].transitions.at[0];
  assert_int_equal(x->triggers.at[t->trigger].kind, PV_TRIGGER_BOOL);
  assert_int_equal(x->triggers.at[t->assertion].kind, PV_TRIGGER_SAME);
  assert_int_equal(t->state, 0);
  x = a.at[3];
  const struct pv_automaton_variable *v = x->variables.at;
  assert_true(v[0].is_set && v[1].is_set && v[2].is_set && !v[3].is_set);
  assert_int_equal(v[0].elements.n, 3);
  assert_string_equal(v[0].elements.at[0], "a b");
  assert_string_equal(v[0].elements.at[1], "&c");
  assert_string_equal(v[0].elements.at[2], "");
  assert_int_equal(v[1].elements.n, 2);
  assert_int_equal(v[2].elements.n, 0);
  assert_int_equal(x->states.at[0].transitions.n, 3);
  t = x->states.at[0].transitions.at;
  const struct pv_trigger *g = &x->triggers.at[t[0].trigger]; /* (a || b) && c */
  assert_int_equal(g->kind, PV_TRIGGER_AND);
  assert_string_equal(x->triggers.at[g->b].text, "y");
  assert_null(x->triggers.at[g->b].analysis);
  assert_int_equal(x->triggers.at[g->a].kind, PV_TRIGGER_OR);
  g = &x->triggers.at[x->triggers.at[g->a].b];
  assert_int_equal(g->kind, PV_TRIGGER_CHECK);
  assert_string_equal(g->analysis, "B");
  assert_int_equal(x->notes.n, 1);
  assert_string_equal(x->notes.at[0],
                      "f.spc:20:47: `&&` and `||` bind equally in automata: from the left");
  assert_int_equal(t[0].actions.n, 2);
  assert_string_equal(t[0].actions.at[0].element, "$1");
  assert_int_equal(t[0].actions.at[0].value, 1);
  assert_int_equal(x->triggers.at[t[0].actions.at[1].value].kind, PV_TRIGGER_WILDCARD);
  g = &x->triggers.at[x->triggers.at[t[1].trigger].b];
  assert_int_equal(g->kind, PV_TRIGGER_DIFFER);
  assert_int_equal(x->triggers.at[g->b].kind, PV_TRIGGER_EVAL);
  assert_string_equal(t[1].modify, "MODIFY(V, \"m\")");
  assert_int_equal(t[1].target, PV_AUTOMATON_BREAK);
  assert_int_equal(t[1].actions.n, 0);
  g = &x->triggers.at[x->triggers.at[t[2].trigger].b];
  assert_string_equal(g->text, "a[0-9][^.]");
  g = &x->triggers.at[x->triggers.at[x->triggers.at[t[2].trigger].a].a];
  assert_string_equal(g->text, "COVERS_LINES(13 16)");
  assert_int_equal(t[2].actions.at[0].value, 0);
  for (uint32_t i = 0; i < x->triggers.n; i++) /* what is printed is forgotten */
    assert_true(x->triggers.at[i].kind != PV_TRIGGER_PATTERN);
  pv_automata_free(&a);
}

static const struct {
  const char *text, *error;
} wrong[] = {
    {"", "1:1: there is no automaton"},
    {"  // nothing\n", "2:1: there is no automaton"},
    {"OBSERVER\n x", "2:2: `AUTOMATON` is expected, not `x`"},
    {"AUTOMATON END", "1:11: the name of the automaton is expected, not `END`"},
    {"AUTOMATON a LOCAL set s;", "1:23: `<` is expected, not `s`"},
    {"AUTOMATON a LOCAL set<long> s;", "1:23: elements are of type `int` or `string`, not `long`"},
    {"AUTOMATON a LOCAL set<int> s = [1,x];", "1:33: `x` is no number"},
    {"AUTOMATON a LOCAL set<int> s = [1,];", "1:33: `` is no number"},
    {"AUTOMATON a LOCAL set<int> s = 1;", "1:32: elements in square brackets is expected, not `1`"},
    {"AUTOMATON a LOCAL long s;", "1:19: variables are of type `int` or `set`, not `long`"},
    {"AUTOMATON a LOCAL int s; LOCAL int s;", "1:36: there is a variable `s` already"},
    {"AUTOMATON a LOCAL int s = 3000000000;", "1:27: the number `3000000000` is too large"},
    {"AUTOMATON a LOCAL int s = 08;", "1:27: `08` is no number"},
    {"AUTOMATON a INITIAL STATE s", "1:28: `;` is expected, not the end"},
    {"AUTOMATON a INITIAL STATE s; END AUTOMATON", "1:27: there is no state `s`"},
    {"#include x\n", "1:1: there is no file that `#include` could be relative to"},
    {"#include\n", "1:1: `#` begins nothing but `#include FILE`"},
    {"AUTOMATON a #define x\n", "1:13: `#` begins nothing but `#include FILE`"},
    {"AUTOMATON a #include x\n", "1:13: an `#include` inside of an automaton is not read here"},
    {"ASSERT TRUE", "1:12: `;` is expected, not the end"},
    {"ASSERT 3;", "1:8: a condition is expected, not a number"},
    {"AUTOMATON a /* no end", "1:13: the comment has no end"},
    {"AUTOMATON a \x01", "1:13: the byte 0x01 is not expected here"},
    {"AUTOMATON a @", "1:13: `@` is not expected here"},
};

/* In a state, behind "AUTOMATON a LOCAL int v; LOCAL set<int> e; INITIAL STATE s; STATE s :\n". */
static const struct {
  const char *text, *error;
} wrong_inside[] = {
    {"TRUE GOTO s;", "2:6: `->` is expected, not `GOTO`"},
    {"TRUE -> GOTO t;", "2:14: there is no state `t`"},
    {"TRUE -> GOTO s", "3:1: `;` is expected, not `END`"},
    {"TRUE -> s;", "2:9: GOTO, ERROR, STOP or BREAK is expected, not `s`"},
    {"TRUE -> MODIFY(x) GOTO s;", "2:17: `,` is expected, not `)`"},
    {"CHECK(a \"b\") -> GOTO s;", "2:9: `,` is expected, not `b`"},
    {"CHECK() -> GOTO s;", "2:7: the name of an analysis is expected, not `)`"},
    {"CHECK(a, b) -> GOTO s;", "2:10: a text in quotes is expected, not `b`"},
    {"CHECK(a(\"b\"), \"c\") -> GOTO s;", "2:13: `)` is expected, not `,`"},
    {"CHECK(a, \"b\") == 1 -> GOTO s;", "2:15: `==` compares a number with a condition"},
    {"EVAL(a, \"b\") -> GOTO s;", "2:1: a condition is expected, not a number"},
    {"EVAL(\"b\") == 1 -> GOTO s;", "2:6: the name of an analysis is expected, not `b`"},
    {"COVERS_LINES(1, 2) -> GOTO s;", "2:15: `)` is expected, not `,`"},
    {"MATCH 3 -> GOTO s;",
     "2:7: a statement, pattern, LABEL, ENTRY, EXIT, FUNCTIONCALL or ASSERT is expected, not `3`"},
    {"MATCH \"abc\n -> GOTO s;", "2:7: `\"` is missing: what begins here has no end"},
    {"MATCH [(] -> GOTO s;", "2:8: the regular expression is wrong: Unmatched ( or \\("},
    {"MATCH [a{1,3}] -> GOTO s;", "2:8: counted repetition `{...}` is not read here"},
    {"MATCH [(a)\\1] -> GOTO s;", "2:8: references like `\\1` are not read here"},
    {"MATCH [\\p] -> GOTO s;", "2:8: `\\p` is not read here"},
    {"MATCH [[a\\d\\]] -> GOTO s;", "2:8: `\\d` is not read here"},
    {"MATCH [[a\\-c\\]] -> GOTO s;", "2:8: `\\-` between brackets is not read here"},
    {"MATCH [[a-z&&b\\]] -> GOTO s;", "2:8: `&&` between brackets is not read here"},
    {"$10 == 1 -> GOTO s;", "2:1: the automaton has no variable `$10`"},
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
    {"(TRUE -> GOTO s;", "2:7: `)` is expected, not `->`"},
    {"TRUE -> DO w = 1 GOTO s;", "2:12: the automaton has no variable `w`"},
    {"TRUE -> DO v = TRUE GOTO s;", "2:16: a number is expected, not a condition"},
    {"TRUE -> DO v[1] = TRUE GOTO s;", "2:12: `v` is no set"},
    {"TRUE -> DO e = 1 GOTO s;", "2:12: `e` is a set"},
    {"TRUE -> DO e[1] = 1 GOTO s;", "2:19: TRUE or FALSE is expected, not `1`"},
    {"TRUE -> PRINT w GOTO s;", "2:15: the automaton has no variable `w`"},
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
        pv_format("AUTOMATON a LOCAL int v; LOCAL set<int> e; INITIAL STATE s; STATE s :\n"
                  "%s\nEND AUTOMATON",
                  wrong_inside[i].text);
    expect_error(whole, strlen(whole), wrong_inside[i].error);
    free(whole);
  }
  static const char observer[] = "OBSERVER AUTOMATON a INITIAL STATE s;\nSTATE s : TRUE -> STOP;";
  expect_error(observer, strlen(observer), "2:19: STOP needs a CONTROL AUTOMATON");
  static const char changes[] = "OBSERVER AUTOMATON a INITIAL STATE s;\nSTATE s : TRUE -> "
                                "MODIFY(a, \"b\") GOTO s;";
  expect_error(changes, strlen(changes), "2:25: MODIFY needs a CONTROL AUTOMATON");
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
  assert_int_equal(a.n, 4);
  assert_non_null(strstr(err.at, path));
  pv_str_free(&err);
  pv_automata_free(&a);
}

static void write_file(const char *folder, const char *name, const char *content) {
  char *path = pv_format("%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(content, f);
  fclose(f);
  free(path);
}

/* What is read of folder/name: names of automata with their files, or what is wrong. */
static void expect_read(const char *folder, const char *name, const char *expected) {
  pv_automata a = {0};
  struct pv_str err = {0}, got = {0};
  char *path = pv_format("%s/%s", folder, name);
  size_t n = strlen(folder) + 1;
  if (pv_automata_read(path, &a, &err) == PV_OK)
    for (uint32_t i = 0; i < a.n; i++) {
      assert_memory_equal(a.at[i]->path, folder, n - 1);
      pv_str_addf(&got, "%s%s:%s", i ? " " : "", a.at[i]->path + n, a.at[i]->name);
    }
  else
    for (const char *at = err.at; *at;) {
      bool here = !strncmp(at, folder, n - 1);
      if (!here) pv_str_addc(&got, *at);
      at += here ? n : 1;
    }
  assert_string_equal(pv_str_cstr(&got), expected);
  free(path);
  pv_str_free(&err);
  pv_str_free(&got);
  pv_automata_free(&a);
}

#define AUTOMATON(NAME) "AUTOMATON " NAME " INITIAL STATE s; STATE s : END AUTOMATON\n"

static void test_included(void **state) {
  static const char *const names[] = {"main", "two",   "sub/three", "cycle", "self", "away",
                                      "out",  "whole", "half",      "bad",   "none", "pipe"};
  char folder[] = "/tmp/proviso-automata-XXXXXX";
  (void)state;
  assert_non_null(mkdtemp(folder));
  char *sub = pv_format("%s/sub", folder), *pipe = pv_format("%s/pipe", folder);
  assert_int_equal(mkdir(sub, 0700), 0);
  assert_int_equal(mkfifo(pipe, 0700), 0);
  write_file(folder, "main",
             AUTOMATON("A") "#include two \n/**/ #include \tsub/three\r\n" AUTOMATON("B"));
  write_file(folder, "two", "// nothing\n");
  write_file(folder, "sub/three", "#include ../two\n" AUTOMATON("C") "#include ../main");
  expect_read(folder, "main", "main:A sub/three:C main:B");
  expect_read(folder, "sub/three", "sub/three:C sub/../main:A sub/../main:B");
  expect_read(folder, "two", "two:2:1: there is no automaton");
  write_file(folder, "self",
             "#include self\n" AUTOMATON("S") "#include ./self\n#include sub/../self\n");
  expect_read(folder, "self", "self:S");
  write_file(folder, "cycle", "#include away\n");
  write_file(folder, "away", "#include cycle\n#include sub/../away\n" AUTOMATON("D"));
  expect_read(folder, "cycle", "away:D");
  write_file(folder, "out", "#include /etc/passwd\n");
  expect_read(folder, "out",
              "out:1:1: the path in `#include` is relative to the file that it is in");
  write_file(folder, "out", "#include sub\n");
  expect_read(folder, "out", "out:1:1: sub: it is no file");
  write_file(folder, "out", AUTOMATON("A") "#include pipe\n");
  expect_read(folder, "out", "out:2:1: pipe: it is no file");
  write_file(folder, "out", "#include nowhere\n");
  expect_read(folder, "out", "out:1:1: nowhere: No such file or directory");
  write_file(folder, "half", "AUTOMATON H INITIAL\n");
  write_file(folder, "out", "#include half\nSTATE s; STATE s : END AUTOMATON");
  expect_read(folder, "out", "half:2:1: the file ends inside of an automaton");
  write_file(folder, "whole", "AUTOMATON H INITIAL\n#include half\n");
  expect_read(folder, "whole", "whole:2:1: an `#include` inside of an automaton is not read here");
  write_file(folder, "bad", AUTOMATON("B") "AUTOMATON B INITIAL STATE x; END AUTOMATON");
  write_file(folder, "out", "#include bad\n#include two");
  expect_read(folder, "out", "bad:2:27: there is no state `x`");
  struct pv_str many = {0};
  for (unsigned i = 0; i < 300; i++) {
    char *name = pv_format("f%u", i);
    write_file(folder, name, "");
    pv_str_addf(&many, "#include f%u\n", i);
    free(name);
  }
  write_file(folder, "out", many.at);
  expect_read(folder, "out", "out:200:1: too many files are included");
  pv_str_free(&many);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *path = pv_format("%s/%s", folder, names[i]);
    unlink(path);
    free(path);
  }
  for (unsigned i = 0; i < 300; i++) {
    char *path = pv_format("%s/f%u", folder, i);
    unlink(path);
    free(path);
  }
  assert_int_equal(rmdir(sub), 0);
  assert_int_equal(rmdir(folder), 0);
  free(sub);
  free(pipe);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all),     cmocka_unit_test(test_included),
      cmocka_unit_test(test_good),    cmocka_unit_test(test_wrong),
      cmocka_unit_test(test_hostile), cmocka_unit_test(test_mutations),
      cmocka_unit_test(test_file)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
