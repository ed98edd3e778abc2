/* frontend_test.c -- small C programs in, edges in source terms out; bad inputs.
 *
 * The expected texts pin down clang's form of the bitcode, the layout of its debug information and
 * that edges read like their statements. */
#include "frontend/frontend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/proviso-frontend-XXXXXX";
static struct pv_program *p;
static struct pv_str message;

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  return rmdir(folder);
}

static int tear_down(void **state) {
  (void)state;
  pv_program_free(p);
  p = NULL;
  pv_str_free(&message);
  return 0;
}

/* Loads `text` as a file called `name` with the options given (NULL: none). */
static enum pv_status load(const char *name, const char *text, size_t n, const char *option,
                           const char *value) {
  char *path = pv_format("%s/%s", folder, name);
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, n, f), n);
  fclose(f);
  struct pv_options o;
  pv_options_init(&o);
  pv_vec_push(&o.files, pv_strdup(path));
  if (option) assert_int_equal(pv_options_set(&o, option, value, &message), PV_OK);
  enum pv_status st = pv_load(&o, &pv_sched_pthread, &p, &message);
  pv_options_free(&o);
  unlink(path);
  free(path);
  return st;
}

static void load_c(const char *text) {
  enum pv_status st = load("a.c", text, strlen(text), NULL, NULL);
  if (st != PV_OK) fail_msg("%s", pv_str_cstr(&message));
}

static const struct pv_function *function(const char *name) {
  for (uint32_t i = 0; i < p->functions.n; i++)
    if (strcmp(p->functions.at[i].name, name) == 0) return &p->functions.at[i];
  fail_msg("no function %s", name);
  return NULL;
}

/* How often an edge with that text occurs in the function. */
static unsigned count(const char *name, const char *text) {
  const struct pv_function *f = function(name);
  unsigned n = 0;
  for (uint32_t i = 0; i < f->edges.n; i++) {
    struct pv_str s = {0};
    pv_edge_print(p, f, &f->edges.at[i], &s);
    n += strcmp(pv_str_cstr(&s), text) == 0;
    pv_str_free(&s);
  }
  return n;
}

static void has(const char *name, const char *text) {
  if (count(name, text)) return;
  const struct pv_function *f = function(name);
  struct pv_str all = {0};
  for (uint32_t i = 0; i < f->edges.n; i++) {
    pv_edge_print(p, f, &f->edges.at[i], &all);
    pv_str_addc(&all, '\n');
  }
  fail_msg("%s has no edge `%s`:\n%s", name, text, pv_str_cstr(&all));
}

static unsigned count_op(const char *name, enum pv_op op) {
  const struct pv_function *f = function(name);
  unsigned n = 0;
  for (uint32_t i = 0; i < f->edges.n; i++) n += f->edges.at[i].op == op;
  return n;
}

/* ---- lowering -------------------------------------------------------------------------------- */

static void edges_read_like_statements(void **state) {
  (void)state;
  load_c("int g;\n"
         "int main(void) {\n"
         "  int x = 3, y = 4;\n"
         "  x = y + 1;\n"
         "  while (x < 10 && y > 2) x++;\n"
         "  g = x * 2;\n"
         "  return x;\n"
         "}\n");
  has("main", "x = y + 1");
  has("main", "[x < 10]");
  has("main", "[2 < y]");
  has("main", "g = x * 2");
  has("main", "return x");
  assert_int_equal(count("main", "x = x + 1"), 1);
  assert_int_equal(count_op("main", PV_OP_LOAD), 0);
}

static void a_value_survives_the_change_of_its_variable(void **state) {
  (void)state;
  load_c("int f(int x) { return x++ + x; }\n"
         "int main(void) { int a = 1, b = 2, t = a; a = b; b = t; return f(a) + b; }\n");
  const struct pv_function *f = function("f");
  has("f", "x = x + 1");
  assert_int_equal(count_op("f", PV_OP_ASSIGN), 2); /* the old x, saved, and the new one */
  assert_int_equal(f->n_params, 1);
  assert_string_equal(f->vars.at[0].name, "x");
}

static void no_undefined_behaviour_is_lost(void **state) {
  (void)state;
  load_c("void g(void); void g(void) {}\n"
         "int main(void) { int a = 1, b = 0; a / b; int c = a + b; g(); return c * 0; }\n");
  assert_true(count_op("main", PV_OP_ASSIGN) >= 4);
  has("main", "t1 = a / b");
}

static void unassigned_reads_are_guarded(void **state) {
  (void)state;
  load_c("int main(int n, char **v) { int x, y; if (n) x = 1; y = 2; return x + y; }\n");
  assert_int_equal(count_op("main", PV_OP_INDET), 1); /* x, not y */
  has("main", "[x.init]");
}

static void a_missing_return_is_no_indeterminate_read(void **state) {
  (void)state;
  load_c("#include <pthread.h>\n"
         "void *t(void *a) { }\n"
         "int main(void) { pthread_t i; pthread_create(&i, 0, t, 0); return 0; }\n");
  assert_int_equal(count_op("t", PV_OP_INDET), 0);
  function("__proviso_thread_main");
}

static void locks_are_primitives(void **state) {
  (void)state;
  load_c("#include <pthread.h>\n"
         "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
         "int main(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }\n");
  has("main", "pthread_mutex_lock(&m)");
  assert_int_equal(count_op("main", PV_OP_PRIM), 2);
}

static void checks_of_clang_become_edges(void **state) {
  (void)state;
  load_c("int a[4];\n"
         "int f(int i, int n, double d) { a[i] = n << i; return (int)d; }\n"
         "int main(void) { return f(1, 2, 3.0); }\n");
  const struct pv_function *f = function("f");
  bool seen[PV_CHECK_COUNT] = {false};
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (f->edges.at[i].op == PV_OP_CHECK) seen[f->edges.at[i].aux] = true;
  assert_true(seen[PV_CHECK_SHIFT_EXPONENT] && seen[PV_CHECK_SHIFT_BASE]);
  assert_true(seen[PV_CHECK_ARRAY_BOUNDS] && seen[PV_CHECK_FLOAT_CAST]);
}

static void errors_and_inputs_are_known_by_name(void **state) {
  (void)state;
  load_c("extern int __VERIFIER_nondet_int(void); void reach_error(void) {}\n"
         "void __VERIFIER_assume(int); extern int mystery(int);\n"
         "int main(void) {\n"
         "  int x = __VERIFIER_nondet_int();\n"
         "  __VERIFIER_assume(x > 3);\n"
         "  if (x == 5) { ERROR: reach_error(); }\n"
         "  return mystery(x);\n"
         "}\n");
  assert_int_equal(count_op("main", PV_OP_HAVOC), 1);
  assert_int_equal(count_op("main", PV_OP_ERROR), 2); /* the label and the call */
  assert_int_equal(count_op("main", PV_OP_CALL), 1);
  has("main", "unsupported: mystery");
}

static void what_is_left_to_the_verifier(void **state) {
  (void)state;
  load_c("extern unsigned char __VERIFIER_nondet_uchar(void);\n"
         "extern signed char __VERIFIER_nondet_char(void);\nextern int "
         "__VERIFIER_nondet_unused(void);\n"
         "extern void __VERIFIER_assume(int);\nvoid reach_error(void) {}\nint unreached(void);\n"
         "int never(void) { return __VERIFIER_nondet_char() + unreached(); }\n"
         "int main(void) { __VERIFIER_assume(__VERIFIER_nondet_uchar()); reach_error(); }\n");
  assert_int_equal(p->imports.n, 3);
  assert_string_equal(p->imports.at[0].name, "__VERIFIER_assume");
  assert_int_equal(p->imports.at[0].param, PV_INT(32));
  assert_int_equal(p->imports.at[0].n_results, 0);
  assert_string_equal(p->imports.at[1].name, "__VERIFIER_nondet_char");
  assert_int_equal(p->imports.at[1].result[0], PV_INT(8));
  assert_false(p->imports.at[1].zero_extended);
  assert_string_equal(p->imports.at[2].name, "__VERIFIER_nondet_uchar");
  assert_int_equal(p->imports.at[2].param, PV_VOID);
  assert_true(p->imports.at[2].zero_extended);
}

static void names_and_places_come_from_the_source(void **state) {
  (void)state;
  load_c("struct node { int v; unsigned flag : 3; struct node *next; };\n"
         "typedef struct node node_t; enum colour { RED, GREEN = 5 };\n"
         "node_t first; enum colour c = GREEN;\n"
         "int main(void) {\n"
         "  first.v = 1;\n"
         "  return c;\n"
         "}\n");
  const struct pv_function *f = function("main");
  const struct pv_span *s = pv_span_of(p, f->edges.at[f->edges.n - 1].span);
  struct pv_str line = {0};
  assert_int_equal(s->line, 6);
  assert_true(pv_span_text(p, f->edges.at[f->edges.n - 1].span, &line));
  assert_string_equal(line.at, "return c;");
  pv_str_free(&line);
  const struct pv_srctype_info *t = NULL, *e = NULL;
  for (uint32_t i = 0; i < p->globals.n; i++) {
    if (strcmp(p->globals.at[i].name, "first") == 0) t = &p->srctypes.at[p->globals.at[i].srctype];
    if (strcmp(p->globals.at[i].name, "c") == 0) e = &p->srctypes.at[p->globals.at[i].srctype];
  }
  assert_true(t && e);
  assert_string_equal(t->name, "node_t");
  assert_int_equal(t->kind, PV_S_STRUCT);
  assert_int_equal(t->fields.n, 3);
  assert_string_equal(t->fields.at[1].name, "flag");
  assert_int_equal(t->fields.at[1].bit_size, 3);
  assert_int_equal(t->fields.at[1].bit_offset, 32);
  assert_int_equal(p->srctypes.at[t->fields.at[2].type].kind, PV_S_POINTER);
  assert_int_equal(e->kind, PV_S_ENUM);
  assert_string_equal(e->fields.at[1].name, "GREEN");
  assert_int_equal(e->fields.at[1].bit_offset, 5);
}

static void statements_are_told_apart(void **state) {
  (void)state;
  load_c("int g, h;\n"
         "int main(void) { g = 1; h = 2; g = g + h; return 0; }\n");
  const struct pv_function *f = function("main");
  uint32_t first = 0, n_same = 0;
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (f->edges.at[i].op == PV_OP_LOAD && !first) first = f->edges.at[i].stmt;
  for (uint32_t i = 0; i < f->edges.n; i++) n_same += f->edges.at[i].stmt == first;
  assert_int_equal(n_same, 3); /* two loads and a store */
}

static void invariants_are_functions(void **state) {
  (void)state;
  const char *text = "static int x = 3;\nint main(void) { x = 5; return 0; }\n";
  assert_int_equal(load("a.c", text, strlen(text), "invariant", "x >= 0"), PV_OK);
  assert_int_equal(p->invariants.n, 1);
  const struct pv_function *f = &p->functions.at[p->invariants.at[0]];
  assert_int_equal(f->n_results, 1);
  assert_int_equal(f->result[0], PV_INT(1));
}

static void the_data_model_is_chosen(void **state) {
  (void)state;
  const char *text = "# 1 \"elsewhere.c\"\nint main(void) { return sizeof(long); }\n";
  assert_int_equal(load("a.i", text, strlen(text), "32", NULL), PV_OK);
  assert_int_equal(p->pointer_bits, 32);
  has("main", "return 4");
}

/* ---- bad inputs ------------------------------------------------------------------------------ */

static void refuses(const char *name, const char *text, size_t n, const char *part) {
  assert_int_equal(load(name, text, n, NULL, NULL), PV_E_INPUT);
  assert_null(p);
  if (!strstr(pv_str_cstr(&message), part))
    fail_msg("`%s` does not say `%s`", pv_str_cstr(&message), part);
  pv_str_clear(&message);
}

static void bad_inputs_are_named(void **state) {
  (void)state;
  const char *syntax = "int main(void) { return 1 + ; }\n";
  refuses("a.c", "", 0, "no function `main`");
  refuses("a.i", "int f(void) { return 1; }\n", 26, "no function `main`");
  refuses("a.c", syntax, strlen(syntax), "expected expression");
  refuses("a.txt", "x", 1, "unknown kind of file");
  refuses("a.bc", "BC\xc0\xde\x01\x02\x03\x04garbage", 15, "a.bc: ");
  refuses("a.ll", "define i32 @main(", 17, "a.ll: ");
  refuses("a.ll", "define i32 @main() { ret i64 0 }\n", 33, "a.ll: ");
}

static void a_bad_invariant_is_one_line(void **state) {
  (void)state;
  const char *text = "int x; int main(void) { return 0; }\n";
  assert_int_equal(load("a.c", text, strlen(text), "invariant", "nothing >= 0"), PV_E_INPUT);
  assert_non_null(strstr(message.at, "undeclared identifier"));
  assert_null(strchr(message.at, '\n'));
}

static void what_models_never_write_is_not_read(void **state) {
  (void)state;
  static const char thread[] = "#include <pthread.h>\n"
                               "void *f(void *a) { return a; }\n"
                               "int main(void) {\n"
                               "  pthread_t t;\n"
                               "  %s"
                               "  return pthread_create(&t, 0, f, 0);\n"
                               "}\n";
  char *text = pv_format(thread, "");
  load_c(text);
  free(text);
  assert_int_equal(count_op("__proviso_run_key_destructors", PV_OP_LOAD), 0);
  tear_down(state);
  text = pv_format(thread,
                   "pthread_key_t k; pthread_key_create(&k, 0); pthread_setspecific(k, &t);\n");
  load_c(text);
  free(text);
  assert_int_equal(count_op("__proviso_run_key_destructors", PV_OP_LOAD), 1);
}

#define TEST(F) cmocka_unit_test_teardown(F, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(edges_read_like_statements),
      TEST(a_value_survives_the_change_of_its_variable),
      TEST(no_undefined_behaviour_is_lost),
      TEST(unassigned_reads_are_guarded),
      TEST(a_missing_return_is_no_indeterminate_read),
      TEST(locks_are_primitives),
      TEST(checks_of_clang_become_edges),
      TEST(errors_and_inputs_are_known_by_name),
      TEST(what_is_left_to_the_verifier),
      TEST(names_and_places_come_from_the_source),
      TEST(statements_are_told_apart),
      TEST(invariants_are_functions),
      TEST(the_data_model_is_chosen),
      TEST(what_models_never_write_is_not_read),
      TEST(bad_inputs_are_named),
      TEST(a_bad_invariant_is_one_line),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
