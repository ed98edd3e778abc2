/* Automata woven into programs: which moves a trigger matches, and what is rejected. The programs
 * in tests/e2e/symbolic/observer_*.c test the execution. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "frontend/frontend.h"
#include "observer/observer.h"
#include "sched/sched.h"

static const char program[] = "#include <stdlib.h>\n"
                              "#include <string.h>\n"
                              "#define HIDDEN !n\n"
                              "#define TWICE(x) do { helper(x); g++; } while (0)\n"
                              "extern int __VERIFIER_nondet_int(void);\n"
                              "struct pair { int a, b; };\n"
                              "int g; static int arr[4]; static struct pair p, q;\n"
                              "static void helper(int x) { g = x; }\n" /* 8 */
                              "static int f(int a) { return a + 1; }\n"
                              "int main(void) {\n" /* 10 */
                              "  int n = __VERIFIER_nondet_int(), k = 3;\n"
                              "  void (*fp)(int) = helper;\n" /* 12 */
                              "  if (!n && k > 2) helper(1);\n"
                              "  while (!arr[0]) arr[0] = f(arr[1]);\n" /* 14 */
                              "  do k--; while (k > 0 || !n);\n"
                              "  for (int i = 0; i < 3; i++) { g++; }\n" /* 16 */
                              "  if (HIDDEN) g = 4;\n"
                              "  p = q;\n" /* 18 */
                              "  memcpy(&p, &q, sizeof p);\n"
                              "  TWICE(k);\n" /* 20 */
                              "  switch (k) { case 1: n = 2; break; default: k = n ? f(n) : 4; }\n"
                              "  fp(7);\n" /* 22 */
                              "  char *m = malloc(3);\n"
                              "  if (m == 0) exit(1);\n" /* 24 */
                              "  free(m);\n"
                              "again: k = abs(k) + __builtin_expect(n, 0);\n" /* 26 */
                              "  if (k == 99) abort();\n"
                              "  if (k == 98) goto again;\n" /* 28 */
                              "  for (;;) { if (n++ > 4) goto out; }\n"
                              "out:\n" /* 30 */
                              "  { int n = 1; g = n; }\n"
                              "  return f(g);\n" /* 32 */
                              "}\n";

static struct pv_program *load(const char *text) {
  char path[] = "/tmp/proviso-observer-XXXXXX.c";
  struct pv_options o;
  struct pv_str message = {0};
  struct pv_program *p;
  FILE *f = fdopen(mkstemps(path, 2), "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  pv_options_init(&o);
  pv_vec_push(&o.files, pv_strdup(path));
  assert_int_equal(pv_options_set(&o, "observer", "given", NULL), PV_OK);
  if (pv_load(&o, &pv_sched_pthread, &p, &message) != PV_OK) fail_msg("%s", message.at);
  unlink(path);
  pv_options_free(&o);
  pv_str_free(&message);
  return p;
}

static enum pv_status weave(struct pv_program *p, const char *automaton, struct pv_str *err) {
  pv_automata a = {0};
  enum pv_status status = pv_automata_parse("f.spc", automaton, strlen(automaton), &a, err);
  if (status == PV_OK) status = pv_observer_weave(p, &a, err);
  pv_automata_free(&a);
  return status;
}

/* Replaces the name of the program's file by FILE, because it differs in every run. */
static void hide_file(struct pv_str *text) {
  char *name = text->n ? strstr(text->at, "proviso-observer-") : NULL;
  if (!name) return;
  size_t n = strcspn(name, ": ");
  char *from = name;
  while (from > text->at && from[-1] != ' ') from--;
  memcpy(from, "FILE", 4);
  memmove(from + 4, name + n, strlen(name + n) + 1);
}

/* The lines (each once) at which a trigger matches: "13 17", or what is wrong. */
static void lines_of(const char *trigger, struct pv_str *out) {
  struct pv_program *p = load(program);
  char *text = pv_format("AUTOMATON a INITIAL STATE s; STATE USEFIRST s :\n%s -> ERROR(\"$1\");\n"
                         "END AUTOMATON",
                         trigger);
  bool seen[100] = {false};
  if (weave(p, text, out) == PV_OK) {
    for (uint32_t i = 0; i < p->functions.n; i++)
      for (uint32_t k = 0; k < p->functions.at[i].edges.n; k++) {
        const struct pv_edge *e = &p->functions.at[i].edges.at[k];
        uint32_t line = p->functions.at[i].is_model ? 99 : pv_span_of(p, e->span)->line;
        if (e->op == PV_OP_ERROR && e->aux == PV_ERROR_OBSERVER) seen[line] = true;
      }
    for (unsigned i = 0; i < 100; i++)
      if (seen[i]) pv_str_addf(out, "%s%u", out->n ? " " : "", i);
    assert_int_equal(p->notes.n, !out->n);
  }
  free(text);
  pv_program_free(p);
}

static void test_matches(void **state) {
  static const struct {
    const char *trigger, *lines; /* 99: in a model */
  } cases[] = {
      {"MATCH {helper($?)}", "13 20 22"},
      {"MATCH {helper(7)}",
       "f.spc:2:8: the arguments of the call of `helper` at FILE:20 are not to be seen"},
      {"MATCH {f(7)}", "22"}, /* fp may be f, for all that is known here */
      {"MATCH FUNCTIONCALL \"f\"", "14 21 22 32"},
      {"MATCH {f($1)} && !MATCH FUNCTIONCALL \"helper\"", "14 21 22 32"},
      {"MATCH {f(g)}", "32"},
      {"MATCH {memcpy($1, $2, $?)}", "19"},
      {"MATCH {malloc(3)} || MATCH {free($1)} || MATCH {exit($?)} || MATCH {abort()}",
       "22 23 24 25 27"},
      {"MATCH {__VERIFIER_nondet_int()}", "11"},
      {"MATCH \"p = q;\"", "18"},
      {"MATCH \"p   =q\"", "18"},
      {"MATCH {g = $?}", "8 17 31"},
      {"MATCH {n = $1}", "11 21 31"},
      {"MATCH {k = $1}", "11 21 26"},
      {"MATCH \"g++;\"", "16"},
      {"MATCH \"TWICE(k);\"", "20"},
      {"MATCH \"i++\"", "16"},
      {"MATCH \"int i = 0\"", "16"},
      {"MATCH {return $?}", "9 32"},
      {"MATCH {arr[$1] = f($2)}", "14"},
      {"MATCH [arr.*;]", "14"},
      {"MATCH [return f.g.;]", "32"},
      {"MATCH \"[n]\"", "13 15 21"},
      {"MATCH \"[!(n)]\"", "13 15 21"},
      {"MATCH \"[!n]\"", "13 15 21"},
      {"MATCH \"[k > 2]\"", "13"},
      {"MATCH \"[!(k > 2)]\"", "13"},
      {"MATCH \"[arr[0]]\"", "14"},
      {"MATCH \"[!(i < 3)]\"", "16"},
      {"MATCH \"[k == 1]\"", "21"},
      {"MATCH [.k == 9.*]", "27 28"},
      {"MATCH LABEL \"out\"", "30"},
      {"MATCH LABEL [a.*|o.*]", "26 30"},
      {"MATCH EXIT", "27 99"},
      {"MATCH ENTRY", "99"},
      {"COVERS_LINES(12 16 99)", "12 16"},
      {"COVERS_LINES()", ""},
      {"MATCH ASSERT", ""},
      {"MATCH {k = $1} && $line == 11 && $1 == 3", "11"},
      {"MATCH {k = $1} && $1 == 4", "f.spc:2:19: `$1` is no number at FILE:21: `n ? f(n) : 4`"},
      {"MATCH {f($?)} && CHECK(location, \"functionName == main\")", "14 21 22 32"},
      {"(MATCH {f($?)} && CHECK(location, \"functionName==f\")) || MATCH LABEL \"out\"", "30"},
      {"MATCH FUNCTIONCALL \"f\" && CHECK(location, \"functionName==f\")",
       "f.spc:2:27: nothing here answers `CHECK(location, functionName==f)` at FILE:14"},
      {"MATCH {return $?} && !CHECK(\"functionName==main\")", "9"},
      {"MATCH [.*] && CHECK(location, \"line==32\")", "32"},
      {"CHECK(location, \"label==out\")", "30"},
      {"MATCH ENTRY && CHECK(location, \"mainEntry==main\")", "99"},
      {"MATCH {return $?} && EVAL(location, \"lineno\") == 9", "9"},
      {"MATCH {g = $1} && CHECK(ValidVars, \"main::m\")",
       "f.spc:2:19: nothing here answers `CHECK(ValidVars, main::m)` at FILE:8"},
      {"MATCH {n = $1} && CHECK(ValidVars, \"main::m\")", "31"},
      {"MATCH {n = 1} && CHECK(ValidVars, \"g\") && !CHECK(ValidVars, \"h\")", "31"},
      {"MATCH {n = 1} && CHECK(IntervalAnalysis, \"-1<=g<=3\") && CHECK(IntervalAnalysis, "
       "\"g<=2\") && CHECK(ValueAnalysis, \"main::k==1\") && CHECK(SignAnalysis, \"g<=PLUS0\")",
       "31"},
      {"MATCH {n = 1} && CHECK(ValueAnalysis, \"main::other==1\")",
       "f.spc:2:18: no variable `other` is in scope at FILE:31"},
      {"MATCH {n = 1} && CHECK(IntervalAnalysis, \"g<=k\")",
       "f.spc:2:18: nothing here answers `CHECK(IntervalAnalysis, g<=k)` at FILE:31"},
      {"MATCH {n = 1} && CHECK(SignAnalysis, \"PLUS<=g\")",
       "f.spc:2:18: nothing here answers `CHECK(SignAnalysis, PLUS<=g)` at FILE:31"},
      {"MATCH {n = 1} && CHECK(SMGCPA, \"has-leaks\")",
       "f.spc:2:18: nothing here answers `CHECK(SMGCPA, has-leaks)` at FILE:31; property "
       "`valid-memtrack` looks for that"},
      {"MATCH {n = 1} && CHECK(IS_TARGET_STATE)",
       "f.spc:2:18: nothing here answers `CHECK(IS_TARGET_STATE)` at FILE:31"},
      {"MATCH {nothing()} && CHECK(SMGCPA, \"has-leaks\")", ""},
      {"MATCH {n = 1} && CHECK(AutomatonAnalysis_a, \"state == s\")",
       "f.spc:1:27: automaton `a` asks itself, or automata ask each other"},
      {"MATCH {nothing($?)}", ""},
      {"MATCH \"nothing;\"", ""},
      {"MATCH \"[HIDDEN]\"",
       "f.spc:2:8: which way the branch at FILE:17 goes is hidden in a macro"},
      {"MATCH {abs($?)}", "26"},
      {"MATCH {labs($?)}", ""},
      {"MATCH {__builtin_expect($?)}", "f.spc:2:8: no call of `__builtin_expect` can be observed, "
                                       "though FILE has one: the compiler "
                                       "makes an operator of it"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct pv_str got = {0};
    lines_of(cases[i].trigger, &got);
    hide_file(&got);
    if (strcmp(pv_str_cstr(&got), cases[i].lines) != 0)
      fail_msg("%s: %s, not %s", cases[i].trigger, pv_str_cstr(&got), cases[i].lines);
    pv_str_free(&got);
  }
}

static void test_assumptions(void **state) {
  static const struct {
    const char *text, *error; /* NULL: fine */
  } cases[] = {
      {"MATCH {k = $1} -> ASSUME {k > 0; g <= 3 * 'a' && !n} GOTO s;", NULL},
      {"MATCH \"free(m);\" -> ASSUME {m != NULL || (m == 0) == $$v} GOTO s;", NULL},
      {"MATCH {f($1)} -> ASSUME {$1 != 7u} GOTO s;",
       "f.spc:2:26: `arr` is neither an integer nor a pointer"},
      {"MATCH \"p = q;\" -> ASSUME {x} GOTO s;",
       "f.spc:2:27: no variable `x` is in use at FILE:18"},
      {"MATCH \"p = q;\" -> ASSUME {p} GOTO s;",
       "f.spc:2:27: `p` is neither an integer nor a pointer"},
      {"MATCH \"p = q;\" -> ASSUME {m} GOTO s;",
       "f.spc:2:27: no variable `m` is in use at FILE:18"},
      {"MATCH \"p = q;\" -> ASSUME {i} GOTO s;",
       "f.spc:2:27: no variable `i` is in use at FILE:18"},
      {"MATCH \"p = q;\" -> ASSUME {g / k} GOTO s;",
       "f.spc:2:27: `/` needs a number as its divisor, neither 0 nor -1"},
      {"MATCH \"p = q;\" -> ASSUME {$1} GOTO s;",
       "f.spc:2:27: `$1` is not matched by this trigger"},
      {"MATCH \"p = q;\" -> ASSUME {} GOTO s;", "f.spc:2:27: the assumption is empty"},
      {"MATCH \"p = q;\" -> ASSUME {g +} GOTO s;",
       "f.spc:2:27: `the end` is not expected in an assumption"},
      {"MATCH \"p = q;\" -> ASSUME {fp > 1} GOTO s;",
       "f.spc:2:27: `>` compares a pointer with a number"},
      {"MATCH \"p = q;\" -> ASSUME {g = 1} GOTO s;",
       "f.spc:2:27: `=` is not expected in an assumption"},
      {"MATCH \"p = q;\" -> ASSUME {$$v} DO v = 1 GOTO s;",
       "f.spc:2:27: `$$v` in a transition that sets it"},
      {"MATCH \"k = 3\" -> ASSUME {n > k} GOTO s;", NULL},
      {"MATCH {$1 = __VERIFIER_nondet_int()} -> ASSUME {k} GOTO s;",
       "f.spc:2:49: no variable `k` is in use at FILE:11"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct pv_program *p = load(program);
    struct pv_str err = {0};
    char *text =
        pv_format("AUTOMATON a LOCAL int v; INITIAL STATE s; STATE USEFIRST s :\n%s\nEND AUTOMATON",
                  cases[i].text);
    enum pv_status status = weave(p, text, &err);
    if (!cases[i].error != (status == PV_OK)) fail_msg("%s: %s", cases[i].text, pv_str_cstr(&err));
    hide_file(&err);
    if (cases[i].error) assert_string_equal(pv_str_cstr(&err), cases[i].error);
    free(text);
    pv_str_free(&err);
    pv_program_free(p);
  }
}

static uint32_t count(const struct pv_program *p, enum pv_op op, uint32_t aux) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->functions.n; i++)
    for (uint32_t k = 0; k < p->functions.at[i].edges.n; k++)
      n += p->functions.at[i].edges.at[k].op == op && p->functions.at[i].edges.at[k].aux == aux;
  return n;
}

/* Inputs decide only where several transitions are possible at once. */
static void test_choices(void **state) {
  static const struct {
    const char *text;
    uint32_t inputs, cuts;
  } cases[] = {
      {"STATE USEFIRST s : MATCH \"p = q;\" -> GOTO t; MATCH \"p = q;\" -> ERROR;", 0, 0},
      {"STATE USEALL s : MATCH \"p = q;\" -> GOTO t;", 0, 0},
      {"STATE USEALL s : MATCH \"p = q;\" -> GOTO t; MATCH \"p = q;\" -> ERROR;", 1, 0},
      {"STATE USEALL s : MATCH \"p = q;\" -> ASSUME {g > 0} GOTO t; MATCH \"p = q;\" -> ASSUME "
       "{g <= 0} ERROR;",
       0, 0},
      {"STATE USEALL s : MATCH \"p = q;\" -> ASSUME {g > 0} GOTO t; MATCH \"p = q;\" -> ASSUME "
       "{g < 9} ERROR;",
       1, 1},
      {"STATE USEFIRST s : MATCH \"p = q;\" -> ASSUME {g > 0} GOTO t;", 0, 1},
      {"STATE USEFIRST s : MATCH \"p = q;\" -> STOP;", 0, 1},
      {"STATE USEFIRST s : MATCH {abort()} -> STOP;", 0, 0}, /* it ends there anyway */
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct pv_program *p = load(program);
    struct pv_str err = {0};
    char *text =
        pv_format("AUTOMATON a INITIAL STATE s; STATE t : %s END AUTOMATON", cases[i].text);
    uint32_t inputs = count(p, PV_OP_HAVOC, 0);
    if (weave(p, text, &err) != PV_OK) fail_msg("%s", err.at);
    if (count(p, PV_OP_HAVOC, 0) - inputs != cases[i].inputs) fail_msg("%s: inputs", cases[i].text);
    if (count(p, PV_OP_STOP, PV_STOP_OBSERVER) != cases[i].cuts)
      fail_msg("%s: cuts", cases[i].text);
    free(text);
    pv_program_free(p);
  }
}

/* A second thread is refused; without an automaton nothing is marked. */
static void test_threads(void **state) {
  struct pv_str err = {0};
  struct pv_program *p = load("#include <pthread.h>\n"
                              "static void *run(void *x) { return x; }\n"
                              "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); }\n");
  (void)state;
  assert_int_equal(
      weave(p, "AUTOMATON a INITIAL STATE s; STATE s : MATCH EXIT -> ERROR; END AUTOMATON", &err),
      PV_OK);
  assert_true(count(p, PV_OP_STOP, PV_STOP_OBSERVER) > 0);
  for (uint32_t i = 0; i < p->functions.n; i++)
    for (uint32_t k = 0; k < p->functions.at[i].edges.n; k++)
      assert_true(p->functions.at[i].edges.at[k].op != PV_OP_SKIP ||
                  !p->functions.at[i].edges.at[k].text);
  pv_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_matches), cmocka_unit_test(test_assumptions),
      cmocka_unit_test(test_choices), cmocka_unit_test(test_threads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
