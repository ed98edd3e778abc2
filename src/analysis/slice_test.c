/* slice_test.c -- what is in the slices of small programs, and what is not.
 * vm/slice_soundness_test.c checks that statements outside do not matter. */
#include "analysis/analysis_test.h"
#include "analysis/slice.h"

static struct pv_program *p;
static struct pv_points_to *pt;
static struct pv_dependence *d;
static struct pv_slice *s;

static int tear_down(void **state) {
  (void)state;
  pv_slice_free(s);
  pv_dependence_free(d);
  pv_points_to_free(pt);
  pv_program_free(p);
  s = NULL;
  d = NULL;
  pt = NULL;
  p = NULL;
  return 0;
}

static void load(const char *text, struct pv_dependence_options options) {
  tear_down(NULL);
  p = pv_test_load(text);
  pt = pv_points_to_new(p, NULL);
  d = pv_dependence_new(p, pt, &options);
  s = pv_slice_new(d);
}

/* The slice of all errors. */
static void slice_with(const char *text, struct pv_dependence_options options) {
  load(text, options);
  assert_int_equal(pv_slice_add_essential(s, pt, PV_PROP_BIT(PV_PROP_UNREACH_CALL)), 0);
}

static void slice(const char *text) {
  slice_with(text, (struct pv_dependence_options){0});
}

static bool has(const char *function, const char *edge) {
  uint32_t f = pv_test_function(p, function);
  return pv_slice_has(s, f, pv_test_edge(p, f, edge));
}

static void expect(const char *function, const char *edge, bool inside) {
  if (has(function, edge) == inside) return;
  struct pv_str out = {0};
  pv_slice_print(s, false, &out);
  fail_msg("%s, `%s`: not %s:\n%s", function, edge, inside ? "inside" : "outside",
           pv_str_cstr(&out));
}

#define IN(FUNCTION, EDGE)  expect(FUNCTION, EDGE, true)
#define OUT(FUNCTION, EDGE) expect(FUNCTION, EDGE, false)

/* ---- the paper's program ----------------------------------------------------------------------
 * Kusano and Wang, figure 5. */
static const char *const paper = "#include <assert.h>\n"
                                 "int add(int a, int b) {\n  return a + b;\n}\n"
                                 "int main(void) {\n  int sum = 0, i = 0, other = 0;\n"
                                 "  while (i < 11) {\n    sum = add(sum, i);\n    other = i;\n"
                                 "    i = add(i, 1);\n  }\n  if (sum != 55)\n    assert(0);\n"
                                 "  return other;\n}\n";

static void graph_of_the_paper(void **state) {
  (void)state;
  struct pv_str out = {0};
  load(paper, (struct pv_dependence_options){0});
  pv_dependence_print(d, false, &out);
  assert_string_equal(pv_str_cstr(&out), "main\n"
                                         "  L0 retval = 0: entry\n"
                                         "  L1 sum = 0: entry\n"
                                         "  L2 i = 0: entry\n"
                                         "  L3 other = 0: entry\n"
                                         "  L4 [i < 11]: L2, entry, add.result 0\n"
                                         "  L5 sum = add(sum, i): L4\n"
                                         "  L6 other = i: L2, L4, add.result 0\n"
                                         "  L7 i = add(i, 1): L4\n"
                                         "  L8 [sum != 55]: L1, L4, add.result 0\n"
                                         "  L9 error: assertion `0` fails: L8\n"
                                         "  L10 abort(): L9\n"
                                         "  L11 return other: L8\n"
                                         "  L12 :\n"
                                         "  result 0: value 0\n"
                                         "  return: L8\n"
                                         "  add.a: L1, L5, add.result 0\n"
                                         "  add.b: L2, L5, add.result 0\n"
                                         "  add.result 0: L5\n"
                                         "  add.return: L5\n"
                                         "  add.a: L2, L7, add.result 0\n"
                                         "  add.b: L7\n"
                                         "  add.result 0: L7\n"
                                         "  add.return: L7\n"
                                         "  value 0: L3, L6, L11\n"
                                         "add\n"
                                         "  L0 return a + b: entry\n"
                                         "  L1 :\n"
                                         "  result 0: value 0\n"
                                         "  return: entry\n"
                                         "  value 0: L0, a, b\n");
  pv_str_free(&out);
}

static void slice_of_the_paper(void **state) {
  (void)state;
  struct pv_str out = {0};
  slice(paper);
  pv_slice_print(s, false, &out);
  assert_string_equal(pv_str_cstr(&out), "main\n"
                                         "  L0 -> L1 retval = 0\n"
                                         "+ L1 -> L2 sum = 0\n"
                                         "+ L2 -> L3 i = 0\n"
                                         "  L3 -> L4 other = 0\n"
                                         "+ L4 -> L5 [i < 11]\n"
                                         "+ L4 -> L8 [11 <= i]\n"
                                         "+ L5 -> L6 sum = add(sum, i)\n"
                                         "  L6 -> L7 other = i\n"
                                         "+ L7 -> L4 i = add(i, 1)\n"
                                         "+ L8 -> L9 [sum != 55]\n"
                                         "+ L8 -> L11 [sum == 55]\n"
                                         "+ L9 -> L10 error: assertion `0` fails\n"
                                         "  L10 -> L12 abort()\n"
                                         "  L11 -> L12 return other\n"
                                         "add\n"
                                         "+ L0 -> L1 return a + b\n");
  pv_str_free(&out);
  /* The slice for i alone: of add only what i needs, not the sum. */
  load(paper, (struct pv_dependence_options){0});
  uint32_t f = pv_test_function(p, "main");
  pv_slice_add(s, f, pv_test_edge(p, f, "other = i"));
  IN("main", "i = 0");
  IN("main", "i = add(i, 1)");
  IN("add", "return a + b");
  OUT("main", "sum = 0");
  OUT("main", "sum = add(sum, i)");
  OUT("main", "[sum != 55]");
}

/* ---- control ----------------------------------------------------------------------------------
 */
#define HEAD                                                                                       \
  "#include <assert.h>\n#include <stdlib.h>\n#include <pthread.h>\n"                               \
  "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);\n"                  \
  "extern void reach_error(void);\nint g, h, k, m;\n"

static void loops_and_breaks(void **state) {
  (void)state;
  slice(HEAD "int main(void) { int n = 0, a = 0, b = 0, c = 0; for (int i = 0; i < 5; i++) {"
             " a += i; if (a == g) break; if (h) continue; b += a; c += b; }"
             " if (b == 7) reach_error(); return c; }");
  IN("main", "a = a + i");
  IN("main", "i = i + 1");
  IN("main", "b = b + a");
  OUT("main", "c = c + b");
  OUT("main", "n = 0");
}

static void jumps(void **state) {
  (void)state;
  slice(HEAD "int main(void) { int a = 0, b = 0; if (g) goto on; a = 1; b = 2;\non: h = 4;\n"
             " if (a) reach_error(); return b; }");
  IN("main", "a = 1");
  OUT("main", "b = 2");
  OUT("main", "h = 4");
  slice(HEAD "int main(void) { int a = 0, b = 0; switch (g) { case 0: a = 1; case 1: b = 5; break;"
             " case 2: a = 3; break; default: h = 9; } if (a == 3) reach_error(); return b; }");
  IN("main", "a = 1");
  IN("main", "a = 3");
  OUT("main", "b = 5");
  OUT("main", "h = 9");
}

/* A loop with two entries: which one is taken, and how often it goes round. */
static void flow_that_is_not_reducible(void **state) {
  (void)state;
  slice(HEAD "int main(void) { int a = 0, b = 0; if (g) goto two;\none: a++; b++;\n"
             "two: a += 2; if (a < h) goto one;\n if (a == 7) reach_error(); return b; }");
  IN("main", "a = a + 1");
  OUT("main", "b = b + 1");
  uint32_t f = pv_test_function(p, "main");
  load(HEAD "int main(void) { int a = 0; if (g) goto two;\none: a++;\n"
            "two: a += 2; if (h) goto one;\n m = 1; return a; }",
       (struct pv_dependence_options){0});
  pv_slice_add(s, f, pv_test_edge(p, f, "m = 1"));
  IN("main", "t1 = h"); /* it may never end */
  OUT("main", "a = a + 1");
}

static void loops_that_may_not_end(void **state) {
  (void)state;
  const char *text = HEAD "int main(void) { while (g != 3) { h++; g = k; } for (int i = 0; i < 5; "
                          "i++) m += i; reach_error(); return 0; }";
  slice(text);
  IN("main", "g = t1");
  OUT("main", "h = t1 + 1");
  OUT("main", "i = i + 1"); /* ends for certain */
  slice_with(text, (struct pv_dependence_options){.ends = true});
  OUT("main", "g = t1");
  OUT("main", "[t1 != 3]");
  slice_with(text, (struct pv_dependence_options){.all_loops = true});
  IN("main", "i = i + 1");
  slice(HEAD "int main(void) { if (g) for (;;) h++; m = 1; if (k) reach_error(); return 0; }");
  IN("main", "[t1 != 0]"); /* of g */
  OUT("main", "m = 1");
  OUT("main", "h = t1 + 1");
}

static void runs_that_end_in_a_callee(void **state) {
  (void)state;
  const char *text = HEAD
      "void leave(int n, int v) { m = v; if (n == 3) exit(1); m++; }\n"
      "void pass(int n) { if (n) h++; }\nint more(int n) { __VERIFIER_assume(n); return n + 1; }\n"
      "int main(void) { int a = k, b = 1, c = 4; leave(a, b); pass(c); g = more(a + 5);"
      " reach_error(); return 0; }";
  slice(text);
  IN("main", "a = k");
  IN("main", "call leave(a, b)");
  IN("leave", "[n == 3]");
  OUT("leave", "m = v");
  OUT("main", "b = 1");
  OUT("main", "c = 4");
  OUT("main", "call pass(c)");
  OUT("pass", "[n != 0]");
  IN("more", "[n != 0]"); /* assumed */
  uint32_t f = pv_test_function(p, "main");
  uint32_t call = pv_test_edge(p, f, "call leave(a, b)");
  assert_true(pv_slice_has_argument(s, f, call, 0));
  assert_false(pv_slice_has_argument(s, f, call, 1));
  slice_with(text, (struct pv_dependence_options){.ends = true}); /* that it ends still counts */
  IN("leave", "[n == 3]");
}

static void recursion(void **state) {
  (void)state;
  slice(HEAD "int down(int n, int v) { if (n > 0) return down(n - 1, v + 1); return n; }\n"
             "int main(void) { int a = k, b = h; if (down(a, b) == 1) reach_error(); return 0; }");
  IN("main", "a = k");
  IN("down", "[0 < n]");
  OUT("main", "b = h");
  uint32_t f = pv_test_function(p, "down");
  uint32_t call = pv_test_edge(p, f, "retval = down(n - 1, v + 1)");
  assert_true(pv_slice_has_argument(s, f, call, 0));
  assert_false(pv_slice_has_argument(s, f, call, 1));
  slice(
      HEAD
      "int odd(int n, int *r); int even(int n, int *r) { if (!n) return 1; *r += 1; return "
      "odd(n - 1, r); }\nint odd(int n, int *r) { if (!n) return 0; h++; return even(n - 1, r); }\n"
      "int main(void) { int r = 0, q = 0; even(k, &r); even(m, &q); if (r > 3) reach_error();"
      " return q; }");
  IN("even", "*r = t1 + 1");
  IN("odd", "[n == 0]");
  OUT("odd", "h = t1 + 1");
}

/* ---- calls ------------------------------------------------------------------------------------
 */
static void calls_do_not_mix(void **state) {
  (void)state;
  slice(HEAD "int same(int x) { return x; }\nint twice(int x) { return same(x) + same(x); }\n"
             "int main(void) { int a = k, b = h, c, e; c = same(a); e = same(b); g = twice(e);"
             " if (c) reach_error(); return e; }");
  IN("main", "a = k");
  IN("main", "c = same(a)");
  IN("same", "return x");
  OUT("main", "b = h");
  OUT("main", "e = same(b)");
  OUT("twice", "t1 = same(x)");
}

static void globals_through_callees(void **state) {
  (void)state;
  slice(HEAD "void set(int v) { g = v; }\nvoid other(int v) { h = v; }\nvoid both(int v) { set(v); "
             "other(v + 1); }\nint main(void) { int a = 1, b = 2; set(9); other(b); both(a);"
             " if (g == 3) reach_error(); return h; }");
  IN("main", "call both(a)");
  IN("both", "call set(v)");
  IN("set", "g = v");
  OUT("both", "call other(v + 1)");
  OUT("other", "h = v");
  OUT("main", "call set(9)"); /* overwritten */
  OUT("main", "call other(b)");
  slice(HEAD "void set(int v) { if (k) g = v; }\n"
             "int main(void) { set(9); set(8); if (g == 3) reach_error(); return h; }");
  IN("main", "call set(9)"); /* perhaps not */
}

static void calls_through_pointers(void **state) {
  (void)state;
  slice(HEAD
        "int one(int x, int y) { return x; }\nint two(int x, int y) { return x + 1; }\n"
        "int three(int x, int y) { return y; }\n"
        "int main(void) { int a = 1, b = 2; int (*f)(int, int) = k ? one : two;"
        " int (*e)(int, int) = three; m = e(a, b); if (f(a, b) == 3) reach_error(); return 0; }");
  IN("one", "return x");
  IN("two", "return x + 1");
  IN("main", "a = 1");
  OUT("main", "b = 2");
  OUT("three", "return y");
}

/* Memory that one of two callees writes is what it was if it was the other. */
static void memory_through_pointers_to_functions(void **state) {
  (void)state;
  slice(HEAD "void one(void) { g = k; }\nvoid two(void) { h = 1; }\n"
             "int main(void) { void (*f)(void) = m ? one : two; g = 5; h = 6; f();"
             " if (g == 3) reach_error(); return h; }");
  IN("one", "g = t1");
  IN("main", "g = 5");
  OUT("two", "h = 1");
  OUT("main", "h = 6");
}

/* ---- memory -----------------------------------------------------------------------------------
 */
static void arrays_and_the_heap(void **state) {
  (void)state;
  slice(HEAD "struct node { int v; struct node *next; };\n"
             "int main(void) { int a[4] = {0}, b[4]; int *q = malloc(8), *r = malloc(8);\n"
             " a[k & 3] = 7; a[h & 3] = 8; b[0] = 9; q[0] = a[1]; r[0] = 3;\n"
             " if (q[0] == 3) reach_error(); return r[0] + b[0]; }");
  IN("main", "a[t3 & 3] = 7");
  IN("main", "a[t3 & 3] = 8");
  IN("main", "*q = t3");
  OUT("main", "*r = 3");
  OUT("main", "b[0] = 9");
}

static void addresses_of_locals(void **state) {
  (void)state;
  slice(HEAD "void put(int *at, int v) { *at = v; }\nvoid set(int *at, int v) { *at = v; }\n"
             "int main(void) { int a, b; put(&a, 1); set(&b, 2); if (a == 2) reach_error();"
             " return b; }");
  IN("main", "call put(&a, 1)");
  IN("put", "*at = v");
  OUT("main", "call set(&b, 2)");
  OUT("set", "*at = v");
  IN("main", "live a");
  OUT("main", "live b");
  /* A write under the variable's own name needs only that it is alive, none of its old content. */
  slice(HEAD "int main(void) { for (int i = 0; i < g; i++) { int a, *q = &a; a = 2; a = k;"
             " if (*q == 3) reach_error(); } return 0; }");
  IN("main", "live a");
  IN("main", "a = t1");
  OUT("main", "a = 2");
  OUT("main", "dead a");
}

static void order_of_writes(void **state) {
  (void)state;
  slice(HEAD "int main(void) { g = 1; g = 2; h = 1; if (g == 3) reach_error(); g = 3; return 0; }");
  IN("main", "g = 2");
  OUT("main", "g = 1");
  OUT("main", "g = 3");
  OUT("main", "h = 1");
}

/* ---- threads ----------------------------------------------------------------------------------
 */
static const char *const threaded =
    HEAD "pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, o;\nint shared, apart, *where;\n"
         "void *run(void *x) { int n = *(int *)x; m = 1; pthread_mutex_lock(&l); shared = n;\n"
         " pthread_mutex_unlock(&l); apart = n; return 0; }\n"
         "int main(void) { int a = 5, b = 6; pthread_t t; k = b; pthread_create(&t, 0, run, &a);\n"
         " pthread_mutex_lock(&l); int v = shared; pthread_mutex_unlock(&l); if (v == 3) "
         "reach_error(); return 0; }";

static void other_threads_are_left_out(void **state) {
  (void)state;
  slice(threaded);
  IN("main", "pthread_mutex_lock(&l)");
  OUT("run", "shared = n");
  OUT("run", "m = 1");
  /* A statement of a thread that the search adds later: the argument of the thread comes with
   * it. */
  uint32_t f = pv_test_function(p, "run"), n = s->n;
  pv_slice_add(s, f, pv_test_edge(p, f, "shared = n"));
  assert_true(s->n > n);
  IN("run", "n = *(i32 *)x");
  IN("main", "call pthread_create(&t, NULL, run, &a)");
  OUT("run", "m = 1");
  OUT("run", "apart = n");
  OUT("main", "k = b");
  n = s->n;
  pv_slice_add(s, f, pv_test_edge(p, f, "shared = n")); /* again */
  assert_int_equal(s->n, n);
}

static void other_threads_count(void **state) {
  (void)state;
  slice_with(threaded, (struct pv_dependence_options){.between_threads = true});
  IN("run", "shared = n");
  IN("run", "pthread_mutex_lock(&l)");
  IN("run", "pthread_mutex_unlock(&l)");
  IN("main", "a = 5");
  OUT("run", "m = 1");
  OUT("run", "apart = n");
  OUT("main", "k = b");
}

/* A join waits for the end of the thread, and so for everything that the thread may wait for. */
static void joins_and_sections(void **state) {
  (void)state;
  const char *text = HEAD
      "extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n"
      "void *run(void *x) { while (g) h++; return 0; }\n"
      "void *section(void *x) { __VERIFIER_atomic_begin(); k = 1; m = 2; __VERIFIER_atomic_end(); "
      "return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, run, 0);\n"
      " pthread_join(t, 0); pthread_create(&t, 0, section, 0); if (k) reach_error(); return 0; }";
  slice_with(text, (struct pv_dependence_options){.between_threads = true});
  IN("run", "[t1 != 0]");
  OUT("run", "h = t1 + 1");
  IN("section", "k = 1");
  IN("section", "atomic begin");
  IN("section", "atomic end");
  OUT("section", "m = 2");
  slice(text);
  OUT("run", "[t1 != 0]");
}

/* ---- sizes ------------------------------------------------------------------------------------
 */
/* With a low bound on effort, memory has nodes for the whole program; slices are larger, not
 * smaller. */
static void wide_memory(void **state) {
  (void)state;
  struct pv_str text = {0};
  enum { GLOBALS = 60 };
  pv_str_add(&text, HEAD "int same(int x) { return x; }\n");
  for (int i = 0; i < GLOBALS; i++) pv_str_addf(&text, "int v%d;\n", i);
  for (int f = 0; f < 8; f++) {
    pv_str_addf(&text, "void f%d(int n) { if (!n) return; ", f);
    for (int i = 0; i < GLOBALS; i++)
      pv_str_addf(&text, "v%d += v%d; ", (i + f) % GLOBALS, (i + 2 * f) % GLOBALS);
    pv_str_addf(&text, "%s }\n", f ? "f0(n - 1);" : "");
  }
  pv_str_add(&text, "int main(void) { ");
  for (int f = 0; f < 8; f++) pv_str_addf(&text, "f%d(k); ", f);
  pv_str_add(&text, "int a = same(1), b = same(2); m = b; if (a + v0) reach_error(); }");
  slice(pv_str_cstr(&text));
  struct pv_dependence_stats precise = pv_dependence_stats(d);
  uint32_t n = s->n;
  OUT("main", "b = same(2)");
  slice_with(pv_str_cstr(&text), (struct pv_dependence_options){.effort = 1});
  struct pv_dependence_stats wide = pv_dependence_stats(d);
  assert_int_equal(precise.wide, 0);
  assert_true(wide.wide > 0 && wide.wide < wide.groups);
  assert_true(wide.summary_arcs < precise.summary_arcs);
  assert_true(s->n >= n);
  OUT("main", "b = same(2)"); /* parameters and results are not memory */
  pv_str_free(&text);
}

/* Without points-to sets everything is one, but right. */
static void nothing_known_of_pointers(void **state) {
  (void)state;
  tear_down(NULL);
  struct pv_points_to_options none = {.bytes = 1, .steps = 1};
  p = pv_test_load(HEAD
                   "int same(int x) { return x; }\nvoid set(int v) { g = v; }\n"
                   "int main(void) { int a = same(3), b = same(4); int (*f)(int) = same; set(a);"
                   " h = f(b); if (g) reach_error(); return h; }");
  pt = pv_points_to_new(p, &none);
  assert_false(pv_points_to_complete(pt));
  d = pv_dependence_new(p, pt, NULL);
  s = pv_slice_new(d);
  pv_slice_add_essential(s, pt, PV_PROP_BIT(PV_PROP_UNREACH_CALL));
  IN("set", "g = v");
  IN("main", "a = same(3)");
}

/* ---- essential statements ---------------------------------------------------------------------
 */
static unsigned essential(const char *text, enum pv_property property, const char *function,
                          const char *edge) {
  pv_statements list = {0};
  load(text, (struct pv_dependence_options){0});
  assert_int_equal(pv_essential(p, pt, NULL, PV_PROP_BIT(property), &list), 0);
  uint32_t f = pv_test_function(p, function), e = pv_test_edge(p, f, edge);
  unsigned found = 0;
  for (uint32_t i = 0; i < list.n; i++) found += list.at[i].function == f && list.at[i].edge == e;
  pv_vec_free(&list);
  return found;
}

static void essential_statements(void **state) {
  (void)state;
  const char *text = HEAD
      "pthread_mutex_t l; int sum(int x) { return x + 1; }\nunsigned count(unsigned x) { return x "
      "+ 1; }\n"
      "int at(int *q) { return *q; }\nvoid end(int *q) { free(q); }\n"
      "void *run(void *x) { pthread_mutex_lock(&l); g = 1; pthread_mutex_unlock(&l); return 0; }\n"
      "int main(void) { int a = 1; pthread_t t; int *q = malloc(4); *q = a;\n"
      " pthread_create(&t, 0, run, 0); a = sum(a) + count(a) + at(q); end(q); assert(g < 2); }";
  const char *error = "error: assertion `g < 2` fails";
  assert_true(essential(text, PV_PROP_UNREACH_CALL, "main", error));
  assert_false(essential(text, PV_PROP_NO_DEADLOCK, "main", error));
  assert_true(essential(text, PV_PROP_NO_DEADLOCK, "run", "pthread_mutex_lock(&l)"));
  assert_true(essential(text, PV_PROP_NO_DEADLOCK, "run", "pthread_mutex_unlock(&l)"));
  assert_false(essential(text, PV_PROP_NO_DEADLOCK, "run", "g = 1"));
  assert_true(essential(text, PV_PROP_NO_DATA_RACE, "run", "g = 1"));
  assert_true(essential(text, PV_PROP_NO_DATA_RACE, "run", "pthread_mutex_lock(&l)"));
  assert_true(essential(text, PV_PROP_NO_OVERFLOW, "sum", "return x + 1"));
  assert_false(essential(text, PV_PROP_NO_OVERFLOW, "count", "return x + 1"));
  assert_true(essential(text, PV_PROP_VALID_DEREF, "at", "t1 = *q"));
  assert_false(essential(text, PV_PROP_VALID_DEREF, "run", "g = 1"));
  assert_true(essential(text, PV_PROP_VALID_FREE, "free", "free(p)"));
  load(text, (struct pv_dependence_options){0});
  pv_properties whole = PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR) | PV_PROP_BIT(PV_PROP_UNREACH_CALL);
  assert_int_equal(pv_slice_add_essential(s, pt, whole), PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR));
  uint32_t edges = 0;
  for (uint32_t f = 0; f < p->functions.n; f++) edges += p->functions.at[f].edges.n;
  assert_int_equal(s->n, edges);
}

/* Adding criteria one by one gives the same slice as adding all; for all calls or only for some. */
static void slices_grow(void **state) {
  (void)state;
  const char *text =
      HEAD "int same(int x) { return x; }\nint twice(int x) { return same(x) + x; }\n"
           "int main(void) { int a = same(k), b = twice(a); g = b; h = same(m);"
           " if (b) reach_error(); return 0; }";
  load(text, (struct pv_dependence_options){0});
  uint32_t f = pv_test_function(p, "main"), twice = pv_test_function(p, "twice");
  uint32_t store = pv_test_edge(p, f, "g = b");
  pv_slice_add(s, f, store);
  uint32_t n = s->n;
  assert_true(pv_slice_matters_always(s, f, store));
  assert_true(pv_slice_has(s, twice, 0));
  assert_false(pv_slice_matters_always(s, twice, 0));
  OUT("main", "[b != 0]");
  pv_slice_add_essential(s, pt, PV_PROP_BIT(PV_PROP_UNREACH_CALL));
  assert_true(s->n > n);
  n = s->n;
  struct pv_slice *both = pv_slice_new(d);
  pv_slice_add_essential(both, pt, PV_PROP_BIT(PV_PROP_UNREACH_CALL));
  pv_slice_add(both, f, store);
  assert_int_equal(both->n, n);
  pv_slice_add(both, twice, 0); /* now in every call */
  assert_true(pv_slice_matters_always(both, twice, 0));
  pv_slice_free(both);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(graph_of_the_paper, tear_down),
      cmocka_unit_test_teardown(slice_of_the_paper, tear_down),
      cmocka_unit_test_teardown(loops_and_breaks, tear_down),
      cmocka_unit_test_teardown(jumps, tear_down),
      cmocka_unit_test_teardown(flow_that_is_not_reducible, tear_down),
      cmocka_unit_test_teardown(loops_that_may_not_end, tear_down),
      cmocka_unit_test_teardown(runs_that_end_in_a_callee, tear_down),
      cmocka_unit_test_teardown(recursion, tear_down),
      cmocka_unit_test_teardown(calls_do_not_mix, tear_down),
      cmocka_unit_test_teardown(globals_through_callees, tear_down),
      cmocka_unit_test_teardown(calls_through_pointers, tear_down),
      cmocka_unit_test_teardown(memory_through_pointers_to_functions, tear_down),
      cmocka_unit_test_teardown(arrays_and_the_heap, tear_down),
      cmocka_unit_test_teardown(addresses_of_locals, tear_down),
      cmocka_unit_test_teardown(order_of_writes, tear_down),
      cmocka_unit_test_teardown(other_threads_are_left_out, tear_down),
      cmocka_unit_test_teardown(other_threads_count, tear_down),
      cmocka_unit_test_teardown(joins_and_sections, tear_down),
      cmocka_unit_test_teardown(wide_memory, tear_down),
      cmocka_unit_test_teardown(nothing_known_of_pointers, tear_down),
      cmocka_unit_test_teardown(essential_statements, tear_down),
      cmocka_unit_test_teardown(slices_grow, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
