/* intervals_test.c -- intervals of variables in small programs. vm/analyses_soundness_test.c checks
 * them against real executions. */
#include "analysis/intervals.h"

#include "analysis/analysis_test.h"

struct analysed {
  struct pv_program *p;
  struct pv_points_to *pt;
  struct pv_call_graph *calls;
  struct pv_intervals *x;
};

static struct analysed analyse(const char *text) {
  struct analysed a = {.p = pv_test_load(text)};
  a.pt = pv_points_to_new(a.p, NULL);
  a.calls = pv_call_graph_new(a.p, a.pt);
  a.x = pv_intervals_new(a.p, a.pt, a.calls);
  assert_non_null(a.x);
  return a;
}

static void drop(struct analysed *a) {
  pv_intervals_free(a->x);
  pv_call_graph_free(a->calls);
  pv_points_to_free(a->pt);
  pv_program_free(a->p);
}

static const struct pv_edge *edge_of(const struct analysed *a, const char *function,
                                     const char *edge, uint32_t *f) {
  *f = pv_test_function(a->p, function);
  return &a->p->functions.at[*f].edges.at[pv_test_edge(a->p, *f, edge)];
}

/* Expects the interval of the right-hand side of the edge (for a store: of the stored value). */
static void lies(const struct analysed *a, const char *function, const char *edge, int64_t lo,
                 int64_t hi) {
  uint32_t f;
  const struct pv_edge *e = edge_of(a, function, edge, &f);
  pv_expr value = e->op == PV_OP_RETURN  ? pv_arg(a->p, e->args, 0)
                  : e->op == PV_OP_STORE ? e->e[1]
                                         : e->e[0];
  struct pv_interval is = pv_intervals_of(a->x, f, e->from, value);
  if (is.lo != lo || is.hi != hi)
    fail_msg("`%s`: [%lld, %lld]", edge, (long long)is.lo, (long long)is.hi);
}

static bool inside(const struct analysed *a, const char *function, const char *edge) {
  uint32_t f;
  const struct pv_edge *e = edge_of(a, function, edge, &f);
  return pv_intervals_inside(a->x, f, e->from, e->e[0], pv_type_bytes(e->type));
}

static bool reached(const struct analysed *a, const char *function, const char *edge) {
  uint32_t f;
  const struct pv_edge *e = edge_of(a, function, edge, &f);
  return pv_intervals_reach(a->x, f, e->from);
}

static void loops(void **state) {
  (void)state;
  struct analysed a = analyse("int table[8], sum;\n"
                              "int main(void) {\n"
                              "  for (int i = 0; i < 8; i++) table[i] = 2 * i;\n"
                              "  for (unsigned k = 8; k > 0; k--) sum = table[k - 1];\n"
                              "  int j = 0;\n"
                              "  while (j < 100) j += 3;\n"
                              "  sum = j;\n"
                              "  if (j > 200) sum = -1;\n"
                              "  return table[8 - 1];\n"
                              "}\n");
  lies(&a, "main", "table[i] = t1", 0, 14);
  assert_true(inside(&a, "main", "table[i] = t1"));
  assert_true(inside(&a, "main", "t1 = table[(u64)(k - 1)]"));
  lies(&a, "main", "sum = j", 100, 199); /* up to what it is compared with */
  assert_false(reached(&a, "main", "sum = -1"));
  drop(&a);
}

static void one_past_the_end(void **state) {
  (void)state;
  struct analysed a = analyse("int table[8];\n"
                              "int main(void) {\n"
                              "  for (int i = 0; i <= 8; i++) table[i] = 1;\n"
                              "  return 0;\n"
                              "}\n");
  assert_false(inside(&a, "main", "table[i] = 1"));
  drop(&a);
}

/* One thread stores values in a loop; another one reads them through a pointer and uses them as an
 * index. */
static const char *const threads_text = "#include <pthread.h>\n"
                                        "static int number[3], table[16];\n"
                                        "static void put(int at) { table[at] = 1; }\n"
                                        "static int twice(int x) { return 2 * x; }\n"
                                        "static void *work(void *arg) {\n"
                                        "  int self = *(int *)arg;\n"
                                        "  put(twice(self) % 16);\n"
                                        "  put((self * 5 + 1) & 15);\n"
                                        "  return 0;\n"
                                        "}\n"
                                        "int main(void) {\n"
                                        "  pthread_t t;\n"
                                        "  for (int i = 0; i < 3; i++) {\n"
                                        "    number[i] = FIRST + i;\n"
                                        "    pthread_create(&t, 0, work, &number[i]);\n"
                                        "  }\n"
                                        "  EXTRA;\n"
                                        "  return 0;\n"
                                        "}\n";

static struct analysed threads(const char *first, const char *extra) {
  char *text = pv_format("#define FIRST %s\n#define EXTRA %s\n%s", first, extra, threads_text);
  struct analysed a = analyse(text);
  free(text);
  return a;
}

static void calls_and_threads(void **state) {
  (void)state;
  struct analysed a = threads("4", "");
  lies(&a, "main", "number[i] = t1", 4, 6);
  lies(&a, "twice", "return 2 * x", 0, 12); /* with what the array held at first */
  assert_true(inside(&a, "put", "table[at] = 1"));
  drop(&a);
  a = threads("-1", ""); /* the remainder may be negative */
  assert_false(inside(&a, "put", "table[at] = 1"));
  drop(&a);
}

/* Memory that is also written in another way may contain anything. */
static void spoiled(void **state) {
  (void)state;
  const char *const extras[] = {"__builtin_memset(number, 200, 5)", "*(char *)number = 9",
                                "__builtin_memcpy(number, table, 8)",
                                "*(int *)((char *)number + 1) = 1",
                                "*(volatile int *)&number[1] = __VERIFIER_nondet_int()"};
  for (size_t i = 0; i < sizeof extras / sizeof *extras; i++) {
    char *extra = pv_format("int __VERIFIER_nondet_int(void); %s", extras[i]);
    struct analysed a = threads("4", extra);
    if (inside(&a, "put", "table[at] = 1")) fail_msg("%s", extra);
    drop(&a);
    free(extra);
  }
}

static void wraps_around(void **state) {
  (void)state;
  struct analysed a = analyse("unsigned char small;\n"
                              "unsigned count;\n"
                              "int table[16];\n"
                              "int main(void) {\n"
                              "  for (int i = 0; i < 300; i++) small++;\n"
                              "  for (int i = 0; i < 5; i++) count--;\n"
                              "  table[small / 16] = 1;\n"
                              "  table[count % 16] = 2;\n"
                              "  table[count / 16] = 3;\n"
                              "  return 0;\n"
                              "}\n");
  uint32_t f = pv_test_function(a.p, "main");
  const struct pv_function *function = &a.p->functions.at[f];
  unsigned stores = 0;
  for (uint32_t i = 0; i < function->edges.n; i++) {
    const struct pv_edge *e = &function->edges.at[i];
    if (e->op != PV_OP_STORE || pv_node(a.p, e->e[1])->op != PV_X_CONST) continue;
    bool expected = pv_node(a.p, e->e[1])->lo != 3;
    assert_true(pv_intervals_inside(a.x, f, e->from, e->e[0], 4) == expected);
    stores++;
  }
  assert_int_equal(stores, 3);
  drop(&a);
}

static void recursion_and_pointers(void **state) {
  (void)state;
  struct analysed a = analyse("static int table[10];\n"
                              "static int down(int n) { return n > 0 ? down(n - 1) : n; }\n"
                              "static int first(int x) { return x; }\n"
                              "static int second(int x) { return x + 1; }\n"
                              "int main(int argc, char **argv) {\n"
                              "  int (*f)(int) = argc > 1 ? first : second;\n"
                              "  int d = down(9), c = f(8);\n"
                              "  table[d] = 1;\n"
                              "  table[c] = 2;\n"
                              "  return argv != 0;\n"
                              "}\n");
  assert_true(inside(&a, "main", "table[d] = 1"));
  lies(&a, "second", "return x + 1", 9, 9);
  assert_true(inside(&a, "main", "table[c] = 2"));
  drop(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops),
      cmocka_unit_test(one_past_the_end),
      cmocka_unit_test(calls_and_threads),
      cmocka_unit_test(spoiled),
      cmocka_unit_test(wraps_around),
      cmocka_unit_test(recursion_and_pointers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
