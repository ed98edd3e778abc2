/* accesses_test.c -- groups of memory: which are distinguished, which are omitted, which are
 * overwritten as a whole, and what functions access including their callees. */
#include "analysis/accesses.h"
#include "analysis/analysis_test.h"

static struct pv_program *p;
static struct pv_points_to *pt;
static struct pv_call_graph *calls;
static struct pv_accesses *a;

static int tear_down(void **state) {
  (void)state;
  pv_accesses_free(a);
  pv_call_graph_free(calls);
  pv_points_to_free(pt);
  pv_program_free(p);
  a = NULL;
  calls = NULL;
  pt = NULL;
  p = NULL;
  return 0;
}

static void analyse(const char *text) {
  tear_down(NULL);
  p = pv_test_load(text);
  pt = pv_points_to_new(p, NULL);
  calls = pv_call_graph_new(p, pt);
  a = pv_accesses_new(p, pt, calls);
}

static void name_groups(const uint32_t *groups, uint32_t n, struct pv_str *out) {
  for (uint32_t i = 0; i < n; i++) {
    pv_str_add(out, i ? "; " : "");
    pv_accesses_name(a, groups[i], out);
  }
}

/* Expects the groups that the edge reads, "->", and those that it writes, with "!" if their old
 * content is overwritten completely. */
static void expect(const char *function, const char *edge, const char *expected) {
  uint32_t f = pv_test_function(p, function), e = pv_test_edge(p, f, edge), n;
  struct pv_str got = {0};
  bool all;
  const uint32_t *groups = pv_accesses_read(a, f, e, &n);
  name_groups(groups, n, &got);
  groups = pv_accesses_written(a, f, e, &n, &all);
  pv_str_add(&got, "->");
  name_groups(groups, n, &got);
  if (all) pv_str_addc(&got, '!');
  assert_string_equal(pv_str_cstr(&got), expected);
  pv_str_free(&got);
}

/* Expects the groups that any instance of the function writes, including its callees. */
static void expect_mod(const char *function, const char *expected) {
  const uint32_t *instances;
  uint32_t n = pv_points_to_instances(pt, pv_test_function(p, function), &instances);
  struct pv_str got = {0};
  for (uint32_t g = 0; g < pv_accesses_groups(a); g++) {
    bool in = false;
    for (uint32_t i = 0; i < n; i++) in |= pv_accesses_mod(a, instances[i])[g / 64] >> g % 64 & 1;
    if (!in) continue;
    if (got.n) pv_str_add(&got, "; ");
    pv_accesses_name(a, g, &got);
  }
  assert_string_equal(pv_str_cstr(&got), expected);
  pv_str_free(&got);
}

#define HEAD                                                                                       \
  "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\nint g, h, k, onlyread, "        \
  "onlywritten;\n"

static void objects_that_no_access_tells_apart(void **state) {
  (void)state;
  analyse(HEAD "int x, y, z; int main(void) { int *q = k ? &x : &y; *q = 1; z = *q; k = 2;"
               " onlywritten = onlyread; return z; }");
  expect("main", "*q = 1", "->x, y");
  expect("main", "z = t1", "->z!");
  expect("main", "t1 = onlyread", "->");
  expect("main", "onlywritten = t1", "->");
  analyse(HEAD "int x, y, z; int main(void) { int *q = k ? &x : &y; *q = 1; k = 2; return x; }");
  expect("main", "*q = 1", "->x"); /* y is never read */
}

static void what_is_overwritten(void **state) {
  (void)state;
  analyse(HEAD
          "struct s { int x, y; } s, t; int again(int n) { int l = n, *q = &l; if (n) again(n - 1);"
          " return *q; }\nint main(void) { int l, *q = &l, a[2]; l = 3; memset(a, 0, sizeof a);"
          " g = 1; s.x = 2; t = s; h = again(*q); return t.y + a[1] + g + h; }");
  expect("main", "g = 1", "->g!");
  expect("main", "s.x = 2", "->s");
  expect("main", "memcpy(&t, &s, 8)", "s->t!");
  expect("main", "l = 3", "->main.l!");
  expect("main", "live l", "->main.l!");
  expect("main", "memset(a, 0, 8)", "->main.a!");
  expect("again", "l = n", "->again.l"); /* of one call of several */
}

static void what_ends_with_the_call(void **state) {
  (void)state;
  analyse(
      HEAD
      "void put(int *at) { *at = 1; }\nint local(void) { int l = 0; put(&l); g = l; return l; }\n"
      "int deep(int n) { int l = n, *q = &l; put(q); return n ? deep(n - 1) + *q : g; }\n"
      "int main(void) { return local() + deep(2); }");
  expect_mod("put", "local.l; deep.l");
  expect_mod("local", "g; deep.l"); /* put is one for all calls */
  expect_mod("deep", "local.l; deep.l");
}

/* Of a model, by the call that leads there. */
static void allocations_by_their_callers(void **state) {
  (void)state;
  analyse(HEAD
          "int main(void) { int *q = malloc(4), *r = malloc(4); *q = 1; *r = 2; return *q + *r; }");
  uint32_t f = pv_test_function(p, "main"), n;
  uint32_t calls_of[2] = {pv_test_edge(p, f, "q = malloc(4)"), pv_test_edge(p, f, "r = malloc(4)")};
  const uint32_t *from, *to;
  assert_int_equal(pv_points_to_instances(pt, f, &from), 1);
  for (int i = 0; i < 2; i++) {
    unsigned written = 0;
    to = pv_points_to_calls(pt, from[0], calls_of[i], &n);
    assert_int_equal(n, 1);
    for (uint32_t w = 0; w < pv_accesses_words(a); w++)
      written += (unsigned)__builtin_popcountll(pv_accesses_mod(a, to[0])[w]);
    assert_int_equal(written, 1);
  }
}

static void locks_and_threads(void **state) {
  (void)state;
  analyse(HEAD
          "struct s { pthread_mutex_t m; int x; } s; int mine, both;\n"
          "void *run(void *v) { pthread_mutex_lock(&s.m); s.x = 1; both++; return v; }\n"
          "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_mutex_unlock(&s.m);"
          " mine++; g = s.x; h = both; pthread_join(t, 0); return mine; }");
  expect("run", "pthread_mutex_lock(&s)", "s; state of s->state of s");
  expect("run", "s.x = 1", "->s");
  uint32_t run = pv_test_function(p, "run"), main_ = pv_test_function(p, "main"), n;
  bool all;
  const uint32_t *s = pv_accesses_written(a, run, pv_test_edge(p, run, "s.x = 1"), &n, &all);
  assert_true(pv_accesses_between_threads(a, s[0]));
  s = pv_accesses_written(a, run, pv_test_edge(p, run, "both = t1 + 1"), &n, &all);
  assert_true(pv_accesses_between_threads(a, s[0]));
  s = pv_accesses_written(a, main_, pv_test_edge(p, main_, "mine = t1 + 1"), &n, &all);
  assert_false(pv_accesses_between_threads(a, s[0]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(objects_that_no_access_tells_apart, tear_down),
      cmocka_unit_test_teardown(what_is_overwritten, tear_down),
      cmocka_unit_test_teardown(what_ends_with_the_call, tear_down),
      cmocka_unit_test_teardown(allocations_by_their_callers, tear_down),
      cmocka_unit_test_teardown(locks_and_threads, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
